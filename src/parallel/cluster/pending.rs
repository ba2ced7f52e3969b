//! A worker's correspondence: what it has sent out and not yet had answered.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::message::{Envelope, Message, Problem, ProblemCode, Step};
use crate::cc2s::tree::node::Node;
use crate::cc2s::tree::placement::Home;
use crate::cc2s::tree::placement::Placement;
use crate::cc2s::tree::placement::{NodeAddress, WorkerId};
use crate::cc2s::tree::search_tree::{NodeId, Tree};
use crate::cc2s::tree::target::Target;
use crate::parallel::task::frame::{AssignmentState, ForesightState, Frame, Task, TaskId};
use crate::parallel::task::priority::Urgency;

/// What an answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Errand {
    pub task: TaskId,
    /// Place of the frame in the task's current variation.
    pub frame: usize,
    pub purpose: Purpose,
}

/// What an answer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// What became of the assignment at that place in the frame.
    Assignment(usize),
    /// What became of the node after a null move.
    Pass,
    /// What successors of the frame's node are worth.
    Foresight,
    /// What has become of a move at the root, at that place, that was asked for something ahead of time.
    Ahead(usize),
}

impl Purpose {
    /// When what is done for that purpose, for that frame of a task, is to be worked on.
    pub(crate) fn urgency<M: Copy>(self, task: &Task<M>, frame: usize) -> Urgency {
        let (doubt, place) = match self {
            Self::Assignment(place) | Self::Ahead(place) => {
                (task.frames[frame].doubt_of(place), place + 1)
            }
            // What follows a null move comes first.
            Self::Pass | Self::Foresight => (task.frames[frame].doubt, 0),
        };
        Urgency {
            requirement: task.requirement + u16::from(self.is_ahead()),
            doubt,
            turn: task.turn_of(frame, place),
        }
    }

    fn is_ahead(self) -> bool {
        matches!(self, Self::Ahead(_))
    }

    /// Whether that is about a node that takes the place of one that has failed.
    pub(crate) fn is_replacement<M>(self, frame: &Frame<M>) -> bool {
        matches!(self, Self::Assignment(_)) && frame.seeks_replacement()
    }
}

/// Everything a worker needs to deal with others.
#[derive(Clone, Debug)]
pub(crate) struct Office<M> {
    pub id: WorkerId,
    pub placement: Placement,
    pub outbox: Vec<Envelope<M>>,
    errands: BTreeMap<ProblemCode, Errand>,
    next_code: u32,
    /// Whom to ask for the next valuation, counted from this worker on.
    next_helper: u16,
    /// The next unused address at each owner.
    next_address: Vec<u32>,
    /// The lines expected from nodes that grow at others, near the root.
    lines: BTreeMap<Home, Vec<M>>,
    /// Workers that want work, in the order in which they said so.
    seekers: VecDeque<WorkerId>,
    /// Workers that were asked for work and have given nothing yet.
    sought: BTreeSet<WorkerId>,
    /// Own problems that nobody waits for any more, with the nodes whose successors they are about.
    pub dropped: Vec<(ProblemCode, NodeId)>,
}

/// A node that is handed out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handout<M> {
    pub node: NodeId,
    /// The step to it.
    pub step: Step<M>,
    pub target: Target,
    pub purpose: Purpose,
    /// The receiver has asked for work.
    pub is_sought: bool,
    /// Others come first: it may turn out not to be needed.
    pub is_postponed: bool,
    /// By how many plies it may be deeper than what the task is about.
    pub plies_ahead: usize,
}

impl<M: Copy + Eq> Office<M> {
    pub(crate) fn new(id: WorkerId, placement: Placement) -> Self {
        Self {
            id,
            placement,
            outbox: Vec::new(),
            errands: BTreeMap::new(),
            next_code: 0,
            next_helper: 0,
            next_address: vec![0; usize::from(placement.workers)],
            lines: BTreeMap::new(),
            seekers: VecDeque::new(),
            sought: BTreeSet::new(),
            dropped: Vec::new(),
        }
    }

    /// Forgets all errands and letters.
    pub(crate) fn close(&mut self) {
        self.outbox.clear();
        self.errands.clear();
        self.seekers.clear();
        self.sought.clear();
        self.dropped.clear();
    }

    pub(crate) fn note_seeker(&mut self, seeker: WorkerId) {
        self.seekers.push_back(seeker);
    }

    /// The worker that has waited longest for work, if one has; it is given some now.
    pub(crate) fn next_seeker(&mut self) -> Option<WorkerId> {
        self.seekers.pop_front()
    }

    /// Workers that wait for work.
    pub(crate) fn seeker_count(&self) -> usize {
        self.seekers.len()
    }

    /// Notes that a worker is asked for work; false if it has been asked already.
    pub(crate) fn note_sought(&mut self, other: WorkerId) -> bool {
        self.sought.insert(other)
    }

    /// Notes what was given by a worker: if it was asked for, more may be asked for now.
    pub(crate) fn note_reply(&mut self, other: WorkerId, is_sought: bool) {
        if is_sought {
            let was_asked = self.sought.remove(&other);
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
            step,
            target,
            purpose,
            is_sought,
            is_postponed,
            plies_ahead,
        } = handout;
        let mut urgency = purpose.urgency(task, frame);
        if is_postponed {
            urgency.doubt = urgency.doubt.of_alternative();
        }
        let home = tree[node].home().unwrap_or_else(|| {
            let home = self.new_home(owner);
            tree[node].send_home(home);
            home
        });
        let code = self.open_errand(Errand {
            task: id,
            frame,
            purpose,
        });
        let problem = Problem {
            code,
            address: home.address,
            path: task.path_to(frame).chain([step]).collect(),
            value: tree[node].value(),
            target,
            level_limit: (task.level_limit + plies_ahead).min(usize::from(u16::MAX)) as u16,
            urgency,
            is_replacement: purpose.is_replacement(&task.frames[frame]),
            is_sought,
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
    pub(crate) fn note_line(&mut self, home: Home, line: Vec<M>) {
        if !line.is_empty() {
            self.lines.insert(home, line);
        }
    }

    pub(crate) fn forget_line(&mut self, home: Home) {
        self.lines.remove(&home);
    }

    /// The line expected from a node that grows at another worker.
    pub(crate) fn line_of(&self, home: Home) -> &[M] {
        self.lines.get(&home).map_or(&[], Vec::as_slice)
    }

    /// Errands not yet answered.
    pub(crate) fn errand_count(&self) -> usize {
        self.errands.len()
    }

    pub(crate) fn send(&mut self, to: WorkerId, message: Message<M>) {
        assert_ne!(to, self.id, "no message to oneself");
        let from = self.id;
        self.outbox.push(Envelope { from, to, message });
    }

    pub(crate) fn open_errand(&mut self, errand: Errand) -> ProblemCode {
        let code = ProblemCode(self.next_code);
        self.next_code += 1;
        self.errands.insert(code, errand);
        code
    }

    /// The answer will be for something else.
    pub(crate) fn set_purpose(&mut self, code: ProblemCode, purpose: Purpose) {
        let errand = self.errands.get_mut(&code);
        errand.expect("the errand is under way").purpose = purpose;
    }

    /// What the answer will be for, if it is still wanted.
    pub(crate) fn errand(&self, code: ProblemCode) -> Option<Errand> {
        self.errands.get(&code).copied()
    }

    /// What the answer is for; nothing if it is not wanted any more.
    pub(crate) fn close_errand(&mut self, code: ProblemCode) -> Option<Errand> {
        self.errands.remove(&code)
    }

    /// Chooses where a node without successors is to grow.
    pub(crate) fn new_home(&mut self, owner: WorkerId) -> Home {
        let next = &mut self.next_address[usize::from(owner.0)];
        let address = NodeAddress(*next);
        *next += 1;
        Home { owner, address }
    }

    /// The other workers in turn.
    pub(crate) fn next_helper(&mut self) -> WorkerId {
        let workers = self.placement.workers;
        self.next_helper = self.next_helper % (workers - 1) + 1;
        WorkerId((self.id.0 + self.next_helper) % workers)
    }

    /// Drops what was asked ahead of time for a frame.
    pub(crate) fn release_foresights(&mut self, frame: &mut Frame<M>) {
        for foresight in frame.foresights.drain(..) {
            if let ForesightState::Asked(helper, code) = foresight.state
                && self.errands.remove(&code).is_some()
            {
                self.send(helper, Message::Stop(code));
            }
        }
    }

    /// Releases the successors of a frame from their targets (thesis 3.4.1). Their owners may have changed their minds about
    /// them without saying so.
    pub(crate) fn release_successors(&mut self, frame: &mut Frame<M>, tree: &mut Tree<M>) {
        self.release_foresights(frame);
        for assignment in &mut frame.assignments {
            match assignment.state {
                AssignmentState::Sent(owner, code) => {
                    assignment.state = AssignmentState::Open;
                    let kid = tree.kid(frame.node, assignment.share.index);
                    if owner == self.id {
                        self.errands.remove(&code);
                        self.dropped.push((code, frame.node));
                    } else {
                        self.relieve(&mut tree[kid], owner, code);
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
                self.errands.remove(&code);
            }
            self.release_successors(frame, tree);
            if let Some((owner, code)) = frame.pass.take() {
                self.stop(owner, code);
            }
        }
    }

    /// Lets another worker stop working on a node, of which it may have changed its mind without saying so.
    pub(crate) fn relieve(&mut self, node: &mut Node<M>, owner: WorkerId, code: ProblemCode) {
        node.set_unsure(true);
        self.stop(owner, code);
    }

    fn stop(&mut self, owner: WorkerId, code: ProblemCode) {
        self.errands.remove(&code);
        self.send(owner, Message::Stop(code));
    }
}
