use std::sync::atomic::AtomicU64;

use super::AtomicWord;

/// A payload and its key.
///
/// ```text
/// check = key xor payload | payload
/// ```
///
/// Both are written one after the other, and a reader may see halves of two writes. The key is then wrong, so such
/// a mixture is never taken for an entry.
#[derive(Default)]
pub struct TtSlot<W = AtomicU64> {
    check: W,
    payload: W,
}

impl<W: AtomicWord> TtSlot<W> {
    /// Returns the payload, if it belongs to `key`.
    pub fn read(&self, key: u64) -> Option<u64> {
        let payload = self.payload.get();
        (self.check.get() ^ payload == key).then_some(payload)
    }

    /// Returns the payload of any key.
    pub fn payload(&self) -> u64 {
        self.payload.get()
    }

    /// Stores a payload under a key.
    pub fn write(&self, key: u64, payload: u64) {
        self.payload.set(payload);
        self.check.set(key ^ payload);
    }

    /// Resets the slot to key 0, payload 0.
    pub fn clear(&self) {
        self.write(0, 0);
    }
}

#[cfg(test)]
mod tests {
    use loom::sync::Arc;
    use loom::sync::atomic::AtomicU64;
    use loom::thread;

    use super::*;

    /// Two threads write, a third reads. In every interleaving, and whatever old values a processor may still
    /// show, it gets nothing or a payload written under its key. Which of the two keys it reads does not matter:
    /// every order is tried.
    fn check(writes: [(u64, u64); 2]) {
        loom::model(move || {
            let slot = Arc::new(TtSlot::<AtomicU64>::default());
            let threads = writes.map(|(key, payload)| {
                let slot = Arc::clone(&slot);
                thread::spawn(move || slot.write(key, payload))
            });
            let key = writes[0].0;
            let found = slot.read(key);
            let is_whole = |payload| writes.contains(&(key, payload));
            assert!(found.is_none_or(is_whole), "{found:?}");
            for thread in threads {
                thread.join().unwrap();
            }
        });
    }

    #[test]
    fn a_reader_never_gets_a_mixture_of_two_positions() {
        check([(0x51, 0xA0), (0x52, 0xB1)]);
    }

    #[test]
    fn a_reader_never_gets_a_mixture_of_two_entries_of_one_position() {
        check([(0x51, 0xA0), (0x51, 0xB1)]);
    }

    #[test]
    fn clearing_beside_a_writer_leaves_nothing_that_was_not_written() {
        loom::model(|| {
            let slot = Arc::new(TtSlot::<AtomicU64>::default());
            slot.write(0x51, 0xA0);
            let writer = {
                let slot = Arc::clone(&slot);
                thread::spawn(move || slot.write(0x52, 0xB1))
            };
            slot.clear();
            writer.join().unwrap();
            assert!(slot.read(0x51).is_none_or(|payload| payload == 0xA0));
            assert!(slot.read(0x52).is_none_or(|payload| payload == 0xB1));
        });
    }

    #[test]
    fn the_last_of_several_writes_by_one_thread_is_what_stays() {
        loom::model(|| {
            let slot = TtSlot::<AtomicU64>::default();
            assert_eq!(slot.read(0), Some(0));
            slot.write(0x51, 0xA0);
            slot.write(0x51, 0xB1);
            assert_eq!((slot.read(0x51), slot.read(0x52)), (Some(0xB1), None));
        });
    }
}
