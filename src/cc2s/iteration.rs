//! One depth at the root with conspiracy 1: the hypothesis says which move is best and what it is worth; its targets are
//! that the best move lies in a window around that value, and that no other move is worth more.

use super::fact::Facts;
use super::job::{Ask, Job};
use super::thin_tree::{ThinNodeId, ThinTree};
use crate::game::{Score, Value, Window, late_move_reduction};

/// Windows at least so wide are opened to the end.
const WIDE: i32 = 600;
/// Below this depth values are found with the full window, as no earlier one is worth aspiring to.
const NARROW_DEPTH: u16 = 5;
/// Moves at the root that are looked at to the full depth at once.
const EARLY: usize = 3;

/// A move of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) id: ThinNodeId,
    /// Its value when last it was best, the root's view.
    pub(super) settled: Score,
}

/// The requirement of one depth for the best of some moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Iteration {
    /// Plies from the root.
    pub(super) depth: u16,
    low: Score,
    high: Score,
    width: i32,
}

/// How the requirement stands.
pub(super) enum IterationState<M> {
    /// These targets are open, the most important first.
    Open(Vec<Job<M>>),
    /// No move reaches the window; the best bound found.
    Low(Score),
    /// That move is worth more than the window has room for.
    High(usize, Score),
    /// That move is best, with that value.
    Found(usize, Score),
}

/// What is known of a candidate, the root's view.
struct View<'a>(&'a Facts);

impl View<'_> {
    fn exact(&self, depth: u16) -> Option<Score> {
        self.0.exact(depth).map(Score::to_parent)
    }

    fn is_below(&self, bound: Score, depth: u16) -> bool {
        let upper = self.0.at_least(depth).map(Score::to_parent);
        upper.is_some_and(|upper| upper <= bound)
    }

    fn lower(&self, depth: u16) -> Option<Score> {
        self.0.at_most(depth).map(Score::to_parent)
    }

    fn is_above(&self, bound: Score, depth: u16) -> bool {
        self.lower(depth).is_some_and(|lower| lower > bound)
    }
}

impl Iteration {
    /// The hypothesis that the best move is worth what it was before.
    pub(super) fn new(depth: u16, settled: Score, width: i32) -> Self {
        let is_narrow = depth >= NARROW_DEPTH && !settled.is_decisive();
        let around = |shift: i32| Score::from_raw(i32::from(settled.raw()) + shift);
        let (low, high) = if is_narrow {
            (around(-width), around(width))
        } else {
            (Score::MIN, Score::MAX)
        };
        Self {
            depth,
            low,
            high,
            width,
        }
    }

    /// The hypothesis fell: the best move is worth at most this much.
    pub(super) fn lower(&mut self, score: Score) {
        let room = self.open_further();
        let (low, high) = (i32::from(self.low.raw()), i32::from(self.high.raw()));
        self.high = Score::from_raw(i32::midpoint(low, high));
        self.low = Score::from_raw(i32::from(score.raw()) - room);
    }

    /// The hypothesis fell: a move is worth at least this much.
    pub(super) fn raise(&mut self, score: Score) {
        let room = self.open_further();
        self.high = Score::from_raw(i32::from(score.raw()) + room);
    }

    fn open_further(&mut self) -> i32 {
        self.width *= 3;
        if self.width > WIDE {
            2 * i32::from(Score::MAX.raw())
        } else {
            self.width
        }
    }

    /// How the requirement stands for these candidates, the expected best first.
    pub(super) fn standing<M: Copy + Eq>(
        &self,
        tree: &ThinTree<M>,
        candidates: &[Candidate],
    ) -> IterationState<M> {
        let full = self.depth - 1;
        let (mut floor, mut leader) = (self.low, None);
        let mut open = Vec::new();
        for (index, candidate) in candidates.iter().enumerate() {
            let view = View(&tree.node(candidate.id).facts);
            if let Some(lower) = view.lower(full).filter(|&lower| lower >= self.high) {
                return IterationState::High(index, lower);
            }
            if let Some(value) = view.exact(full) {
                if value > floor {
                    (floor, leader) = (value, Some(index));
                }
                continue;
            }
            if view.is_below(floor, full) {
                continue;
            }
            let ask = if index == 0 || view.is_above(floor, full) {
                Some((full, Window::new(floor, self.high)))
            } else {
                self.first_look(tree, candidate.id, index, floor)
                    .map(|depth| (depth, Window::null_above(floor)))
            };
            let Some((depth, window)) = ask else { continue };
            open.push(Job {
                path: tree.path(candidate.id),
                ask: Ask::Value {
                    depth,
                    window: window.to_successor(),
                    is_cut: window.is_null(),
                },
            });
            if index == 0 {
                break;
            }
        }
        match leader {
            _ if !open.is_empty() => IterationState::Open(open),
            Some(leader) => IterationState::Found(leader, floor),
            None => IterationState::Low(self.best_bound(tree, candidates)),
        }
    }

    /// The candidate to choose if the search ended now: one shown to be worth more than the best before it, even if not yet
    /// how much more; and what it is worth. `None` while this depth has nothing to say.
    pub(super) fn leader<M: Copy + Eq>(
        &self,
        tree: &ThinTree<M>,
        candidates: &[Candidate],
    ) -> Option<(usize, Value)> {
        let full = self.depth - 1;
        let (mut floor, mut leader) = (self.low, None);
        for (index, candidate) in candidates.iter().enumerate() {
            let view = View(&tree.node(candidate.id).facts);
            if let Some(lower) = view.lower(full).filter(|&lower| lower > floor) {
                let value = match view.exact(full) {
                    Some(exact) => Value::exact(exact),
                    None => Value::at_least(lower),
                };
                (floor, leader) = (lower, Some((index, value)));
            } else if index == 0 && !view.is_below(floor, full) {
                return None;
            }
        }
        leader
    }

    /// The depth at which a later move is asked whether it is worth more than `floor`; `None` if it is not.
    fn first_look<M: Copy + Eq>(
        &self,
        tree: &ThinTree<M>,
        id: ThinNodeId,
        index: usize,
        floor: Score,
    ) -> Option<u16> {
        let node = tree.node(id);
        let view = View(&node.facts);
        let full = self.depth - 1;
        let reduced = full - self.reduction(index, node.is_quiet);
        if view.is_below(floor, reduced) {
            None
        } else if view.is_above(floor, reduced) {
            Some(full)
        } else {
            Some(reduced)
        }
    }

    /// Late quiet moves are first looked at less deep.
    fn reduction(&self, index: usize, is_quiet: bool) -> u16 {
        if self.depth < 3 || index < EARLY || !is_quiet {
            return 0;
        }
        let plies = late_move_reduction(i32::from(self.depth), index as i32 + 1) - 1;
        plies.clamp(0, i32::from(self.depth) - 2) as u16
    }

    /// The greatest of the bounds that no candidate exceeds.
    fn best_bound<M: Copy + Eq>(&self, tree: &ThinTree<M>, candidates: &[Candidate]) -> Score {
        let bound = |(index, candidate): (usize, &Candidate)| {
            let node = tree.node(candidate.id);
            let depth = self.depth - 1 - self.reduction(index, node.is_quiet);
            node.facts.at_least(depth).map(Score::to_parent)
        };
        let bounds = candidates.iter().enumerate().filter_map(bound);
        bounds.max().unwrap_or(self.low)
    }
}
