//! A worker's correspondence: what it has sent out and not yet had answered.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::assignment::AssignmentState;
use super::frame::Frame;
use super::prefetched::PrefetchState;
use super::problem::{Task, TaskId};
use crate::cc2s::tree::node::Node;
use crate::cc2s::tree::placement::Placement;
use crate::cc2s::tree::placement::RemoteRef;
use crate::cc2s::tree::placement::{NodeAddress, WorkerId};
use crate::cc2s::tree::search_tree::{NodeId, Tree};
use crate::cc2s::tree::target::Target;
use crate::parallel::request::message::{Envelope, Message, Problem, ProblemCode};
use crate::parallel::request::priority::Priority;

/// What an answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub task: TaskId,
    /// Place of the frame in the task's current variation.
    pub frame: usize,
    pub kind: RequestKind,
}

/// What an answer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestKind {
    /// What became of the assignment at that place in the frame.
    Assignment(usize),
    /// What successors of the frame's node are worth.
    Prefetch,
    /// What has become of a move at the root, at that place, that was asked for something ahead of time.
    RootSpeculation(usize),
}

impl RequestKind {
    /// When what is done for that request, for that frame of a task, is to be worked on.
    pub(crate) fn priority<M: Copy>(self, task: &Task<M>, frame: usize) -> Priority {
        let (waste_risk, place) = match self {
            Self::Assignment(place) | Self::RootSpeculation(place) => {
                (task.frames[frame].waste_risk_of(place), place + 1)
            }
            Self::Prefetch => (task.frames[frame].waste_risk, 0),
        };
        Priority {
            requirement: task.requirement + u16::from(self.is_speculative()),
            waste_risk,
            tree_order: task.tree_order_of(frame, place),
        }
    }

    fn is_speculative(self) -> bool {
        matches!(self, Self::RootSpeculation(_))
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
    requests: BTreeMap<ProblemCode, Request>,
    next_code: u32,
    /// Whom to ask for the next valuation, counted from this worker on.
    next_helper: u16,
    /// The next unused address at each owner.
    next_address: Vec<u32>,
    /// The lines expected from nodes that grow at others, near the root.
    lines: BTreeMap<RemoteRef, Vec<M>>,
    /// Workers that want work, in the order in which they said so.
    thieves: VecDeque<WorkerId>,
    /// Workers that were asked for work and have given nothing yet.
    asked: BTreeSet<WorkerId>,
    /// Own problems that nobody waits for any more, with the nodes whose successors they are about.
    pub dropped: Vec<(ProblemCode, NodeId)>,
}

/// A node that is handed out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handout<M> {
    pub node: NodeId,
    /// The move to it.
    pub mv: M,
    pub target: Target,
    pub kind: RequestKind,
    /// The receiver has asked for work.
    pub is_stolen: bool,
    /// Others come first: it may turn out not to be needed.
    pub is_postponed: bool,
    /// By how many plies it may be deeper than what the task is about.
    pub plies_ahead: usize,
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
            lines: BTreeMap::new(),
            thieves: VecDeque::new(),
            asked: BTreeSet::new(),
            dropped: Vec::new(),
        }
    }

    /// Forgets all requests and messages.
    pub(crate) fn close(&mut self) {
        self.outbox.clear();
        self.requests.clear();
        self.thieves.clear();
        self.asked.clear();
        self.dropped.clear();
    }

    pub(crate) fn note_thief(&mut self, thief: WorkerId) {
        self.thieves.push_back(thief);
    }

    /// The worker that has waited longest for work, if one has; it is given some now.
    pub(crate) fn next_thief(&mut self) -> Option<WorkerId> {
        self.thieves.pop_front()
    }

    /// Workers that wait for work.
    pub(crate) fn thief_count(&self) -> usize {
        self.thieves.len()
    }

    /// Notes that a worker is asked for work; false if it has been asked already.
    pub(crate) fn note_asked(&mut self, other: WorkerId) -> bool {
        self.asked.insert(other)
    }

    /// Notes what was given by a worker: if it was asked for, more may be asked for now.
    pub(crate) fn note_reply(&mut self, other: WorkerId, is_stolen: bool) {
        if is_stolen {
            let was_asked = self.asked.remove(&other);
            assert!(was_asked, "an answer to no question");
        }
    }

    /// Hands out a node that one step leads to from that frame of a task.
    pub(crate) fn hand_out(
        &mut self,
        tree: &mut Tree<M>,
        (id, task, frame): (TaskId, &Task<M>, usize),
        owner: WorkerId,
        handout: Handout<M>,
    ) -> ProblemCode {
        let Handout {
            node,
            mv,
            target,
            kind,
            is_stolen,
            is_postponed,
            plies_ahead,
        } = handout;
        let mut priority = kind.priority(task, frame);
        if is_postponed {
            priority.waste_risk = priority.waste_risk.of_alternative();
        }
        let remote = tree[node].remote().unwrap_or_else(|| {
            let remote = self.new_remote(owner);
            tree[node].make_remote(remote);
            remote
        });
        let code = self.open_request(Request {
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
            level_limit: (task.level_limit + plies_ahead).min(usize::from(u16::MAX)) as u16,
            priority,
            is_replacement: kind.is_replacement(&task.frames[frame]),
            is_stolen,
        };
        self.send(owner, Message::Problem(problem));
        code
    }

    /// Forgets what grows at others.
    pub(crate) fn forget_addresses(&mut self) {
        self.next_address.fill(0);
        self.lines.clear();
    }

    /// Remembers a line that an owner has told, if it has.
    pub(crate) fn note_line(&mut self, remote: RemoteRef, line: Vec<M>) {
        if !line.is_empty() {
            self.lines.insert(remote, line);
        }
    }

    pub(crate) fn forget_line(&mut self, remote: RemoteRef) {
        self.lines.remove(&remote);
    }

    /// The line expected from a node that grows at another worker.
    pub(crate) fn line_of(&self, remote: RemoteRef) -> &[M] {
        self.lines.get(&remote).map_or(&[], Vec::as_slice)
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

    pub(crate) fn open_request(&mut self, request: Request) -> ProblemCode {
        let code = ProblemCode(self.next_code);
        self.next_code += 1;
        self.requests.insert(code, request);
        code
    }

    /// The answer will be for something else.
    pub(crate) fn set_kind(&mut self, code: ProblemCode, kind: RequestKind) {
        let request = self.requests.get_mut(&code);
        request.expect("the request is under way").kind = kind;
    }

    /// What the answer will be for, if it is still wanted.
    pub(crate) fn request(&self, code: ProblemCode) -> Option<Request> {
        self.requests.get(&code).copied()
    }

    /// What the answer is for; nothing if it is not wanted any more.
    pub(crate) fn close_request(&mut self, code: ProblemCode) -> Option<Request> {
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

    /// Releases the successors of a frame from their targets (thesis 3.4.1). Their owners may have changed their minds about
    /// them without saying so.
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
                // Those who ask for work must not be given what nobody waits for any more.
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
    pub(crate) fn relieve(&mut self, node: &mut Node<M>, owner: WorkerId, code: ProblemCode) {
        node.set_unsure(true);
        self.stop(owner, code);
    }

    fn stop(&mut self, owner: WorkerId, code: ProblemCode) {
        self.requests.remove(&code);
        self.send(owner, Message::Stop(code));
    }
}
