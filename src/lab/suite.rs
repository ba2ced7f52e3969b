//! Suites: EPD files whose positions have something to find.

use std::path::{Path, PathBuf};

use super::{LabError, source};
use crate::chess::epd::{self, LocatedEpdError, Record};

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
/// A file or a line cannot be read, a position has nothing to find, or a file holds no position.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Problem>, LabError> {
    let sifted = sift(paths)?;
    match sifted.refused.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(sifted.problems),
    }
}

/// What suites hold, sound lines and others.
#[derive(Debug, Default)]
pub struct Sifted {
    /// What can be given to a search.
    pub problems: Vec<Problem>,
    /// What is wrong with each other line.
    pub refused: Vec<LabError>,
}

/// Reads suites, one after the other, and keeps going at a bad line.
///
/// # Errors
/// A file cannot be read, or holds no sound position.
pub fn sift(paths: &[PathBuf]) -> Result<Sifted, LabError> {
    let mut all = Sifted::default();
    for path in paths {
        let text = source::read(path)?;
        let known = (all.problems.len(), all.refused.len());
        for record in epd::records(&text) {
            match problem(path, record) {
                Ok(problem) => all.problems.push(problem),
                Err(error) => all.refused.push(error),
            }
        }
        if known.0 == all.problems.len() {
            // Where every line is bad, the first says why.
            let mut refused = all.refused.into_iter().skip(known.1);
            let nothing = || LabError::NoPositions(path.clone());
            return Err(refused.next().unwrap_or_else(nothing));
        }
    }
    Ok(all)
}

fn problem(
    path: &Path,
    read: Result<(usize, Record), LocatedEpdError>,
) -> Result<Problem, LabError> {
    let path = path.to_owned();
    let (line, record) = match read {
        Ok(record) => record,
        Err(error) => return Err(LabError::Epd { path, error }),
    };
    let has_solution = !record.best.is_empty()
        || !record.avoid.is_empty()
        || !record.points.is_empty()
        || record.mate_in.is_some();
    if !has_solution {
        Err(LabError::NoSolution { path, line })
    } else if !record.position.has_legal_move() {
        Err(LabError::GameOver { path, line })
    } else {
        Ok(Problem { path, line, record })
    }
}

/// Reads one EPD file, whatever its operations.
///
/// # Errors
/// The file or a line of it cannot be read.
pub fn read_records(path: &Path) -> Result<Vec<(usize, Record)>, LabError> {
    epd::parse(&source::read(path)?).map_err(|error| LabError::Epd {
        path: path.to_owned(),
        error,
    })
}
