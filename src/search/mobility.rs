//! Tests whether a side has a piece with a safe move. If it has none, passing may be the best move.

use shakmaty::{Bitboard, Board, Color, Position as _, Square, attacks};

use super::exchange::man_value;
use crate::chess::Position;

/// A side that may not pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoPass {
    pub(super) side: Color,
    /// Up to the ply before this one.
    pub(super) below_ply: usize,
}

impl NoPass {
    /// Whether it forbids `side` to pass at this ply.
    pub(super) fn holds(self, side: Color, ply: usize) -> bool {
        self.side == side && ply < self.below_ply
    }
}

/// Whether the side to move, which is not in check, has a piece with a safe move. If another piece is trapped by its
/// own men, two such pieces are needed, because a single one soon has to give way.
pub(super) fn has_safe_piece_move(position: &Position) -> bool {
    let (board, turn) = (position.chess().board(), position.chess().turn());
    let own = board.by_color(turn);
    let pieces = own & !board.pawns() & !board.kings();
    let king = position.king();
    let (mut mobile, mut needed) = (0, 1);
    for from in pieces {
        if can_move(board, turn, king, from) {
            mobile += 1;
        } else if (board.attacks_from(from) & !own).is_empty() {
            needed = 2;
        }
        if mobile == 2 {
            return true;
        }
    }
    mobile >= needed
}

/// Whether zugzwang is likely: the side to move has at most one minor piece. Rooks and queens nearly always have a
/// harmless move.
pub(super) fn is_zugzwang_likely(position: &Position) -> bool {
    let (board, turn) = (position.chess().board(), position.chess().turn());
    let pieces = board.by_color(turn) & !board.pawns() & !board.kings();
    !pieces.more_than_one() && (pieces & board.rooks_and_queens()).is_empty()
}

fn can_move(board: &Board, turn: Color, king: Square, from: Square) -> bool {
    let role = board.role_at(from).expect("a piece stands there");
    let piece = role.of(turn);
    let reach = attacks::attacks(from, piece, board.occupied()) & !board.by_color(turn);
    reach.into_iter().any(|to| {
        let captured = board.role_at(to).map_or(0, man_value);
        let is_safe =
            captured >= man_value(role) || attackers(board, !turn, to, from, to).is_empty();
        // What it takes checks no more.
        is_safe
            && attackers(board, !turn, king, from, to)
                .without(to)
                .is_empty()
    })
}

/// Men of `color` that attack `target` once a piece has gone `from` one square `to` another.
fn attackers(board: &Board, color: Color, target: Square, from: Square, to: Square) -> Bitboard {
    let occupied = board.occupied().without(from).with(to);
    board.attacks_to(target, color, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    fn has(fen: &str) -> bool {
        has_safe_piece_move(&parse_fen(fen).unwrap())
    }

    #[test]
    fn a_rook_that_can_only_be_lost_does_not_count() {
        assert!(!has("1k1K4/1p6/1P6/8/6p1/8/6p1/5bR1 w - - 0 1"));
        assert!(
            has("1k1K4/1p6/1P6/8/6p1/8/8/5bR1 w - - 0 1"),
            "it takes on g4"
        );
        assert!(!has("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), "no piece at all");
        assert!(has("4k3/8/8/8/8/8/4P3/3QK3 w - - 0 1"));
    }

    #[test]
    fn pieces_that_are_shut_in_or_pinned_do_not_count() {
        assert!(!has("8/8/8/7p/5p2/1p1B1P1p/ppp5/qkbR3K b - - 1 1"));
        assert!(
            !has("8/8/8/7p/5p2/1p1B1P1p/ppp5/qkb4K b - - 1 1"),
            "no pin, but only the bishop can move"
        );
        assert!(
            has("8/8/8/7p/5p2/1p1B1P1p/ppp5/1kb4K b - - 1 1"),
            "one piece, and it goes to d2"
        );
        assert!(
            has("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1"),
            "a pinned rook goes along the pin"
        );
    }

    #[test]
    fn a_piece_may_be_exchanged() {
        assert!(has("1k6/8/8/8/2p5/1p1p4/1P1PPK2/r3R3 w - - 0 1"));
        assert!(!has("1k6/8/8/8/7p/4p3/8/K6N w - - 0 1"));
        assert!(has("1k6/8/8/8/7p/6n1/8/K6N w - - 0 1"));
    }
}
