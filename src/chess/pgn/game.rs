//! The parts of a game, and its errors.

use thiserror::Error;

use crate::chess::notation::{FenError, MoveError, san};
use crate::chess::{Move, Position};

/// An error with its line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {fault}")]
pub struct PgnError {
    /// The line number, from 1.
    pub line: usize,
    /// The error.
    pub fault: Fault,
}

/// An error in a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The initial position is invalid.
    #[error(transparent)]
    Position(#[from] FenError),
    /// A move is invalid.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The game is of another variant, with this name.
    #[error("not chess but the variant '{0}'")]
    Variant(String),
    /// A comment or a variation is not closed.
    #[error("'{0}' is not closed")]
    Open(char),
    /// A closing bracket has no opening one.
    #[error("'{0}' without '{1}'")]
    Unopened(char, char),
    /// Variations are nested deeper than this limit.
    #[error("variations nested more than {0} deep")]
    Deep(usize),
    /// A variation comes before the first move.
    #[error("a variation before the first move")]
    NothingToReplace,
    /// A word is neither a move nor another element of a game.
    #[error("cannot read '{0}'")]
    Unreadable(String),
}

/// The result of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// White wins.
    White,
    /// Black wins.
    Black,
    /// The game is drawn.
    Draw,
    /// The game is not over, or its result is missing.
    #[default]
    Unknown,
}

/// A game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The first line of the game, from 1.
    pub line: usize,
    /// Names and values, in order.
    pub tags: Vec<(String, String)>,
    /// The initial position.
    pub start: Position,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves of the main line.
    pub plies: Vec<Ply>,
    /// The result after the moves.
    pub outcome: Outcome,
}

/// A move with its annotations.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move; `None` is a null move, which is never played in check.
    pub mv: Option<Move>,
    /// The numbers of its glyphs (`$1` and `!` are 1).
    pub glyphs: Vec<u8>,
    /// The comments after it.
    pub comments: Vec<String>,
    /// The alternatives to it.
    pub variations: Vec<Variation>,
}

impl Ply {
    /// Creates a move without annotations.
    pub fn bare(mv: Option<Move>) -> Self {
        Self {
            mv,
            glyphs: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
        }
    }

    /// Returns the SAN of the move, where `before` is the position before it; a null move is `--`.
    pub fn san(&self, before: &Position) -> String {
        self.mv.map_or("--".to_owned(), |mv| san(before, mv))
    }

    /// Returns the position after the move, where `before` is the position before it.
    pub fn after(&self, before: &Position) -> Position {
        let after = match self.mv {
            Some(mv) => Some(before.after(mv)),
            None => before.after_pass(),
        };
        after.unwrap_or_else(|| before.clone())
    }
}

/// A line of moves that were not played.
#[derive(Clone, Debug)]
pub struct Variation {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub plies: Vec<Ply>,
}

impl Game {
    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}
