//! The parts of a game, and its faults.

use thiserror::Error;

use crate::chess::notation::{FenError, MoveError, san};
use crate::chess::{Move, Position};

/// A fault, and its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {fault}")]
pub struct PgnError {
    /// Counts from 1.
    pub line: usize,
    /// The fault.
    pub fault: Fault,
}

/// Faults of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The position it starts from.
    #[error(transparent)]
    Position(#[from] FenError),
    /// One of its moves.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A game of other rules; their name.
    #[error("not chess but the variant '{0}'")]
    Variant(String),
    /// A comment or a variation that is not closed.
    #[error("'{0}' is not closed")]
    Open(char),
    /// The end of something that has not begun.
    #[error("'{0}' without '{1}'")]
    Unopened(char, char),
    /// More variations inside each other than that.
    #[error("variations nested more than {0} deep")]
    Deep(usize),
    /// There is no move that the variation could replace.
    #[error("a variation before the first move")]
    NothingToReplace,
    /// Neither a move nor anything else that a game may hold.
    #[error("cannot read '{0}'")]
    Unreadable(String),
}

/// The result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// White.
    White,
    /// Black.
    Black,
    /// Nobody.
    Draw,
    /// The game is not over, or nothing is said.
    #[default]
    Unknown,
}

/// A game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The line it begins in, from 1.
    pub line: usize,
    /// Names and values, in their order.
    pub tags: Vec<(String, String)>,
    /// Where it starts.
    pub start: Position,
    /// Comments before its first move.
    pub comments: Vec<String>,
    /// The moves that were played.
    pub plies: Vec<Ply>,
    /// The result behind the moves.
    pub outcome: Outcome,
}

/// A move with all that is said about it.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move; `None` is a null move, which is never played in check.
    pub mv: Option<Move>,
    /// Numbers of its glyphs (`$1` and `!` are 1).
    pub glyphs: Vec<u8>,
    /// The comments behind it.
    pub comments: Vec<String>,
    /// Variations instead of it.
    pub variations: Vec<Variation>,
}

impl Ply {
    /// A move of which nothing is said.
    pub fn bare(mv: Option<Move>) -> Self {
        Self {
            mv,
            glyphs: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
        }
    }

    /// It in standard notation, where `before` is the position before it; a null move is `--`.
    pub fn san(&self, before: &Position) -> String {
        self.mv.map_or("--".to_owned(), |mv| san(before, mv))
    }

    /// The position after it, where `before` is the one before it.
    pub fn after(&self, before: &Position) -> Position {
        let after = match self.mv {
            Some(mv) => Some(before.after(mv)),
            None => before.after_pass(),
        };
        after.unwrap_or_else(|| before.clone())
    }
}

/// Moves that were not played.
#[derive(Clone, Debug)]
pub struct Variation {
    /// Comments before the first of them.
    pub comments: Vec<String>,
    /// The moves.
    pub plies: Vec<Ply>,
}

impl Game {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}
