//! How often a rank polls for messages and sends updates: as often as possible without taking the processor from
//! searching threads.

use std::time::Duration;

/// The processor time available to a rank's message thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PollPolicy {
    /// A processor of its own, which no other thread needs.
    #[default]
    Busy,
    /// As little as possible, since each poll takes time from a searching thread.
    Sparse,
}

impl PollPolicy {
    /// Returns the policy for `ranks` ranks with `threads` threads each on a machine of `cores` processors.
    pub const fn of(ranks: usize, threads: usize, cores: usize) -> Self {
        if ranks * (threads + 1) <= cores {
            Self::Busy
        } else {
            Self::Sparse
        }
    }

    /// Returns the time after the last message during which a rank polls without a pause.
    pub const fn awake(self) -> Duration {
        Duration::from_micros(match self {
            Self::Busy => 1_000,
            Self::Sparse => 0,
        })
    }

    /// Returns the interval between updates to `ranks` ranks, in microseconds. It grows with the ranks, so that
    /// many ranks do not mean many small messages.
    pub fn updates_every_us(self, ranks: usize) -> u64 {
        let least_us = match self {
            Self::Busy => 100,
            Self::Sparse => 2_000,
        };
        least_us.max(ranks as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_that_need_all_processors_poll_sparsely() {
        assert_eq!(PollPolicy::of(1, 13, 14), PollPolicy::Busy);
        assert_eq!(PollPolicy::of(1, 14, 14), PollPolicy::Sparse);
        assert_eq!(PollPolicy::of(2, 1, 4), PollPolicy::Busy);
        assert_eq!(PollPolicy::of(2, 1, 3), PollPolicy::Sparse);
        let updates_us = |poll_policy: PollPolicy| {
            [2, 1_024, 4_096].map(|ranks| poll_policy.updates_every_us(ranks))
        };
        assert_eq!(updates_us(PollPolicy::Busy), [100, 1_024, 4_096]);
        assert_eq!(updates_us(PollPolicy::Sparse), [2_000, 2_000, 4_096]);
    }
}
