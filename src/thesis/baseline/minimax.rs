//! Minimax: two players, two functions, every leaf valued. The definition all other searches are measured by.

use super::Explorer;
use crate::game::{Evaluator, Game, Score, Window};

impl<G: Game, E: Evaluator<G>> Explorer<'_, G, E> {
    /// The minimax value of the current position at a horizon of `depth` plies.
    pub fn minimax(&mut self, depth: u16) -> Score {
        self.max_value(depth)
    }

    /// The value of a position where MAX is to move, MAX's view.
    fn max_value(&mut self, depth: u16) -> Score {
        if let Some(score) = self.visit(Window::FULL, depth) {
            return score;
        }
        let mut best = Score::MIN;
        for mv in self.moves() {
            let score = one_ply_away(self.below(mv, |explorer| explorer.min_value(depth - 1)));
            if score > best {
                best = score;
                self.note(mv);
            }
        }
        best
    }

    /// The value of a position where MIN is to move, MAX's view.
    fn min_value(&mut self, depth: u16) -> Score {
        if let Some(score) = self.visit(Window::FULL, depth) {
            return -score;
        }
        let mut best = Score::MAX;
        for mv in self.moves() {
            let score = one_ply_away(self.below(mv, |explorer| explorer.max_value(depth - 1)));
            if score < best {
                best = score;
                self.note(mv);
            }
        }
        best
    }
}

/// The same score in the same view, a decisive result one ply further away.
fn one_ply_away(score: Score) -> Score {
    -score.to_parent()
}
