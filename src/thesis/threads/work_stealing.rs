//! Work stealing: the next work of an idle thread.

use crate::game::Game;
use crate::thesis::search::split::SuccessorTarget;
use crate::thesis::tasks::assignment::AssignmentState;
use crate::thesis::tasks::problem::{Task, TaskId};
use crate::thesis::workers::worker::Worker;

/// A successor on which no work has begun.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stealable {
    pub task: TaskId,
    pub frame: usize,
    pub place: usize,
}

impl<G: Game> Worker<G> {
    /// Returns the waiting successor with the greatest remaining depth.
    pub(crate) fn stealable(&self) -> Option<Stealable> {
        let depth_min = self.sharing.team.stealing_depth_min as u16;
        let mut best: Option<(u16, Stealable)> = None;
        for (task, Task { frames, .. }) in self.tasks.all() {
            for (number, frame) in frames.iter().enumerate() {
                for (place, assignment) in frame.assignments.iter().enumerate() {
                    let SuccessorTarget { index, target } = assignment.share;
                    let is_more = target.depth >= depth_min
                        && best.is_none_or(|(most, _)| target.depth > most);
                    if is_more
                        && assignment.state == AssignmentState::Own
                        && !self.search.tree[self.search.tree.successor(frame.node, index)].is_end()
                    {
                        let stealable = Stealable {
                            task,
                            frame: number,
                            place,
                        };
                        best = Some((target.depth, stealable));
                    }
                }
            }
        }
        best.map(|(_, stealable)| stealable)
    }
}

impl<M: Copy> Task<M> {
    /// Whether a successor of the current node waits for its turn.
    pub(crate) fn has_own_work(&mut self) -> bool {
        self.tip().place_of(AssignmentState::Own).is_some()
    }
}
