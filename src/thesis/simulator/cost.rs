//! Costs of work and messages: from counted nodes to virtual time.

use crate::thesis::StepWork;

/// Work of a processor to send a message or to take one in, however fast the network.
const OVERHEAD_NS_MIN: u64 = 30;

/// A machine, as far as the simulation knows it. All times in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// One node of the evaluator.
    pub leaf_node_ns: u64,
    /// One node stored.
    pub tree_node_ns: u64,
    /// One step of a worker, whatever it does.
    pub step_ns: u64,
    /// To send a message or to take one in, for the worker that does.
    pub overhead_ns: u64,
    /// From one worker's outbox to the other's inbox, for the shortest message.
    pub latency_ns: u64,
    /// For each further byte of a message.
    pub byte_ps: u64,
}

impl Costs {
    /// Messages cost nothing and take no time. Computation as this engine needs it (`cc2s bench`).
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

    /// The same network beside processors that need so many times longer for a node, as the thesis's did, in a time
    /// scaled to ours. To send a message remains work for a processor, so it costs no less than `OVERHEAD_NS_MIN`.
    #[must_use]
    pub fn scaled(self, factor: u64) -> Self {
        Self {
            overhead_ns: (self.overhead_ns / factor).max(OVERHEAD_NS_MIN),
            latency_ns: self.latency_ns / factor,
            byte_ps: self.byte_ps / factor,
            ..self
        }
    }

    /// Time of a worker for a step.
    pub const fn of_work(&self, work: StepWork) -> u64 {
        self.step_ns + work.leaf_nodes * self.leaf_node_ns + work.tree_nodes * self.tree_node_ns
    }

    /// Passage of a message of that many bytes.
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
