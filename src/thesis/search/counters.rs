/// Work done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Nodes stored.
    pub tree_nodes: u64,
    /// Nodes of the evaluator's searches.
    pub leaf_nodes: u64,
    /// Questions put to the evaluator.
    pub valuations: u64,
    /// Questions about nodes that had a value already.
    pub revaluations: u64,
    /// Visits of `search`.
    pub visits: u64,
    /// Visits answered by a stored target.
    pub table_hits: u64,
    /// Targets taken as met because the line was too long or the node's value kept changing.
    pub given_up: u64,
    /// Times the tree was full and nodes were forgotten.
    pub forgettings: u64,
    /// The greatest level of an evaluated node, in plies from the root.
    pub level_max: u16,
}

impl Counters {
    /// Returns the tree and leaf nodes together.
    pub fn nodes(&self) -> u64 {
        self.tree_nodes + self.leaf_nodes
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.tree_nodes += other.tree_nodes;
        self.leaf_nodes += other.leaf_nodes;
        self.valuations += other.valuations;
        self.revaluations += other.revaluations;
        self.visits += other.visits;
        self.table_hits += other.table_hits;
        self.given_up += other.given_up;
        self.forgettings += other.forgettings;
        self.level_max = self.level_max.max(other.level_max);
    }

    /// Counts an evaluation that searched this many nodes, if there was one.
    pub(crate) fn count(&mut self, asked: Option<u64>) {
        if let Some(nodes) = asked {
            self.leaf_nodes += nodes;
            self.valuations += 1;
        }
    }
}
