//! A suite given to one or more searches side by side.

use std::sync::atomic::{AtomicBool, Ordering};

use super::outcome::PositionOutcome;
use super::suite::SuitePosition;
use super::trial::{SearchBudget, Trial, attempt_until};
use crate::engine::search::Search;
use crate::engine::side_by_side;
use crate::tools::ToolError;

/// Gives each problem to one of the searches as [`trials`] does, and tells `done` of every outcome.
///
/// # Errors
/// The first error of `done`; the run ends with it.
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

/// Gives each problem to one of the searches, one thread for each search, and tells `done` of every trial as it ends,
/// with the number of the problem. Once `stop` is set no more are begun, and those under way are dropped.
///
/// # Errors
/// The first error of `done`; the run ends with it.
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
