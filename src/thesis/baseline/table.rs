//! An unbounded transposition table, and alpha-beta with memory.

use std::collections::HashMap;

use super::{Explorer, explorer::above};
use crate::game::{Evaluator, Game, Score, Window};

/// Bounds of the minimax value of a position at some horizon, in the side to move's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueBounds {
    /// The lower bound.
    pub lower: Score,
    /// The upper bound.
    pub upper: Score,
}

impl ValueBounds {
    /// The bounds of an unknown value.
    pub const UNKNOWN: Self = Self {
        lower: Score::MIN,
        upper: Score::MAX,
    };

    /// Returns the result that an alpha-beta search in `window` may return without searching, if there is one.
    pub(super) fn answer(self, window: Window) -> Option<Score> {
        if self.lower >= window.beta() || self.lower == self.upper {
            Some(self.lower)
        } else {
            (self.upper <= window.alpha()).then_some(self.upper)
        }
    }
}

/// A table of the bounds of every position at every horizon. Entries of another horizon are not used: the result
/// of a search with memory is the minimax value at exactly the given horizon.
#[derive(Clone, Debug, Default)]
pub struct BoundsTable {
    entries: HashMap<(u64, u16), ValueBounds>,
}

impl BoundsTable {
    /// Returns the bounds of the position with this key at a horizon of `depth` plies.
    pub fn get(&self, key: u64, depth: u16) -> ValueBounds {
        self.entries
            .get(&(key, depth))
            .copied()
            .unwrap_or(ValueBounds::UNKNOWN)
    }

    /// Adds the result of an alpha-beta search.
    pub(super) fn learn(&mut self, key: u64, depth: u16, window: Window, score: Score) {
        let bounds = self
            .entries
            .entry((key, depth))
            .or_insert(ValueBounds::UNKNOWN);
        if score > window.alpha() {
            bounds.lower = bounds.lower.max(score);
        }
        if score < window.beta() {
            bounds.upper = bounds.upper.min(score);
        }
    }
}

impl<G: Game, E: Evaluator<G>> Explorer<'_, G, E> {
    /// [`Explorer::alphabeta`] with memory. The memory ignores paths: where equal positions have different values,
    /// because a game counts repetitions, the result may differ.
    pub fn alphabeta_with_memory(
        &mut self,
        table: &mut BoundsTable,
        window: Window,
        depth: u16,
    ) -> Score {
        self.remembering(table, false, window, depth)
    }

    /// Alpha-beta with memory; `look_ahead` enables enhanced transposition cutoffs.
    pub(super) fn remembering(
        &mut self,
        table: &mut BoundsTable,
        look_ahead: bool,
        window: Window,
        depth: u16,
    ) -> Score {
        if let Some(score) = self.visit(window, depth) {
            return score;
        }
        let key = self.game.key();
        if let Some(score) = table.get(key, depth).answer(window) {
            return score;
        }
        let moves = self.moves();
        let cutoff = if look_ahead {
            self.transposition_cutoff(table, &moves, window, depth)
        } else {
            None
        };
        let score = cutoff.unwrap_or_else(|| {
            let mut best = Score::MIN;
            for &mv in &moves {
                let open = above(window, best).to_successor();
                let score = self.after(mv, |explorer| {
                    explorer.remembering(table, look_ahead, open, depth - 1)
                });
                best = self.better(best, mv, score);
                if best >= window.beta() {
                    break;
                }
            }
            best
        });
        table.learn(key, depth, window, score);
        score
    }
}
