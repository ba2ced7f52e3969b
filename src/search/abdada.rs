//! Parallel search of one question: each searcher registers its current move and defers the moves of others.

use super::node::Node;
use super::quiescence::tt_cutoff;
use super::searcher::{LeafSearcher, Unwind, Walk};
use super::shared_search::Asked;
use crate::chess::Move;
use crate::game::{Game as _, HashUpdate};

impl LeafSearcher {
    /// The key of a move among the busy ones, where the node's moves are divided.
    pub(super) fn busy_key(&self, walk: &Walk<'_>, node: &Node, mv: Move) -> Option<u64> {
        let shared = self.shared.as_ref()?;
        let is_divided = shared.divides(node.depth) && node.excluded.is_none();
        is_divided.then(|| {
            let name = u64::from(mv.raw()) << 8 | node.depth as u64;
            (walk.line.key() ^ name.wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(1)
        })
    }

    /// Whether another searcher is at the move of that key.
    pub(super) fn is_busy(&self, busy_key: u64) -> bool {
        let shared = self.shared.as_ref();
        shared.is_some_and(|shared| shared.is_busy(busy_key))
    }

    /// The searcher begins with the move of that key.
    pub(super) fn begin_move(&self, node: &Node, busy_key: u64) {
        let Some(shared) = &self.shared else { return };
        shared.begin(busy_key);
        if shared.shares_moves(node.depth) {
            shared.publish(HashUpdate::Begun(busy_key));
        }
    }

    /// The searcher is done with the move of that key.
    pub(super) fn end_move(&self, node: &Node, busy_key: u64) {
        let Some(shared) = &self.shared else { return };
        shared.end(busy_key);
        if shared.shares_moves(node.depth) {
            shared.publish(HashUpdate::Ended(busy_key));
        }
    }

    /// Publishes the node's entry to searchers with other tables.
    pub(super) fn publish_found(&self, node: &Node, key: u64) {
        let Some(shared) = self
            .shared
            .as_ref()
            .filter(|it| it.shares_found(node.depth))
        else {
            return;
        };
        if let Some(entry) = self.table.probe(key) {
            let content = entry.to_word();
            shared.publish(HashUpdate::Found { key, content });
        }
    }

    /// [`LeafSearcher::alpha_beta`], unless another searcher answers the node's question first.
    pub(super) fn alpha_beta(&mut self, walk: &mut Walk<'_>, node: Node) -> i32 {
        let shared = self.shared.as_ref();
        let is_shared = shared.is_some_and(|shared| shared.divides(node.depth))
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

    /// Unwinds to the first node on the path whose question the table answers by now.
    pub(super) fn unwind_to_answered(&mut self, ply: usize) {
        if self.shared.is_none() {
            return;
        }
        let answer = |ply: usize| {
            let asked = self.frames[ply].asked?;
            let entry = self.table.probe(asked.key)?;
            let score = tt_cutoff(&entry, asked.depth, ply, asked.alpha, asked.beta)?;
            Some(Unwind::To { ply, score })
        };
        self.unwind = (0..=ply).find_map(answer).unwrap_or(Unwind::No);
    }

    /// The score that others have found for the node since it was entered; none where its moves have to show that.
    pub(super) fn answered_by_others(&self, walk: &Walk<'_>, node: &Node) -> Option<i32> {
        self.frames[node.ply].asked?;
        let entry = self.table.probe(walk.line.key())?;
        tt_cutoff(&entry, node.depth, node.ply, node.alpha, node.beta)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::chess::Line;
    use crate::chess::notation::{parse_fen, parse_uci_move};
    use crate::game::{Bound, Job, Request, Response, Score, SearchResult, Window};
    use crate::search::table::{Entry, LeafTable};
    use crate::search::{LeafParams, ShareThresholds, SharedSearch};

    /// White mates by Ra8, and by nothing else.
    const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

    fn line(fen: &str) -> Line {
        Line::new(parse_fen(fen).unwrap())
    }

    fn searcher(shared: &Arc<SharedSearch>) -> LeafSearcher {
        let mut searcher = LeafSearcher::new(LeafParams::default(), 1).unwrap();
        searcher.set_shared(Some(Arc::clone(shared)));
        searcher
    }

    fn search(depth: u16) -> Job<Move> {
        let request = Request::Search {
            depth,
            window: Window::FULL,
            is_cut: false,
        };
        Job {
            path: Vec::new(),
            request,
        }
    }

    fn perform(
        searcher: &mut LeafSearcher,
        line: &mut Line,
        job: &Job<Move>,
    ) -> SearchResult<Move> {
        match searcher.perform(line, job, &mut |_| true) {
            Response::Searched(found) => found,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_busy_move_is_deferred_and_not_forgotten() {
        let shared = Arc::new(SharedSearch::new(3, None));
        let mut line = line(MATE_IN_ONE);
        let mut moves = Vec::new();
        line.legal_moves(&mut moves);
        let node = Node::root(3, -1, 1);
        let mut searcher = searcher(&shared);
        let walk = Walk {
            line: &mut line,
            proceed: &mut |_| true,
        };
        for &mv in &moves {
            let busy_key = searcher.busy_key(&walk, &node, mv).unwrap();
            shared.begin(busy_key);
            assert!(searcher.is_busy(busy_key));
        }
        let found = perform(&mut searcher, &mut line, &search(3));
        assert_eq!(found.score, Score::mate_in(1));
    }

    #[test]
    fn a_searcher_that_is_done_or_stopped_leaves_no_busy_move() {
        let shared = Arc::new(SharedSearch::new(3, None));
        let mut searcher = searcher(&shared);
        let start = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1";
        perform(&mut searcher, &mut line(start), &search(6));
        assert!(shared.is_empty());
        let mut had_busy_moves = false;
        let response = searcher.perform(&mut line(start), &search(20), &mut |nodes| {
            had_busy_moves |= !shared.is_empty();
            nodes < 20_000
        });
        assert!(matches!(response, Response::Aborted(20_000..)) && had_busy_moves);
        assert!(shared.is_empty());
    }

    #[test]
    fn what_another_has_found_ends_the_search_of_its_node() {
        let shared = Arc::new(SharedSearch::new(3, None));
        let mut searcher = searcher(&shared);
        let (key, depth) = (line(MATE_IN_ONE).key(), 9);
        let asked = Asked {
            key,
            depth,
            alpha: 49,
            beta: 50,
        };
        searcher.frames[2].asked = Some(asked);
        searcher.unwind_to_answered(4);
        assert!(!searcher.is_unwinding());
        let entry = Entry {
            best: None,
            score: 60,
            evaluation: Entry::NO_EVALUATION,
            depth: 9,
            bound: Bound::Lower,
            was_pv: false,
        };
        let found = |entry: Entry| HashUpdate::Found {
            key,
            content: entry.to_word(),
        };
        let less_deep = found(Entry { depth: 8, ..entry });
        shared.apply(&[less_deep], searcher.table());
        searcher.unwind_to_answered(4);
        assert!(!searcher.is_unwinding(), "not deep enough");
        shared.apply(&[found(entry)], searcher.table());
        searcher.unwind_to_answered(1);
        assert!(!searcher.is_unwinding(), "the search is no longer there");
        searcher.unwind_to_answered(4);
        assert_eq!(searcher.unwind, Unwind::To { ply: 2, score: 60 });
    }

    #[test]
    fn without_other_tables_nothing_is_published() {
        let shared = Arc::new(SharedSearch::new(3, None));
        perform(&mut searcher(&shared), &mut line(MATE_IN_ONE), &search(6));
        assert!(shared.take_updates().is_empty());
    }

    #[test]
    fn where_a_move_has_to_show_the_bound_no_entry_of_others_does() {
        let shared = Arc::new(SharedSearch::new(3, None));
        let mut line = line(MATE_IN_ONE);
        let mut searcher = searcher(&shared);
        let mate = Score::mate_in(1);
        let entry = Entry {
            best: Some(parse_uci_move(line.position(), "h2h3").unwrap()),
            score: mate.raw(),
            evaluation: 0,
            depth: 9,
            bound: Bound::Lower,
            was_pv: false,
        };
        searcher.table().store(line.key(), entry);
        let job = Job {
            path: Vec::new(),
            request: Request::SearchExcluding {
                depth: 4,
                at_least: mate,
                excluded: None,
            },
        };
        let found = perform(&mut searcher, &mut line, &job);
        assert_eq!(format!("{:?}", found.best), "Some(a1a8)");
    }

    #[test]
    fn entries_and_busy_moves_are_published_and_applied_elsewhere() {
        let thresholds = ShareThresholds::among(2);
        let shared = Arc::new(SharedSearch::new(3, Some(thresholds)));
        let other = SharedSearch::new(3, None);
        let mut searcher = searcher(&shared);
        let start = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1";
        perform(&mut searcher, &mut line(start), &search(6));
        let table = LeafTable::new(1).unwrap();
        let mut found = 0;
        for update in shared.take_updates() {
            other.apply(&[update], &table);
            match update {
                HashUpdate::Begun(busy_key) => assert!(other.is_busy(busy_key)),
                HashUpdate::Ended(busy_key) => assert!(!other.is_busy(busy_key)),
                HashUpdate::Found { key, content } => {
                    found += 1;
                    let entry = Entry::from_word(content).unwrap();
                    assert!(table.probe(key).unwrap().depth >= entry.depth);
                }
            }
        }
        assert!(found > 0 && other.is_empty());
        assert!(shared.take_updates().is_empty());
    }
}
