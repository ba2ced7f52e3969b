//! The content of a match's journal.

use serde::{Deserialize, Serialize};

use super::entrant::Entrant;
use super::game::{Ending, Rules};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Index of the game in the schedule.
    pub number: usize,
    /// Index of its pair.
    pub pair: usize,
    /// Index of the white player.
    pub white: usize,
    /// Index of the black player.
    pub black: usize,
    /// Index of the winner; `None` for a draw.
    pub winner: Option<usize>,
    /// The reason for the end of the game.
    pub ending: Ending,
    /// The error of the loser.
    pub fault: Option<String>,
    /// Length of the game in plies.
    pub plies: usize,
    /// The game as PGN.
    pub pgn: String,
}

/// Conditions that two runs must share to be the same match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchConditions {
    /// The engines.
    pub entrants: Vec<Entrant>,
    /// The conditions of each game.
    pub rules: Rules,
    /// The file of openings; empty for the initial position.
    pub openings: String,
    /// The seed of a random order of openings; `None` for the order of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}
