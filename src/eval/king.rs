//! King safety: the pawn shelter, and the enemy pieces that attack the king zone.

use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

use super::Tapered;
use super::bits::{ahead, fill_ahead, rank_of};
use super::pieces::AttackMaps;
use super::weights::{Danger, Weights};

/// Every so many middlegame centipawns of pawn shelter lower the danger by one unit.
const SHELTER_DIVISOR: i32 = 3;
/// More units count no more.
pub(super) const UNITS_MAX: i32 = 320;
/// The square of the units, divided by this, is what a danger costs in the middlegame.
pub(super) const MIDDLEGAME_DIVISOR: i32 = 140;
/// The units, divided by this, are what it costs in the ending.
pub(super) const ENDING_DIVISOR: i32 = 6;

/// Pawn shelter of `color`'s king on its own and the neighbouring files, own view.
pub(super) fn shelter(board: &Board, color: Color, weights: &Weights) -> Tapered {
    let king = board.king_of(color).expect("each side has a king");
    let (own, enemy) = (
        board.pawns() & board.by_color(color),
        board.pawns() & board.by_color(!color),
    );
    // Pawns behind the king protect nothing.
    let front = fill_ahead(color, Bitboard::from_rank(king.rank()));
    let center = (king.file() as u32).clamp(1, 6);
    let mut score = Tapered::ZERO;
    for file in center - 1..=center + 1 {
        let file = Bitboard::from_file(shakmaty::File::new(file));
        let nearest = |pawns: Bitboard| {
            let pawns = pawns & file & front;
            let pawn = if color == Color::White {
                pawns.first()
            } else {
                pawns.last()
            };
            pawn.map_or(0, |pawn| rank_of(color, pawn))
        };
        score += weights.shelter[nearest(own)] + weights.storm[nearest(enemy)];
    }
    if (own & Bitboard::from_file(king.file())).is_empty() {
        score += weights.open_king_file[0];
    }
    score
}

/// The squares around a king, and those one further ahead.
pub(super) fn zone(king: Square, color: Color) -> Bitboard {
    let ring = attacks::king_attacks(king).with(king);
    ring | ahead(color, ring)
}

/// The cost of the attack on `color`'s king, as a positive number. `shelter`: centipawns of its pawn shelter.
pub(super) fn danger(
    survey: &AttackMaps<'_>,
    color: Color,
    shelter: i16,
    weights: &Danger,
) -> Tapered {
    match attack(survey, color, weights) {
        Some(units) => curve(units - sheltered(shelter)),
        None => Tapered::ZERO,
    }
}

/// By how many units a pawn shelter lowers the danger.
pub(super) fn sheltered(shelter: i16) -> i32 {
    i32::from(shelter) / SHELTER_DIVISOR
}

/// Units of the attack on `color`'s king; `None` if no piece aims at it.
pub(super) fn attack(survey: &AttackMaps<'_>, color: Color, weights: &Danger) -> Option<i32> {
    let (own, enemy) = (
        &survey.sides[color as usize],
        &survey.sides[!color as usize],
    );
    if enemy.zone_attackers == 0 {
        return None;
    }
    let king_or_queen =
        own.attacks[Role::King as usize - 1] | own.attacks[Role::Queen as usize - 1];
    let weak = enemy.all & !own.twice & (!own.all | king_or_queen);
    let mut units = enemy.zone_units
        + weights.weak_square[0] * (own.zone & weak).count() as i32
        + safe_checks(survey, color, weak, weights);
    if (survey.board.queens() & survey.board.by_color(!color)).is_empty() {
        units += weights.queenless[0];
    }
    Some(units)
}

/// Units for enemy checks on squares where the checker cannot simply be taken.
fn safe_checks(survey: &AttackMaps<'_>, color: Color, weak: Bitboard, weights: &Danger) -> i32 {
    let (own, enemy) = (
        &survey.sides[color as usize],
        &survey.sides[!color as usize],
    );
    let safe = !survey.board.by_color(!color) & (!own.all | (weak & enemy.twice));
    let rook = attacks::rook_attacks(own.king, survey.occupied);
    let bishop = attacks::bishop_attacks(own.king, survey.occupied);
    let from = [
        attacks::knight_attacks(own.king),
        bishop,
        rook,
        rook | bishop,
    ];
    let mut units = 0;
    for (index, squares) in from.into_iter().enumerate() {
        if (squares & safe & enemy.attacks[index + 1]).any() {
            units += weights.safe_check[index];
        }
    }
    units
}

/// Small attacks cost little, combined ones much, and nothing more than about a rook and a half.
fn curve(units: i32) -> Tapered {
    let units = units.clamp(0, UNITS_MAX);
    Tapered::new(units * units / MIDDLEGAME_DIVISOR, units / ENDING_DIVISOR)
}
