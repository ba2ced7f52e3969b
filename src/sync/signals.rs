//! What the threads of one search tell each other while they work: how much they have done, and that it is enough.

use std::sync::atomic::AtomicU64;

use crossbeam::utils::CachePadded;

use super::Word;

/// One word that ends the work, and one for the nodes of each thread.
///
/// ```text
/// anybody       --- stop --->   all      read by each of them every so often
/// each thread   --- nodes --->  anybody  exact once that thread is joined
/// ```
pub struct Signals<W = AtomicU64> {
    stop: CachePadded<W>,
    /// Apart from each other in memory: every one is written often by one thread.
    nodes: Vec<CachePadded<W>>,
}

impl<W: Word> Signals<W> {
    /// Signals between that many threads; nothing is done yet.
    pub fn new(threads: usize) -> Self {
        Self {
            stop: CachePadded::default(),
            nodes: (0..threads).map(|_| CachePadded::default()).collect(),
        }
    }

    /// It is enough: everybody ends as soon as he looks.
    pub fn stop(&self) {
        self.stop.set(1);
    }

    /// The thread of that place, from 0, says how many nodes it has searched, and hears whether to go on.
    pub fn proceed(&self, place: usize, nodes: u64) -> bool {
        self.nodes[place].set(nodes);
        self.stop.get() == 0
    }

    /// Nodes of all threads, as far as they have said.
    pub fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.get()).sum()
    }
}

/// Gives the word to stop when it goes out of scope, also when its thread falls over: else the others would never end.
pub struct StopAtEnd<'a, W: Word = AtomicU64>(pub &'a Signals<W>);

impl<W: Word> Drop for StopAtEnd<'_, W> {
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

    /// Searches until told to end, or until there is nothing left to search: a model has no end of time in which a
    /// processor must show the word at last. Returns its nodes and whether it was told.
    fn help(signals: &Signals<AtomicU64>, helper: usize) -> (u64, bool) {
        let told = (1..=2).find(|&nodes| !signals.proceed(helper, nodes));
        (told.unwrap_or(2), told.is_some())
    }

    /// In every interleaving (of at most two preemptions: all of them take minutes) no node is lost or counted twice, and what the lead sees meanwhile only grows.
    #[test]
    fn all_nodes_are_counted() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(2);
        model.check(|| {
            let signals = Arc::new(Signals::<AtomicU64>::new(2));
            let helpers = [0, 1].map(|helper| {
                let signals = Arc::clone(&signals);
                thread::spawn(move || help(&signals, helper))
            });
            let before = signals.nodes();
            drop(StopAtEnd(&signals));
            let [(first, _), (second, _)] = helpers.map(|helper| helper.join().unwrap());
            assert!(before <= first + second);
            assert_eq!(signals.nodes(), first + second);
        });
    }

    /// The lead may end, or fall over, before a helper's first look.
    #[test]
    fn a_helper_that_comes_late_hears_the_word_at_once() {
        loom::model(|| {
            let signals = Arc::new(Signals::<AtomicU64>::new(1));
            drop(StopAtEnd(&signals));
            let helper = {
                let signals = Arc::clone(&signals);
                thread::spawn(move || help(&signals, 0))
            };
            assert_eq!(helper.join().unwrap(), (1, true));
        });
    }

    #[test]
    fn nobody_stops_before_the_word_is_given() {
        loom::model(|| {
            let signals = Arc::new(Signals::<AtomicU64>::new(1));
            let helper = {
                let signals = Arc::clone(&signals);
                thread::spawn(move || (1..=3).all(|nodes| signals.proceed(0, nodes)))
            };
            let seen = signals.nodes();
            assert!(seen <= 3);
            assert!(helper.join().unwrap());
            assert_eq!(signals.nodes(), 3);
        });
    }
}
