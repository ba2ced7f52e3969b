//! Squares that a king can move to.

use shakmaty::{Bitboard, Board, Color, Square, attacks};

/// The neighbouring squares of `color`'s king that the other side attacks, the king itself not standing in the way.
fn attacked(board: &Board, color: Color, king: Square) -> Bitboard {
    let without_king = board.occupied().without(king);
    attacks::king_attacks(king)
        .into_iter()
        .filter(|&square| board.attacks_to(square, !color, without_king).any())
        .collect()
}

/// The squares `color`'s king can go to.
pub(super) fn exits(board: &Board, color: Color) -> Bitboard {
    let king = board.king_of(color).expect("each side has a king");
    let own = board.by_color(color);
    attacks::king_attacks(king) & !own & !attacked(board, color, king)
}

#[cfg(test)]
mod tests {
    use shakmaty::Position as _;

    use super::*;
    use crate::chess::notation::parse_fen;

    #[test]
    fn a_king_hides_no_square_behind_itself() {
        let position = parse_fen("k7/8/8/8/8/8/1R6/R5K1 b - - 0 1").unwrap();
        assert!(exits(position.chess().board(), Color::Black).is_empty());
    }
}
