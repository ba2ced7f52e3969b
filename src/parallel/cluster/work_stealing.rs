//! Work given to those who ask for it.
//!
//! A worker with nothing to do asks some others, once each until it hears from them. Who is asked gives at once what it has
//! to spare, or notes the question and gives later, when there is something to spare.

use super::worker::Worker;
use crate::cc2s::search::split::Share;
use crate::cc2s::tree::placement::WorkerId;
use crate::cc2s::tree::search_tree::NodeId;
use crate::game::Game;
use crate::parallel::request::message::Message;
use crate::parallel::task::assignment::AssignmentState;
use crate::parallel::task::pending::{Handout, Pending, RequestKind};
use crate::parallel::task::problem::{Task, TaskId};

/// Tasks looked through for something to spare, those first that a single worker would come to first.
const TASKS_SEARCHED: usize = 8;

/// A successor that nobody has begun to work on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stealable {
    pub task: TaskId,
    pub frame: usize,
    pub place: usize,
}

impl<G: Game> Worker<G> {
    /// Gives the most that can be spared, or notes that work is wanted.
    pub(crate) fn handle_steal(&mut self, thief: WorkerId) {
        match self.stealable() {
            Some(stealable) => self.give(thief, stealable),
            None => self.sharing.pending.note_thief(thief),
        }
    }

    /// The most that another worker may begin with.
    fn stealable(&self) -> Option<Stealable> {
        let tasks = self.tasks.first_ready(TASKS_SEARCHED);
        self.greatest_stealable(tasks, |successor| self.search.tree.is_movable(successor))
    }

    /// The successor with the greatest remaining depth that waits for its turn, of those that may be given.
    pub(crate) fn greatest_stealable<'a>(
        &'a self,
        tasks: impl Iterator<Item = (TaskId, &'a Task<G::Move>)>,
        may_give: impl Fn(NodeId) -> bool,
    ) -> Option<Stealable>
    where
        G::Move: 'a,
    {
        let depth_min = self.sharing.team.stealing_depth_min as u16;
        let mut best: Option<(u16, Stealable)> = None;
        for (task, Task { frames, .. }) in tasks {
            for (number, frame) in frames.iter().enumerate() {
                for (place, assignment) in frame.assignments.iter().enumerate() {
                    let Share { index, target } = assignment.share;
                    let is_more = target.depth >= depth_min
                        && best.is_none_or(|(most, _)| target.depth > most);
                    if is_more
                        && assignment.state == AssignmentState::Own
                        && may_give(self.search.tree.successor(frame.node, index))
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

    fn give(&mut self, thief: WorkerId, found: Stealable) {
        let Stealable {
            task: id,
            frame,
            place,
        } = found;
        let task = self.tasks.get_mut(id);
        let share = task.frames[frame].assignments[place].share;
        let node = self
            .search
            .tree
            .successor(task.frames[frame].node, share.index);
        let handout = Handout {
            node,
            mv: self.search.tree[node].mv(),
            target: share.target,
            kind: RequestKind::Assignment(place),
            is_stolen: true,
            is_postponed: false,
            plies_ahead: 0,
        };
        let code =
            self.sharing
                .pending
                .hand_out(&mut self.search.tree, (id, task, frame), thief, handout);
        task.frames[frame].assignments[place].state = AssignmentState::Sent(thief, code);
    }
}

impl<M: Copy + Eq> Pending<M> {
    /// Asks for work wherever nothing is known of a question before. Few are asked: over two or more of them the question
    /// of one worker may reach the work of any other.
    pub(crate) fn steal(&mut self) {
        let workers = self.placement.workers;
        for distance in distances(workers) {
            let other = WorkerId((self.id.0 + distance) % workers);
            if self.note_asked(other) {
                self.send(other, Message::Steal);
            }
        }
    }

    /// Whether half of those who would ask here wait for work: about as much of the machine has nothing to do.
    pub(crate) fn is_machine_idle(&self) -> bool {
        2 * self.thief_count() >= distances(self.placement.workers).count().max(1)
    }
}

/// How far away those are whom a worker asks for work, and those who ask it.
fn distances(workers: u16) -> impl Iterator<Item = u16> {
    let all = (0..u16::BITS as u16).map(|doublings| 1 << doublings);
    all.take_while(move |&distance| distance < workers)
}

impl<M: Copy> Task<M> {
    /// Whether a successor of the node worked on waits for its turn.
    pub(crate) fn has_own_work(&mut self) -> bool {
        self.tip().place_of(AssignmentState::Own).is_some()
    }
}
