//! How long messages are under way, and in which order they come.

use super::cost::Costs;
use crate::game::SplitMix64;

/// Links between all workers. Each carries its messages in order; a message sent later never overtakes.
#[derive(Clone, Debug)]
pub(super) struct WorkerNetwork {
    costs: Costs,
    workers: usize,
    /// When each link delivered last, by sender and receiver.
    last_ns: Vec<u64>,
    /// Each message is delayed by up to this many times its passage.
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

    /// When a message of that many bytes arrives that leaves now, given who sends it and who is to get it.
    pub(super) fn arrival(&mut self, now_ns: u64, from: usize, to: usize, bytes: u64) -> u64 {
        let passage = self.costs.of_passage(bytes);
        let delay = self.rng.below(passage * self.jitter + 1);
        let last = &mut self.last_ns[from * self.workers + to];
        *last = (now_ns + passage + delay).max(*last + 1);
        *last
    }
}
