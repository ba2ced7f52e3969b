//! A set of keys of moves being searched, which threads change without a lock.

use std::sync::atomic::AtomicU64;

use super::AtomicWord;

/// The number of keys in a set.
const WAYS: usize = 4;

/// Non-zero keys of moves being searched; a key may be contained more than once.
///
/// Two threads may take the same free word, or find none free. Then a key is lost and work is done twice. No key
/// stays for ever: its thread finds and removes it, or it has been overwritten.
#[derive(Default)]
pub struct BusyMoves<W = AtomicU64>([W; WAYS]);

impl<W: AtomicWord> BusyMoves<W> {
    /// Whether the move of this key is being searched.
    pub fn contains(&self, key: u64) -> bool {
        self.0.iter().any(|word| word.get() == key)
    }

    /// Adds a key, if there is room.
    pub fn begin(&self, key: u64) {
        if let Some(free) = self.0.iter().find(|word| word.get() == 0) {
            free.set(key);
        }
    }

    /// Removes a key, whichever thread has added it.
    pub fn end(&self, key: u64) {
        for word in self.0.iter().filter(|word| word.get() == key) {
            word.set(0);
        }
    }

    /// Removes all keys.
    pub fn clear(&self) {
        for word in &self.0 {
            word.set(0);
        }
    }

    /// Whether no key is left.
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

    /// In every interleaving, and whatever old values a processor may still show, only keys that were added are
    /// found.
    #[test]
    fn no_key_is_found_that_was_not_added() {
        loom::model(move || {
            let place = Arc::new(BusyMoves::<AtomicU64>::default());
            let threads = [0x51, 0x52].map(|key| {
                let place = Arc::clone(&place);
                thread::spawn(move || {
                    place.begin(key);
                    place.end(key);
                })
            });
            assert!(!place.contains(0x51 ^ 0x52) && !place.contains(0x51 | 0x52));
            for thread in threads {
                thread.join().unwrap();
            }
        });
    }

    /// On real processors. The model checker lets a thread see older writes of others after its own, which no
    /// processor does, and so finds leftover keys.
    #[test]
    fn threads_that_come_and_go_leave_nothing() {
        let place = BusyMoves::<std::sync::atomic::AtomicU64>::default();
        std::thread::scope(|scope| {
            for first in 1..=6 {
                let place = &place;
                scope.spawn(move || {
                    for turn in 0..100_000 {
                        let key = first + turn % 3;
                        place.begin(key);
                        place.end(key);
                    }
                });
            }
        });
        assert!(place.is_empty());
    }

    #[test]
    fn a_key_is_there_until_it_is_removed_and_a_fifth_finds_no_room() {
        loom::model(|| {
            let place = BusyMoves::<AtomicU64>::default();
            for key in 1..=5 {
                place.begin(key);
                assert_eq!(place.contains(key), key <= WAYS as u64);
            }
            place.end(2);
            place.begin(5);
            assert!(!place.contains(2) && place.contains(5));
            place.clear();
            assert!(place.is_empty());
        });
    }
}
