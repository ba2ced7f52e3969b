//! Enhanced transposition cutoffs (Plaat, Schaeffer, Pijls, de Bruin 1996): before any successor is searched, the
//! table is probed for one that refutes the position.

use super::{BoundsTable, Explorer};
use crate::game::{Evaluator, Game, Score, Window};

impl<G: Game, E: Evaluator<G>> Explorer<'_, G, E> {
    /// [`Explorer::alphabeta_with_memory`] with enhanced transposition cutoffs.
    pub fn etc(&mut self, table: &mut BoundsTable, window: Window, depth: u16) -> Score {
        self.remembering(table, true, window, depth)
    }

    /// Returns the score of a successor that is known to reach `window.beta()`.
    pub(super) fn transposition_cutoff(
        &mut self,
        table: &BoundsTable,
        moves: &[G::Move],
        window: Window,
        depth: u16,
    ) -> Option<Score> {
        moves.iter().find_map(|&mv| {
            let score = self.after(mv, |explorer| {
                table.get(explorer.game.key(), depth - 1).upper
            });
            (score >= window.beta()).then_some(score)
        })
    }
}
