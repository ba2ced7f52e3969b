//! Where a king can go.

use shakmaty::{Bitboard, Board, Color, Position as _, Square, attacks};

use crate::chess::Position;

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

/// Whether the king of the side to move has at most one exit while two squares around it are attacked: mate may be near
/// whatever the material.
pub fn is_king_pressed(position: &Position) -> bool {
    let (board, turn) = (position.chess().board(), position.chess().turn());
    let king = board.king_of(turn).expect("each side has a king");
    let attacked = attacked(board, turn, king);
    let exits = attacks::king_attacks(king) & !board.by_color(turn) & !attacked;
    attacked.more_than_one() && !exits.more_than_one()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    #[test]
    fn a_king_is_pressed_by_attacked_squares_and_the_want_of_exits() {
        let pressed = |fen: &str| is_king_pressed(&parse_fen(fen).unwrap());
        assert!(pressed("5rk1/5ppp/8/6N1/8/3B4/8/6K1 b - - 0 1"), "f7, h7");
        assert!(!pressed("6k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), "nothing aims");
        assert!(!pressed("8/8/3k4/8/3R4/8/8/6K1 b - - 0 1"), "many exits");
    }

    #[test]
    fn a_king_hides_no_square_behind_itself() {
        let position = parse_fen("k7/8/8/8/8/8/1R6/R5K1 b - - 0 1").unwrap();
        assert!(exits(position.chess().board(), Color::Black).is_empty());
    }
}
