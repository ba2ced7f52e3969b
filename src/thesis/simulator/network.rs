//! The passage time and the order of messages.

use super::cost::Costs;
use crate::game::SplitMix64;

/// Links between all workers. Each delivers its messages in the order of sending.
#[derive(Clone, Debug)]
pub(super) struct WorkerNetwork {
    costs: Costs,
    workers: usize,
    /// The time of each link's last delivery, by sender and receiver.
    last_ns: Vec<u64>,
    /// The maximum delay of a message, as a multiple of its passage time.
    jitter: u64,
    rng: SplitMix64,
}

impl WorkerNetwork {
    pub(super) fn new(costs: Costs, workers: usize, jitter: u64, seed: u64) -> Self {
        Self {
            costs,
            workers,
            last_ns: vec![0; workers * workers],
            jitter,
            rng: SplitMix64::new(seed),
        }
    }

    /// Returns the arrival time of a message of this many bytes that leaves now.
    pub(super) fn arrival(&mut self, now_ns: u64, from: usize, to: usize, bytes: u64) -> u64 {
        let passage = self.costs.of_passage(bytes);
        let delay = self.rng.below(passage * self.jitter + 1);
        let last = &mut self.last_ns[from * self.workers + to];
        *last = (now_ns + passage + delay).max(*last + 1);
        *last
    }
}
