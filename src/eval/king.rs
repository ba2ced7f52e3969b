//! King safety: the pawns before the king, and the pieces that aim at it.

use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

use super::Tapered;
use super::bits::{ahead, fill_ahead, rank_of};
use super::params::{KING_DANGER, Weights};
use super::pieces::Survey;

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

/// What the attack on `color`'s king costs, as a positive number. `shelter`: centipawns of its pawn shelter.
pub(super) fn danger(survey: &Survey<'_>, color: Color, shelter: i16) -> Tapered {
    let (own, enemy) = (
        &survey.sides[color as usize],
        &survey.sides[!color as usize],
    );
    if enemy.zone_attackers == 0 {
        return Tapered::ZERO;
    }
    let king_or_queen =
        own.attacks[Role::King as usize - 1] | own.attacks[Role::Queen as usize - 1];
    let weak = enemy.all & !own.twice & (!own.all | king_or_queen);
    let weights = &KING_DANGER;
    let mut units = enemy.zone_units
        + weights.weak_square * (own.zone & weak).count() as i32
        + safe_checks(survey, color, weak)
        - i32::from(shelter) / weights.shelter_divisor;
    if (survey.board.queens() & survey.board.by_color(!color)).is_empty() {
        units += weights.queenless;
    }
    curve(units)
}

/// Units for enemy checks on squares where the checker cannot simply be taken.
fn safe_checks(survey: &Survey<'_>, color: Color, weak: Bitboard) -> i32 {
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
            units += KING_DANGER.safe_check[index];
        }
    }
    units
}

/// Small attacks cost little, combined ones much, and nothing more than about a rook and a half.
fn curve(units: i32) -> Tapered {
    let units = units.clamp(0, 320);
    Tapered::new(units * units / 140, units / 6)
}
