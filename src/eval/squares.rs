//! Piece-square tables.
//!
//! Fitted from those of `PeSTO` (Ronald Friederich's `RofChade` tables, published on the chess programming wiki,
//! "`PeSTO`'s Evaluation Function"); entries that are rare in games are still near those values.

use shakmaty::{Color, Role, Square};

use super::Tapered;
use super::weights::Weights;

/// Value of a man on a square, material included, seen by its owner.
pub(super) fn value(weights: &Weights, role: Role, color: Color, square: Square) -> Tapered {
    weights.squares[place(role, color, square)]
}

/// Its place among the weights of squares.
pub(super) fn place(role: Role, color: Color, square: Square) -> usize {
    64 * (role as usize - 1) + color.fold_wb(square, square.flip_vertical()) as usize
}
