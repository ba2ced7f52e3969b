//! Mating a bare king: drive it to the edge and bring the own king near.

use shakmaty::{Bitboard, Board, Color, Square};

/// Centipawns for the progress of `strong` against a bare king; `None` where the enemy king is not bare or pawns
/// remain.
pub(super) fn progress(board: &Board, strong: Color) -> Option<i32> {
    if board.by_color(!strong).more_than_one() || board.pawns().any() {
        return None;
    }
    let king = board.king_of(strong).expect("each side has a king");
    let bare = board.king_of(!strong).expect("each side has a king");
    let near = 8 * (7 - king.distance(bare) as i32);
    let own = board.by_color(strong);
    let is_bishop_knight = (board.rooks_and_queens() & own).is_empty()
        && (board.knights() & own).count() == 1
        && (board.bishops() & own).count() == 1;
    let driven = if is_bishop_knight {
        let light = (board.bishops() & own & Bitboard::LIGHT_SQUARES).any();
        24 * (7 - corner_distance(bare, light)) + edge(bare) * 4
    } else {
        20 * edge(bare)
    };
    Some(near + driven)
}

/// 0 in the centre to 6 in a corner.
fn edge(square: Square) -> i32 {
    let off_center = |coordinate: i32| (2 * coordinate - 7).abs() / 2;
    off_center(square.file() as i32) + off_center(square.rank() as i32)
}

/// King moves, diagonals apart, to the nearer corner of a colour.
fn corner_distance(square: Square, light: bool) -> i32 {
    let corners = if light {
        [Square::A8, Square::H1]
    } else {
        [Square::A1, Square::H8]
    };
    let distance = |corner: Square| {
        let files = (square.file() as i32 - corner.file() as i32).abs();
        let ranks = (square.rank() as i32 - corner.rank() as i32).abs();
        i32::midpoint(files, ranks)
    };
    distance(corners[0]).min(distance(corners[1]))
}
