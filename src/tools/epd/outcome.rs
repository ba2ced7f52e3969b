//! The result of a position of a suite, as stored in files.

use serde::{Deserialize, Serialize};

use super::score::{points, points_max};
use super::suite::SuitePosition;
use super::trial::Trial;
use crate::chess::notation::san;

/// One line of the results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PositionOutcome {
    /// File of the position.
    pub file: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// The position's name.
    pub name: String,
    /// The solution as given: best moves, moves to avoid, mate distance.
    pub wanted: String,
    /// The chosen move.
    pub played: String,
    /// Whether the chosen move is correct.
    pub solved: bool,
    /// Time of the last change to a correct move that was kept, in milliseconds.
    pub solved_ms: Option<f64>,
    /// Nodes at that time.
    pub solved_nodes: Option<u64>,
    /// Time of the search, in milliseconds.
    pub elapsed_ms: f64,
    /// Nodes of the search.
    pub nodes: u64,
    /// Depth of the last requirement met, in plies.
    pub depth: Option<u16>,
    /// Conspiracy of the last requirement met.
    pub conspiracy: Option<u16>,
    /// Score in centipawns from the side to move's view, or a mate as `#+plies`.
    pub score: Option<String>,
    /// Points of the chosen move.
    pub points: i32,
    /// Points of the best move; 0 if the suite gives none.
    pub points_max: i32,
}

impl PositionOutcome {
    /// Returns the result of a trial of a problem.
    pub fn new(problem: &SuitePosition, trial: &Trial) -> Self {
        let record = &problem.record;
        let milliseconds = |elapsed: std::time::Duration| elapsed.as_secs_f64() * 1000.0;
        Self {
            file: problem.path.display().to_string(),
            line: problem.line,
            name: problem.name(),
            wanted: wanted(problem),
            played: san(&record.position, trial.best),
            solved: trial.solved.is_some(),
            solved_ms: trial.solved.map(|moment| milliseconds(moment.elapsed)),
            solved_nodes: trial.solved.map(|moment| moment.nodes),
            elapsed_ms: milliseconds(trial.end.elapsed),
            nodes: trial.end.nodes,
            depth: trial.safety.map(|safety| safety.depth),
            conspiracy: trial.safety.map(|safety| safety.conspiracy),
            score: trial.score.map(|score| score.to_string()),
            points: points(record, trial.best),
            points_max: points_max(record),
        }
    }

    /// Whether this is the result of that problem.
    pub fn is_of(&self, problem: &SuitePosition) -> bool {
        self.line == problem.line
            && self.name == problem.name()
            && self.wanted == wanted(problem)
            && self.file == problem.path.display().to_string()
    }
}

fn wanted(problem: &SuitePosition) -> String {
    let part = |opcode: &str| {
        let operand = problem.record.operand(opcode)?;
        Some(format!("{opcode} {operand}"))
    };
    let parts: Vec<String> = ["bm", "am", "dm"].into_iter().filter_map(part).collect();
    if parts.is_empty() && problem.record.points.is_empty() {
        return part("ce").unwrap_or_default();
    }
    parts.join("; ")
}
