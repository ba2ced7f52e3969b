//! Scores and moves in standard chess notation.

use shakmaty::{Color, Position as _};

use crate::chess::notation::san;
use crate::chess::{Move, Position};
use crate::game::Score;

/// The value in pawns of a tablebase result without a known distance.
const TABLE_RESULT: &str = "100.00";

/// A score in pawns with its sign, or the distance to mate in moves: `+0.35`, `#3`, `#-3`.
pub(super) fn pawns(score: Score) -> String {
    let text = plain_pawns(score);
    let has_sign = text.starts_with(['-', '#']) || score == Score::DRAW;
    if has_sign { text } else { format!("+{text}") }
}

/// As [`pawns`] without a plus sign, the format of `%eval`.
pub(super) fn plain_pawns(score: Score) -> String {
    let sign = if score < Score::DRAW { "-" } else { "" };
    match score.mate_distance() {
        Some(plies) => format!("#{sign}{}", plies.unsigned_abs().div_ceil(2)),
        None if score.is_decisive() => format!("{sign}{TABLE_RESULT}"),
        None => format!("{:.2}", f64::from(score.raw()) / 100.0),
    }
}

/// Converts a score to White's view.
pub(super) fn of_white(score: Score, view: Color) -> Score {
    view.fold_wb(score, -score)
}

/// A variation from `start` with move numbers: `12... Nf6 13. c4`.
pub(super) fn variation(start: &Position, moves: &[Move]) -> String {
    let mut position = start.clone();
    let mut words = Vec::new();
    for (at, &mv) in moves.iter().enumerate() {
        let chess = position.chess();
        let (number, is_white) = (chess.fullmoves(), chess.turn().is_white());
        if is_white {
            words.push(format!("{number}."));
        } else if at == 0 {
            words.push(format!("{number}..."));
        }
        words.push(san(&position, mv));
        position = position.after(mv);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_read_as_players_write_them() {
        for (score, text) in [
            (Score::centipawns(35), "+0.35"),
            (Score::centipawns(-7), "-0.07"),
            (Score::DRAW, "0.00"),
            (Score::mate_in(5), "#3"),
            (Score::mated_in(4), "#-2"),
            (Score::tablebase_win_in(9), "+100.00"),
        ] {
            assert_eq!(pawns(score), text);
        }
    }
}
