//! Alpha-beta, fail-soft (Knuth and Moore 1975, Fishburn 1983).

use super::{Explorer, explorer::above};
use crate::game::{Evaluator, Game, Score, Window};

impl<G: Game, E: Evaluator<G>> Explorer<'_, G, E> {
    /// Returns the minimax value v at a horizon of `depth` plies, or a bound of it (Knuth and Moore's three
    /// cases). A result inside the window is v; at most `window.alpha()`, it is an upper bound of v; at least
    /// `window.beta()`, a lower bound.
    pub fn alphabeta(&mut self, window: Window, depth: u16) -> Score {
        if let Some(score) = self.visit(window, depth) {
            return score;
        }
        let mut best = Score::MIN;
        for mv in self.moves() {
            let open = above(window, best);
            let score = self.after(mv, |explorer| {
                explorer.alphabeta(open.to_successor(), depth - 1)
            });
            best = self.better(best, mv, score);
            if best >= window.beta() {
                break;
            }
        }
        best
    }
}
