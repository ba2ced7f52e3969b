//! A suite given to one or more searches side by side.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crossbeam::channel;

use super::LabError;
use super::outcome::Outcome;
use super::suite::Problem;
use super::trial::{Budget, Trial, attempt_until};
use crate::engine::search::Search;

/// Gives each problem to one of the searches as [`trials`] does, and tells `done` of every outcome.
///
/// # Errors
/// The first error of `done`; the run ends with it.
pub fn run(
    problems: &[&Problem],
    budget: Budget,
    searches: Vec<Box<dyn Search>>,
    stop: &AtomicBool,
    mut done: impl FnMut(usize, Outcome) -> Result<(), LabError>,
) -> Result<(), LabError> {
    trials(problems, budget, searches, stop, |at, trial| {
        done(at, Outcome::new(problems[at], &trial))
    })
}

/// Gives each problem to one of the searches, one thread for each search, and tells `done` of every trial as it ends,
/// with the number of the problem. Once `stop` is set no more are begun, and those under way are dropped.
///
/// # Errors
/// The first error of `done`; the run ends with it.
pub fn trials(
    problems: &[&Problem],
    budget: Budget,
    searches: Vec<Box<dyn Search>>,
    stop: &AtomicBool,
    mut done: impl FnMut(usize, Trial) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel::unbounded();
    thread::scope(|scope| {
        for mut search in searches {
            let (next, sender) = (&next, sender.clone());
            scope.spawn(move || {
                while let Some((at, problem)) = take(problems, next) {
                    let trial = attempt_until(search.as_mut(), &problem.record, budget, stop);
                    if stop.load(Ordering::Relaxed) || sender.send((at, trial)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (at, trial) in receiver {
            if let Err(error) = done(at, trial) {
                next.store(problems.len(), Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    })
}

fn take<'a>(problems: &[&'a Problem], next: &AtomicUsize) -> Option<(usize, &'a Problem)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    problems.get(at).map(|problem| (at, *problem))
}
