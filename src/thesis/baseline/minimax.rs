//! Minimax: two players, two functions, every leaf evaluated. The definition by which all other searches are
//! tested.

use super::Explorer;
use crate::game::{Evaluator, Game, Score, Window};

impl<G: Game, E: Evaluator<G>> Explorer<'_, G, E> {
    /// Returns the minimax value of the current position at a horizon of `depth` plies.
    pub fn minimax(&mut self, depth: u16) -> Score {
        self.max_value(depth)
    }

    /// Returns the value of a position with MAX to move, in MAX's view.
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

    /// Returns the value of a position with MIN to move, in MAX's view.
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

/// Returns the score in the same view, with a decisive result one ply further away.
fn one_ply_away(score: Score) -> Score {
    -score.to_parent()
}
