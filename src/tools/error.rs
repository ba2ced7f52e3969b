//! Errors of tools and experiments.

use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;

use super::difference::differences;
use crate::chess::epd::LocatedEpdError;
use crate::chess::pgn::PgnError;

/// An error of a tool or an experiment, with the file concerned.
#[derive(Debug, Error)]
pub enum ToolError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's message.
        error: std::io::Error,
    },
    /// A line of a suite cannot be read.
    #[error("{}, {error}", path.display())]
    Epd {
        /// The file.
        path: PathBuf,
        /// The error and its line.
        error: LocatedEpdError,
    },
    /// A game cannot be read.
    #[error("{}, {error}", path.display())]
    Pgn {
        /// The file.
        path: PathBuf,
        /// The error and its position.
        error: PgnError,
    },
    /// A file contains no positions.
    #[error("{}: no positions", .0.display())]
    NoPositions(PathBuf),
    /// A line of a suite has no solution.
    #[error("{}, line {line}: no bm, am, dm, points or ce: nothing to solve", path.display())]
    NoSolution {
        /// The file.
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
    },
    /// A position of a suite has no legal move.
    #[error("{}, line {line}: the game is over", path.display())]
    GameOver {
        /// The file.
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
    },
    /// A file of results is damaged or of another kind.
    #[error("{}: not a file of results: {reason}", path.display())]
    Results {
        /// The file.
        path: PathBuf,
        /// The message of the reader.
        reason: String,
    },
    /// A file of games is damaged or of another kind.
    #[error("{}: not a file of games: {reason}", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// A file of results or games belongs to another run.
    #[error("{}: these results were made with other settings: {differences}", path.display())]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// The differences between the file and this run.
        differences: String,
    },
    /// Another run writes the file.
    #[error("{}: another run is writing this file", .0.display())]
    InUse(PathBuf),
    /// Standard output cannot be written.
    #[error("standard output")]
    Output(#[from] std::io::Error),
    /// Invalid or conflicting settings.
    #[error("{0}")]
    Settings(String),
}

impl ToolError {
    /// Returns a function that adds the file to a system error.
    pub(crate) fn file(path: &Path) -> impl Fn(std::io::Error) -> Self + '_ {
        |error| Self::File {
            path: path.to_owned(),
            error,
        }
    }

    /// The error of results made under the conditions `found`, which cannot be mixed with a run under `wanted`.
    pub(crate) fn other_run<T: Serialize>(path: &Path, found: &T, wanted: &T) -> Self {
        Self::OtherRun {
            path: path.to_owned(),
            differences: differences(found, wanted).join("; "),
        }
    }

    /// The error of a rejected request.
    pub(crate) fn refused(reason: impl std::error::Error) -> Self {
        Self::Settings(reason.to_string())
    }
}
