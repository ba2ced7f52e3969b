//! The safe value of the decision: the margin that two strategies show, and their depth. Goals are tried one after
//! another: narrower and deeper after a success, wider after a failure.

use std::collections::BTreeSet;

use super::aspiration::RootCandidate;
use super::safety_goal::{Aim, GoalStatus, SafetyGoal};
use super::thin_tree::{ThinNodeId, ThinTree};
use crate::game::Job;

/// The goals of one decision.
#[derive(Debug)]
pub(super) struct SafetyCheck {
    /// The best move and its value, as last printed.
    best: Option<RootCandidate>,
    /// The next goal, or the one under way.
    aim: Aim,
    /// Depth of the requirement with one strategy from which the goal is required.
    from: u16,
    /// The goal under way.
    goal: Option<SafetyGoal>,
    /// Nodes where the goal is met.
    proved: BTreeSet<ThinNodeId>,
    /// The last goal met for the best move and its value.
    secured: Option<SafetyGoal>,
    is_in_vain: bool,
}

impl Default for SafetyCheck {
    fn default() -> Self {
        Self {
            best: None,
            aim: Aim::FIRST,
            from: 0,
            goal: None,
            proved: BTreeSet::new(),
            secured: None,
            is_in_vain: false,
        }
    }
}

impl SafetyCheck {
    /// The last goal met for the best move and its value.
    pub(super) const fn secured(&self) -> Option<SafetyGoal> {
        self.secured
    }

    /// Whether even the widest margin failed for the best move.
    pub(super) const fn is_in_vain(&self) -> bool {
        self.is_in_vain
    }

    /// Whether a goal is under way.
    pub(super) const fn is_at_work(&self) -> bool {
        self.goal.is_some()
    }

    /// Abandons the goal under way.
    pub(super) fn abandon(&mut self) {
        self.goal = None;
    }

    /// Sets the best move and its value. Earlier proofs for another move or value no longer count, unless the stored
    /// tree proves them again.
    pub(super) fn set_best<M: Copy + Eq>(
        &mut self,
        best: RootCandidate,
        tree: &ThinTree<M>,
        candidates: &[RootCandidate],
    ) {
        if self.best == Some(best) {
            return;
        }
        let is_same = self.best.is_some_and(|known| known.id == best.id);
        self.best = Some(best);
        self.goal = None;
        self.secured = Aim::up_to(self.aim.depth)
            .filter_map(|aim| SafetyGoal::of(aim, best))
            .find(|goal| goal.is_shown(tree, ids(candidates)));
        self.is_in_vain &= is_same;
        match self.secured {
            Some(_) if is_same => {}
            Some(goal) => (self.aim, self.from) = (goal.aim().narrower(), 0),
            None => (self.aim, self.from) = (Aim::FIRST, 0),
        }
    }

    /// Jobs for the goal under way, after all that is decided by what is known of one strategy as deep as `depth` and
    /// of two. A goal nearer to that depth than `lag` waits.
    pub(super) fn open_jobs<M: Copy + Eq>(
        &mut self,
        tree: &ThinTree<M>,
        candidates: &[RootCandidate],
        depth: u16,
        lag: u16,
    ) -> Vec<Job<M>> {
        while let Some(goal) = self.current_goal(depth, lag) {
            let (status, jobs) = goal.check(tree, ids(candidates), &mut self.proved);
            if !jobs.is_empty() {
                return jobs;
            }
            self.goal = None;
            self.conclude(goal, status == GoalStatus::Proved, depth);
        }
        Vec::new()
    }

    /// The goal under way, or the next one if it is time for it.
    fn current_goal(&mut self, depth: u16, lag: u16) -> Option<SafetyGoal> {
        let is_time = depth >= self.from && depth >= self.aim.depth + lag;
        if self.goal.is_none() && is_time {
            self.goal = self.best.and_then(|best| SafetyGoal::of(self.aim, best));
            self.proved.clear();
        }
        self.goal
    }

    fn conclude(&mut self, goal: SafetyGoal, is_met: bool, depth: u16) {
        if is_met {
            (self.secured, self.is_in_vain) = (Some(goal), false);
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

fn ids(candidates: &[RootCandidate]) -> impl Iterator<Item = ThinNodeId> {
    candidates.iter().map(|candidate| candidate.id)
}
