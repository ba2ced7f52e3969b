//! Quiescence search: beyond the horizon, non-quiet moves are searched to their end.

use super::{Explorer, explorer::above};
use crate::game::{Evaluator, Game, Score, Window};

impl<G: Game, E: Evaluator<G>> Explorer<'_, G, E> {
    /// Returns the value of the current position when both sides may only play non-quiet moves or stand pat on the
    /// evaluation. A side in check may not stand pat and may play every move. The search ends after `plies_max`
    /// plies. Fail-soft.
    pub fn quiescence(&mut self, window: Window, plies_max: u16) -> Score {
        if let Some(score) = self.visit(window, plies_max) {
            return score;
        }
        let in_check = self.evaluator.threat(self.game) == Score::MAX;
        let mut best = if in_check {
            Score::MIN
        } else {
            self.evaluator.evaluate(self.game, window).score
        };
        for mv in self.moves() {
            if best >= window.beta() {
                break;
            }
            if in_check || !self.evaluator.is_quiet(self.game, mv) {
                let open = above(window, best).to_successor();
                best =
                    best.max(self.after(mv, |explorer| explorer.quiescence(open, plies_max - 1)));
            }
        }
        best
    }

    /// [`Explorer::alphabeta`] with [`Explorer::quiescence`] in place of the evaluator at the horizon.
    pub fn alphabeta_quiescent(&mut self, window: Window, depth: u16, plies_max: u16) -> Score {
        if depth == 0 {
            return self.quiescence(window, plies_max);
        }
        if let Some(score) = self.visit(window, depth) {
            return score;
        }
        let mut best = Score::MIN;
        for mv in self.moves() {
            let open = above(window, best).to_successor();
            best = best.max(self.after(mv, |explorer| {
                explorer.alphabeta_quiescent(open, depth - 1, plies_max)
            }));
            if best >= window.beta() {
                break;
            }
        }
        best
    }
}
