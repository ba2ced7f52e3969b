//! The progress of a running search, for its listeners.

use super::{Requirement, Score};

/// Nodes by their purpose, in Cc2s with delegation; else all are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Targets of the hypothesis at the root, with one strategy.
    pub primary: u64,
    /// Targets that require a second strategy.
    pub verification: u64,
}

/// The progress of a search, reported to its listener often and cheaply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Nodes so far, tree and leaf.
    pub nodes: u64,
    /// Nodes stored so far, where the tree is.
    pub tree_nodes: u64,
    /// The requirement last met; (0, 0) before the first.
    pub met: Requirement,
    /// The requirement being worked on.
    pub demanded: Requirement,
    /// Requirements met in a row with the same best move.
    pub stable_requirements: u16,
    /// Hypotheses overturned during the current requirement: the decision is in doubt and deserves more time.
    pub overturned: u16,
    /// Score of the hypothesis now worked on, side to move's view.
    pub hypothesis: Option<Score>,
    /// Score the hypothesis had when the last requirement was met.
    pub settled: Option<Score>,
    /// Share of the work spent on the best move, in thousandths; `None` if unknown. The harder the other moves were to
    /// refute, the less certain the choice.
    pub effort_permille: Option<u16>,
    /// The safety margin of the decision, in centipawns; `None` if it is not known yet.
    pub margin_cp: Option<u16>,
    /// Nodes by their purpose.
    pub work: Work,
    /// Further search is useless: one legal move, a proven mate, or the last requirement of the schedule is met.
    pub exhausted: bool,
}
