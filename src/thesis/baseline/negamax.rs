//! Negamax: minimax from the view of the side to move.

use super::Explorer;
use crate::game::{Evaluator, Game, Score, Window};

impl<G: Game, E: Evaluator<G>> Explorer<'_, G, E> {
    /// The minimax value of the current position at a horizon of `depth` plies.
    pub fn negamax(&mut self, depth: u16) -> Score {
        if let Some(score) = self.visit(Window::FULL, depth) {
            return score;
        }
        let mut best = Score::MIN;
        for mv in self.moves() {
            let score = self.after(mv, |explorer| explorer.negamax(depth - 1));
            best = self.better(best, mv, score);
        }
        best
    }
}
