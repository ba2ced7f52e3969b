//! Updates of the root of a running search.

use super::{Bound, Requirement, Score};

/// An update of a search on one of the best moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootUpdate<M> {
    /// Depth of the requirement met or worked on (`depth`).
    pub depth: u16,
    /// Deepest ply reached, leaf search included (`seldepth`).
    pub selective_depth: u16,
    /// Place among the best moves, from 1 (`multipv`).
    pub multi_pv: usize,
    /// Side to move's view.
    pub score: Score,
    /// The side of the score on which the value lies.
    pub bound: Bound,
    /// Tree and leaf nodes together.
    pub nodes: u64,
    /// Tablebase probes that answered; searches leave it 0, the engine counts.
    pub tablebase_hits: u64,
    /// Memory in use, in thousandths of the limit.
    pub memory_permille: u16,
    /// The principal variation; its first move is the move reported on. Legal.
    pub pv: Vec<M>,
    /// How safe the decision is; `None` before any requirement was met.
    pub safety: Option<Requirement>,
    /// The values that the safety refers to, if reported.
    pub claim: Option<Claim>,
}

/// The claim of the strategies: the best move is worth at least the hypothesis minus the margin, every other move at
/// most the hypothesis plus the margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Side to move's view.
    pub hypothesis: Score,
    /// Centipawns.
    pub margin_cp: u16,
}

impl<M> RootUpdate<M> {
    /// Withdraws the claim of two strategies, because the update no longer matches it.
    pub fn withdraw_safety(&mut self) {
        self.claim = None;
        if let Some(safety) = self.safety.as_mut().filter(|safety| safety.conspiracy > 1) {
            *safety = Requirement {
                depth: self.depth,
                conspiracy: 1,
            };
        }
    }
}
