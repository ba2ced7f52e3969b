//! The open requests and the outgoing messages of a worker.

use std::collections::BTreeMap;

use super::assignment::AssignmentState;
use super::frame::Frame;
use super::prefetched::PrefetchState;
use super::problem::{Task, TaskId};
use crate::thesis::messages::message::{Envelope, Message, Problem, ProblemCode};
use crate::thesis::messages::priority::Priority;
use crate::thesis::tree::node::TreeNode;
use crate::thesis::tree::placement::{NodeAddress, Placement, RemoteRef, WorkerId};
use crate::thesis::tree::search_tree::{NodeId, Tree};
use crate::thesis::tree::target::Target;

/// The purpose of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PendingRequest {
    pub task: TaskId,
    /// The index of the frame in the task's current variation.
    pub frame: usize,
    pub kind: RequestKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestKind {
    /// The outcome of the assignment at this place in the frame.
    Assignment(usize),
    /// The value of a successor of the frame's node.
    Prefetch,
}

impl RequestKind {
    /// Returns the priority of the work for this request of a task's frame.
    pub(crate) fn priority<M: Copy>(self, task: &Task<M>, frame: usize) -> Priority {
        let (waste_risk, place) = match self {
            Self::Assignment(place) => (task.frames[frame].waste_risk_of(place), place + 1),
            Self::Prefetch => (task.frames[frame].waste_risk, 0),
        };
        Priority {
            requirement: task.requirement,
            waste_risk,
            tree_order: task.tree_order_of(frame, place),
        }
    }

    /// Whether the request is for a node that replaces one that has failed.
    pub(crate) fn is_replacement<M>(self, frame: &Frame<M>) -> bool {
        matches!(self, Self::Assignment(_)) && frame.seeks_replacement()
    }
}

/// Everything that a worker needs to cooperate with others.
#[derive(Clone, Debug)]
pub(crate) struct Pending<M> {
    pub id: WorkerId,
    pub placement: Placement,
    pub outbox: Vec<Envelope<M>>,
    requests: BTreeMap<ProblemCode, PendingRequest>,
    next_code: u32,
    /// The worker to ask for the next evaluation, counted from this one.
    next_helper: u16,
    /// The next unused address at each owner.
    next_address: Vec<u32>,
    /// The principal variations of nodes stored at other workers, near the root.
    pvs: BTreeMap<RemoteRef, Vec<M>>,
    /// This worker's problems whose answers are no longer needed, with the parents of their nodes.
    pub dropped: Vec<(ProblemCode, NodeId)>,
}

pub(crate) struct TaskFrame<'a, M> {
    pub id: TaskId,
    pub task: &'a Task<M>,
    pub frame: usize,
}

/// A node to be given to another worker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handout<M> {
    pub node: NodeId,
    pub mv: M,
    pub target: Target,
    /// The place among the assignments of the frame.
    pub place: usize,
}

impl<M: Copy + Eq> Pending<M> {
    pub(crate) fn new(id: WorkerId, placement: Placement) -> Self {
        Self {
            id,
            placement,
            outbox: Vec::new(),
            requests: BTreeMap::new(),
            next_code: 0,
            next_helper: 0,
            next_address: vec![0; usize::from(placement.workers)],
            pvs: BTreeMap::new(),
            dropped: Vec::new(),
        }
    }

    /// Drops all requests and messages.
    pub(crate) fn close(&mut self) {
        self.outbox.clear();
        self.requests.clear();
        self.dropped.clear();
    }

    /// Gives a node one ply below this frame of a task to its owner.
    pub(crate) fn hand_out(
        &mut self,
        tree: &mut Tree<M>,
        from: &TaskFrame<'_, M>,
        owner: WorkerId,
        handout: Handout<M>,
    ) -> ProblemCode {
        let Handout {
            node,
            mv,
            target,
            place,
        } = handout;
        let TaskFrame { id, task, frame } = *from;
        let kind = RequestKind::Assignment(place);
        let remote = tree[node].remote().unwrap_or_else(|| {
            let remote = self.new_remote(owner);
            tree[node].make_remote(remote);
            remote
        });
        let code = self.open_request(PendingRequest {
            task: id,
            frame,
            kind,
        });
        let problem = Problem {
            code,
            address: remote.address,
            path: task.path_to(frame).chain([Some(mv)]).collect(),
            value: tree[node].value(),
            target,
            level_limit: task.level_limit.min(usize::from(u16::MAX)) as u16,
            priority: kind.priority(task, frame),
            is_replacement: kind.is_replacement(&task.frames[frame]),
        };
        self.send(owner, Message::Problem(problem));
        code
    }

    /// Forgets the nodes stored at other workers.
    pub(crate) fn forget_addresses(&mut self) {
        self.next_address.fill(0);
        self.pvs.clear();
    }

    /// Stores the principal variation of an owner's answer, if it has one.
    pub(crate) fn note_pv(&mut self, remote: RemoteRef, pv: Vec<M>) {
        if !pv.is_empty() {
            self.pvs.insert(remote, pv);
        }
    }

    pub(crate) fn forget_pv(&mut self, remote: RemoteRef) {
        self.pvs.remove(&remote);
    }

    /// Returns the principal variation of a node stored at another worker.
    pub(crate) fn pv_of(&self, remote: RemoteRef) -> &[M] {
        self.pvs.get(&remote).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn request_count(&self) -> usize {
        self.requests.len()
    }

    pub(crate) fn send(&mut self, to: WorkerId, message: Message<M>) {
        assert_ne!(to, self.id, "no message to oneself");
        let from = self.id;
        self.outbox.push(Envelope { from, to, message });
    }

    pub(crate) fn open_request(&mut self, request: PendingRequest) -> ProblemCode {
        let code = ProblemCode(self.next_code);
        self.next_code += 1;
        self.requests.insert(code, request);
        code
    }

    /// Returns the purpose of the answer, if it is still needed.
    pub(crate) fn request(&self, code: ProblemCode) -> Option<PendingRequest> {
        self.requests.get(&code).copied()
    }

    /// Closes the request and returns the purpose of the answer; `None` if it is no longer needed.
    pub(crate) fn close_request(&mut self, code: ProblemCode) -> Option<PendingRequest> {
        self.requests.remove(&code)
    }

    /// Chooses the address of a node without successors at its owner.
    pub(crate) fn new_remote(&mut self, owner: WorkerId) -> RemoteRef {
        let next = &mut self.next_address[usize::from(owner.0)];
        let address = NodeAddress(*next);
        *next += 1;
        RemoteRef { owner, address }
    }

    /// Returns the other workers in turn.
    pub(crate) fn next_helper(&mut self) -> WorkerId {
        let workers = self.placement.workers;
        self.next_helper = self.next_helper % (workers - 1) + 1;
        WorkerId((self.id.0 + self.next_helper) % workers)
    }

    /// Drops the evaluations requested ahead of time for a frame.
    pub(crate) fn release_prefetches(&mut self, frame: &mut Frame<M>) {
        for prefetch in frame.prefetches.drain(..) {
            if let PrefetchState::Asked(helper, code) = prefetch.state
                && self.requests.remove(&code).is_some()
            {
                self.send(helper, Message::Stop(code));
            }
        }
    }

    /// Releases the successors of a frame from their targets (thesis 3.4.1). Their owners may have changed the
    /// values without a message.
    pub(crate) fn release_successors(&mut self, frame: &mut Frame<M>, tree: &mut Tree<M>) {
        self.release_prefetches(frame);
        for assignment in &mut frame.assignments {
            match assignment.state {
                AssignmentState::Sent(owner, code) => {
                    assignment.state = AssignmentState::Open;
                    let successor = tree.successor(frame.node, assignment.share.index);
                    if owner == self.id {
                        self.requests.remove(&code);
                        self.dropped.push((code, frame.node));
                    } else {
                        self.relieve(&mut tree[successor], owner, code);
                    }
                }
                // A thread without work must not begin a successor whose answer is not needed.
                AssignmentState::Own => assignment.state = AssignmentState::Open,
                _ => {}
            }
        }
    }

    /// Releases everything requested for these frames.
    pub(crate) fn release_frames(&mut self, frames: &mut [Frame<M>], tree: &mut Tree<M>) {
        for frame in frames {
            if let Some(code) = frame.asked.take() {
                self.requests.remove(&code);
            }
            self.release_successors(frame, tree);
        }
    }

    /// Stops the work of another worker on a node, whose value may have changed there without a message.
    fn relieve(&mut self, node: &mut TreeNode<M>, owner: WorkerId, code: ProblemCode) {
        node.set_unsure(true);
        self.requests.remove(&code);
        self.send(owner, Message::Stop(code));
    }
}
