use std::time::Duration;

use parking_lot::{Condvar, Mutex};

/// An event for one waiting thread; waiting resets it.
///
/// Channels waited for with a timeout yield several times before they sleep. Where all processors are busy, each
/// yield costs the rest of a time slice, which is milliseconds. A thread that sleeps at once is woken at once.
#[derive(Debug, Default)]
pub struct Event {
    is_set: Mutex<bool>,
    changed: Condvar,
}

impl Event {
    /// Wakes the waiting thread, or ends its next wait at once.
    pub fn set(&self) {
        *self.is_set.lock() = true;
        self.changed.notify_one();
    }

    /// Sleeps until the event is set, for at most `timeout`; returns at once if it was set since the last wait.
    pub fn wait(&self, timeout: Duration) {
        let mut is_set = self.is_set.lock();
        if !*is_set && !timeout.is_zero() {
            self.changed.wait_for(&mut is_set, timeout);
        }
        *is_set = false;
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
    fn setting_ends_a_wait_before_and_during_sleep() {
        let event = Arc::new(Event::default());
        let start = Instant::now();
        event.set();
        event.set();
        event.wait(LONG);
        let setter = {
            let event = Arc::clone(&event);
            thread::spawn(move || event.set())
        };
        event.wait(LONG);
        setter.join().expect("it only sets the event");
        assert!(start.elapsed() < LONG);
    }

    #[test]
    fn sleep_ends_by_itself() {
        let event = Event::default();
        event.set();
        event.wait(LONG);
        let start = Instant::now();
        event.wait(Duration::from_millis(2));
        assert!(start.elapsed() >= Duration::from_millis(2));
    }
}
