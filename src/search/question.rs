//! Questions to the full-strength search about single positions: what is the position at the end of a path worth, to a
//! depth and within a window, and which move shows it?

use super::node::Node;
use super::scores::{from_table, to_table};
use super::searcher::{LeafSearcher, PLY_MAX, Walk};
use crate::chess::{Line, Move};
use crate::game::{Game, Score, Window};

/// A question about the position that `path` leads to from the current one.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Legal moves, played one after the other.
    pub path: &'a [Move],
    /// Plies to look ahead from the end of the path.
    pub depth: u16,
    /// The window asked about, side to move's view at the end of the path.
    pub window: Window,
    /// Whether the position is expected to reach beta by one of its first moves.
    pub is_cut: bool,
}

/// The answer to a [`Question`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Side to move's view at the end of the path, fail-soft.
    pub score: Score,
    /// The move that shows the score, where one was found and asked for.
    pub best: Option<Move>,
    /// The principal variation from the end of the path, where the window was open.
    pub pv: Vec<Move>,
    /// Deepest ply reached, counted from the start of the path.
    pub selective_depth: u16,
    /// Nodes searched.
    pub nodes: u64,
}

/// Whether to go on; told the nodes of the question so far.
type Proceed<'a> = &'a mut dyn FnMut(u64) -> bool;

impl LeafSearcher {
    /// Questions about another position follow: what belongs to the old path is forgotten.
    pub fn turn_to_new_position(&mut self) {
        self.forget_path();
    }

    /// The score of the position; `None` if `proceed` said stop.
    pub fn answer(
        &mut self,
        line: &mut Line,
        question: Question<'_>,
        proceed: Proceed<'_>,
    ) -> Option<Reply> {
        let mut reply = self.at_end_of(line, question, proceed, |searcher, walk, node| {
            (searcher.alpha_beta(walk, node), None)
        })?;
        if !question.window.is_null() {
            reply.pv.clone_from(&self.frames[question.path.len()].pv);
        }
        Some(reply)
    }

    /// The score of the position by one of its moves but `excluded`: neither the table nor a pass answers for them.
    /// `None` if `proceed` said stop.
    pub fn answer_by_move(
        &mut self,
        line: &mut Line,
        question: Question<'_>,
        excluded: Option<Move>,
        proceed: Proceed<'_>,
    ) -> Option<Reply> {
        self.at_end_of(line, question, proceed, |searcher, walk, node| {
            searcher.by_moves(walk, Node { excluded, ..node })
        })
    }

    /// The legal moves at the end of the path, the most promising first, and which of them are quiet.
    pub fn successors(&mut self, line: &mut Line, path: &[Move]) -> Vec<(Move, bool)> {
        for &mv in path {
            line.play(mv);
        }
        let position = line.position();
        let hash = self.probe(position.key()).and_then(|entry| entry.best);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.sort_by_cached_key(|&mv| std::cmp::Reverse(self.move_score(position, mv, hash)));
        let is_quiet = |mv| !position.is_noisy(mv) && !position.gives_check(mv);
        let successors = moves.into_iter().map(|mv| (mv, is_quiet(mv))).collect();
        for _ in path {
            line.undo();
        }
        successors
    }

    /// Leads the search to the end of the path, as if it had come there from the root, and back.
    fn at_end_of(
        &mut self,
        line: &mut Line,
        question: Question<'_>,
        proceed: Proceed<'_>,
        ask: impl FnOnce(&mut Self, &mut Walk<'_>, Node) -> (i32, Option<Move>),
    ) -> Option<Reply> {
        let ply = question.path.len();
        assert!(ply < PLY_MAX, "a path of {ply} plies");
        self.begin(u64::MAX);
        self.is_deep = true;
        self.ply_extended_max = 2 * (ply + usize::from(question.depth));
        let mut walk = Walk { line, proceed };
        for (ply, &mv) in question.path.iter().enumerate() {
            self.evaluate_path(walk.line, ply);
            self.play(&mut walk, mv, ply);
        }
        let node = Node {
            ply,
            is_cut: question.is_cut,
            ..Node::root(
                i32::from(question.depth),
                from_table(question.window.alpha().raw(), ply),
                from_table(question.window.beta().raw(), ply),
            )
        };
        let (score, best) = ask(self, &mut walk, node);
        for _ in question.path {
            walk.line.undo();
        }
        (!self.is_unwinding()).then(|| Reply {
            score: Score::from_raw(i32::from(to_table(score, ply))),
            best,
            pv: Vec::new(),
            selective_depth: self.selective_depth as u16,
            nodes: self.nodes.max(1),
        })
    }
}

impl LeafSearcher {
    /// Tries the moves of a node, whatever the table, the evaluation or a pass may say of it.
    fn by_moves(&mut self, walk: &mut Walk<'_>, mut node: Node) -> (i32, Option<Move>) {
        let in_check = walk.line.position().is_check();
        node.depth = node.depth.max(1) + i32::from(in_check && self.params.check_extension);
        self.count(walk, node.ply);
        if let Some(score) = self.settled(walk.line, &mut node) {
            return (score, None);
        }
        let stored = self.probe(walk.line.key());
        let known = self.evaluate_node(walk.line, &node, in_check, stored);
        let outcome = self.try_moves(walk, &node, &known);
        (outcome.best, outcome.best_move)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::{parse_fen, parse_uci_move};
    use crate::search::LeafParams;

    fn line(fen: &str) -> Line {
        Line::new(parse_fen(fen).unwrap())
    }

    fn question(path: &[Move], depth: u16, window: Window) -> Question<'_> {
        Question {
            path,
            depth,
            window,
            is_cut: window.is_null(),
        }
    }

    /// White mates by Ra8, and by nothing else.
    const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

    #[test]
    fn distances_to_mate_count_from_the_end_of_the_path() {
        let mut line = line("7k/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1");
        let path = [parse_uci_move(line.position(), "h8g8").unwrap()];
        let mut searcher = LeafSearcher::new(LeafParams::default(), 1).unwrap();
        let reply = searcher
            .answer(&mut line, question(&path, 2, Window::FULL), &mut |_| true)
            .unwrap();
        assert_eq!(reply.score, Score::mate_in(1));
        assert_eq!(format!("{:?}", reply.pv), "[a1a8]");
        assert!(line.moves().is_empty(), "the path is taken back");
    }

    #[test]
    fn the_only_strategy_has_no_second() {
        let mut line = line(MATE_IN_ONE);
        let mut searcher = LeafSearcher::new(LeafParams::default(), 1).unwrap();
        let window = Window::null_below(Score::mate_in(1));
        let mut by_move = |excluded| {
            let question = question(&[], 3, window);
            let reply = searcher.answer_by_move(&mut line, question, excluded, &mut |_| true);
            reply.unwrap()
        };
        let first = by_move(None);
        assert_eq!(format!("{:?}", first.best), "Some(a1a8)");
        assert_eq!(first.score, Score::mate_in(1));
        assert!(by_move(first.best).score < Score::mate_in(1));
    }

    #[test]
    fn who_is_told_to_stop_answers_nothing_and_leaves_the_line() {
        let mut line = line("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1");
        let path = [parse_uci_move(line.position(), "f1b5").unwrap()];
        let mut searcher = LeafSearcher::new(LeafParams::default(), 1).unwrap();
        let reply = searcher.answer(&mut line, question(&path, 12, Window::FULL), &mut |_| false);
        assert_eq!(reply, None);
        assert!(line.moves().is_empty());
    }
}
