//! Suites: EPD files whose positions have something to find.

use std::fs;
use std::path::{Path, PathBuf};

use super::LabError;
use crate::chess::epd::{self, Record};

/// One position of a suite.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The file it stands in.
    pub path: PathBuf,
    /// Its line there, from 1.
    pub line: usize,
    /// The position and its solution.
    pub record: Record,
}

impl Problem {
    /// The position's `id`, or file and line.
    pub fn name(&self) -> String {
        match &self.record.id {
            Some(id) => id.clone(),
            None => format!("{}:{}", self.path.display(), self.line),
        }
    }
}

/// Reads suites, one after the other.
///
/// # Errors
/// A file or a line cannot be read, or a position has nothing to find.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Problem>, LabError> {
    let mut problems = Vec::new();
    for path in paths {
        for (line, record) in read_records(path)? {
            let path = path.clone();
            let has_solution = !record.best.is_empty()
                || !record.avoid.is_empty()
                || !record.points.is_empty()
                || record.mate_in.is_some();
            if !has_solution {
                return Err(LabError::NoSolution { path, line });
            }
            if !record.position.has_legal_move() {
                return Err(LabError::GameOver { path, line });
            }
            problems.push(Problem { path, line, record });
        }
    }
    Ok(problems)
}

/// Reads one EPD file, whatever its operations.
///
/// # Errors
/// The file or a line of it cannot be read.
pub fn read_records(path: &Path) -> Result<Vec<(usize, Record)>, LabError> {
    let text = fs::read_to_string(path).map_err(|error| LabError::File {
        path: path.to_owned(),
        error,
    })?;
    epd::parse(&text).map_err(|error| LabError::Epd {
        path: path.to_owned(),
        error,
    })
}
