//! Parses a line of input into a [`Command`]. Only this file uses the external parser, and only for commands without
//! arguments: it loses or misreads too much of `go`, `position` and `setoption`.

use thiserror::Error;
use vampirc_uci::{UciMessage, parse_one};

use super::go::GoRequest;
use crate::chess::notation;

/// Offending text is quoted up to this many characters.
const QUOTE_MAX: usize = 60;

/// The command of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line.
    Nothing,
    /// Introduce yourself.
    Uci,
    /// Switch debug output on or off.
    Debug(bool),
    /// Answer when ready.
    IsReady,
    /// Change a setting.
    SetOption {
        /// As written, single blanks between its words.
        name: String,
        /// As written.
        value: Option<String>,
    },
    /// Another game begins.
    NewGame,
    /// Set up a position.
    Position {
        /// The FEN, or `None` for the initial position.
        fen: Option<String>,
        /// Moves from there.
        moves: Vec<String>,
    },
    /// A position that cannot be understood, with the reason.
    BadPosition(String),
    /// Search, or count.
    Go(Box<GoRequest>),
    /// End the search.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// Quit.
    Quit,
    /// Show the position.
    Display,
    /// Show the static evaluation.
    Eval,
    /// Run the benchmark.
    Bench,
    /// List the commands.
    Help,
}

/// Why a line cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The first word is no command.
    #[error("unknown command '{0}' (try help)")]
    Unknown(String),
    /// A known command with parts that make no sense.
    #[error("'{command}' must be followed by {wanted}")]
    Malformed {
        /// The command.
        command: &'static str,
        /// The text that should follow.
        wanted: &'static str,
    },
}

impl Command {
    /// Reads a trimmed line.
    ///
    /// # Errors
    /// It is no command.
    pub fn parse(line: &str) -> Result<Self, CommandError> {
        let mut words = Words::new(line);
        let Some(first) = words.next() else {
            return Ok(Self::Nothing);
        };
        match first.to_ascii_lowercase().as_str() {
            "go" => Ok(Self::Go(Box::new(GoRequest::parse(words.rest())))),
            "position" => Ok(position(words)),
            "setoption" => set_option(words),
            "d" => Ok(Self::Display),
            "eval" => Ok(Self::Eval),
            "bench" => Ok(Self::Bench),
            "help" => Ok(Self::Help),
            word @ ("uci" | "isready" | "ucinewgame" | "stop" | "ponderhit" | "quit" | "debug"
            | "register") => simple(word, words),
            _ => Err(CommandError::Unknown(quote(first))),
        }
    }
}

/// Commands the foreign parser reads well. Registration is not needed, so asking for it changes nothing.
fn simple(word: &str, mut words: Words) -> Result<Command, CommandError> {
    let next = words.next().filter(|_| word == "debug").unwrap_or_default();
    if word == "register" {
        return Ok(Command::Nothing);
    }
    match parse_one(format!("{word} {next}").trim_end()) {
        UciMessage::Uci => Ok(Command::Uci),
        UciMessage::Debug(is_on) => Ok(Command::Debug(is_on)),
        UciMessage::IsReady => Ok(Command::IsReady),
        UciMessage::UciNewGame => Ok(Command::NewGame),
        UciMessage::Stop => Ok(Command::Stop),
        UciMessage::PonderHit => Ok(Command::PonderHit),
        UciMessage::Quit => Ok(Command::Quit),
        _ => Err(CommandError::Malformed {
            command: "debug",
            wanted: "on or off",
        }),
    }
}

/// A malformed position is a command too: the one before it must not be searched in its place.
fn position(mut words: Words) -> Command {
    let wanted = "startpos or fen FEN, optionally followed by moves";
    let malformed = CommandError::Malformed {
        command: "position",
        wanted,
    };
    let malformed = Command::BadPosition(malformed.to_string());
    let mut fen = match words.next() {
        Some("startpos") => None,
        Some("fen") => Some(Vec::new()),
        _ => return malformed,
    };
    for word in words.by_ref() {
        match (&mut fen, word) {
            (_, "moves") => break,
            (Some(fields), field) => fields.push(field),
            (None, _) => return malformed,
        }
    }
    Command::Position {
        fen: fen.map(|fields| fields.join(" ")),
        moves: words.map(str::to_owned).collect(),
    }
}

fn set_option(mut words: Words) -> Result<Command, CommandError> {
    let malformed = CommandError::Malformed {
        command: "setoption",
        wanted: "name NAME, optionally followed by value VALUE",
    };
    if words.next() != Some("name") {
        return Err(malformed);
    }
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(words.rest().to_owned());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(malformed);
    }
    Ok(Command::SetOption {
        name: name.join(" "),
        value,
    })
}

/// The words of a line, and what is left of it.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// The words of this text.
    pub fn new(text: &'a str) -> Self {
        Self { rest: text.trim() }
    }

    /// Everything after the words already taken, without blanks around it.
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// The next word, which stays the next.
    pub fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (word, rest) = self
            .rest
            .split_once(char::is_whitespace)
            .unwrap_or((self.rest, ""));
        self.rest = rest.trim_start();
        (!word.is_empty()).then_some(word)
    }
}

/// The text as an error quotes it: not too long, and without control characters.
pub fn quote(text: &str) -> String {
    notation::quote(text, QUOTE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: Option<&str>) -> Command {
        Command::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        }
    }

    #[test]
    fn simple_commands_stand_trailing_words_and_blanks() {
        for (line, command) in [
            ("", Command::Nothing),
            ("uci", Command::Uci),
            ("UCI", Command::Uci),
            ("isready now", Command::IsReady),
            ("ucinewgame", Command::NewGame),
            ("stop\tit", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("quit", Command::Quit),
            ("debug  on", Command::Debug(true)),
            ("debug off", Command::Debug(false)),
            ("register later", Command::Nothing),
        ] {
            assert_eq!(Command::parse(line), Ok(command), "{line}");
        }
        for line in ["debug", "debug maybe", "ucinew", "isreadyy", "stopp", "é"] {
            assert!(Command::parse(line).is_err(), "{line}");
        }
        for line in ["position", "position start"] {
            let command = Command::parse(line);
            assert!(matches!(command, Ok(Command::BadPosition(_))), "{line}");
        }
    }

    #[test]
    fn options_keep_their_values_as_written() {
        assert_eq!(
            Command::parse("setoption name Hash value 32"),
            Ok(set("Hash", Some("32")))
        );
        assert_eq!(
            Command::parse("setoption name Clear  Hash"),
            Ok(set("Clear Hash", None))
        );
        assert_eq!(
            Command::parse("setoption name Debug Log File value /a  b/value c"),
            Ok(set("Debug Log File", Some("/a  b/value c")))
        );
        assert_eq!(
            Command::parse("setoption name X value"),
            Ok(set("X", Some("")))
        );
        for line in [
            "setoption",
            "setoption name",
            "setoption Hash value 3",
            "setoption name value 3",
        ] {
            assert!(Command::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn positions_keep_every_move() {
        let moves = vec!["e2e4".to_owned(), "x".to_owned()];
        let start = Command::Position {
            fen: None,
            moves: moves.clone(),
        };
        assert_eq!(
            Command::parse("position startpos moves  e2e4  x"),
            Ok(start)
        );
        let fen = Some("8/8/8/8/8/8/8/K1k4R b - -".to_owned());
        let set_up = Command::Position {
            fen,
            moves: Vec::new(),
        };
        assert_eq!(
            Command::parse("position fen 8/8/8/8/8/8/8/K1k4R  b - -"),
            Ok(set_up)
        );
        assert!(matches!(
            Command::parse("position startpos e2e4"),
            Ok(Command::BadPosition(_))
        ));
    }
}
