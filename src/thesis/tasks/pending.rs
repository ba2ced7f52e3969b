//! A worker's correspondence: what it has sent out and not yet had answered.

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
    /// Place of the frame in the task's current variation.
    pub frame: usize,
    pub kind: RequestKind,
}

/// The content of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestKind {
    /// The outcome of the assignment at that place in the frame.
    Assignment(usize),
    /// The value of a successor of the frame's node.
    Prefetch,
}

impl RequestKind {
    /// When what is done for that request, for that frame of a task, is to be worked on.
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

    /// Whether that is about a node that takes the place of one that has failed.
    pub(crate) fn is_replacement<M>(self, frame: &Frame<M>) -> bool {
        matches!(self, Self::Assignment(_)) && frame.seeks_replacement()
    }
}

/// Everything a worker needs to deal with others.
#[derive(Clone, Debug)]
pub(crate) struct Pending<M> {
    pub id: WorkerId,
    pub placement: Placement,
    pub outbox: Vec<Envelope<M>>,
    requests: BTreeMap<ProblemCode, PendingRequest>,
    next_code: u32,
    /// Whom to ask for the next valuation, counted from this worker on.
    next_helper: u16,
    /// The next unused address at each owner.
    next_address: Vec<u32>,
    /// The variations expected from nodes that grow at others, near the root.
    pvs: BTreeMap<RemoteRef, Vec<M>>,
    /// Own problems that nobody waits for any more, with the nodes whose successors they are about.
    pub dropped: Vec<(ProblemCode, NodeId)>,
}

/// A frame of a task.
pub(crate) struct TaskFrame<'a, M> {
    pub id: TaskId,
    pub task: &'a Task<M>,
    pub frame: usize,
}

/// A node that is handed out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handout<M> {
    pub node: NodeId,
    /// The move to it.
    pub mv: M,
    pub target: Target,
    /// Its place among the assignments of the frame.
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

    /// Forgets all requests and messages.
    pub(crate) fn close(&mut self) {
        self.outbox.clear();
        self.requests.clear();
        self.dropped.clear();
    }

    /// Hands out a node that one step leads to from that frame of a task.
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

    /// Forgets what grows at others.
    pub(crate) fn forget_addresses(&mut self) {
        self.next_address.fill(0);
        self.pvs.clear();
    }

    /// Remembers a pv that an owner has told, if it has.
    pub(crate) fn note_pv(&mut self, remote: RemoteRef, pv: Vec<M>) {
        if !pv.is_empty() {
            self.pvs.insert(remote, pv);
        }
    }

    pub(crate) fn forget_pv(&mut self, remote: RemoteRef) {
        self.pvs.remove(&remote);
    }

    /// The pv expected from a node that grows at another worker.
    pub(crate) fn pv_of(&self, remote: RemoteRef) -> &[M] {
        self.pvs.get(&remote).map_or(&[], Vec::as_slice)
    }

    /// Requests not yet answered.
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

    /// The purpose of the answer, if it is still wanted.
    pub(crate) fn request(&self, code: ProblemCode) -> Option<PendingRequest> {
        self.requests.get(&code).copied()
    }

    /// The purpose of the answer; none if it is not wanted any more.
    pub(crate) fn close_request(&mut self, code: ProblemCode) -> Option<PendingRequest> {
        self.requests.remove(&code)
    }

    /// Chooses where a node without successors is to grow.
    pub(crate) fn new_remote(&mut self, owner: WorkerId) -> RemoteRef {
        let next = &mut self.next_address[usize::from(owner.0)];
        let address = NodeAddress(*next);
        *next += 1;
        RemoteRef { owner, address }
    }

    /// The other workers in turn.
    pub(crate) fn next_helper(&mut self) -> WorkerId {
        let workers = self.placement.workers;
        self.next_helper = self.next_helper % (workers - 1) + 1;
        WorkerId((self.id.0 + self.next_helper) % workers)
    }

    /// Drops what was asked ahead of time for a frame.
    pub(crate) fn release_prefetches(&mut self, frame: &mut Frame<M>) {
        for prefetch in frame.prefetches.drain(..) {
            if let PrefetchState::Asked(helper, code) = prefetch.state
                && self.requests.remove(&code).is_some()
            {
                self.send(helper, Message::Stop(code));
            }
        }
    }

    /// Releases the successors of a frame from their targets (thesis 3.4.1). Their owners may have changed their minds
    /// about them without saying so.
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
                // A thread without work must not take up what nobody waits for any more.
                AssignmentState::Own => assignment.state = AssignmentState::Open,
                _ => {}
            }
        }
    }

    /// Ends all that was handed out for these frames.
    pub(crate) fn release_frames(&mut self, frames: &mut [Frame<M>], tree: &mut Tree<M>) {
        for frame in frames {
            if let Some(code) = frame.asked.take() {
                self.requests.remove(&code);
            }
            self.release_successors(frame, tree);
        }
    }

    /// Lets another worker stop working on a node, of which it may have changed its mind without saying so.
    fn relieve(&mut self, node: &mut TreeNode<M>, owner: WorkerId, code: ProblemCode) {
        node.set_unsure(true);
        self.requests.remove(&code);
        self.send(owner, Message::Stop(code));
    }
}
