//! How often a rank looks for messages and sends mail: as often as it may without taking the processor from those who search.

use std::time::Duration;

/// How much of a processor a rank's thread for messages may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// One of its own: nobody else is there to use it.
    #[default]
    Eager,
    /// As little as possible, since each look takes it from a thread that searches.
    Sparing,
}

impl Pace {
    /// Where so many ranks with so many threads each share the processors of a machine.
    pub const fn of(ranks: usize, threads: usize, cores: usize) -> Self {
        if ranks * (threads + 1) <= cores {
            Self::Eager
        } else {
            Self::Sparing
        }
    }

    /// How long after the last message a rank looks for the next without any rest.
    pub const fn awake(self) -> Duration {
        Duration::from_micros(match self {
            Self::Eager => 1_000,
            Self::Sparing => 0,
        })
    }

    /// How long mail to so many ranks is collected, in microseconds: many ranks are not to mean many small messages.
    pub fn mail_every_us(self, ranks: usize) -> u64 {
        let least_us = match self {
            Self::Eager => 100,
            Self::Sparing => 2_000,
        };
        least_us.max(ranks as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_needs_all_processors_for_searching_is_sparing() {
        assert_eq!(Pace::of(1, 13, 14), Pace::Eager);
        assert_eq!(Pace::of(1, 14, 14), Pace::Sparing);
        assert_eq!(Pace::of(2, 1, 4), Pace::Eager);
        assert_eq!(Pace::of(2, 1, 3), Pace::Sparing);
        let mail_us = |pace: Pace| [2, 1_024, 4_096].map(|ranks| pace.mail_every_us(ranks));
        assert_eq!(mail_us(Pace::Eager), [100, 1_024, 4_096]);
        assert_eq!(mail_us(Pace::Sparing), [2_000, 2_000, 4_096]);
    }
}
