//! The analysis of a position.

use crate::chess::Move;
use crate::game::Score;

#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// From the side to move's view.
    pub score: Score,
    /// The principal variation; empty if the game is over.
    pub line: Vec<Move>,
    /// The margin within which two strategies show the best move, in centipawns; `None` if they do not.
    pub margin_cp: Option<u16>,
    /// The score of the second best move, if searched.
    pub second: Option<Score>,
}
