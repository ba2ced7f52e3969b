//! MTD(f) (Plaat 1996): null-window searches with memory that converge to the minimax value.

use super::{BoundsTable, Explorer, ValueBounds};
use crate::game::{Evaluator, Game, Score, Window};

impl<G: Game, E: Evaluator<G>> Explorer<'_, G, E> {
    /// Returns the minimax value at a horizon of `depth` plies, starting from a first guess, which affects only
    /// the time.
    pub fn mtdf(&mut self, table: &mut BoundsTable, first_guess: Score, depth: u16) -> Score {
        let mut bounds = ValueBounds::UNKNOWN;
        let mut guess = first_guess;
        let mut proof = Vec::new();
        while bounds.lower < bounds.upper {
            let window = Window::null_below(if guess == bounds.lower {
                guess + 1
            } else {
                guess
            });
            guess = self.alphabeta_with_memory(table, window, depth);
            if guess >= window.beta() {
                bounds.lower = guess;
                proof.clone_from(self.root_line());
            } else {
                bounds.upper = guess;
            }
        }
        // Only a search that failed high shows a move of that value.
        *self.root_line() = proof;
        guess
    }
}
