//! Two strategies demanded: which nodes have them, which rest on one, and what must still be asked.
//!
//! A cut node shows its bound by two moves, each searched a few plies less deep than a single one would be. Where only one
//! move does it, two strategies are demanded behind that move. An all node asks every successor.

use super::DelegationParams;
use super::iteration::Candidate;
use super::job::{Ask, Job};
use super::thin_tree::{ThinNodeId, ThinTree};
use crate::game::{Score, late_move_reduction};

/// Plies that must be left for a look behind the only move.
const FORCED_DEPTH_MIN: u16 = 3;

/// How a demand stands; an all node stands as its worst successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Support {
    /// Somewhere the depth does not suffice for a second strategy.
    One,
    /// Something must still be asked.
    Open,
    /// Two strategies everywhere, and the plies from the root that each of them looks ahead at least.
    Two(u16),
}

/// The demand that two strategies show the best move to be worth its value, nearly, and two refute every other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// Plies from the root that single strategies look ahead.
    depth: u16,
    best: ThinNodeId,
    /// What the best move was found to be worth, the root's view.
    pub(super) value: Score,
    /// What the best move is worth at least, the root's view.
    pub low: Score,
    /// What every other move is worth at most.
    pub high: Score,
}

impl Demand {
    /// What is demanded of the best move; `None`: its value is beyond doubt.
    pub(super) fn of(depth: u16, best: Candidate, params: &DelegationParams) -> Option<Self> {
        let margin = params.secure_margin_cp as i16;
        (!best.settled.is_decisive()).then_some(Self {
            depth,
            best: best.id,
            value: best.settled,
            low: best.settled - margin,
            high: best.settled + margin,
        })
    }

    /// Plies from the root that single strategies look ahead.
    pub const fn depth(&self) -> u16 {
        self.depth
    }

    /// The move said to be best.
    pub const fn best(&self) -> ThinNodeId {
        self.best
    }

    /// How the demand stands, and what must be asked for it.
    pub(super) fn inquire<M: Copy + Eq>(
        self,
        tree: &ThinTree<M>,
        candidates: impl Iterator<Item = ThinNodeId>,
        params: &DelegationParams,
    ) -> (Support, Vec<Job<M>>) {
        let mut inquiry = Inquiry {
            tree,
            params,
            open: Vec::new(),
        };
        let root = Place {
            level: 0,
            depth: self.depth,
        };
        let below = root.below(0);
        let mut support = inquiry.of_all_node(self.best, self.low.to_successor(), below);
        for id in candidates.filter(|&id| id != self.best) {
            if support == Support::One {
                break;
            }
            support = support.min(inquiry.of_cut_node(id, self.high.to_successor(), below));
        }
        match support {
            Support::One => (support, Vec::new()),
            _ => (support, inquiry.open),
        }
    }
}

/// Where in the tree a demand is made.
#[derive(Clone, Copy)]
struct Place {
    /// Plies from the root.
    level: u16,
    /// Plies that a single strategy looks ahead from here.
    depth: u16,
}

impl Place {
    /// One ply further down, looking `less` deep.
    fn below(self, less: u16) -> Self {
        Self {
            level: self.level + 1,
            depth: self.depth.saturating_sub(1 + less).max(1),
        }
    }
}

/// A demand being looked into.
struct Inquiry<'a, M> {
    tree: &'a ThinTree<M>,
    params: &'a DelegationParams,
    /// What must still be asked, in the order in which it was found.
    open: Vec<Job<M>>,
}

impl<M: Copy + Eq> Inquiry<'_, M> {
    fn of_cut_node(&mut self, id: ThinNodeId, score: Score, place: Place) -> Support {
        let node = self.tree.node(id);
        if node.facts.at_least(u16::MAX) >= Some(score) {
            return Support::Two(u16::MAX);
        }
        let reduction = self.params.strategy_reduction as u16;
        let depth = place.depth.saturating_sub(reduction).max(1);
        let found = node.strategies_for(score, depth);
        if let [first, second, ..] = found[..] {
            return Support::Two(place.level + first.lower.depth.min(second.lower.depth));
        }
        let excluded = found.first().map(|strategy| strategy.mv);
        if !node.is_vain(excluded, score, depth) {
            let ask = Ask::Strategy {
                depth,
                at_least: score,
                excluded,
            };
            return self.ask(id, ask);
        }
        match excluded {
            Some(only) => self.behind(id, only, score, place),
            None => Support::One,
        }
    }

    /// The only move that shows the bound: no reply to it may rest on one strategy.
    fn behind(&mut self, id: ThinNodeId, only: M, score: Score, place: Place) -> Support {
        if place.depth < FORCED_DEPTH_MIN {
            return Support::One;
        }
        match self.tree.successor(id, only) {
            Some(successor) => self.of_all_node(successor, score.to_successor(), place.below(0)),
            None => self.ask(id, Ask::Successors),
        }
    }

    /// Once a successor has failed, the others need not be asked.
    fn of_all_node(&mut self, id: ThinNodeId, score: Score, place: Place) -> Support {
        let Some(successors) = &self.tree.node(id).successors else {
            return self.ask(id, Ask::Successors);
        };
        let mut worst = Support::Two(u16::MAX);
        for (index, &successor) in successors.iter().enumerate() {
            let is_quiet = self.tree.node(successor).is_quiet;
            let below = place.below(reduction(place.depth, index, is_quiet));
            worst = worst.min(self.of_cut_node(successor, score.to_successor(), below));
            if worst == Support::One {
                break;
            }
        }
        worst
    }

    fn ask(&mut self, id: ThinNodeId, ask: Ask<M>) -> Support {
        let path = self.tree.path(id);
        self.open.push(Job { path, ask });
        Support::Open
    }
}

/// Late quiet successors are asked for less depth.
fn reduction(depth: u16, index: usize, is_quiet: bool) -> u16 {
    if depth < 3 || index < 3 || !is_quiet {
        return 0;
    }
    late_move_reduction(i32::from(depth), index as i32 + 1).max(0) as u16
}
