//! A bell that wakes the thread which sleeps beside it.

use std::time::Duration;

use parking_lot::{Condvar, Mutex};

/// Rung when there is something new for its owner, who sleeps in between.
///
/// Channels that are waited for with a limit give up the processor several times before they sleep. Where all processors are
/// busy each time costs the rest of a turn, which is milliseconds: whoever sleeps at once is woken at once.
#[derive(Debug, Default)]
pub struct Bell {
    is_rung: Mutex<bool>,
    changed: Condvar,
}

impl Bell {
    /// Wakes the owner, or lets it not fall asleep next time.
    pub fn ring(&self) {
        *self.is_rung.lock() = true;
        self.changed.notify_one();
    }

    /// Sleeps until the bell is rung, or that long; not at all if it has been rung since the last time.
    pub fn wait(&self, rest: Duration) {
        let mut is_rung = self.is_rung.lock();
        if !*is_rung && !rest.is_zero() {
            self.changed.wait_for(&mut is_rung, rest);
        }
        *is_rung = false;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;
    use std::time::Instant;

    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn a_ring_is_heard_before_and_during_sleep() {
        let bell = Arc::new(Bell::default());
        let start = Instant::now();
        bell.ring();
        bell.ring();
        bell.wait(LONG);
        let ringer = {
            let bell = Arc::clone(&bell);
            thread::spawn(move || bell.ring())
        };
        bell.wait(LONG);
        ringer.join().expect("it only rings");
        assert!(start.elapsed() < LONG);
    }

    #[test]
    fn sleep_ends_by_itself() {
        let bell = Bell::default();
        bell.ring();
        bell.wait(LONG);
        let start = Instant::now();
        bell.wait(Duration::from_millis(2));
        assert!(start.elapsed() >= Duration::from_millis(2));
    }
}
