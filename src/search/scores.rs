//! Scores inside one search: the numbers of [`Score::raw`] in an `i32`, mate distances counted from the root of the
//! search. So windows pass down by plain negation; the table and the outer world see distances from the node.

use crate::game::Score;

/// Mate on the board at the root.
pub(super) const MATE: i32 = Score::MAX.raw() as i32;
/// Beyond every score.
pub(super) const INFINITE: i32 = MATE + 1;
/// Scores beyond this are mates or tablebase results.
pub(super) const DECISIVE: i32 = Score::CENTIPAWNS_MAX.raw() as i32;

/// Whether a score announces a mate or a tablebase result.
pub(super) const fn is_decisive(score: i32) -> bool {
    score > DECISIVE || score < -DECISIVE
}

/// Whether the side to move is mated or loses by the tables, as far as searched.
pub(super) const fn is_lost(score: i32) -> bool {
    score < -DECISIVE
}

/// Counts the distance of a decisive score from the node at `ply` instead of the root.
pub(super) fn to_table(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    let score = if score > DECISIVE {
        (score + ply).min(MATE)
    } else if score < -DECISIVE {
        (score - ply).max(-MATE)
    } else {
        score
    };
    score as i16
}

/// Inverse of [`to_table`].
pub(super) fn from_table(score: i16, ply: usize) -> i32 {
    let (score, ply) = (i32::from(score), ply as i32);
    if score > DECISIVE {
        score - ply
    } else if score < -DECISIVE {
        score + ply
    } else {
        score
    }
}
