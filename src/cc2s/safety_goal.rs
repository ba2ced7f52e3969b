//! Two strategies demanded: which nodes have them, which rest on one, and what must still be asked.
//!
//! A cut node shows its bound by two moves, an all node needs an answer to each of its moves. Where only one move of a
//! cut node holds the bound, two strategies are demanded behind that move, beyond the depth demanded if need be, until
//! it branches.

use std::collections::BTreeSet;

use super::aspiration::RootCandidate;
use super::thin_tree::{ThinNodeId, ThinTree};
use crate::game::{Job, Request, Score};

/// Margins that are demanded, in centipawns, rising.
pub const MARGINS: [u16; 5] = [10, 25, 50, 100, 200];
/// Plies of a look, at least: a shallower one says next to nothing.
const LOOK_DEPTH_MIN: u16 = 3;
/// Plies beyond the depth demanded to which moves that stand alone are followed, at most.
const BEYOND_MAX: u16 = 8;
/// Questions that are worth knowing at a time: all workers have something to do.
const OPEN_MAX: usize = 64;

/// How a goal stands; an all node stands as its worst successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum GoalStatus {
    /// Somewhere there is no second strategy.
    Refuted,
    /// Something must still be asked.
    Open,
    /// Two strategies everywhere, each as deep as demanded.
    Proved,
}

/// The aim of a goal: its margin and its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Aim {
    /// Place in [`MARGINS`].
    step: usize,
    /// Plies from the root.
    pub(super) depth: u16,
}

impl Aim {
    /// The greatest margin, and the least depth at which every look has its least depth: the deepest of them begin two
    /// plies from the root.
    pub(super) const FIRST: Self = Self {
        step: MARGINS.len() - 1,
        depth: LOOK_DEPTH_MIN + 2,
    };

    /// The aim after a goal that was met: a smaller margin, a ply deeper.
    #[must_use]
    pub(super) fn narrower(self) -> Self {
        Self {
            step: self.step.saturating_sub(1),
            depth: self.depth + 1,
        }
    }

    /// The aim after a goal that has failed: a greater margin; `None` if that was the greatest.
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

/// The goal that two strategies show the best move to be worth its value less a margin, and two refute every other move
/// above its value plus that margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SafetyGoal {
    aim: Aim,
    best: ThinNodeId,
    value: Score,
}

impl SafetyGoal {
    /// The goal for the best move; `None`: its value is beyond doubt.
    pub(super) fn of(aim: Aim, best: RootCandidate) -> Option<Self> {
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

    /// The value found for the best move, the root's view.
    pub const fn value(&self) -> Score {
        self.value
    }

    /// The lower bound of the best move, the root's view.
    pub fn low(&self) -> Score {
        self.value - self.margin_cp() as i16
    }

    /// The upper bound of every other move, the root's view.
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
        let (status, _) = self.check_for(1, tree, candidates, &mut BTreeSet::new());
        status == GoalStatus::Proved
    }

    /// How the goal stands, and what must be asked for it. `proved` are the nodes where it is known to be met.
    pub(super) fn check<M: Copy + Eq>(
        &self,
        tree: &ThinTree<M>,
        candidates: impl Iterator<Item = ThinNodeId>,
        proved: &mut BTreeSet<ThinNodeId>,
    ) -> (GoalStatus, Vec<Job<M>>) {
        self.check_for(OPEN_MAX, tree, candidates, proved)
    }

    fn check_for<M: Copy + Eq>(
        &self,
        open_max: usize,
        tree: &ThinTree<M>,
        candidates: impl Iterator<Item = ThinNodeId>,
        proved: &mut BTreeSet<ThinNodeId>,
    ) -> (GoalStatus, Vec<Job<M>>) {
        let mut checker = Checker {
            goal: self,
            tree,
            proved,
            open: Vec::new(),
            open_max,
        };
        let mut status = checker.check_all_node(self.best, self.low().to_successor(), 1);
        for id in candidates.filter(|&id| id != self.best) {
            if checker.is_enough(status) {
                break;
            }
            status = status.min(checker.check_cut_node(id, self.high().to_successor(), 1));
        }
        match status {
            GoalStatus::Refuted => (status, Vec::new()),
            _ => (status, checker.open),
        }
    }
}

/// A goal being looked into. Levels are plies from the root.
struct Checker<'a, M> {
    goal: &'a SafetyGoal,
    tree: &'a ThinTree<M>,
    /// Nodes where the goal is known to be met: answers only add strategies.
    proved: &'a mut BTreeSet<ThinNodeId>,
    /// Jobs still open, in the order in which they were found.
    open: Vec<Job<M>>,
    open_max: usize,
}

impl<M: Copy + Eq> Checker<'_, M> {
    /// Whether it makes no difference how the rest stands.
    fn is_enough(&self, status: GoalStatus) -> bool {
        status == GoalStatus::Refuted || self.open.len() >= self.open_max
    }

    fn check_cut_node(&mut self, id: ThinNodeId, score: Score, level: u16) -> GoalStatus {
        if self.proved.contains(&id) {
            return GoalStatus::Proved;
        }
        let status = self.check_strategies(id, score, level);
        if status == GoalStatus::Proved {
            self.proved.insert(id);
        }
        status
    }

    fn check_strategies(&mut self, id: ThinNodeId, score: Score, level: u16) -> GoalStatus {
        let node = self.tree.node(id);
        if node.bounds.lower(u16::MAX) >= Some(score) {
            return GoalStatus::Proved;
        }
        let depth = self.goal.look_depth(level);
        let found = node.strategies_for(score, depth);
        if found.len() > 1 {
            return GoalStatus::Proved;
        }
        let excluded = found.first().map(|strategy| strategy.mv);
        if !node.already_failed(excluded, score, depth) {
            let request = Request::SearchExcluding {
                depth,
                at_least: score,
                excluded,
            };
            return self.ask(id, request);
        }
        match excluded {
            Some(only) => self.check_only_move(id, only, score, level),
            None => GoalStatus::Refuted,
        }
    }

    /// The only move that shows the bound: no response to it may rest on one strategy.
    fn check_only_move(&mut self, id: ThinNodeId, only: M, score: Score, level: u16) -> GoalStatus {
        if level >= self.goal.depth() + BEYOND_MAX {
            return GoalStatus::Refuted;
        }
        match self.tree.successor(id, only) {
            Some(successor) => self.check_all_node(successor, score.to_successor(), level + 1),
            None => self.ask(id, Request::Expand),
        }
    }

    fn check_all_node(&mut self, id: ThinNodeId, score: Score, level: u16) -> GoalStatus {
        if self.proved.contains(&id) {
            return GoalStatus::Proved;
        }
        let Some(successors) = &self.tree.node(id).successors else {
            return self.ask(id, Request::Expand);
        };
        let mut worst = GoalStatus::Proved;
        for &successor in successors {
            worst = worst.min(self.check_cut_node(successor, score.to_successor(), level + 1));
            if self.is_enough(worst) {
                break;
            }
        }
        if worst == GoalStatus::Proved {
            self.proved.insert(id);
        }
        worst
    }

    fn ask(&mut self, id: ThinNodeId, request: Request<M>) -> GoalStatus {
        let path = self.tree.path(id);
        self.open.push(Job { path, request });
        GoalStatus::Open
    }
}
