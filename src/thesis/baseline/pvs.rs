//! Principal variation search, also known as `NegaScout` (Marsland and Campbell 1982, Reinefeld 1983).

use super::{Explorer, explorer::above};
use crate::game::{Evaluator, Game, Score, Window};

impl<G: Game, E: Evaluator<G>> Explorer<'_, G, E> {
    /// Like [`Explorer::alphabeta`], but all moves except the first are searched with a null window first, and
    /// again only if they raise alpha.
    pub fn pvs(&mut self, window: Window, depth: u16) -> Score {
        if let Some(score) = self.visit(window, depth) {
            return score;
        }
        let mut best = Score::MIN;
        for (index, mv) in self.moves().into_iter().enumerate() {
            let open = above(window, best);
            let probe = if index == 0 {
                open
            } else {
                Window::null_above(open.alpha())
            };
            let mut score =
                self.after(mv, |explorer| explorer.pvs(probe.to_successor(), depth - 1));
            if probe != open && score > open.alpha() && score < open.beta() {
                score = self.after(mv, |explorer| explorer.pvs(open.to_successor(), depth - 1));
            }
            best = self.better(best, mv, score);
            if best >= window.beta() {
                break;
            }
        }
        best
    }
}
