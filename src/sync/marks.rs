//! A few marks at one place, which threads set and take away without a lock.

use std::sync::atomic::AtomicU64;

use super::Word;

/// Marks that may lie at one place.
const WAYS: usize = 4;

/// Marks, as numbers other than 0.
///
/// Two threads may take the same free word, or find none free. Then a mark is lost, and somebody does work twice. No mark
/// stays for ever: whoever has set one finds it, or it is gone.
#[derive(Default)]
pub struct Marks<W = AtomicU64>([W; WAYS]);

impl<W: Word> Marks<W> {
    /// Whether somebody has set this mark.
    pub fn has(&self, mark: u64) -> bool {
        self.0.iter().any(|word| word.get() == mark)
    }

    /// Sets a mark, if there is room.
    pub fn enter(&self, mark: u64) {
        if let Some(free) = self.0.iter().find(|word| word.get() == 0) {
            free.set(mark);
        }
    }

    /// Takes a mark away, whoever has set it.
    pub fn leave(&self, mark: u64) {
        for word in self.0.iter().filter(|word| word.get() == mark) {
            word.set(0);
        }
    }

    /// Takes all marks away.
    pub fn clear(&self) {
        for word in &self.0 {
            word.set(0);
        }
    }

    /// Whether no mark is left.
    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| word.get() == 0)
    }
}

#[cfg(test)]
mod tests {
    use loom::sync::Arc;
    use loom::sync::atomic::AtomicU64;
    use loom::thread;

    use super::*;

    /// In every interleaving, and whatever old values a processor may still show, only what was set is found.
    #[test]
    fn nobody_finds_a_mark_that_nobody_set() {
        loom::model(move || {
            let place = Arc::new(Marks::<AtomicU64>::default());
            let threads = [0x51, 0x52].map(|mark| {
                let place = Arc::clone(&place);
                thread::spawn(move || {
                    place.enter(mark);
                    place.leave(mark);
                })
            });
            assert!(!place.has(0x51 ^ 0x52) && !place.has(0x51 | 0x52));
            for thread in threads {
                thread.join().unwrap();
            }
        });
    }

    /// On real processors: the model checker lets a thread see older writes of others after its own, which none does, and so
    /// finds marks left behind.
    #[test]
    fn threads_that_come_and_go_leave_nothing() {
        let place = Marks::<std::sync::atomic::AtomicU64>::default();
        std::thread::scope(|scope| {
            for first in 1..=6 {
                let place = &place;
                scope.spawn(move || {
                    for turn in 0..100_000 {
                        let mark = first + turn % 3;
                        place.enter(mark);
                        place.leave(mark);
                    }
                });
            }
        });
        assert!(place.is_empty());
    }

    #[test]
    fn a_mark_is_there_until_it_is_taken_away_and_a_fifth_finds_no_room() {
        loom::model(|| {
            let place = Marks::<AtomicU64>::default();
            for mark in 1..=5 {
                place.enter(mark);
                assert_eq!(place.has(mark), mark <= WAYS as u64);
            }
            place.leave(2);
            place.enter(5);
            assert!(!place.has(2) && place.has(5));
            place.clear();
            assert!(place.is_empty());
        });
    }
}
