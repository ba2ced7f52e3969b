//! Finished pieces of a long run in a file, so that a run that was killed goes on where it was: one line of JSON for
//! the conditions, then one for each piece, only ever added to.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::ToolError;
use super::files::claim;

/// A file of finished pieces.
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the journal at `path`, or starts one, and returns the pieces in it. A last line that was cut short by an
    /// interruption is cut off. As long as it is open, no other run can open it.
    ///
    /// # Errors
    /// The file cannot be read or written, holds something else, was made under other conditions, or is open elsewhere.
    pub fn open<C, R>(path: &Path, conditions: &C) -> Result<(Self, Vec<R>), ToolError>
    where
        C: Serialize + DeserializeOwned + PartialEq,
        R: DeserializeOwned,
    {
        let failed = ToolError::file(path);
        let mut options = OpenOptions::new();
        let file = options.read(true).create(true).append(true).open(path);
        let file = file.map_err(&failed)?;
        claim(path, &file)?;
        let found = whole_lines(&file).map_err(&failed)?;
        let mut records = Vec::new();
        if let Some((first, pieces)) = found.split_first() {
            check(path, first, conditions)?;
            for (number, piece) in (2..).zip(pieces) {
                records.push(read(path, number, piece)?);
            }
        }
        let length: usize = found.iter().map(|line| line.len() + 1).sum();
        file.set_len(length as u64).map_err(failed)?;
        let mut journal = Self {
            path: path.to_owned(),
            file,
        };
        if found.is_empty() {
            journal.add(conditions)?;
        }
        Ok((journal, records))
    }

    /// Adds a piece.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, record: &impl Serialize) -> Result<(), ToolError> {
        let mut line = serde_json::to_string(record).expect("records are plain data");
        line.push('\n');
        let written = self.file.write_all(line.as_bytes());
        written.map_err(ToolError::file(&self.path))
    }

    /// Deletes the file: what it holds stands elsewhere now.
    ///
    /// # Errors
    /// It cannot be deleted.
    pub fn close(self) -> Result<(), ToolError> {
        fs::remove_file(&self.path).map_err(ToolError::file(&self.path))
    }
}

/// The lines that end as lines do, without their ends.
fn whole_lines(file: &File) -> io::Result<Vec<String>> {
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

/// The content of the line of this number, from 1.
fn read<T: DeserializeOwned>(path: &Path, number: usize, line: &str) -> Result<T, ToolError> {
    serde_json::from_str(line).map_err(|error| {
        let said = error.to_string();
        // For the reader, every line is the first.
        let fault = said.split(" at line ").next().unwrap_or_default();
        ToolError::Results {
            path: path.to_owned(),
            reason: format!("line {number}, column {}: {fault}", error.column()),
        }
    })
}

fn check<C: Serialize + DeserializeOwned + PartialEq>(
    path: &Path,
    line: &str,
    conditions: &C,
) -> Result<(), ToolError> {
    let found: C = read(path, 1, line)?;
    if found == *conditions {
        return Ok(());
    }
    Err(ToolError::other_run(path, &found, conditions))
}
