//! The safe value of the decision: how narrow a margin two strategies show, and how deep. One demand after another is worked on:
//! narrower and deeper where one is met, wider where one fails.

use std::collections::BTreeSet;

use super::demand::{Aim, Demand, Support};
use super::iteration::Candidate;
use super::job::Job;
use super::thin_tree::{ThinNodeId, ThinTree};

/// The demands of one decision.
#[derive(Debug)]
pub(super) struct Securing {
    /// The best move, and what it is worth, as people are told.
    best: Option<Candidate>,
    /// What is demanded, or will be.
    aim: Aim,
    /// Depth of the requirement with one strategy from which on it is demanded.
    from: u16,
    /// The demand under way.
    demand: Option<Demand>,
    /// Nodes where it is known to be met.
    shown: BTreeSet<ThinNodeId>,
    /// The last demand met for the best move and its value.
    secured: Option<Demand>,
    is_in_vain: bool,
}

impl Default for Securing {
    fn default() -> Self {
        Self {
            best: None,
            aim: Aim::FIRST,
            from: 0,
            demand: None,
            shown: BTreeSet::new(),
            secured: None,
            is_in_vain: false,
        }
    }
}

impl Securing {
    /// The last demand met for the best move and its value.
    pub(super) const fn secured(&self) -> Option<Demand> {
        self.secured
    }

    /// Whether even the greatest margin was too narrow for the best move.
    pub(super) const fn is_in_vain(&self) -> bool {
        self.is_in_vain
    }

    /// Whether a demand is under way.
    pub(super) const fn is_at_work(&self) -> bool {
        self.demand.is_some()
    }

    /// Leaves off the demand under way.
    pub(super) fn leave_off(&mut self) {
        self.demand = None;
    }

    /// This move is best now, and worth so much. What was shown of another move or value holds no longer, unless what is
    /// stored shows it anew.
    pub(super) fn stand_on<M: Copy + Eq>(
        &mut self,
        best: Candidate,
        tree: &ThinTree<M>,
        candidates: &[Candidate],
    ) {
        if self.best == Some(best) {
            return;
        }
        let is_same = self.best.is_some_and(|known| known.id == best.id);
        self.best = Some(best);
        self.demand = None;
        self.secured = Aim::up_to(self.aim.depth)
            .filter_map(|aim| Demand::of(aim, best))
            .find(|demand| demand.is_shown(tree, ids(candidates)));
        self.is_in_vain &= is_same;
        match self.secured {
            Some(_) if is_same => {}
            Some(demand) => (self.aim, self.from) = (demand.aim().narrower(), 0),
            None => (self.aim, self.from) = (Aim::FIRST, 0),
        }
    }

    /// Makes the next demand unless it is too near to what is known of one strategy: as deep as `depth`.
    pub(super) fn demand_more(&mut self, depth: u16, lag: u16) {
        let is_time = depth >= self.from && depth >= self.aim.depth + lag;
        if self.demand.is_none() && is_time {
            self.demand = self.best.and_then(|best| Demand::of(self.aim, best));
            self.shown.clear();
        }
    }

    /// What must be asked for the demand under way; none where that was met or has failed. `None`: there is no demand.
    pub(super) fn inquire<M: Copy + Eq>(
        &mut self,
        tree: &ThinTree<M>,
        candidates: &[Candidate],
        depth: u16,
    ) -> Option<Vec<Job<M>>> {
        let demand = self.demand?;
        let (support, open) = demand.inquire(tree, ids(candidates), &mut self.shown);
        if open.is_empty() {
            self.demand = None;
            self.conclude(demand, support == Support::Two, depth);
        }
        Some(open)
    }

    fn conclude(&mut self, demand: Demand, is_met: bool, depth: u16) {
        if is_met {
            (self.secured, self.is_in_vain) = (Some(demand), false);
            self.aim = self.aim.narrower();
        } else if let Some(wider) = self.aim.wider() {
            self.aim = wider;
        } else {
            // A ply deeper, once the best move is known a ply deeper.
            self.is_in_vain = self.secured.is_none();
            (self.aim, self.from) = (self.aim.deeper(), depth + 1);
        }
    }
}

fn ids(candidates: &[Candidate]) -> impl Iterator<Item = ThinNodeId> {
    candidates.iter().map(|candidate| candidate.id)
}
