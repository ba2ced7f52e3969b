//! The event queue: events in the order of their times, and at equal times in the order in which they were
//! planned.

use std::collections::BTreeMap;

/// Events in virtual time, in nanoseconds.
#[derive(Clone, Debug)]
pub(super) struct Events<T> {
    /// By time, then by the order of planning.
    queue: BTreeMap<(u64, u64), T>,
    planned: u64,
}

impl<T> Events<T> {
    pub(super) fn new() -> Self {
        Self {
            queue: BTreeMap::new(),
            planned: 0,
        }
    }

    pub(super) fn plan(&mut self, moment_ns: u64, happening: T) {
        self.queue.insert((moment_ns, self.planned), happening);
        self.planned += 1;
    }

    /// Takes the next event, and its time.
    pub(super) fn next(&mut self) -> Option<(u64, T)> {
        let ((moment_ns, _), happening) = self.queue.pop_first()?;
        Some((moment_ns, happening))
    }
}
