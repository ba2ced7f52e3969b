//! A searcher among others at one question: it marks the move it is at, and goes where others are not.

use super::company::{Asked, Told};
use super::node::Node;
use super::quiescence::usable;
use super::searcher::{LeafSearcher, Unwind, Walk};
use crate::chess::Move;
use crate::game::Game as _;

impl LeafSearcher {
    /// The mark of a move, where the node's moves are divided.
    pub(super) fn mark(&self, walk: &Walk<'_>, node: &Node, mv: Move) -> Option<u64> {
        let company = self.company.as_ref()?;
        let is_divided = company.divides(node.depth) && node.excluded.is_none();
        is_divided.then(|| {
            let name = u64::from(mv.raw()) << 8 | node.depth as u64;
            (walk.line.key() ^ name.wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(1)
        })
    }

    /// Whether another searcher is at the move of that mark.
    pub(super) fn is_taken(&self, mark: u64) -> bool {
        let company = self.company.as_ref();
        company.is_some_and(|company| company.is_marked(mark))
    }

    /// The searcher begins with the move of that mark.
    pub(super) fn enter(&self, node: &Node, mark: u64) {
        let Some(company) = &self.company else { return };
        company.enter(mark);
        if company.tells_moves(node.depth) {
            company.tell(Told::Entered(mark));
        }
    }

    /// The searcher is done with the move of that mark.
    pub(super) fn leave(&self, node: &Node, mark: u64) {
        let Some(company) = &self.company else { return };
        company.leave(mark);
        if company.tells_moves(node.depth) {
            company.tell(Told::Left(mark));
        }
    }

    /// Tells searchers with other tables what was found of the node.
    pub(super) fn tell_found(&self, node: &Node, key: u64) {
        let Some(company) = self
            .company
            .as_ref()
            .filter(|it| it.tells_found(node.depth))
        else {
            return;
        };
        if let Some(entry) = self.table.probe(key) {
            company.tell(Told::Found(key, entry));
        }
    }

    /// [`LeafSearcher::alpha_beta`], unless another searcher answers the node's question first.
    pub(super) fn alpha_beta(&mut self, walk: &mut Walk<'_>, node: Node) -> i32 {
        let company = self.company.as_ref();
        let is_shared = company.is_some_and(|company| company.divides(node.depth))
            && node.excluded.is_none()
            && !node.is_pv();
        if !is_shared {
            return self.search_node(walk, node);
        }
        let asked = Asked {
            key: walk.line.key(),
            depth: node.depth,
            alpha: node.alpha,
            beta: node.beta,
        };
        let before = self.frames[node.ply].asked.replace(asked);
        let score = self.search_node(walk, node);
        self.frames[node.ply].asked = before;
        match self.unwind {
            Unwind::To { ply, score } if ply == node.ply => {
                self.unwind = Unwind::No;
                score
            }
            _ => score,
        }
    }

    /// Whether the table has an answer to a question on the path by now; then the search goes back there.
    pub(super) fn look_for_answers(&mut self, ply: usize) {
        if self.company.is_none() {
            return;
        }
        let answer = |ply: usize| {
            let asked = self.frames[ply].asked?;
            let entry = self.table.probe(asked.key)?;
            let score = usable(&entry, asked.depth, ply, asked.alpha, asked.beta)?;
            Some(Unwind::To { ply, score })
        };
        self.unwind = (0..=ply).find_map(answer).unwrap_or(Unwind::No);
    }

    /// What others have found the node to be worth since it was entered; nothing where its moves have to show that.
    pub(super) fn answered_by_others(&self, walk: &Walk<'_>, node: &Node) -> Option<i32> {
        self.frames[node.ply].asked?;
        let entry = self.table.probe(walk.line.key())?;
        usable(&entry, node.depth, node.ply, node.alpha, node.beta)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::chess::Line;
    use crate::chess::notation::{parse_fen, parse_uci_move};
    use crate::game::{Score, Window};
    use crate::search::table::{BoundType, Entry, LeafTable};
    use crate::search::{Company, LeafParams, Question, Telling};

    /// White mates by Ra8, and by nothing else.
    const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

    fn line(fen: &str) -> Line {
        Line::new(parse_fen(fen).unwrap())
    }

    fn searcher(company: &Arc<Company>) -> LeafSearcher {
        let mut searcher = LeafSearcher::new(LeafParams::default(), 1).unwrap();
        searcher.join(Some(Arc::clone(company)));
        searcher
    }

    fn ask(searcher: &mut LeafSearcher, line: &mut Line, depth: u16) -> Option<(Score, u64)> {
        let question = Question {
            path: &[],
            depth,
            window: Window::FULL,
            is_cut: false,
        };
        let reply = searcher.answer(line, question, &mut |_| true)?;
        Some((reply.score, reply.nodes))
    }

    #[test]
    fn a_move_that_another_is_at_is_put_off_and_not_forgotten() {
        let company = Arc::new(Company::new(3, None));
        let mut line = line(MATE_IN_ONE);
        let mut moves = Vec::new();
        line.legal_moves(&mut moves);
        let node = Node::root(3, -1, 1);
        let mut searcher = searcher(&company);
        let walk = Walk {
            line: &mut line,
            proceed: &mut |_| true,
        };
        for &mv in &moves {
            let mark = searcher.mark(&walk, &node, mv).unwrap();
            company.enter(mark);
            assert!(searcher.is_taken(mark));
        }
        let (score, _) = ask(&mut searcher, &mut line, 3).unwrap();
        assert_eq!(score, Score::mate_in(1));
    }

    #[test]
    fn whoever_is_done_or_stopped_leaves_no_mark() {
        let company = Arc::new(Company::new(3, None));
        let mut searcher = searcher(&company);
        let start = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1";
        ask(&mut searcher, &mut line(start), 6).unwrap();
        assert!(company.is_empty());
        let question = Question {
            path: &[],
            depth: 20,
            window: Window::FULL,
            is_cut: false,
        };
        let mut had_marks = false;
        let reply = searcher.answer(&mut line(start), question, &mut |nodes| {
            had_marks |= !company.is_empty();
            nodes < 20_000
        });
        assert!(reply.is_none() && had_marks);
        assert!(company.is_empty());
    }

    #[test]
    fn what_another_has_found_ends_the_search_of_its_node() {
        let company = Arc::new(Company::new(3, None));
        let mut searcher = searcher(&company);
        let (key, depth) = (line(MATE_IN_ONE).key(), 9);
        let asked = Asked {
            key,
            depth,
            alpha: 49,
            beta: 50,
        };
        searcher.frames[2].asked = Some(asked);
        searcher.look_for_answers(4);
        assert!(!searcher.is_unwinding());
        let entry = Entry {
            best: None,
            score: 60,
            evaluation: Entry::NO_EVALUATION,
            depth: 9,
            bound: BoundType::Lower,
        };
        company.hear(
            Told::Found(key, Entry { depth: 8, ..entry }),
            searcher.table(),
        );
        searcher.look_for_answers(4);
        assert!(!searcher.is_unwinding(), "not deep enough");
        company.hear(Told::Found(key, entry), searcher.table());
        searcher.look_for_answers(1);
        assert!(!searcher.is_unwinding(), "the search is no longer there");
        searcher.look_for_answers(4);
        assert_eq!(searcher.unwind, Unwind::To { ply: 2, score: 60 });
    }

    #[test]
    fn who_has_no_others_tells_nobody() {
        let company = Arc::new(Company::new(3, None));
        ask(&mut searcher(&company), &mut line(MATE_IN_ONE), 6).unwrap();
        assert!(company.take_told().is_empty());
    }

    #[test]
    fn where_a_move_has_to_show_the_bound_no_entry_of_others_does() {
        let company = Arc::new(Company::new(3, None));
        let mut line = line(MATE_IN_ONE);
        let mut searcher = searcher(&company);
        let mate = Score::mate_in(1);
        let entry = Entry {
            best: Some(parse_uci_move(line.position(), "h2h3").unwrap()),
            score: mate.raw(),
            evaluation: 0,
            depth: 9,
            bound: BoundType::Lower,
        };
        searcher.table().store(line.key(), entry);
        let question = Question {
            path: &[],
            depth: 4,
            window: Window::null_below(mate),
            is_cut: true,
        };
        let reply = searcher.answer_by_move(&mut line, question, None, &mut |_| true);
        assert_eq!(format!("{:?}", reply.unwrap().best), "Some(a1a8)");
    }

    #[test]
    fn what_is_found_and_where_is_told_and_heard_elsewhere() {
        let telling = Telling::among(2);
        let company = Arc::new(Company::new(3, Some(telling)));
        let other = Company::new(3, None);
        let mut searcher = searcher(&company);
        let start = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1";
        ask(&mut searcher, &mut line(start), 6).unwrap();
        let told = company.take_told();
        let table = LeafTable::new(1).unwrap();
        let mut found = 0;
        for told in told {
            other.hear(told, &table);
            match told {
                Told::Entered(mark) => assert!(other.is_marked(mark)),
                Told::Left(mark) => assert!(!other.is_marked(mark)),
                Told::Found(key, entry) => {
                    found += 1;
                    assert!(table.probe(key).unwrap().depth >= entry.depth);
                }
            }
        }
        assert!(found > 0 && other.is_empty());
        assert!(company.take_told().is_empty());
    }
}
