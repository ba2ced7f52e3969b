//! Division of work: a target with an open window at a node of the expected line is met by targets of its successors. The
//! first has the same window; that no other is worth more is asked with null windows, which many workers can do at once,
//! on all plies of the line at the same time.
//!
//! This is the splitting at the nodes of the principal variation of Marsland and Campbell (1982), but for one thing: with
//! a hypothesis for the value nobody has to wait for the first successor. A move shown to be worth no more than the lower
//! end of the window is refuted whatever the value in the window turns out to be.

use super::iteration::{Candidate, Iteration, IterationState};
use super::job::{Ask, Job};
use super::tree::{NodeId, Tree};
use crate::game::{Score, Window};

/// So often the standing of a node may change by what is known below; then its target is not divided.
const ROUNDS: usize = 8;

/// What targets consist of.
pub(super) struct Division<'a, M> {
    tree: &'a mut Tree<M>,
    /// Targets of fewer plies are not divided.
    depth_min: u16,
    /// What must be asked.
    pub(super) open: Vec<Job<M>>,
    /// What will have to be asked if the first successors are worth what they are expected to be.
    pub(super) expected: Vec<Job<M>>,
}

impl<'a, M: Copy + Eq> Division<'a, M> {
    pub(super) fn of(tree: &'a mut Tree<M>, depth_min: u16) -> Self {
        Self {
            tree,
            depth_min,
            open: Vec::new(),
            expected: Vec::new(),
        }
    }

    /// Divides all these jobs; false if one of them is answered by what is known below: then ask again how things stand.
    pub(super) fn divide_all(&mut self, jobs: Vec<Job<M>>) -> bool {
        jobs.into_iter().all(|job| self.divide(job))
    }

    fn divide(&mut self, job: Job<M>) -> bool {
        let Ask::Value { depth, window, .. } = job.ask else {
            self.open.push(job);
            return true;
        };
        let id = self
            .tree
            .find(&job.path)
            .expect("a job is about a stored node");
        let node = self.tree.node(id);
        // Where nothing is expected to follow, the game may be over by rules that only workers know.
        let first = node.line.first().copied();
        let first = first.filter(|_| !window.is_null() && depth >= self.depth_min);
        let Some(first) = first else {
            self.open.push(job);
            return true;
        };
        if node.successors.is_none() {
            let ask = Ask::Successors;
            self.open.push(Job { ask, ..job });
            return true;
        }
        let candidates = self.candidates(id, first);
        let places = (self.open.len(), self.expected.len());
        for _ in 0..ROUNDS {
            let iteration = Iteration::within(depth, window);
            match iteration.standing(self.tree, &candidates) {
                IterationState::Open(jobs) => {
                    if self.divide_all(jobs) {
                        let expected = iteration.against_low(self.tree, &candidates);
                        self.expected.extend(expected);
                        return true;
                    }
                    self.open.truncate(places.0);
                    self.expected.truncate(places.1);
                    continue;
                }
                IterationState::Low(bound) => self.note(id, bound, window, depth, None),
                IterationState::High(place, value) | IterationState::Found(place, value) => {
                    self.note(id, value, window, depth, Some(candidates[place].id));
                }
            }
            return false;
        }
        self.open.push(job);
        true
    }

    /// The successors, the one expected to be best first.
    fn candidates(&self, id: NodeId, first: M) -> Vec<Candidate> {
        let successors = self.tree.node(id).successors.iter().flatten().copied();
        let mut successors: Vec<NodeId> = successors.collect();
        successors.sort_by_key(|&id| self.tree.node(id).mv != Some(first));
        let candidate = |id| Candidate {
            id,
            settled: Score::DRAW,
        };
        successors.into_iter().map(candidate).collect()
    }

    /// Takes in what the successors say of a node's value.
    fn note(&mut self, id: NodeId, score: Score, window: Window, depth: u16, by: Option<NodeId>) {
        let line = by.map(|best| {
            let best = self.tree.node(best);
            let rest = best.line.iter().copied();
            best.mv.into_iter().chain(rest).collect()
        });
        let node = self.tree.node_mut(id);
        node.facts.note(score, window, depth);
        if let Some(line) = line {
            node.line = line;
        }
    }
}
