//! A player: an engine in a process of its own, whatever its language.

use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color};

use super::clock::{Allowance, Clock};
use super::entrant::{Entrant, Protocol};
use super::info::Info;
use super::process::PlayerError;
use super::uci::UciPlayer;
use super::xboard::XboardPlayer;

/// How long an engine may take to introduce itself or to get ready.
pub(super) const PATIENCE: Duration = Duration::from_secs(15);

/// A question to a player.
pub struct Turn<'a> {
    /// The position the game started from, as FEN.
    pub start: &'a str,
    /// Whether that is the initial position.
    pub is_initial: bool,
    /// The moves since, as UCI writes them.
    pub moves: &'a [String],
    /// The side to move.
    pub color: Color,
    /// What the player may spend.
    pub allowance: Allowance,
    /// The clocks, if it is a time control.
    pub clocks: Option<&'a ByColor<Clock>>,
    /// How long to wait for the answer.
    pub patience: Duration,
}

/// What a player wants to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A move as the player wrote it.
    Move(String),
    /// To give up.
    Resign,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// What the player does.
    pub choice: Choice,
    /// How long it took.
    pub elapsed: Duration,
    /// What it said about its search.
    pub info: Info,
}

impl Reply {
    pub(super) fn new(choice: Choice, since: Instant, until: Instant, info: Info) -> Self {
        Self {
            choice,
            elapsed: until.duration_since(since),
            info,
        }
    }
}

/// An engine that is running.
pub trait Player {
    /// Tells the engine that the next position belongs to another game.
    ///
    /// # Errors
    /// The engine does not answer or has ended.
    fn new_game(&mut self) -> Result<(), PlayerError>;

    /// Asks for a move and waits for it.
    ///
    /// # Errors
    /// The engine does not answer, has ended, or cannot be asked this.
    fn think(&mut self, turn: &Turn<'_>) -> Result<Reply, PlayerError>;
}

/// Starts an engine and sets its options.
///
/// # Errors
/// The program does not start or does not introduce itself.
pub fn start(entrant: &Entrant) -> Result<Box<dyn Player>, PlayerError> {
    Ok(match entrant.protocol {
        Protocol::Uci => Box::new(UciPlayer::start(entrant)?),
        Protocol::Xboard => Box::new(XboardPlayer::start(entrant)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_an_error() {
        let entrant = "cmd=/no/such/engine".parse().unwrap();
        let error = start(&entrant).err().unwrap();
        assert!(error.to_string().contains("cannot start /no/such/engine"));
    }

    #[test]
    fn a_program_that_ends_is_an_error() {
        for protocol in ["uci", "xboard"] {
            let entrant = format!("cmd=/bin/true,proto={protocol}").parse().unwrap();
            assert!(matches!(start(&entrant), Err(PlayerError::Ended(_))));
        }
    }
}
