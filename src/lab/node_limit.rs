//! A search limited by nodes.

use crate::chess::{Line, Move};
use crate::game::{Game as _, Progress, RootUpdate, Score, SearchListener};
use crate::search::{DeepenRequest, LeafSearcher, RootWindow};

/// Stops after a number of nodes and stores the score of the last completed iteration.
pub(super) struct NodeLimit {
    /// Nodes after which no iteration starts.
    soft: u64,
    /// Nodes after which the search stops.
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

    /// Returns the best move and its score from the side to move's view. The position must have a legal move.
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
        // A new best move of an unfinished iteration has no score yet.
        if update.safety.is_some() {
            self.score = update.score;
            self.is_spent = update.nodes >= self.soft;
        }
    }
}
