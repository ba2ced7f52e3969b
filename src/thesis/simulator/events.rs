//! The event queue: what happens next, and at equal times in the order in which it was planned.

use std::collections::BTreeMap;

/// Things that happen at moments of virtual time, in nanoseconds.
#[derive(Clone, Debug)]
pub(super) struct Events<T> {
    /// By moment, then by the order of planning.
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

    /// The next event, and its time.
    pub(super) fn next(&mut self) -> Option<(u64, T)> {
        let ((moment_ns, _), happening) = self.queue.pop_first()?;
        Some((moment_ns, happening))
    }
}
