//! Searches of single positions for the planner: the value of the position at the end of a path, to a depth and within
//! a window, and its best move.

use super::node::Node;
use super::scores::{from_table, to_table};
use super::searcher::{LeafSearcher, PLY_MAX, Walk};
use crate::chess::{Line, Move};
use crate::game::{Game, Job, Request, Response, Score, SearchResult, Window};

/// Whether to go on; told the nodes of the question so far.
type Proceed<'a> = &'a mut dyn FnMut(u64) -> bool;

impl LeafSearcher {
    /// Prepares for questions about another position and forgets the state of the old path.
    pub fn turn_to_new_position(&mut self) {
        self.forget_path();
    }

    /// Performs a job, or cancels it if `proceed` returns false.
    pub fn perform(
        &mut self,
        line: &mut Line,
        job: &Job<Move>,
        proceed: Proceed<'_>,
    ) -> Response<Move> {
        let path = &job.path;
        let mut nodes_so_far = 0;
        let proceed = &mut |nodes| {
            nodes_so_far = nodes;
            proceed(nodes)
        };
        let found = match job.request {
            Request::Expand => return Response::Expanded(self.successors(line, path)),
            Request::Search {
                depth,
                window,
                is_cut,
            } => {
                let node = node_at(path, depth, window, is_cut);
                self.search_at(line, path, node, proceed, Self::whole)
            }
            Request::SearchExcluding {
                depth,
                at_least,
                excluded,
            } => {
                let node = node_at(path, depth, Window::null_below(at_least), true);
                let node = Node { excluded, ..node };
                self.search_at(line, path, node, proceed, Self::by_moves)
            }
        };
        found.map_or(Response::Aborted(nodes_so_far), Response::Searched)
    }

    /// The legal moves at the end of the path, the most promising first, with a flag for quiet moves.
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

    /// Searches at the end of the path, as if reached from the root, and returns. `None` after a stop.
    fn search_at(
        &mut self,
        line: &mut Line,
        path: &[Move],
        node: Node,
        proceed: Proceed<'_>,
        search: SearchNode,
    ) -> Option<SearchResult<Move>> {
        assert!(path.len() < PLY_MAX, "a path of {} plies", path.len());
        self.begin(u64::MAX);
        self.is_deep = true;
        self.ply_extended_max = 2 * (node.ply + node.depth as usize);
        let mut walk = Walk { line, proceed };
        for (ply, &mv) in path.iter().enumerate() {
            self.evaluate_path(walk.line, ply);
            self.play(&mut walk, mv, ply);
        }
        let found = search(self, &mut walk, node);
        for _ in path {
            walk.line.undo();
        }
        (!self.is_unwinding()).then(|| SearchResult {
            score: Score::from_raw(i32::from(to_table(found.score, node.ply))),
            best: found.best,
            pv: found.pv,
            nodes: self.nodes.max(1),
            level: self.selective_depth as u16,
        })
    }
}

/// The node at the end of a path, with the window in scores that count from the root.
fn node_at(path: &[Move], depth: u16, window: Window, is_cut: bool) -> Node {
    let ply = path.len();
    Node {
        ply,
        is_cut,
        ..Node::root(
            i32::from(depth),
            from_table(window.alpha().raw(), ply),
            from_table(window.beta().raw(), ply),
        )
    }
}

/// The outcome at a node. Distances to mate count from the root.
struct NodeResult {
    score: i32,
    best: Option<Move>,
    pv: Vec<Move>,
}

/// A way to search a node.
type SearchNode = fn(&mut LeafSearcher, &mut Walk<'_>, Node) -> NodeResult;

impl LeafSearcher {
    /// Searches a node by all means.
    fn whole(&mut self, walk: &mut Walk<'_>, node: Node) -> NodeResult {
        let is_open = node.is_pv();
        let score = self.alpha_beta(walk, node);
        let pv = if is_open {
            self.frames[node.ply].pv.clone()
        } else {
            Vec::new()
        };
        NodeResult {
            score,
            best: None,
            pv,
        }
    }

    /// Tries the moves of a node, whatever the table, the evaluation or a pass may say of it.
    fn by_moves(&mut self, walk: &mut Walk<'_>, mut node: Node) -> NodeResult {
        let result = |score, best| NodeResult {
            score,
            best,
            pv: Vec::new(),
        };
        let in_check = walk.line.position().is_check();
        node.depth = node.depth.max(1) + i32::from(in_check && self.params.check_extension);
        self.count(walk, node.ply);
        if let Some(score) = self.settled(walk.line, &mut node) {
            return result(score, None);
        }
        let stored = self.probe(walk.line.key());
        let known = self.evaluate_node(walk.line, &node, in_check, stored);
        let outcome = self.try_moves(walk, &node, &known);
        result(outcome.best, outcome.best_move)
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

    fn job(path: &[Move], request: Request<Move>) -> Job<Move> {
        Job {
            path: path.to_vec(),
            request,
        }
    }

    fn search(path: &[Move], depth: u16) -> Job<Move> {
        let request = Request::Search {
            depth,
            window: Window::FULL,
            is_cut: false,
        };
        job(path, request)
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

    /// White mates by Ra8, and by nothing else.
    const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

    #[test]
    fn distances_to_mate_count_from_the_end_of_the_path() {
        let mut line = line("7k/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1");
        let path = [parse_uci_move(line.position(), "h8g8").unwrap()];
        let mut searcher = LeafSearcher::new(LeafParams::default(), 1).unwrap();
        let found = perform(&mut searcher, &mut line, &search(&path, 2));
        assert_eq!(found.score, Score::mate_in(1));
        assert_eq!(format!("{:?}", found.pv), "[a1a8]");
        assert!(line.moves().is_empty(), "the path is taken back");
    }

    #[test]
    fn the_only_strategy_has_no_second() {
        let mut line = line(MATE_IN_ONE);
        let mut searcher = LeafSearcher::new(LeafParams::default(), 1).unwrap();
        let mut by_move = |excluded| {
            let request = Request::SearchExcluding {
                depth: 3,
                at_least: Score::mate_in(1),
                excluded,
            };
            perform(&mut searcher, &mut line, &job(&[], request))
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
        let response = searcher.perform(&mut line, &search(&path, 12), &mut |_| false);
        assert!(matches!(response, Response::Aborted(_)));
        assert!(line.moves().is_empty());
    }
}
