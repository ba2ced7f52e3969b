//! Material: the phase of the game, and endings where material says less than it seems.

use shakmaty::{Bitboard, Board, Color, File};

/// Phase of the initial position.
pub(super) const PHASE_MAX: i32 = 24;

/// Scale of a normal ending; draws have 0.
pub(super) const SCALE_MAX: i32 = 64;

/// How much of a middlegame it is: minor pieces count 1, rooks 2, queens 4.
pub(super) fn phase(board: &Board) -> i32 {
    let minors = board.knights() | board.bishops();
    let phase = minors.count() + 2 * board.rooks().count() + 4 * board.queens().count();
    (phase as i32).min(PHASE_MAX)
}

/// Pieces of a side in pawn units (3, 3, 5, 9).
fn pieces(board: &Board, color: Color) -> i32 {
    let own = board.by_color(color);
    let minors = (board.knights() | board.bishops()) & own;
    (3 * minors.count() + 5 * (board.rooks() & own).count() + 9 * (board.queens() & own).count())
        as i32
}

/// How much of an advantage of `strong` counts in the ending, of [`SCALE_MAX`].
pub(super) fn scale(board: &Board, strong: Color) -> i32 {
    let pawns = board.pawns() & board.by_color(strong);
    let (ours, theirs) = (pieces(board, strong), pieces(board, !strong));
    if pawns.is_empty() {
        return without_pawns(board, strong, ours, theirs);
    }
    if is_wrong_bishop(board, strong, pawns, ours, theirs) {
        return 0;
    }
    if are_opposite_bishops(board) {
        return if ours == 3 && theirs == 3 { 28 } else { 52 };
    }
    // The defender gives a piece for the last pawn.
    if pawns.count() == 1 && ours - theirs <= 3 && theirs >= 3 && ours < 9 {
        return 40;
    }
    SCALE_MAX
}

fn without_pawns(board: &Board, strong: Color, ours: i32, theirs: i32) -> i32 {
    let own = board.by_color(strong);
    let only_knights = (own & !board.knights() & !board.kings()).is_empty();
    if ours < 5 || (ours == 6 && only_knights) {
        return 0;
    }
    if ours - theirs <= 3 {
        return if theirs == 0 { SCALE_MAX } else { 8 };
    }
    SCALE_MAX
}

/// Rook pawns whose promotion square the only bishop does not control, and the enemy king near that corner.
fn is_wrong_bishop(board: &Board, strong: Color, pawns: Bitboard, ours: i32, theirs: i32) -> bool {
    let own = board.by_color(strong);
    let Some(bishop) = (board.bishops() & own).single_square() else {
        return false;
    };
    let on_file = |file: File| pawns.is_subset(Bitboard::from_file(file));
    if ours != 3 || theirs != 0 || !(on_file(File::A) || on_file(File::H)) {
        return false;
    }
    let file = pawns.first().expect("there are pawns").file();
    let corner = shakmaty::Square::from_coords(file, (!strong).backrank());
    let king = board.king_of(!strong).expect("each side has a king");
    corner.is_light() != bishop.is_light() && king.distance(corner) <= 1
}

fn are_opposite_bishops(board: &Board) -> bool {
    let white = (board.bishops() & board.white()).single_square();
    let black = (board.bishops() & board.black()).single_square();
    matches!((white, black), (Some(white), Some(black)) if white.is_light() != black.is_light())
}
