//! A word that several threads share.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number that several threads read and write. Nothing is promised about the order in which writes to two of them
/// are seen; a user of more than one word must be able to tell which belong together.
pub trait AtomicWord: Default {
    /// The number, as far as this thread knows.
    fn get(&self) -> u64;
    /// Another number.
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
