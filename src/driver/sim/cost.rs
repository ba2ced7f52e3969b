//! What work and messages cost: from counted nodes to virtual time.

use crate::parallel::Work;

/// A machine, as far as the simulation knows it. All times in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// One node of the evaluator.
    pub leaf_node_ns: u64,
    /// One node stored.
    pub tree_node_ns: u64,
    /// One thing of many in a message: an entry of what evaluators tell each other looked up or added, a message after the
    /// first written or read.
    pub item_ns: u64,
    /// One step of a worker, whatever it does.
    pub step_ns: u64,
    /// So often a worker looks for messages in the middle of a valuation.
    pub poll_ns: u64,
    /// To send a message or to take one in, for the worker that does.
    pub overhead_ns: u64,
    /// So long messages wait for others to the same worker, which then travel with them, while their writer works.
    pub patience_ns: u64,
    /// From one worker's outbox to the other's inbox, for the shortest message.
    pub latency_ns: u64,
    /// For each further byte of a message.
    pub byte_ps: u64,
    /// To look up an entry in another's memory, which the prober waits for, and to write one there.
    pub remote_probe_ns: u64,
}

impl Costs {
    /// Messages cost nothing and take no time. Computation as this engine needs it (`cc2s bench`).
    pub const IDEAL: Self = Self {
        leaf_node_ns: 440,
        tree_node_ns: 200,
        item_ns: 0,
        step_ns: 100,
        poll_ns: 3_000,
        overhead_ns: 0,
        patience_ns: 0,
        latency_ns: 0,
        byte_ps: 0,
        remote_probe_ns: 0,
    };

    /// Threads that share memory: a message takes one microsecond, a turn with a tree they share a fifth of that.
    pub const SHARED_MEMORY: Self = Self {
        item_ns: 30,
        overhead_ns: 200,
        latency_ns: 1_000,
        byte_ps: 100,
        ..Self::IDEAL
    };

    /// Workstations with SCI, like those of the thesis: ten microseconds, 80 megabytes per second. A remote probe is a transaction
    /// around the ring (thesis 3.1) as a message is, and one is sent off for what is written.
    pub const SCI: Self = Self {
        item_ns: 30,
        overhead_ns: 1_000,
        patience_ns: 100_000,
        latency_ns: 10_000,
        byte_ps: 12_500,
        remote_probe_ns: 11_000,
        ..Self::IDEAL
    };

    /// Workstations with Fast Ethernet: a hundred microseconds, 12 megabytes per second. A remote probe is a message there and one
    /// back; who answers it is not counted.
    pub const ETHERNET: Self = Self {
        item_ns: 30,
        overhead_ns: 10_000,
        patience_ns: 1_000_000,
        latency_ns: 100_000,
        byte_ps: 80_000,
        remote_probe_ns: 220_000,
        ..Self::IDEAL
    };

    /// The same network beside processors that need so many times longer for a node, as the thesis's did, in a time scaled
    /// to ours. To send a message remains work for a processor, so it costs no less than something in its memory.
    #[must_use]
    pub fn scaled(self, factor: u64) -> Self {
        Self {
            overhead_ns: (self.overhead_ns / factor).max(self.item_ns),
            patience_ns: self.patience_ns / factor,
            latency_ns: self.latency_ns / factor,
            byte_ps: self.byte_ps / factor,
            remote_probe_ns: self.remote_probe_ns / factor,
            ..self
        }
    }

    /// The same machine, its evaluators remembering in one table whose parts lie in the memories of all: at each node of
    /// theirs they look into another's and write there. (A few of these parts are their own, and not every node looks.)
    #[must_use]
    pub const fn with_far_table(self) -> Self {
        Self {
            leaf_node_ns: self.leaf_node_ns + self.remote_probe_ns,
            ..self
        }
    }

    /// How long a worker needs for a step.
    pub const fn of_work(&self, work: Work) -> u64 {
        self.step_ns
            + work.leaf_nodes * self.leaf_node_ns
            + work.tree_nodes * self.tree_node_ns
            + work.remote_probes * self.remote_probe_ns
    }

    /// How long it takes to send so many messages together, at least one, or to take them in: never longer than one by one.
    pub fn of_handling(&self, messages: usize) -> u64 {
        self.overhead_ns + (messages as u64 - 1) * self.item_ns.min(self.overhead_ns)
    }

    /// How long a message of that many bytes is under way.
    pub const fn of_passage(&self, bytes: u64) -> u64 {
        self.latency_ns + bytes * self.byte_ps / 1_000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scaled_network_is_faster_but_messages_remain_work() {
        for costs in [Costs::SHARED_MEMORY, Costs::SCI, Costs::ETHERNET] {
            assert_eq!(costs.scaled(1), costs);
            let times = |costs: Costs| [costs.latency_ns, costs.byte_ps, costs.remote_probe_ns];
            for (slow, fast) in times(costs).into_iter().zip(times(costs.scaled(10))) {
                assert_eq!(fast, slow / 10);
            }
            let fastest = costs.scaled(u64::MAX);
            assert_eq!(times(fastest), [0; 3]);
            assert_eq!(fastest.of_handling(1), costs.item_ns);
        }
    }

    #[test]
    fn messages_together_never_cost_more_than_one_by_one() {
        for costs in [Costs::IDEAL, Costs::SCI, Costs::SCI.scaled(500)] {
            for messages in 1..20 {
                let one_by_one = messages as u64 * costs.of_handling(1);
                assert!(costs.of_handling(messages) <= one_by_one);
            }
        }
    }
}
