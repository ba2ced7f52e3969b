//! A running search, as far as the clock needs to know it.

use crate::game::Score;

/// The safety of a decision: `conspiracy` leaf-disjoint strategies, all leaves at least `depth` plies from the root,
/// show that the best move is worth at least and every other move at most the splitting value (thesis, Definition
/// 1.8-8). For a classical search the conspiracy is 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Safety {
    /// Plies.
    pub depth: u16,
    /// Leaf-disjoint strategies, at least 1 once anything is known.
    pub conspiracy: u16,
}

/// Nodes by what they were searched for, where targets of Cc2s commission them; else all are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Targets of the hypothesis at the root, with one strategy.
    pub decide: u64,
    /// Targets that demand a second strategy.
    pub secure: u64,
}

/// The progress of a search, told to its watch often and cheaply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Nodes so far, tree and leaf.
    pub nodes: u64,
    /// The requirement last met.
    pub met: Safety,
    /// The requirement being worked on.
    pub demanded: Safety,
    /// Requirements met in a row with the same best move.
    pub stable_requirements: u16,
    /// Hypotheses overturned while working on the current requirement: the decision is in doubt, more time is well
    /// spent.
    pub overturned: u16,
    /// Score of the hypothesis now worked on, side to move's view.
    pub hypothesis: Option<Score>,
    /// Score the hypothesis had when the last requirement was met.
    pub settled: Option<Score>,
    /// Share of the work that went into the best move, in thousandths; `None` where the search does not say. The
    /// harder the others were to refute, the less certain the choice.
    pub effort_permille: Option<u16>,
    /// The margin within which two strategies show the decision, in centipawns; `None` where nothing is known of it
    /// yet.
    pub margin_cp: Option<u16>,
    /// The purpose of the nodes.
    pub work: Work,
    /// Nothing is left to gain: one legal move, a proven mate, or the last requirement of the schedule is met.
    pub exhausted: bool,
}
