//! Two strategies demanded: which nodes have them, which rest on one, and what must still be asked.
//!
//! A cut node shows its bound by two moves, an all node needs an answer to each of its moves. Where only one move of a cut node
//! holds the bound, two strategies are demanded behind that move, beyond the depth demanded if need be, until it branches.

use std::collections::BTreeSet;

use super::iteration::Candidate;
use super::job::{Ask, Job};
use super::thin_tree::{ThinNodeId, ThinTree};
use crate::game::Score;

/// Margins that are demanded, in centipawns, rising.
pub const MARGINS: [u16; 5] = [10, 25, 50, 100, 200];
/// Plies of a look, at least: a shallower one says next to nothing.
const LOOK_DEPTH_MIN: u16 = 3;
/// Plies beyond the depth demanded to which moves that stand alone are followed, at most.
const BEYOND_MAX: u16 = 8;
/// Questions that are worth knowing at a time: all workers have something to do.
const OPEN_MAX: usize = 64;

/// How a demand stands; an all node stands as its worst successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Support {
    /// Somewhere there is no second strategy.
    One,
    /// Something must still be asked.
    Open,
    /// Two strategies everywhere, each as deep as demanded.
    Two,
}

/// What to demand: how narrow and how deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Aim {
    /// Place in [`MARGINS`].
    step: usize,
    /// Plies from the root.
    pub(super) depth: u16,
}

impl Aim {
    /// The greatest margin, and the least depth at which every look has its least depth: the deepest of them begin two plies
    /// from the root.
    pub(super) const FIRST: Self = Self {
        step: MARGINS.len() - 1,
        depth: LOOK_DEPTH_MIN + 2,
    };

    /// What comes next where the demand was met: a smaller margin, a ply deeper.
    #[must_use]
    pub(super) fn narrower(self) -> Self {
        Self {
            step: self.step.saturating_sub(1),
            depth: self.depth + 1,
        }
    }

    /// What comes next where the demand has failed: a greater margin; `None` if that was the greatest.
    pub(super) fn wider(self) -> Option<Self> {
        let step = self.step + 1;
        (step < MARGINS.len()).then_some(Self { step, ..self })
    }

    /// The same margin a ply deeper.
    #[must_use]
    pub(super) fn deeper(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }

    /// All aims as deep at most, the deepest first, and of those the narrowest.
    pub(super) fn up_to(depth: u16) -> impl Iterator<Item = Self> {
        let depths = (Self::FIRST.depth..=depth).rev();
        depths.flat_map(|depth| (0..MARGINS.len()).map(move |step| Self { step, depth }))
    }
}

/// The demand that two strategies show the best move to be worth its value less a margin, and two refute every other move
/// above its value plus that margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    aim: Aim,
    best: ThinNodeId,
    value: Score,
}

impl Demand {
    /// What is demanded of the best move; `None`: its value is beyond doubt.
    pub(super) fn of(aim: Aim, best: Candidate) -> Option<Self> {
        (!best.settled.is_decisive()).then_some(Self {
            aim,
            best: best.id,
            value: best.settled,
        })
    }

    pub(super) const fn aim(&self) -> Aim {
        self.aim
    }

    /// Plies from the root that each strategy looks ahead at least.
    pub const fn depth(&self) -> u16 {
        self.aim.depth
    }

    /// Centipawns that the best move may be worth less, and another more.
    pub const fn margin_cp(&self) -> u16 {
        MARGINS[self.aim.step]
    }

    /// The move said to be best.
    pub const fn best(&self) -> ThinNodeId {
        self.best
    }

    /// What the best move was found to be worth, the root's view.
    pub const fn value(&self) -> Score {
        self.value
    }

    /// What the best move is worth at least, the root's view.
    pub fn low(&self) -> Score {
        self.value - self.margin_cp() as i16
    }

    /// What every other move is worth at most, the root's view.
    pub fn high(&self) -> Score {
        self.value + self.margin_cp() as i16
    }

    /// Plies that a strategy which begins so many plies from the root looks ahead at least.
    pub fn look_depth(&self, level: u16) -> u16 {
        self.depth().saturating_sub(level).max(LOOK_DEPTH_MIN)
    }

    /// Whether the tree shows it, without a question more.
    pub(super) fn is_shown<M: Copy + Eq>(
        &self,
        tree: &ThinTree<M>,
        candidates: impl Iterator<Item = ThinNodeId>,
    ) -> bool {
        let (support, _) = self.inquire_for(1, tree, candidates, &mut BTreeSet::new());
        support == Support::Two
    }

    /// How the demand stands, and what must be asked for it. `shown` are the nodes where it is known to be met.
    pub(super) fn inquire<M: Copy + Eq>(
        &self,
        tree: &ThinTree<M>,
        candidates: impl Iterator<Item = ThinNodeId>,
        shown: &mut BTreeSet<ThinNodeId>,
    ) -> (Support, Vec<Job<M>>) {
        self.inquire_for(OPEN_MAX, tree, candidates, shown)
    }

    fn inquire_for<M: Copy + Eq>(
        &self,
        open_max: usize,
        tree: &ThinTree<M>,
        candidates: impl Iterator<Item = ThinNodeId>,
        shown: &mut BTreeSet<ThinNodeId>,
    ) -> (Support, Vec<Job<M>>) {
        let mut inquiry = Inquiry {
            demand: self,
            tree,
            shown,
            open: Vec::new(),
            open_max,
        };
        let mut support = inquiry.of_all_node(self.best, self.low().to_successor(), 1);
        for id in candidates.filter(|&id| id != self.best) {
            if inquiry.is_enough(support) {
                break;
            }
            support = support.min(inquiry.of_cut_node(id, self.high().to_successor(), 1));
        }
        match support {
            Support::One => (support, Vec::new()),
            _ => (support, inquiry.open),
        }
    }
}

/// A demand being looked into. Levels are plies from the root.
struct Inquiry<'a, M> {
    demand: &'a Demand,
    tree: &'a ThinTree<M>,
    /// Nodes where the demand is known to be met: answers only add strategies.
    shown: &'a mut BTreeSet<ThinNodeId>,
    /// What must still be asked, in the order in which it was found.
    open: Vec<Job<M>>,
    open_max: usize,
}

impl<M: Copy + Eq> Inquiry<'_, M> {
    /// Whether it makes no difference how the rest stands.
    fn is_enough(&self, support: Support) -> bool {
        support == Support::One || self.open.len() >= self.open_max
    }

    fn of_cut_node(&mut self, id: ThinNodeId, score: Score, level: u16) -> Support {
        if self.shown.contains(&id) {
            return Support::Two;
        }
        let support = self.of_strategies(id, score, level);
        if support == Support::Two {
            self.shown.insert(id);
        }
        support
    }

    fn of_strategies(&mut self, id: ThinNodeId, score: Score, level: u16) -> Support {
        let node = self.tree.node(id);
        if node.facts.at_least(u16::MAX) >= Some(score) {
            return Support::Two;
        }
        let depth = self.demand.look_depth(level);
        let found = node.strategies_for(score, depth);
        if found.len() > 1 {
            return Support::Two;
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
            Some(only) => self.behind(id, only, score, level),
            None => Support::One,
        }
    }

    /// The only move that shows the bound: no reply to it may rest on one strategy.
    fn behind(&mut self, id: ThinNodeId, only: M, score: Score, level: u16) -> Support {
        if level >= self.demand.depth() + BEYOND_MAX {
            return Support::One;
        }
        match self.tree.successor(id, only) {
            Some(successor) => self.of_all_node(successor, score.to_successor(), level + 1),
            None => self.ask(id, Ask::Successors),
        }
    }

    fn of_all_node(&mut self, id: ThinNodeId, score: Score, level: u16) -> Support {
        if self.shown.contains(&id) {
            return Support::Two;
        }
        let Some(successors) = &self.tree.node(id).successors else {
            return self.ask(id, Ask::Successors);
        };
        let mut worst = Support::Two;
        for &successor in successors {
            worst = worst.min(self.of_cut_node(successor, score.to_successor(), level + 1));
            if self.is_enough(worst) {
                break;
            }
        }
        if worst == Support::Two {
            self.shown.insert(id);
        }
        worst
    }

    fn ask(&mut self, id: ThinNodeId, ask: Ask<M>) -> Support {
        let path = self.tree.path(id);
        self.open.push(Job { path, ask });
        Support::Open
    }
}
