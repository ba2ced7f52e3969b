//! The finding about a position of a game.

use crate::chess::Move;
use crate::game::Score;

/// The finding about a position of a game.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// Side to move's view.
    pub score: Score,
    /// The best move and what is expected to follow; empty where the game is over.
    pub line: Vec<Move>,
    /// Within which margin two strategies show the best move, in centipawns; `None` where they do not.
    pub margin_cp: Option<u16>,
    /// The score of the best of the other moves, where it was asked.
    pub second: Option<Score>,
}
