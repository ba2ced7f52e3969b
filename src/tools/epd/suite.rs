//! Suites: EPD files of positions with a solution.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::chess::epd::{self, LocatedEpdError, Record};
use crate::chess::notation::fen;
use crate::tools::{ToolError, source};

/// One position of a suite.
#[derive(Clone, Debug)]
pub struct SuitePosition {
    /// The file of the position.
    pub path: PathBuf,
    /// Line in the file, from 1.
    pub line: usize,
    /// The position and its solution.
    pub record: Record,
}

impl SuitePosition {
    /// Returns the position's `id`, or file and line.
    pub fn name(&self) -> String {
        match &self.record.id {
            Some(id) => id.clone(),
            None => format!("{}:{}", self.path.display(), self.line),
        }
    }
}

/// Reads suites in order.
///
/// # Errors
/// A file or a line cannot be read, a position has no solution, or a file contains no position.
pub fn read(paths: &[PathBuf]) -> Result<Vec<SuitePosition>, ToolError> {
    let sifted = sift(paths)?;
    match sifted.refused.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(sifted.problems),
    }
}

/// The valid positions of suites, and the errors of the other lines.
#[derive(Debug, Default)]
pub struct Sifted {
    /// The valid positions.
    pub problems: Vec<SuitePosition>,
    /// The errors of all other lines.
    pub refused: Vec<ToolError>,
}

/// Reads suites in order and skips invalid lines. Lines of a file about the same position with different
/// operations are merged, unless they contradict each other.
///
/// # Errors
/// A file cannot be read, or contains no valid position.
pub fn sift(paths: &[PathBuf]) -> Result<Sifted, ToolError> {
    let mut all = Sifted::default();
    for path in paths {
        let text = source::read(path)?;
        let mut file = FileProblems::default();
        let known = all.refused.len();
        for record in epd::records(&text) {
            match problem(path, record) {
                Ok(problem) => file.add(problem),
                Err(error) => all.refused.push(error),
            }
        }
        if file.problems.is_empty() {
            // If every line is invalid, the first error is returned.
            let mut refused = all.refused.into_iter().skip(known);
            let nothing = || ToolError::NoPositions(path.clone());
            return Err(refused.next().unwrap_or_else(nothing));
        }
        all.problems.extend(file.problems);
    }
    Ok(all)
}

#[derive(Default)]
struct FileProblems {
    problems: Vec<SuitePosition>,
    /// The indices of the problems of each position, by FEN.
    places: HashMap<String, Vec<usize>>,
}

impl FileProblems {
    fn add(&mut self, problem: SuitePosition) {
        let places = self
            .places
            .entry(fen(&problem.record.position))
            .or_default();
        for &place in places.iter() {
            let known = &mut self.problems[place].record;
            let is_repetition = known.operations == problem.record.operations;
            if !is_repetition && known.agrees(&problem.record) {
                known.add(problem.record);
                return;
            }
        }
        places.push(self.problems.len());
        self.problems.push(problem);
    }
}

fn problem(
    path: &Path,
    read: Result<(usize, Record), LocatedEpdError>,
) -> Result<SuitePosition, ToolError> {
    let path = path.to_owned();
    let (line, record) = match read {
        Ok(record) => record,
        Err(error) => return Err(ToolError::Epd { path, error }),
    };
    let has_solution = !record.best.is_empty()
        || !record.avoid.is_empty()
        || !record.points.is_empty()
        || record.mate_in.is_some()
        || record.evaluation_cp.is_some();
    if !has_solution {
        Err(ToolError::NoSolution { path, line })
    } else if !record.position.has_legal_move() {
        Err(ToolError::GameOver { path, line })
    } else {
        Ok(SuitePosition { path, line, record })
    }
}

/// Reads an EPD file with any operations.
///
/// # Errors
/// The file or a line of it cannot be read.
pub fn read_records(path: &Path) -> Result<Vec<(usize, Record)>, ToolError> {
    epd::parse(&source::read(path)?).map_err(|error| ToolError::Epd {
        path: path.to_owned(),
        error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_position_are_one_problem() {
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let lines = [
            "bm e4;",
            "bm d4;",
            "id \"a\"; bm c4;",
            "id \"b\"; bm Nf3;",
            "id \"b\"; bm Nf3;",
        ];
        let text = lines.map(|line| format!("{board} {line}\n")).concat();
        let path = std::env::temp_dir().join(format!("{}-one.epd", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let problems = read(std::slice::from_ref(&path)).unwrap();
        std::fs::remove_file(&path).unwrap();
        let found = problems.iter().map(|problem| {
            let moves = problem.record.operand("bm").unwrap_or_default();
            (problem.line, problem.record.id.as_deref(), moves)
        });
        let expected = [
            (1, Some("a"), "e4 d4 c4"),
            (4, Some("b"), "Nf3"),
            (5, Some("b"), "Nf3"),
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}
