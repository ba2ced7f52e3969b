//! The stop flag of a search and the node counts of its threads.

use std::sync::atomic::AtomicU64;

use crossbeam::utils::CachePadded;

use super::AtomicWord;

/// A stop flag, and a node counter for each thread.
///
/// ```text
/// any thread    --- stop  --->  all      read regularly by each of them
/// each thread   --- nodes --->  any      exact once that thread is joined
/// ```
pub struct SearchControl<W = AtomicU64> {
    stop: CachePadded<W>,
    /// In separate cache lines: each is written often by one thread.
    nodes: Vec<CachePadded<W>>,
}

impl<W: AtomicWord> SearchControl<W> {
    /// Creates the control of `threads` threads, without nodes.
    pub fn new(threads: usize) -> Self {
        Self {
            stop: CachePadded::default(),
            nodes: (0..threads).map(|_| CachePadded::default()).collect(),
        }
    }

    /// Stops the search: every thread ends at its next check.
    pub fn stop(&self) {
        self.stop.set(1);
    }

    /// Sets the node counter of the thread with this index, from 0; returns whether the thread is to continue.
    pub fn proceed(&self, index: usize, nodes: u64) -> bool {
        self.nodes[index].set(nodes);
        self.stop.get() == 0
    }

    /// Returns the nodes of all threads, by their counters.
    pub fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.get()).sum()
    }
}

/// Stops the search on drop, also during a panic of its thread: otherwise the other threads would never end.
pub struct StopOnDrop<'a, W: AtomicWord = AtomicU64>(pub &'a SearchControl<W>);

impl<W: AtomicWord> Drop for StopOnDrop<'_, W> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use loom::sync::Arc;
    use loom::sync::atomic::AtomicU64;
    use loom::thread;

    use super::*;

    /// Searches until stopped or until nothing is left to search, since in a model a processor may never show the
    /// stop flag. Returns its nodes and whether it was stopped.
    fn help(control: &SearchControl<AtomicU64>, helper: usize) -> (u64, bool) {
        let told = (1..=2).find(|&nodes| !control.proceed(helper, nodes));
        (told.unwrap_or(2), told.is_some())
    }

    /// In every interleaving of at most two preemptions (all take minutes) no node is lost or counted twice, and
    /// the count seen meanwhile only grows.
    #[test]
    fn all_nodes_are_counted() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(2);
        model.check(|| {
            let control = Arc::new(SearchControl::<AtomicU64>::new(2));
            let helpers = [0, 1].map(|helper| {
                let control = Arc::clone(&control);
                thread::spawn(move || help(&control, helper))
            });
            let before = control.nodes();
            drop(StopOnDrop(&control));
            let [(first, _), (second, _)] = helpers.map(|helper| helper.join().unwrap());
            assert!(before <= first + second);
            assert_eq!(control.nodes(), first + second);
        });
    }

    /// The main thread may end, or panic, before a helper's first check.
    #[test]
    fn a_helper_that_comes_late_ends_at_once() {
        loom::model(|| {
            let control = Arc::new(SearchControl::<AtomicU64>::new(1));
            drop(StopOnDrop(&control));
            let helper = {
                let control = Arc::clone(&control);
                thread::spawn(move || help(&control, 0))
            };
            assert_eq!(helper.join().unwrap(), (1, true));
        });
    }

    #[test]
    fn no_thread_stops_before_the_end() {
        loom::model(|| {
            let control = Arc::new(SearchControl::<AtomicU64>::new(1));
            let helper = {
                let control = Arc::clone(&control);
                thread::spawn(move || (1..=3).all(|nodes| control.proceed(0, nodes)))
            };
            let seen = control.nodes();
            assert!(seen <= 3);
            assert!(helper.join().unwrap());
            assert_eq!(control.nodes(), 3);
        });
    }
}
