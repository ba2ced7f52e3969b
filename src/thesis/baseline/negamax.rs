//! Negamax: minimax in the side to move's view.

use super::Explorer;
use crate::game::{Evaluator, Game, Score, Window};

impl<G: Game, E: Evaluator<G>> Explorer<'_, G, E> {
    /// Returns the minimax value of the current position at a horizon of `depth` plies.
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
