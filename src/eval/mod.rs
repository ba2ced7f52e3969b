//! Static evaluation: what a quiet position is worth, without looking ahead.

mod squares;
mod tapered;

pub use tapered::Tapered;

use shakmaty::{Color, Position as _};

use crate::chess::Position;

/// Phase of the initial position: minor pieces count 1, rooks 2, queens 4.
const PHASE_MAX: i32 = 24;

/// The static value of a position in centipawns, seen by the side to move.
pub fn evaluate(position: &Position) -> i32 {
    let board = position.chess().board();
    let mut total = Tapered::ZERO;
    let mut phase = 0;
    for (square, man) in board {
        let value = squares::value(man.role, man.color, square);
        total += if man.color == Color::White {
            value
        } else {
            -value
        };
        phase += [0, 1, 1, 2, 4, 0][man.role as usize - 1];
    }
    let white = total.blend(phase.min(PHASE_MAX), PHASE_MAX);
    if position.chess().turn() == Color::White {
        white
    } else {
        -white
    }
}
