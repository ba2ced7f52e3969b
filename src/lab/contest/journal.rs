//! The record of a match: one line of JSON for the conditions, then one for each game, only ever added to.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::entrant::Entrant;
use super::game::{Ending, Rules};
use crate::lab::LabError;

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
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
    /// What the loser did wrong.
    pub fault: Option<String>,
    /// Its length.
    pub plies: usize,
    /// The game itself.
    pub pgn: String,
}

/// What must be equal for two runs to be one match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// The players.
    pub entrants: Vec<Entrant>,
    /// The conditions of each game.
    pub rules: Rules,
    /// File of the openings, empty for the initial position.
    pub openings: String,
}

/// A record on disk.
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the record at `path`, or starts one, and returns the games in it. A last line that was cut short by an
    /// interruption is cut off.
    ///
    /// # Errors
    /// The file cannot be read or written, holds something else, or belongs to another match.
    pub fn open(path: &Path, conditions: &Conditions) -> Result<(Self, Vec<Record>), LabError> {
        let failed = LabError::file(path);
        let found = match File::open(path) {
            Ok(file) => whole_lines(file).map_err(&failed)?,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(failed(error)),
        };
        let mut records = Vec::new();
        if let Some((first, games)) = found.split_first() {
            check(path, first, conditions)?;
            for game in games {
                records.push(read(path, game)?);
            }
        }
        let length: usize = found.iter().map(|line| line.len() + 1).sum();
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(&failed)?;
        file.set_len(length as u64).map_err(failed)?;
        let mut journal = Self {
            path: path.to_owned(),
            file,
        };
        if found.is_empty() {
            journal.write(conditions)?;
        }
        Ok((journal, records))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, record: &Record) -> Result<(), LabError> {
        self.write(record)
    }

    fn write(&mut self, data: &impl Serialize) -> Result<(), LabError> {
        let mut line = serde_json::to_string(data).expect("records are plain data");
        line.push('\n');
        let written = self.file.write_all(line.as_bytes());
        written.map_err(LabError::file(&self.path))
    }
}

/// The lines that end as lines do, without their ends.
fn whole_lines(file: File) -> std::io::Result<Vec<String>> {
    let mut reader = BufReader::new(file);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.pop() != Some('\n') {
            return Ok(lines);
        }
        lines.push(line);
    }
}

fn read<'a, T: Deserialize<'a>>(path: &Path, line: &'a str) -> Result<T, LabError> {
    serde_json::from_str(line).map_err(|error| LabError::Results {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

fn check(path: &Path, line: &str, conditions: &Conditions) -> Result<(), LabError> {
    let found: Conditions = read(path, line)?;
    if found == *conditions {
        return Ok(());
    }
    Err(LabError::other_run(path, &found, conditions))
}
