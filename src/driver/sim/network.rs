//! How long messages are under way, and in which order they come.

use super::cost::Costs;
use crate::cc2s::Envelope;
use crate::game::SplitMix64;

/// Links between all workers. Each carries its messages in order; a message sent later never overtakes.
#[derive(Clone, Debug)]
pub(super) struct Network {
    costs: Costs,
    workers: usize,
    /// When each link delivered last, by sender and receiver.
    last_ns: Vec<u64>,
    /// Each message is delayed by up to this many times its passage.
    jitter: u64,
    rng: SplitMix64,
}

impl Network {
    pub(super) fn new(costs: Costs, workers: usize, jitter: u64, seed: u64) -> Self {
        Self {
            costs,
            workers,
            last_ns: vec![0; workers * workers],
            jitter,
            rng: SplitMix64::new(seed),
        }
    }

    /// When a message arrives that leaves now.
    pub(super) fn arrival<M>(&mut self, now_ns: u64, envelope: &Envelope<M>) -> u64 {
        let passage = self.costs.of_passage(envelope.message.bytes());
        let delay = self.rng.below(passage * self.jitter + 1);
        let (from, to) = (usize::from(envelope.from.0), usize::from(envelope.to.0));
        let last = &mut self.last_ns[from * self.workers + to];
        *last = (now_ns + passage + delay).max(*last + 1);
        *last
    }
}
