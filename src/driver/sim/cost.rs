//! What work and messages cost: from counted nodes to virtual time.

use crate::cc2s::Work;

/// A machine, as far as the simulation knows it. All times in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// One node of the evaluator.
    pub leaf_node_ns: u64,
    /// One node stored.
    pub tree_node_ns: u64,
    /// One thing of many in a message: an entry of what evaluators tell each other looked up or added, a letter after the
    /// first written or read.
    pub item_ns: u64,
    /// One step of a worker, whatever it does.
    pub step_ns: u64,
    /// To send a message or to take one in, for the worker that does.
    pub overhead_ns: u64,
    /// So long letters wait for others to the same worker, which then travel with them, while their writer works.
    pub patience_ns: u64,
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
        item_ns: 0,
        step_ns: 100,
        overhead_ns: 0,
        patience_ns: 0,
        latency_ns: 0,
        byte_ps: 0,
    };

    /// Threads that share memory: a message takes one microsecond, a turn with a tree they share a fifth of that.
    pub const SHARED_MEMORY: Self = Self {
        item_ns: 30,
        overhead_ns: 200,
        latency_ns: 1_000,
        byte_ps: 100,
        ..Self::IDEAL
    };

    /// Workstations with SCI, like those of the thesis: ten microseconds, 80 megabytes per second.
    pub const SCI: Self = Self {
        item_ns: 30,
        overhead_ns: 1_000,
        patience_ns: 100_000,
        latency_ns: 10_000,
        byte_ps: 12_500,
        ..Self::IDEAL
    };

    /// Workstations with Fast Ethernet: a hundred microseconds, 12 megabytes per second.
    pub const ETHERNET: Self = Self {
        item_ns: 30,
        overhead_ns: 10_000,
        patience_ns: 1_000_000,
        latency_ns: 100_000,
        byte_ps: 80_000,
        ..Self::IDEAL
    };

    /// The same network on a machine whose processors are so much slower, in its time scaled to ours: a thesis's network
    /// beside the thesis's processors.
    #[must_use]
    pub const fn scaled(self, factor: u64) -> Self {
        Self {
            overhead_ns: self.overhead_ns / factor,
            patience_ns: self.patience_ns / factor,
            latency_ns: self.latency_ns / factor,
            byte_ps: self.byte_ps / factor,
            ..self
        }
    }

    /// How long a worker needs for a step.
    pub const fn of_work(&self, work: Work) -> u64 {
        self.step_ns + work.leaf_nodes * self.leaf_node_ns + work.tree_nodes * self.tree_node_ns
    }

    /// How long it takes to send so many letters together, at least one, or to take them in: never longer than one by one.
    pub fn of_handling(&self, letters: usize) -> u64 {
        self.overhead_ns + (letters as u64 - 1) * self.item_ns.min(self.overhead_ns)
    }

    /// How long a message of that many bytes is under way.
    pub const fn of_passage(&self, bytes: u64) -> u64 {
        self.latency_ns + bytes * self.byte_ps / 1_000
    }
}
