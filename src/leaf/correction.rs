//! What searches found of a position's worth against what its evaluation said, averaged by pawn structure.

use shakmaty::Position as _;

use crate::chess::Position;

/// Averages are kept in these parts of a centipawn.
const GRAIN: i32 = 256;
/// Largest correction, in centipawns.
const CORRECTION_MAX: i32 = 64;

/// The errors of the evaluation, by side to move and pawn key.
pub(super) struct Corrections {
    averages: Vec<i32>,
}

impl Corrections {
    const SLOTS: usize = 1 << 14;

    pub(super) fn new() -> Self {
        Self {
            averages: vec![0; 2 * Self::SLOTS],
        }
    }

    pub(super) fn clear(&mut self) {
        self.averages.fill(0);
    }

    fn index(position: &Position) -> usize {
        position.chess().turn() as usize * Self::SLOTS + position.pawn_key() as usize % Self::SLOTS
    }

    /// Centipawns to add to the evaluation.
    pub(super) fn correction(&self, position: &Position) -> i32 {
        self.averages[Self::index(position)] / GRAIN
    }

    /// Moves the average towards an error in centipawns, the more the deeper it was found.
    pub(super) fn learn(&mut self, position: &Position, error: i32, depth: i32) {
        let average = &mut self.averages[Self::index(position)];
        let weight = (depth + 1).clamp(1, 16);
        let error = error.clamp(-4 * CORRECTION_MAX, 4 * CORRECTION_MAX) * GRAIN;
        let moved = (*average * (256 - weight) + error * weight) / 256;
        *average = moved.clamp(-CORRECTION_MAX * GRAIN, CORRECTION_MAX * GRAIN);
    }
}
