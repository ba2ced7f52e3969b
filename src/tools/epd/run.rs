//! Runs a suite on one or more searches in parallel.

use std::sync::atomic::{AtomicBool, Ordering};

use super::outcome::PositionOutcome;
use super::suite::SuitePosition;
use super::trial::{SearchBudget, Trial, attempt_until};
use crate::engine::search::Search;
use crate::engine::side_by_side;
use crate::tools::ToolError;

/// Runs the problems as [`trials`] does, and calls `done` with each result.
///
/// # Errors
/// The first error of `done`, which ends the run.
pub fn run(
    problems: &[&SuitePosition],
    budget: SearchBudget,
    searches: Vec<Box<dyn Search>>,
    stop: &AtomicBool,
    mut done: impl FnMut(usize, PositionOutcome) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    trials(problems, budget, searches, stop, |at, trial| {
        done(at, PositionOutcome::new(problems[at], &trial))
    })
}

/// Runs the problems, with one thread for each search. Calls `done` with the index of the problem and each
/// finished trial. Once `stop` is set no more trials are started, and running ones are discarded.
///
/// # Errors
/// The first error of `done`, which ends the run.
pub fn trials(
    problems: &[&SuitePosition],
    budget: SearchBudget,
    searches: Vec<Box<dyn Search>>,
    stop: &AtomicBool,
    done: impl FnMut(usize, Trial) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    let work = |search: &mut dyn Search, problem: &&SuitePosition| {
        let trial = attempt_until(search, &problem.record, budget, stop);
        (!stop.load(Ordering::Relaxed)).then_some(trial)
    };
    side_by_side(problems, searches, work, done)
}
