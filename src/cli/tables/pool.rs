//! Parallel generation of tables, each as soon as its dependencies exist.

use std::thread;

use anyhow::{Error, Result};
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::endgame::make::Subject;

/// The classes still to be generated.
struct Roster {
    waiting: Vec<Subject>,
    /// Classes in progress, each with its memory in bytes.
    under_way: Vec<(Subject, u64)>,
    memory_max: u64,
    /// Number of classes started.
    begun: usize,
}

struct PoolState<T> {
    roster: Roster,
    made: Vec<T>,
    /// Whether a worker was interrupted or failed, so that nothing more is started.
    is_over: bool,
    trouble: Option<Error>,
}

/// Stops the other workers if one panics.
struct EndOfMember<'a, T>(&'a Mutex<PoolState<T>>, &'a Condvar);

impl<T> Drop for EndOfMember<'_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().is_over = true;
            self.1.notify_all();
        }
    }
}

impl Roster {
    /// The next class and its number, from 0: the largest one that fits into the remaining memory and whose
    /// dependencies exist.
    fn take(&mut self, memory: impl Fn(Subject) -> u64) -> Option<(usize, Subject)> {
        let free = self.memory_max - self.under_way.iter().map(|&(_, bytes)| bytes).sum::<u64>();
        let may_begin = |&(_, subject): &(usize, Subject)| {
            let is_missing = |exit: &Subject| {
                self.waiting.contains(exit) || self.under_way.iter().any(|(it, _)| it == exit)
            };
            memory(subject) <= free && !subject.exits().iter().any(is_missing)
        };
        let waiting = self.waiting.iter().copied().enumerate();
        let next = waiting
            .filter(may_begin)
            .max_by_key(|&(place, subject)| (memory(subject), std::cmp::Reverse(place)));
        let (place, subject) = next?;
        self.waiting.remove(place);
        self.under_way.push((subject, memory(subject)));
        self.begun += 1;
        Some((self.begun - 1, subject))
    }

    fn finish(&mut self, subject: Subject) {
        self.under_way.retain(|&(other, _)| other != subject);
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PoolLimits {
    pub(super) jobs: u32,
    pub(super) memory_bytes: u64,
}

/// Generates all of `subjects` concurrently within the limits. Subjects come after their dependencies, and each
/// alone must fit. Returns the results in order of completion, or `None` if `make` was interrupted and returned
/// `None`.
///
/// # Errors
/// The first failure. `give_up` is called then, and work in progress is awaited.
pub(super) fn make_all<T: Send>(
    subjects: &[Subject],
    bounds: PoolLimits,
    memory: impl Fn(Subject) -> u64 + Sync,
    make: impl Fn(usize, Subject) -> Result<Option<T>> + Sync,
    give_up: impl Fn() + Sync,
) -> Result<Option<Vec<T>>> {
    let board = Mutex::new(PoolState {
        roster: Roster {
            waiting: subjects.to_vec(),
            under_way: Vec::new(),
            memory_max: bounds.memory_bytes,
            begun: 0,
        },
        made: Vec::new(),
        is_over: false,
        trouble: None,
    });
    let changed = Condvar::new();
    let member = || {
        let _end = EndOfMember(&board, &changed);
        let mut at = board.lock();
        while !at.is_over && !at.roster.waiting.is_empty() {
            let Some((number, subject)) = at.roster.take(&memory) else {
                changed.wait(&mut at);
                continue;
            };
            let outcome = MutexGuard::unlocked(&mut at, || make(number, subject));
            at.roster.finish(subject);
            match outcome {
                Ok(Some(table)) => at.made.push(table),
                Ok(None) => at.is_over = true,
                Err(error) => {
                    at.is_over = true;
                    at.trouble.get_or_insert(error);
                    give_up();
                }
            }
            changed.notify_all();
        }
    };
    thread::scope(|scope| {
        for _ in 1..bounds.jobs {
            scope.spawn(member);
        }
        member();
    });
    let board = board.into_inner();
    match board.trouble {
        Some(error) => Err(error),
        None => Ok((!board.is_over).then_some(board.made)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    fn bounds(jobs: u32, memory_bytes: u64) -> PoolLimits {
        PoolLimits { jobs, memory_bytes }
    }

    use super::*;

    fn subjects(names: &[&str]) -> Vec<Subject> {
        let all = names.iter().map(|name| Subject::parse(name));
        Subject::in_order(&all.collect::<Option<Vec<_>>>().expect("classes"))
    }

    #[test]
    fn nothing_begins_before_what_it_needs() {
        let all = subjects(&["KRvKP", "KPvKP"]);
        let done = Mutex::new(Vec::new());
        let make = |_, subject: Subject| {
            let exits = subject.exits();
            let is_there = |exit: &Subject| !all.contains(exit) || done.lock().contains(exit);
            assert!(exits.iter().all(is_there), "{subject} came too early");
            thread::yield_now();
            done.lock().push(subject);
            Ok(Some(subject))
        };
        let outcome = make_all(&all, bounds(3, 100), |_| 30, make, || ()).expect("no trouble");
        assert_eq!(outcome.expect("not interrupted").len(), all.len());
    }

    #[test]
    fn memory_decides_how_many_are_under_way() {
        let all = subjects(&["KQvK", "KRvK", "KBvK", "KNvK"]);
        let under_way = Mutex::new((0, 0));
        // Each waits until another one is in progress.
        let two = Barrier::new(2);
        let make = |_, subject| {
            let mut now = under_way.lock();
            now.0 += 1;
            now.1 = now.0.max(now.1);
            drop(now);
            two.wait();
            under_way.lock().0 -= 1;
            Ok(Some(subject))
        };
        make_all(&all, bounds(4, 100), |_| 40, make, || ()).expect("no trouble");
        assert_eq!(under_way.into_inner(), (0, 2));
    }

    #[test]
    fn a_member_that_falls_over_takes_the_others_with_it() {
        let all = subjects(&["KPvK"]);
        let make = |_, subject: Subject| match subject.to_string().as_str() {
            "KQvK" => panic!("a broken invariant"),
            _ => Ok(Some(subject)),
        };
        let run = || make_all(&all, bounds(2, 100), |_| 1, make, || ());
        assert!(std::panic::catch_unwind(run).is_err());
    }

    #[test]
    fn the_first_failure_ends_it() {
        let all = subjects(&["KQvK", "KRvK", "KBvK", "KNvK"]);
        let given_up = Mutex::new(0);
        let make = |number, subject| match number {
            0 => Ok(Some(subject)),
            _ => Err(anyhow::anyhow!("the disk is full")),
        };
        let outcome = make_all(&all, bounds(1, 1), |_| 1, make, || *given_up.lock() += 1);
        assert_eq!(
            outcome.expect_err("it fails").to_string(),
            "the disk is full"
        );
        assert_eq!(given_up.into_inner(), 1);
        let interrupted = make_all(&all, bounds(2, 2), |_| 1, |_, _| Ok(None::<()>), || ());
        assert!(interrupted.expect("no trouble").is_none());
    }
}
