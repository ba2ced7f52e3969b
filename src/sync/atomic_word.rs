use std::sync::atomic::{AtomicU64, Ordering};

/// A number that several threads read and write. The order in which writes to two of them are seen is unspecified.
/// A user of several words must be able to check that they belong together.
pub trait AtomicWord: Default {
    /// Reads the number, as seen by this thread.
    fn get(&self) -> u64;
    /// Writes the number.
    fn set(&self, value: u64);
}

impl AtomicWord for AtomicU64 {
    fn get(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }

    fn set(&self, value: u64) {
        self.store(value, Ordering::Relaxed);
    }
}

#[cfg(test)]
impl AtomicWord for loom::sync::atomic::AtomicU64 {
    fn get(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }

    fn set(&self, value: u64) {
        self.store(value, Ordering::Relaxed);
    }
}
