//! The benchmark: a node count that changes with the behaviour of the search, and its speed.
//!
//! The count depends only on the code and the parameters, not on time or processor. It says nothing about
//! strength, and different programs may have the same count by chance.

use std::time::Instant;

use super::ToolError;
use super::epd::trial::{SearchBudget, Trial, attempt};
use crate::chess::epd::{self, Record};
use crate::chess::{Line, Move};
use crate::engine::search::Search;
use crate::game::{Evaluator, Game as _, Score, Window, Work};
use crate::search::{LeafEvaluator, LeafParams};

/// Default depth, in plies.
pub const DEPTH: u16 = 10;

/// Hash size of the leaf evaluator, in MiB.
const EVALUATOR_MEMORY: usize = 16;

const POSITIONS: &str = include_str!("../../positions/bench.epd");

/// Nodes and time of a benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Tree and leaf nodes of all positions.
    pub nodes: u64,
    /// Time in seconds.
    pub seconds: f64,
    /// The nodes by purpose.
    pub work: Work,
}

/// Speed of the leaf evaluator.
#[derive(Clone, Copy, Debug)]
pub struct EvaluatorSpeed {
    /// Nodes of quiescence and shallow search.
    pub nodes_per_second: f64,
    /// Null-window searches per second.
    pub valuations_per_second: f64,
}

/// Returns the benchmark positions.
pub fn positions() -> Vec<Record> {
    let records = epd::parse(POSITIONS).expect("the built-in positions can be read");
    records.into_iter().map(|(_, record)| record).collect()
}

/// Searches all positions to the same depth.
///
/// # Errors
/// The first error of `done`, which ends the run.
pub fn search(
    search: &mut dyn Search,
    depth: u16,
    mut done: impl FnMut(usize, &Trial) -> Result<(), ToolError>,
) -> Result<Measured, ToolError> {
    let budget = SearchBudget {
        depth: Some(depth),
        ..SearchBudget::default()
    };
    let start = Instant::now();
    let (mut nodes, mut work) = (0, Work::default());
    for (at, record) in positions().iter().enumerate() {
        let trial = attempt(search, record, budget);
        nodes += trial.end.nodes;
        work.primary += trial.work.primary;
        work.verification += trial.work.verification;
        done(at, &trial)?;
    }
    Ok(Measured {
        nodes,
        seconds: start.elapsed().as_secs_f64(),
        work,
    })
}

/// Measures the leaf evaluator on all positions one and two plies after each benchmark position, with null windows
/// at the score of that position.
///
/// # Errors
/// The memory for the evaluator cannot be allocated.
pub fn evaluator_speed(params: &LeafParams) -> Result<EvaluatorSpeed, ToolError> {
    let mut evaluator =
        LeafEvaluator::new(params.clone(), EVALUATOR_MEMORY).map_err(ToolError::refused)?;
    let (mut nodes, mut valuations) = (0, 0u64);
    let start = Instant::now();
    for record in positions() {
        let mut line = Line::new(record.position);
        let root = evaluator.evaluate(&mut line, Window::FULL);
        nodes += root.nodes;
        walk(&mut line, 2, &mut |line, plies| {
            let around: Score = if plies % 2 == 0 {
                root.score
            } else {
                -root.score
            };
            nodes += evaluator.evaluate(line, Window::null_below(around)).nodes;
            valuations += 1;
        });
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(EvaluatorSpeed {
        nodes_per_second: nodes as f64 / seconds,
        valuations_per_second: valuations as f64 / seconds,
    })
}

/// Visits all positions one to `depth` plies ahead at which the game is not over, with their distance in plies.
fn walk(line: &mut Line, depth: u32, visit: &mut impl FnMut(&mut Line, u32)) {
    fn inner(line: &mut Line, plies: u32, depth: u32, visit: &mut impl FnMut(&mut Line, u32)) {
        let mut moves: Vec<Move> = Vec::new();
        line.legal_moves(&mut moves);
        for mv in moves {
            line.play(mv);
            if line.end_score().is_none() {
                visit(line, plies + 1);
                if plies + 1 < depth {
                    inner(line, plies + 1, depth, visit);
                }
            }
            line.undo();
        }
    }
    inner(line, 0, depth, visit);
}
