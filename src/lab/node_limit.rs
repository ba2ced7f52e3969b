//! A search that ends by nodes.

use crate::chess::{Line, Move};
use crate::game::{Game as _, Progress, RootUpdate, Score, SearchListener};
use crate::search::{DeepenRequest, LeafSearcher, RootWindow};

/// Stops at a number of nodes and keeps the score of the last iteration.
pub(super) struct NodeLimit {
    /// Nodes after which no iteration begins.
    soft: u64,
    /// Nodes after which the search ends.
    hard: u64,
    is_spent: bool,
    score: Score,
}

impl NodeLimit {
    pub(super) fn new(soft: u64, hard: u64) -> Self {
        Self {
            soft,
            hard,
            is_spent: false,
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

impl SearchListener<Move> for NodeLimit {
    fn proceed(&mut self, progress: &Progress) -> bool {
        !self.is_spent && progress.nodes < self.hard
    }

    fn report(&mut self, update: &RootUpdate<Move>) {
        // Another best move of an iteration that was not finished has no score yet.
        if update.safety.is_some() {
            self.score = update.score;
            self.is_spent = update.nodes >= self.soft;
        }
    }
}
