//! Correction history: errors of the static evaluation, learned from deeper searches. Positions with the same pawns, or
//! the same pieces of one colour, have similar errors.

use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering};

use shakmaty::Color;

use crate::chess::{Line, Position};

/// Entries of a table; a power of two.
const ENTRIES: usize = 1 << 14;
/// Tables, for each side to move: pawns and kings, white pieces, black pieces.
const TABLES: usize = 3;
/// Units of an entry that make a centipawn.
const UNIT: i32 = 256;
/// Greatest correction by one entry, in units.
const MAX: i32 = 32 * UNIT;
/// Maximum error learned from one search, in centipawns.
const ERROR_MAX: i32 = 256;
/// Greatest weight of one search among all that made an entry, of [`WEIGHTS`].
const WEIGHT_MAX: i32 = 16;
const WEIGHTS: i32 = 256;

/// Running means of the error of static evaluations, in centipawns of the side to move. Threads may share one.
pub(super) struct CorrectionHistory(Arc<[AtomicI16]>);

impl CorrectionHistory {
    pub(super) fn new() -> Self {
        let entries = 2 * TABLES * ENTRIES;
        Self((0..entries).map(|_| AtomicI16::new(0)).collect())
    }

    /// The same, for another thread.
    pub(super) fn shared(&self) -> Self {
        Self(Arc::clone(&self.0))
    }

    pub(super) fn clear(&self) {
        self.0
            .iter()
            .for_each(|entry| entry.store(0, Ordering::Relaxed));
    }

    fn entries(&self, position: &Position, turn: Color) -> [&AtomicI16; TABLES] {
        let keys = [
            position.pawn_key(),
            position.piece_key(Color::White),
            position.piece_key(Color::Black),
        ];
        let mut table = turn as usize * TABLES;
        keys.map(|key| {
            let at = table * ENTRIES + (key as usize & (ENTRIES - 1));
            table += 1;
            &self.0[at]
        })
    }

    /// The correction to add to the static evaluation of a position.
    pub(super) fn correction(&self, line: &Line) -> i32 {
        let entries = self.entries(line.position(), line.turn());
        let sum: i32 = entries
            .iter()
            .map(|entry| i32::from(entry.load(Ordering::Relaxed)))
            .sum();
        sum / UNIT
    }

    /// Records that a search of `depth` plies exceeded the corrected static evaluation by `error`.
    pub(super) fn update(&self, line: &Line, depth: i32, error: i32) {
        let weight = (depth + 1).min(WEIGHT_MAX);
        let error = error.clamp(-ERROR_MAX, ERROR_MAX);
        for entry in self.entries(line.position(), line.turn()) {
            let old = i32::from(entry.load(Ordering::Relaxed));
            let mean = (old * (WEIGHTS - weight) + error * UNIT * weight) / WEIGHTS;
            entry.store(mean.clamp(-MAX, MAX) as i16, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    /// Each table learns the error that the others leave.
    #[test]
    fn the_sum_of_all_tables_does_not_exceed_the_error() {
        let history = CorrectionHistory::new();
        let seen = Line::new(parse_fen("4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1").unwrap());
        for _ in 0..500 {
            history.update(&seen, 10, 20 - history.correction(&seen));
        }
        let learned = history.correction(&seen);
        assert!((14..=20).contains(&learned), "{learned}");
    }

    #[test]
    fn an_error_that_repeats_is_learned_for_positions_of_the_same_kind() {
        let line = |fen: &str| Line::new(parse_fen(fen).unwrap());
        let history = CorrectionHistory::new();
        let seen = line("4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1");
        assert_eq!(history.correction(&seen), 0);
        for _ in 0..100 {
            history.update(&seen, 10, 20);
        }
        let learned = history.correction(&seen);
        assert!((45..=60).contains(&learned), "{learned}");
        let same_pawns = history.correction(&line("4k3/p7/8/8/8/8/P7/2B1K3 w - - 0 1"));
        assert!(same_pawns > 0 && same_pawns < learned, "{same_pawns}");
        let other_side = line("4k3/p7/8/8/8/8/P7/R3K3 b - - 0 1");
        assert_eq!(history.correction(&other_side), 0);
        for _ in 0..1_000 {
            history.update(&seen, 20, -5_000);
        }
        assert_eq!(
            history.correction(&seen),
            -96,
            "three entries at their ends"
        );
        history.shared().clear();
        assert_eq!(history.correction(&seen), 0);
    }
}
