//! The interface to an engine in its own process, for any protocol.

use std::sync::Arc;
use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color};

use super::clock::{Allowance, Clock};
use super::entrant::{Entrant, Protocol};
use super::host::Host;
use super::info::Info;
use super::process::PlayerError;
use super::uci::UciPlayer;
use super::xboard::XboardPlayer;

/// Maximum time for an engine to introduce itself or to get ready.
pub(super) const PATIENCE: Duration = Duration::from_secs(15);

/// A request for a move.
pub struct Turn<'a> {
    /// The starting position of the game as FEN.
    pub start: &'a str,
    /// Whether it is the initial position.
    pub is_initial: bool,
    /// The moves since then in UCI notation.
    pub moves: &'a [String],
    /// The side to move.
    pub color: Color,
    /// The limits of the player.
    pub allowance: Allowance,
    /// The clocks, if the limit is a time control.
    pub clocks: Option<&'a ByColor<Clock>>,
    /// Maximum time to wait for the answer.
    pub patience: Duration,
}

/// The choice of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A move as written by the engine.
    Move(String),
    /// Resignation.
    Resign,
}

/// An answer to a request.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The choice of the player.
    pub choice: Choice,
    /// The time used.
    pub elapsed: Duration,
    /// The last search info.
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

/// A running engine.
pub trait Player {
    /// Prepares the engine for a new game of standard chess or Chess960.
    ///
    /// # Errors
    /// The engine does not answer, has terminated, or does not support Chess960.
    fn new_game(&mut self, is_chess960: bool) -> Result<(), PlayerError>;

    /// Requests a move and waits for it.
    ///
    /// # Errors
    /// The engine does not answer, has terminated, or does not support the request.
    fn think(&mut self, turn: &Turn<'_>) -> Result<Reply, PlayerError>;
}

/// Starts an engine and sets its options.
///
/// # Errors
/// The program does not start or does not introduce itself, or an option or its value is unknown.
pub fn start(entrant: &Entrant, host: &Arc<Host>) -> Result<Box<dyn Player>, PlayerError> {
    Ok(match entrant.protocol {
        Protocol::Uci => Box::new(UciPlayer::start(entrant, host)?),
        Protocol::Xboard => Box::new(XboardPlayer::start(entrant, host)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_an_error() {
        let entrant = "cmd=/no/such/engine".parse().unwrap();
        let error = start(&entrant, &Arc::default()).err().unwrap();
        assert!(error.to_string().contains("cannot start /no/such/engine"));
    }

    #[test]
    fn a_program_that_ends_is_an_error() {
        for protocol in ["uci", "xboard"] {
            let entrant = format!("cmd=/bin/true,proto={protocol}").parse().unwrap();
            let error = start(&entrant, &Arc::default()).err().unwrap();
            assert!(matches!(error, PlayerError::Ended { .. }));
        }
    }

    /// An engine that is a shell script.
    #[cfg(unix)]
    fn script(script: &str) -> Entrant {
        Entrant {
            name: "script".to_owned(),
            command: Some("/bin/sh".into()),
            arguments: vec!["-c".to_owned(), script.to_owned()],
            ..Entrant::default()
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_ends_is_told_with_its_last_words() {
        let entrant = script("read uci; echo one >&2; echo no such weights >&2; exit 3");
        let said = start(&entrant, &Arc::default()).err().unwrap().to_string();
        let wanted =
            "the program has ended (exit status: 3); its last words: one / no such weights";
        assert!(said.contains(wanted), "{said}");
    }

    #[cfg(unix)]
    #[test]
    fn unknown_options_and_chess960_are_refused_where_an_engine_does_not_know_them() {
        let plain = "while read word; do case $word in uci) echo option name Hash type spin min 1 max 9; echo uciok;; \
                     isready) echo readyok;; quit) exit;; esac; done";
        let mut entrant = script(plain);
        let mut player = start(&entrant, &Arc::default()).ok().unwrap();
        player.new_game(false).unwrap();
        let said = player.new_game(true).unwrap_err().to_string();
        assert!(said.contains("no Chess960"), "{said}");
        for (name, value, complaint) in [
            ("Hush", "3", "no option 'Hush'; the nearest are Hash"),
            ("Hash", "10", "from 1 to 9, not '10'"),
        ] {
            entrant.options = vec![(name.to_owned(), value.to_owned())];
            let said = start(&entrant, &Arc::default()).err().unwrap().to_string();
            assert!(said.contains(complaint), "{said}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_engine_that_complains_of_a_value_does_not_play() {
        let script_text = "while read word; do case $word in uci) echo option name EvalFile type string; echo uciok;; \
                           setoption*) echo info string error: EvalFile: no such file;; isready) echo readyok;; \
                           quit) exit;; esac; done";
        let mut entrant = script(script_text);
        assert!(start(&entrant, &Arc::default()).is_ok());
        entrant.options = vec![("EvalFile".to_owned(), "missing.net".to_owned())];
        let said = start(&entrant, &Arc::default()).err().unwrap().to_string();
        assert!(said.contains("error: EvalFile: no such file"), "{said}");
    }
}
