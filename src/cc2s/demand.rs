//! Work given to those who ask for it.
//!
//! A worker with nothing to do asks some others, once each until it hears from them. Who is asked gives at once what it has
//! to spare, or notes the question and gives later, when there is something to spare.

use super::message::{Message, WorkerId};
use super::office::{Handout, Office, Purpose};
use super::task::{AssignmentState, Task, TaskId};
use super::tree::{NodeId, Tree};
use super::worker::Worker;
use crate::game::Game;

/// Tasks looked through for something to spare, those first that a single worker would come to first.
const TASKS_SEARCHED: usize = 8;

/// A successor that nobody has begun to work on.
#[derive(Clone, Copy, Debug)]
struct Spare {
    task: TaskId,
    frame: usize,
    place: usize,
}

impl<G: Game> Worker<G> {
    /// Gives the most that can be spared, or notes that work is wanted.
    pub(super) fn take_seek(&mut self, seeker: WorkerId) {
        match self.spare() {
            Some(spare) => self.give(seeker, spare),
            None => self.office.note_seeker(seeker),
        }
    }

    /// The successor with the greatest remaining depth that grows nowhere yet and waits for its turn.
    fn spare(&self) -> Option<Spare> {
        let depth_min = self.team.demand_depth_min as u16;
        let mut best: Option<(u16, Spare)> = None;
        for (id, task) in self.tasks.first_ready(TASKS_SEARCHED) {
            for (number, frame) in task.frames.iter().enumerate() {
                for (place, assignment) in frame.assignments.iter().enumerate() {
                    let depth = assignment.share.target.depth;
                    let is_more = depth >= depth_min && best.is_none_or(|(most, _)| depth > most);
                    if !is_more || assignment.state != AssignmentState::Own {
                        continue;
                    }
                    let kid = self.tree.kid(frame.node, assignment.share.index);
                    if is_movable(&self.tree, kid) {
                        let spare = Spare {
                            task: id,
                            frame: number,
                            place,
                        };
                        best = Some((depth, spare));
                    }
                }
            }
        }
        best.map(|(_, spare)| spare)
    }

    fn give(&mut self, seeker: WorkerId, found: Spare) {
        let Spare {
            task: id,
            frame,
            place,
        } = found;
        let task = self.tasks.get_mut(id);
        let share = task.frames[frame].assignments[place].share;
        let node = self.tree.kid(task.frames[frame].node, share.index);
        let handout = Handout {
            node,
            step: Some(self.tree[node].mv()),
            target: share.target,
            purpose: Purpose::Assignment(place),
            is_sought: true,
        };
        let code = self
            .office
            .hand_out(&mut self.tree, (id, task, frame), seeker, handout);
        task.frames[frame].assignments[place].state = AssignmentState::Sent(seeker, code);
    }
}

/// Whether a node may begin to grow at any worker.
pub(super) fn is_movable<M: Copy + Eq>(tree: &Tree<M>, node: NodeId) -> bool {
    tree.is_leaf(node) && tree[node].home().is_none() && !tree[node].is_end()
}

impl<M: Copy + Eq> Office<M> {
    /// Asks for work wherever nothing is known of a question before. Few are asked: over two or more of them the question
    /// of one worker may reach the work of any other.
    pub(super) fn seek(&mut self) {
        let workers = self.placement.workers;
        let mut distance = 1;
        while distance < workers {
            let other = WorkerId((self.id.0 + distance) % workers);
            if self.note_sought(other) {
                self.send(other, Message::Seek);
            }
            distance = distance.saturating_mul(2);
        }
    }
}

impl<M: Copy> Task<M> {
    /// Whether a successor of the node worked on waits for its turn.
    pub(super) fn has_own_work(&mut self) -> bool {
        self.tip().place_of(AssignmentState::Own).is_some()
    }
}
