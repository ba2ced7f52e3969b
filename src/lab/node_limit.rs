//! A search that ends by nodes.

use crate::chess::{Line, Move};
use crate::game::{Game as _, Score};
use crate::search::{DeepenRequest, Iteration, LeafSearcher, Observer, RootWindow};

/// Stops at a number of nodes and keeps the score of the last iteration.
pub(super) struct NodeLimit {
    /// Nodes after which no iteration begins.
    soft: u64,
    /// Nodes after which the search ends.
    hard: u64,
    score: Score,
}

impl NodeLimit {
    pub(super) fn new(soft: u64, hard: u64) -> Self {
        Self {
            soft,
            hard,
            score: Score::DRAW,
        }
    }

    /// The best move of a position that has one, and its score, the side to move's view.
    pub(super) fn search(mut self, searcher: &mut LeafSearcher, line: &mut Line) -> (Move, Score) {
        let mut moves = Vec::new();
        line.legal_moves(&mut moves);
        let request = DeepenRequest {
            depth_max: u16::MAX,
            pv_count: 1,
            window: RootWindow::Aspiration,
            place: 0,
        };
        let pv = searcher.deepen(line, &moves, request, &mut self);
        (pv[0], self.score)
    }
}

impl Observer for NodeLimit {
    fn proceed(&mut self, nodes: u64) -> bool {
        nodes < self.hard
    }

    fn iteration(&mut self, iteration: &Iteration<'_>) -> bool {
        self.score = iteration.score;
        iteration.nodes < self.soft
    }
}
