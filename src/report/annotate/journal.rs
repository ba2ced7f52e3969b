//! Finished games in a file, one a line, so that a run that was killed goes on where it was.
//!
//! The first line holds the conditions. A line that a kill has cut off is dropped.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::game::Annotated;
use crate::report::look::Allowed;

/// What decides the remarks: only runs under equal conditions may be put together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// Version of the program.
    pub version: String,
    /// Name of the search.
    pub search: String,
    /// Parameters that differ from their defaults.
    pub parameters: Vec<String>,
    /// What each move may cost.
    pub allowed: Allowed,
    /// Fingerprint of the games.
    pub games: u64,
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The system says so.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It is about other games, or they were searched otherwise.
    #[error("{}: finished games of another run; go on with that one, or delete the file", .0.display())]
    OtherRun(PathBuf),
}

/// A file of finished games.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens a journal, or begins it; gives back the games that are in it.
    ///
    /// # Errors
    /// It cannot be read or written, or is that of another run.
    pub fn open(
        path: &Path,
        conditions: &Conditions,
    ) -> Result<(Self, Vec<Annotated>), JournalError> {
        let at_file = |error| JournalError::File {
            path: path.to_owned(),
            error,
        };
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            read => read.map_err(at_file)?,
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'));
        let head = lines.next();
        let is_other =
            head.is_some_and(|head| serde_json::from_str(head).ok().as_ref() != Some(conditions));
        if is_other {
            return Err(JournalError::OtherRun(path.to_owned()));
        }
        let mut games = Vec::new();
        let mut whole = head.map_or(0, str::len);
        for line in lines {
            let Ok(game) = serde_json::from_str(line) else {
                break;
            };
            whole += line.len();
            games.push(game);
        }
        let mut options = OpenOptions::new();
        let file = options
            .create(true)
            .append(true)
            .open(path)
            .map_err(at_file)?;
        file.set_len(whole as u64).map_err(at_file)?;
        let mut journal = Self {
            path: path.to_owned(),
            file,
        };
        if head.is_none() {
            journal.line(conditions)?;
        }
        Ok((journal, games))
    }

    /// Adds a finished game.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add(&mut self, game: &Annotated) -> Result<(), JournalError> {
        self.line(game)
    }

    fn line(&mut self, data: &impl Serialize) -> Result<(), JournalError> {
        let mut line = serde_json::to_string(data).expect("plain data");
        line.push('\n');
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|error| self.error(error))
    }

    /// Deletes the file: what it holds stands elsewhere now.
    ///
    /// # Errors
    /// It cannot be deleted.
    pub fn close(self) -> Result<(), JournalError> {
        let removed = fs::remove_file(&self.path);
        removed.map_err(|error| self.error(error))
    }

    fn error(&self, error: io::Error) -> JournalError {
        JournalError::File {
            path: self.path.clone(),
            error,
        }
    }
}
