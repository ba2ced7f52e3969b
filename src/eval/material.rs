//! Material: the phase of the game.

use shakmaty::Board;

/// Phase of the initial position.
pub(super) const PHASE_MAX: i32 = 24;

/// The phase of the game: minor pieces count 1, rooks 2, queens 4.
pub(super) fn phase(board: &Board) -> i32 {
    let minors = board.knights() | board.bishops();
    let phase = minors.count() + 2 * board.rooks().count() + 4 * board.queens().count();
    (phase as i32).min(PHASE_MAX)
}
