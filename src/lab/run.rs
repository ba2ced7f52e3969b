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
    done: impl FnMut(usize, Trial) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let work = |search: &mut dyn Search, problem: &&Problem| {
        let trial = attempt_until(search, &problem.record, budget, stop);
        (!stop.load(Ordering::Relaxed)).then_some(trial)
    };
    side_by_side(problems, searches, work, done)
}

/// Gives each item to one of the searches, one thread for each search, and tells `done` of what `work` makes of it as it
/// ends, with the number of the item. A search whose `work` gives `None` takes no more.
///
/// # Errors
/// The first error of `done`; the run ends with it.
pub fn side_by_side<T: Sync, R: Send>(
    items: &[T],
    searches: Vec<Box<dyn Search>>,
    work: impl Fn(&mut dyn Search, &T) -> Option<R> + Sync,
    mut done: impl FnMut(usize, R) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel::unbounded();
    thread::scope(|scope| {
        for mut search in searches {
            let (next, work, sender) = (&next, &work, sender.clone());
            scope.spawn(move || {
                while let Some((at, item)) = take(items, next) {
                    let made = work(search.as_mut(), item);
                    if !made.is_some_and(|made| sender.send((at, made)).is_ok()) {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (at, made) in receiver {
            if let Err(error) = done(at, made) {
                next.store(items.len(), Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    })
}

fn take<'a, T>(items: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    items.get(at).map(|item| (at, item))
}
