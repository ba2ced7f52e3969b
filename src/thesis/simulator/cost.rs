//! Costs of work and messages, which convert counted nodes to virtual time.

use crate::thesis::StepWork;

/// The processor time to send or to receive a message, on a network of any speed.
const OVERHEAD_NS_MIN: u64 = 30;

/// The simulated machine. All times are in nanoseconds, except `byte_ps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// One node of the evaluator.
    pub leaf_node_ns: u64,
    /// One node stored.
    pub tree_node_ns: u64,
    /// One step of a worker, of any kind.
    pub step_ns: u64,
    /// Sending or receiving a message, for the worker that does it.
    pub overhead_ns: u64,
    /// The passage of the shortest message from one worker's outbox to the other's inbox.
    pub latency_ns: u64,
    /// Each further byte of a message, in picoseconds.
    pub byte_ps: u64,
}

impl Costs {
    /// Free and immediate messages; computation as measured for this engine (`cc2s bench`).
    pub const IDEAL: Self = Self {
        leaf_node_ns: 440,
        tree_node_ns: 200,
        step_ns: 100,
        overhead_ns: 0,
        latency_ns: 0,
        byte_ps: 0,
    };

    /// Workstations with SCI, like those of the thesis: ten microseconds, 80 megabytes per second.
    pub const SCI: Self = Self {
        overhead_ns: 1_000,
        latency_ns: 10_000,
        byte_ps: 12_500,
        ..Self::IDEAL
    };

    /// Workstations with Fast Ethernet: a hundred microseconds, 12 megabytes per second.
    pub const ETHERNET: Self = Self {
        overhead_ns: 10_000,
        latency_ns: 100_000,
        byte_ps: 80_000,
        ..Self::IDEAL
    };

    /// Returns the same network for processors that are slower by `factor` per node, like those of the thesis,
    /// with time scaled to ours. Sending a message remains work for a processor, so it costs at least
    /// `OVERHEAD_NS_MIN`.
    #[must_use]
    pub fn scaled(self, factor: u64) -> Self {
        Self {
            overhead_ns: (self.overhead_ns / factor).max(OVERHEAD_NS_MIN),
            latency_ns: self.latency_ns / factor,
            byte_ps: self.byte_ps / factor,
            ..self
        }
    }

    /// Returns the time of a step, in nanoseconds.
    pub const fn of_work(&self, work: StepWork) -> u64 {
        self.step_ns + work.leaf_nodes * self.leaf_node_ns + work.tree_nodes * self.tree_node_ns
    }

    /// Returns the passage time of a message of this many bytes, in nanoseconds.
    pub const fn of_passage(&self, bytes: u64) -> u64 {
        self.latency_ns + bytes * self.byte_ps / 1_000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scaled_network_is_faster_but_messages_remain_work() {
        for costs in [Costs::SCI, Costs::ETHERNET] {
            assert_eq!(costs.scaled(1), costs);
            let times = |costs: Costs| [costs.latency_ns, costs.byte_ps];
            for (slow, fast) in times(costs).into_iter().zip(times(costs.scaled(10))) {
                assert_eq!(fast, slow / 10);
            }
            let fastest = costs.scaled(u64::MAX);
            assert_eq!(times(fastest), [0; 2]);
            assert_eq!(fastest.overhead_ns, OVERHEAD_NS_MIN);
        }
    }
}
