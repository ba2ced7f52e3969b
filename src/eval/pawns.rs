//! Pawn structure and king shelter: all that depends on pawns and kings alone, remembered in a small table.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use super::bits::{self, ahead, beside, fill_ahead, fill_files};
use super::weights::Weights;
use super::{Tapered, king, squares};

/// The pawns' part of a position's value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PawnStructure {
    /// Pawns and shelters of both sides, White's view.
    pub(super) total: Tapered,
    /// Passed pawns of both sides.
    pub(super) passed: Bitboard,
    /// King shelter of Black and White, own view, middlegame centipawns.
    pub(super) shelter: [i16; 2],
}

/// The structures seen last, by pawn key.
pub(super) struct PawnTable {
    slots: Vec<(u64, PawnStructure)>,
}

impl PawnTable {
    /// Pawn structures change slowly: a few thousand slots hit nearly always.
    const SLOTS: usize = 1 << 12;

    pub(super) fn new() -> Self {
        Self {
            slots: vec![(0, PawnStructure::default()); Self::SLOTS],
        }
    }

    /// The structure of `board`, whose pawn key is `key`.
    pub(super) fn structure(
        &mut self,
        key: u64,
        board: &Board,
        weights: &Weights,
    ) -> PawnStructure {
        let slot = &mut self.slots[key as usize % Self::SLOTS];
        // Two kings stand on every board, so no real key is the 0 of an empty slot except by an accident of hashing.
        if slot.0 != key {
            *slot = (key, PawnStructure::of(board, weights));
        }
        slot.1
    }
}

impl PawnStructure {
    pub(super) fn of(board: &Board, weights: &Weights) -> Self {
        let mut structure = Self::default();
        for color in Color::ALL {
            let (score, passed) = pawns_of(board, color, weights);
            let shelter = king::shelter(board, color, weights);
            structure.shelter[color as usize] = shelter.middlegame() as i16;
            structure.passed |= passed;
            let own = score + shelter;
            structure.total += if color == Color::White { own } else { -own };
        }
        structure
    }
}

/// Score of one side's pawns, own view, and which of them are passed.
fn pawns_of(board: &Board, color: Color, weights: &Weights) -> (Tapered, Bitboard) {
    let (own, enemy) = (
        board.pawns() & board.by_color(color),
        board.pawns() & board.by_color(!color),
    );
    let guarded = bits::pawn_attacks(color, own);
    let connected = own & (guarded | beside(own));
    let isolated = own & !beside(fill_files(own));
    let doubled = own & fill_ahead(!color, ahead(!color, own));
    let passed = own & !doubled & !barred_by(enemy, !color);
    let mut score = weights.isolated[0] * isolated.count() as i32
        + weights.doubled[0] * doubled.count() as i32
        + weights.backward[0] * (backward(own, enemy, color) & !isolated).count() as i32;
    for square in own {
        score += squares::value(weights, Role::Pawn, color, square);
    }
    for square in connected {
        score += weights.connected[bits::rank_of(color, square)];
    }
    for square in passed {
        score += weights.passed[bits::rank_of(color, square)];
    }
    (score, passed)
}

/// Squares on which an enemy pawn is not passed because of `pawns` of `color`.
fn barred_by(pawns: Bitboard, color: Color) -> Bitboard {
    let front = fill_ahead(color, ahead(color, pawns));
    front | beside(front)
}

/// Pawns that an enemy pawn keeps from advancing and that no own pawn can come to support.
fn backward(own: Bitboard, enemy: Bitboard, color: Color) -> Bitboard {
    let supportable = fill_ahead(color, bits::pawn_attacks(color, own));
    let stops = ahead(color, own) & bits::pawn_attacks(!color, enemy) & !supportable;
    ahead(!color, stops)
}

/// Passed pawns past the third rank: how the kings stand to them and whether the way is free. `attacked`: squares the
/// enemy attacks.
pub(super) fn race(
    board: &Board,
    color: Color,
    passed: Bitboard,
    attacked: Bitboard,
    kings: [Square; 2],
    weights: &Weights,
) -> Tapered {
    let mut score = Tapered::ZERO;
    for pawn in passed & board.by_color(color) {
        let rank = bits::rank_of(color, pawn);
        if rank < 3 {
            continue;
        }
        let Some(next) = ahead(color, Bitboard::from(pawn)).first() else {
            continue;
        };
        score += weights.passed_own_king[kings[color as usize].distance(next) as usize]
            + weights.passed_enemy_king[kings[!color as usize].distance(next) as usize];
        if !(board.occupied() | attacked).contains(next) {
            score += weights.passed_free[rank];
        }
    }
    score
}
