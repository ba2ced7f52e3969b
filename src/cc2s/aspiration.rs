//! The root search with one strategy. At each depth the hypothesis names the best move and its value. The targets are
//! that the best move's value lies in a window around that value, and that no other move is worth more.

use super::bounds::Bounds;
use super::thin_tree::{ThinNodeId, ThinTree};
use crate::game::{
    AspirationWindow, Bound, Job, Request, Score, Value, Window, late_move_reduction,
};

/// Moves at the root that are searched to the full depth at once.
const EARLY: usize = 3;

/// A move of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RootCandidate {
    pub(super) id: ThinNodeId,
    /// Its value when it was last best, from the root's point of view.
    pub(super) settled: Score,
}

/// Iterative deepening at the root. The first moves are those found best at this depth, in order; the search works on
/// the next place.
#[derive(Debug)]
pub(super) struct AspirationSearch {
    /// The root's moves, the expected best first.
    candidates: Vec<RootCandidate>,
    /// Plies from the root.
    depth: u16,
    depth_max: u16,
    /// Number of best moves to search.
    multi_pv: usize,
    /// Place of the best move sought, from 0.
    place: usize,
    window: AspirationWindow,
    width_cp: i32,
}

/// The next step of the search.
pub(super) enum AspirationStep<M> {
    /// These targets are open, the most important first.
    Open(Vec<Job<M>>),
    /// The value of the best move at the current place, now the first there. A bound means that the hypothesis fell.
    Concluded(Value),
}

/// The result of checking all candidates.
enum Status<M> {
    Open(Vec<Job<M>>),
    /// No move reaches the window; the best bound found.
    Low(Score),
    /// That move fails high.
    High(usize, Score),
    /// That move is best, with that value.
    Exact(usize, Score),
}

/// Bounds of a successor from the root's point of view: its lower bounds are upper bounds here.
struct ParentView<'a>(&'a Bounds);

impl ParentView<'_> {
    fn lower(&self, depth: u16) -> Option<Score> {
        self.0.upper(depth).map(Score::to_parent)
    }

    fn upper(&self, depth: u16) -> Option<Score> {
        self.0.lower(depth).map(Score::to_parent)
    }

    fn exact(&self, depth: u16) -> Option<Score> {
        self.0.exact(depth).map(Score::to_parent)
    }

    fn is_at_most(&self, score: Score, depth: u16) -> bool {
        self.upper(depth).is_some_and(|upper| upper <= score)
    }

    fn is_above(&self, score: Score, depth: u16) -> bool {
        self.lower(depth).is_some_and(|lower| lower > score)
    }
}

impl AspirationSearch {
    /// A search that has nothing to do.
    pub(super) fn idle() -> Self {
        Self {
            candidates: Vec::new(),
            depth: 1,
            depth_max: 0,
            multi_pv: 1,
            place: 0,
            window: window(1, Score::DRAW, 1),
            width_cp: 1,
        }
    }

    /// The search for the `multi_pv` best of these moves, whose first windows reach `width_cp` to either side.
    pub(super) fn new(
        candidates: Vec<RootCandidate>,
        depth_max: u16,
        multi_pv: usize,
        width_cp: i32,
    ) -> Self {
        let mut search = Self {
            multi_pv: multi_pv.clamp(1, candidates.len()),
            candidates,
            depth_max,
            width_cp,
            ..Self::idle()
        };
        search.aspire();
        search
    }

    pub(super) fn candidates(&self) -> &[RootCandidate] {
        &self.candidates
    }

    pub(super) const fn depth(&self) -> u16 {
        self.depth
    }

    pub(super) const fn place(&self) -> usize {
        self.place
    }

    pub(super) const fn is_finished(&self) -> bool {
        self.depth > self.depth_max
    }

    /// Sets the window around the value of the move expected best at the place worked on.
    fn aspire(&mut self) {
        let settled = self.candidates[self.place].settled;
        self.window = window(self.depth, settled, self.width_cp);
    }

    /// Draws a conclusion, or returns the open jobs. After an exact value, [`AspirationSearch::complete_place`]
    /// continues.
    pub(super) fn advance<M: Copy + Eq>(&mut self, tree: &ThinTree<M>) -> AspirationStep<M> {
        let (score, bound) = match self.status(tree) {
            Status::Open(jobs) => return AspirationStep::Open(jobs),
            Status::Low(bound) => {
                self.window.fail_low(bound.raw().into());
                (bound, Bound::Upper)
            }
            Status::High(index, bound) => {
                self.promote(index);
                self.window.fail_high(bound.raw().into());
                (bound, Bound::Lower)
            }
            Status::Exact(index, value) => {
                self.promote(index);
                self.candidates[self.place].settled = value;
                (value, Bound::Exact)
            }
        };
        AspirationStep::Concluded(Value { bound, score })
    }

    /// Puts a candidate before all others not yet placed.
    fn promote(&mut self, index: usize) {
        let chosen = self.place + index;
        self.candidates[self.place..=chosen].rotate_right(1);
    }

    /// The value at this place is known: continues with the next place or, after the last, with the next depth. Returns
    /// whether the depth is complete.
    pub(super) fn complete_place(&mut self) -> bool {
        self.place += 1;
        let is_complete = self.place == self.multi_pv;
        if is_complete {
            let best_moves = &mut self.candidates[..self.multi_pv];
            best_moves.sort_by_key(|candidate| std::cmp::Reverse(candidate.settled));
            self.place = 0;
            self.depth += 1;
        }
        self.aspire();
        is_complete
    }

    fn low(&self) -> Score {
        Score::from_raw(self.window.alpha())
    }

    fn high(&self) -> Score {
        Score::from_raw(self.window.beta())
    }

    fn status<M: Copy + Eq>(&self, tree: &ThinTree<M>) -> Status<M> {
        let candidates = &self.candidates[self.place..];
        let full = self.depth - 1;
        let (mut floor, mut leader) = (self.low(), None);
        let mut open = Vec::new();
        for (index, candidate) in candidates.iter().enumerate() {
            let view = ParentView(&tree.node(candidate.id).bounds);
            if let Some(lower) = view.lower(full).filter(|&lower| lower >= self.high()) {
                return Status::High(index, lower);
            }
            if let Some(value) = view.exact(full) {
                if value > floor {
                    (floor, leader) = (value, Some(index));
                }
                continue;
            }
            if view.is_at_most(floor, full) {
                continue;
            }
            let search = if index == 0 || view.is_above(floor, full) {
                Some((full, Window::new(floor, self.high())))
            } else {
                self.late_move_depth(tree, candidate.id, index, floor)
                    .map(|depth| (depth, Window::null_above(floor)))
            };
            let Some((depth, window)) = search else {
                continue;
            };
            open.push(Job {
                path: tree.path(candidate.id),
                request: Request::Search {
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
            _ if !open.is_empty() => Status::Open(open),
            Some(leader) => Status::Exact(leader, floor),
            None => Status::Low(self.best_bound(tree)),
        }
    }

    /// The candidate to choose if the search ended now, and its value. It is proved better than the earlier best move,
    /// even if its exact value is unknown. `None` while this depth has no result.
    pub(super) fn leader<M: Copy + Eq>(&self, tree: &ThinTree<M>) -> Option<(usize, Value)> {
        let full = self.depth - 1;
        let (mut floor, mut leader) = (self.low(), None);
        for (index, candidate) in self.candidates.iter().enumerate() {
            let view = ParentView(&tree.node(candidate.id).bounds);
            if let Some(lower) = view.lower(full).filter(|&lower| lower > floor) {
                let value = match view.exact(full) {
                    Some(exact) => Value::exact(exact),
                    None => Value::at_least(lower),
                };
                (floor, leader) = (lower, Some((index, value)));
            } else if index == 0 && !view.is_at_most(floor, full) {
                return None;
            }
        }
        leader
    }

    /// The depth at which a later move is tested against `floor`; `None` if it is not worth more.
    fn late_move_depth<M: Copy + Eq>(
        &self,
        tree: &ThinTree<M>,
        id: ThinNodeId,
        index: usize,
        floor: Score,
    ) -> Option<u16> {
        let node = tree.node(id);
        let view = ParentView(&node.bounds);
        let full = self.depth - 1;
        let reduced = full - self.reduction(index, node.is_quiet);
        if view.is_at_most(floor, reduced) {
            None
        } else if view.is_above(floor, reduced) {
            Some(full)
        } else {
            Some(reduced)
        }
    }

    /// Plies by which the first search of late quiet moves is shortened.
    fn reduction(&self, index: usize, is_quiet: bool) -> u16 {
        if self.depth < 3 || index < EARLY || !is_quiet {
            return 0;
        }
        let plies = late_move_reduction(i32::from(self.depth), index as i32 + 1) - 1;
        plies.clamp(0, i32::from(self.depth) - 2) as u16
    }

    /// The greatest of the bounds that no candidate exceeds.
    fn best_bound<M: Copy + Eq>(&self, tree: &ThinTree<M>) -> Score {
        let candidates = &self.candidates[self.place..];
        let bound = |(index, candidate): (usize, &RootCandidate)| {
            let node = tree.node(candidate.id);
            let depth = self.depth - 1 - self.reduction(index, node.is_quiet);
            ParentView(&node.bounds).upper(depth)
        };
        let bounds = candidates.iter().enumerate().filter_map(bound);
        bounds.max().unwrap_or(self.low())
    }
}

fn window(depth: u16, settled: Score, width_cp: i32) -> AspirationWindow {
    let guess = (!settled.is_decisive()).then_some(settled.raw().into());
    AspirationWindow::new(depth, guess, width_cp, Score::MAX.raw().into())
}
