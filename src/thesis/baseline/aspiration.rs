//! Alpha-beta in an aspiration window around a guess.

use super::Explorer;
use crate::game::{Evaluator, Game, Score, Window};

impl<G: Game, E: Evaluator<G>> Explorer<'_, G, E> {
    /// Returns the minimax value at a horizon of `depth` plies. The first window is `guess` ± `margin` (at least
    /// 1); after a fail high or low, the search is repeated on that side.
    pub fn aspiration(&mut self, guess: Score, margin: i16, depth: u16) -> Score {
        assert!(margin > 0);
        let window = Window::new(guess - margin, guess + margin);
        let score = self.alphabeta(window, depth);
        if score <= window.alpha() && score > Score::MIN {
            self.alphabeta(Window::new(Score::MIN, score + 1), depth)
        } else if score >= window.beta() && score < Score::MAX {
            self.alphabeta(Window::new(score - 1, Score::MAX), depth)
        } else {
            score
        }
    }
}
