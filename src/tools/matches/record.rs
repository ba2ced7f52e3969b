//! Records of a match's journal.

use serde::{Deserialize, Serialize};

use super::entrant::Entrant;
use super::game::{Ending, Rules};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its place in the schedule.
    pub number: usize,
    /// The pair it belongs to.
    pub pair: usize,
    /// Number of the player of the white men.
    pub white: usize,
    /// Number of the player of the black men.
    pub black: usize,
    /// Number of the winner.
    pub winner: Option<usize>,
    /// Why it ended.
    pub ending: Ending,
    /// The loser's fault.
    pub fault: Option<String>,
    /// Its length.
    pub plies: usize,
    /// The game itself.
    pub pgn: String,
}

/// Conditions that must be equal for two runs to be one match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchConditions {
    /// The players.
    pub entrants: Vec<Entrant>,
    /// The conditions of each game.
    pub rules: Rules,
    /// File of the openings, empty for the initial position.
    pub openings: String,
    /// The seed of their order, where it is random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}
