//! Threats: men attacked by less valuable men, and unprotected men.

use shakmaty::{Bitboard, Color, Rank, Role};

use super::Tapered;
use super::bits::{self, ahead, pawn_attacks};
use super::pieces::AttackMaps;
use super::weights::Weights;

/// The threats of `color`, own view.
pub(super) fn threats(survey: &AttackMaps<'_>, color: Color, weights: &Weights) -> Tapered {
    let board = survey.board;
    let (own, enemy) = (
        &survey.sides[color as usize],
        &survey.sides[!color as usize],
    );
    let targets = board.by_color(!color).without(enemy.king);
    let pieces = targets & !board.pawns();
    let guarded = enemy.attacks[0] | (enemy.twice & !own.twice);
    // Pieces are worth attacking anyway, pawns only where they are badly protected.
    let victims = pieces | (targets & !guarded);
    let minor = own.attacks[Role::Knight as usize - 1] | own.attacks[Role::Bishop as usize - 1];
    let by_minor = by_role(survey, victims & minor, &weights.minor_threat);
    let by_rook = by_role(
        survey,
        victims & own.attacks[Role::Rook as usize - 1],
        &weights.rook_threat,
    );
    let loose = targets & own.all & !guarded;
    let hanging = loose & (!enemy.all | (pieces & own.twice));
    by_minor
        + by_rook
        + weights.king_threat[0] * (loose & own.attacks[5]).count().min(1) as i32
        + weights.hanging[0] * hanging.count() as i32
        + by_pawns(survey, color, pieces, weights)
}

fn by_role(survey: &AttackMaps<'_>, victims: Bitboard, weights: &[Tapered; 6]) -> Tapered {
    let mut score = Tapered::ZERO;
    for role in [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ] {
        score += weights[role as usize] * (victims & survey.board.by_role(role)).count() as i32;
    }
    score
}

/// Pieces attacked by pawns that are themselves safe, now or after one step.
fn by_pawns(survey: &AttackMaps<'_>, color: Color, pieces: Bitboard, weights: &Weights) -> Tapered {
    let (own, enemy) = (
        &survey.sides[color as usize],
        &survey.sides[!color as usize],
    );
    let safe = own.all | !enemy.all;
    let pawns = survey.board.pawns() & survey.board.by_color(color);
    let attacked = pieces & pawn_attacks(color, pawns & safe);
    let step = ahead(color, pawns) & !survey.occupied;
    let double = ahead(color, step & bits::rank(color, Rank::Third)) & !survey.occupied;
    let steps = (step | double) & safe & !enemy.attacks[0];
    let pushed = pieces & pawn_attacks(color, steps) & !attacked;
    weights.pawn_threat[0] * attacked.count() as i32
        + weights.push_threat[0] * pushed.count() as i32
}

/// The opponent's greatest gain by a capture at once, in centipawns: the most valuable man attacked
/// by a lesser one or left without protection.
pub(super) fn greatest_loss(board: &shakmaty::Board, turn: Color) -> i32 {
    let (own, enemy) = (board.by_color(turn), board.by_color(!turn));
    let by_pawn = pawn_attacks(!turn, board.pawns() & enemy);
    let mut loss = 0;
    for square in own & !board.kings() {
        let value =
            [100, 320, 330, 500, 950, 0][board.role_at(square).map_or(5, |role| role as usize - 1)];
        if value <= loss {
            continue;
        }
        let attackers = board.attacks_to(square, !turn, board.occupied());
        if attackers.is_empty() {
            continue;
        }
        let least = if by_pawn.contains(square) {
            100
        } else if (attackers & (board.knights() | board.bishops())).any() {
            320
        } else if (attackers & board.rooks()).any() {
            500
        } else {
            950
        };
        let is_protected = board.attacks_to(square, turn, board.occupied()).any();
        loss = loss.max(if is_protected { value - least } else { value });
    }
    loss
}
