//! Goals with two strategies: nodes that have two, nodes that rest on one, and open jobs.
//!
//! A cut node proves its bound with two moves; an all node needs an answer to each of its moves. If only one move of a
//! cut node holds the bound, two strategies are required after that move, until it branches. This may go beyond the
//! required depth.

use std::collections::BTreeSet;

use super::aspiration::RootCandidate;
use super::thin_tree::{ThinNodeId, ThinTree};
use crate::game::{Job, Request, Score};

/// The margins, in centipawns, ascending.
pub const MARGINS: [u16; 5] = [10, 25, 50, 100, 200];
/// Minimum depth of a look, in plies; shallower looks prove almost nothing.
const LOOK_DEPTH_MIN: u16 = 3;
/// Maximum number of plies beyond the required depth for following single moves.
const BEYOND_MAX: u16 = 8;
/// Maximum number of open questions: enough for all workers.
const OPEN_MAX: usize = 64;

/// The status of a goal; an all node has the status of its worst successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum GoalStatus {
    /// Somewhere there is no second strategy.
    Refuted,
    /// Some questions are still open.
    Open,
    /// Two strategies everywhere, each with the required depth.
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
    /// The widest margin, and the minimum depth that gives every look its minimum depth: the latest looks start two
    /// plies from the root.
    pub(super) const FIRST: Self = Self {
        step: MARGINS.len() - 1,
        depth: LOOK_DEPTH_MIN + 2,
    };

    /// The aim after success: a smaller margin, one ply deeper.
    #[must_use]
    pub(super) fn narrower(self) -> Self {
        Self {
            step: self.step.saturating_sub(1),
            depth: self.depth + 1,
        }
    }

    /// The aim after failure: a wider margin; `None` after the widest.
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

    /// All aims up to that depth, the deepest first; at equal depth the narrowest first.
    pub(super) fn up_to(depth: u16) -> impl Iterator<Item = Self> {
        let depths = (Self::FIRST.depth..=depth).rev();
        depths.flat_map(|depth| (0..MARGINS.len()).map(move |step| Self { step, depth }))
    }
}

/// The goal that two strategies prove the best move to be worth at least its value minus a margin, and two refute every
/// other move above its value plus that margin.
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

    /// Minimum number of plies that each strategy looks ahead from the root.
    pub const fn depth(&self) -> u16 {
        self.aim.depth
    }

    /// The margin: the best move may be worth that much less, and another that much more.
    pub const fn margin_cp(&self) -> u16 {
        MARGINS[self.aim.step]
    }

    /// The move said to be best.
    pub const fn best(&self) -> ThinNodeId {
        self.best
    }

    /// The value of the best move, from the root's point of view.
    pub const fn value(&self) -> Score {
        self.value
    }

    /// The lower bound of the best move, from the root's point of view.
    pub fn low(&self) -> Score {
        self.value - self.margin_cp() as i16
    }

    /// The upper bound of every other move, from the root's point of view.
    pub fn high(&self) -> Score {
        self.value + self.margin_cp() as i16
    }

    /// Minimum number of plies that a strategy looks ahead if it starts `level` plies from the root.
    pub fn look_depth(&self, level: u16) -> u16 {
        self.depth().saturating_sub(level).max(LOOK_DEPTH_MIN)
    }

    /// Whether the tree proves it without further questions.
    pub(super) fn is_shown<M: Copy + Eq>(
        &self,
        tree: &ThinTree<M>,
        candidates: impl Iterator<Item = ThinNodeId>,
    ) -> bool {
        let (status, _) = self.check_for(1, tree, candidates, &mut BTreeSet::new());
        status == GoalStatus::Proved
    }

    /// The status of the goal and its open jobs. `proved` are the nodes where it is met.
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
