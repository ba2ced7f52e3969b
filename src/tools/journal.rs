//! Journals of long runs, which an interrupted run resumes. A journal is an append-only file with one line of JSON
//! for the conditions, then one for each result.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::ToolError;
use super::files::claim;

/// An append-only file of results.
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens or creates the journal at `path` and returns its results. An incomplete last line is removed. While
    /// it is open no other run can open it.
    ///
    /// # Errors
    /// The file cannot be read or written, is not a journal, was made under other conditions, or is in use.
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
        if found.is_empty() && !is_beginning_of(path, conditions)? {
            return Err(ToolError::Results {
                path: path.to_owned(),
                reason: "its only line is something else".to_owned(),
            });
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

    /// Appends a result.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, record: &impl Serialize) -> Result<(), ToolError> {
        let mut line = serde_json::to_string(record).expect("records are plain data");
        line.push('\n');
        let written = self.file.write_all(line.as_bytes());
        written.map_err(ToolError::file(&self.path))
    }

    /// Deletes the file, whose content is stored elsewhere by then.
    ///
    /// # Errors
    /// The file cannot be deleted.
    pub fn close(self) -> Result<(), ToolError> {
        fs::remove_file(&self.path).map_err(ToolError::file(&self.path))
    }
}

/// The complete lines, without their line ends.
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

/// Parses line `number`, from 1.
fn read<T: DeserializeOwned>(path: &Path, number: usize, line: &str) -> Result<T, ToolError> {
    serde_json::from_str(line).map_err(|error| {
        let said = error.to_string();
        // The parser sees one line only, so its line number is removed.
        let fault = said.split(" at line ").next().unwrap_or_default();
        ToolError::Results {
            path: path.to_owned(),
            reason: format!("line {number}, column {}: {fault}", error.column()),
        }
    })
}

/// Whether a file without a complete line was interrupted in the line of these conditions.
fn is_beginning_of(path: &Path, conditions: &impl Serialize) -> Result<bool, ToolError> {
    let text = fs::read(path).map_err(ToolError::file(path))?;
    let line = serde_json::to_vec(conditions).expect("conditions are plain data");
    Ok(line.starts_with(&text))
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
