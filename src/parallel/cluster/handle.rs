//! What a worker does about the messages it gets (Fig. 3.11).

use super::inconsistency::{Resolution, refusal, resolve_inconsistency};
use super::message::{Answer, Envelope, Message, Packet, Problem, ProblemCode};
use super::pending::{Errand, Purpose};
use super::worker::{Job, Worker};
use crate::cc2s::search::searcher::Stopped;
use crate::cc2s::search::valuation::Finding;
use crate::cc2s::tree::forget::ATTEMPTS;
use crate::cc2s::tree::node::Node;
use crate::cc2s::tree::placement::{NodeAddress, WorkerId};
use crate::cc2s::tree::search_tree::NodeId;
use crate::cc2s::tree::target::Verdict;
use crate::cc2s::tree::value::{Bound, Relation, Value};
use crate::game::Game;
use crate::parallel::task::frame::{
    AssignmentState, Client, ForesightState, Frame, FrameState, Task, TaskId,
};

/// Levels, from the root, down to which answers tell the line that is expected.
const LINE_LEVELS: usize = 6;
/// Slots of the tree kept free for what one step may store: as many successors as a node has take 510, since their block
/// grows with them, and most small problems solved apart less than 1,000.
const ROOM: usize = 1024;

impl<G: Game> Worker<G> {
    /// Takes a message in. What it asks for is done by [`Worker::step`].
    ///
    /// Messages of one worker must come in the order in which they were sent; those of different workers may come in any.
    pub fn receive(&mut self, envelope: Envelope<G::Move>) {
        assert_eq!(envelope.to, self.office.id, "a message gone astray");
        match envelope.message {
            Message::Problem(problem) => self.take_problem(envelope.from, problem),
            Message::Answer(answer) => self.take_answer(envelope.from, answer),
            Message::Stop(code) => self.take_stop(envelope.from, code),
            Message::Forget(address) => self.take_forget(envelope.from, address),
            Message::Evaluate(packet) => self.take_packet(envelope.from, packet),
            Message::Seek => self.take_seek(envelope.from),
            Message::Evaluated(code, findings) => self.take_findings(code, findings),
        }
    }

    fn take_packet(&mut self, employer: WorkerId, packet: Packet<G::Move>) {
        self.office.note_reply(employer, packet.is_sought);
        self.jobs.push_back(Job {
            employer,
            findings: Vec::with_capacity(packet.looks.len()),
            packet,
        });
    }

    fn take_problem(&mut self, employer: WorkerId, problem: Problem<G::Move>) {
        self.office.note_reply(employer, problem.is_sought);
        self.keep_room();
        let level = problem.path.len() as u16;
        let Some(node) = self.node_of(employer, problem.address, &problem, level) else {
            self.halted = Some(Stopped::Memory);
            return;
        };
        let code = problem.code;
        let client = Client { employer, code };
        let state = self.reconcile(node, problem.value, problem.target.bound);
        let task = Task {
            client: Some(client),
            prefix: problem.path,
            requirement: problem.urgency.requirement,
            turn: problem.urgency.turn,
            frames: vec![Frame {
                doubt: problem.urgency.doubt,
                is_replacement: problem.is_replacement,
                ..Frame::new(node, None, problem.target, FrameState::Start)
            }],
            level_limit: usize::from(problem.level_limit),
            returned: None,
        };
        match state {
            Some(state) => self.tasks.add(task.in_state(state)),
            None => self.answer(client, &task, Verdict::Missed),
        }
    }

    /// The node of that address, made if it is new; `None` if there is no room.
    fn node_of(
        &mut self,
        employer: WorkerId,
        address: NodeAddress,
        problem: &Problem<G::Move>,
        level: u16,
    ) -> Option<NodeId> {
        let nodes = &mut self.nodes_of[usize::from(employer.0)];
        let place = address.0 as usize;
        if place >= nodes.len() {
            nodes.resize(place + 1, None);
        }
        if nodes[place].is_none() {
            // The move stored with a node after a null move is never read; the last one made is at hand.
            let mv = problem.path.iter().rev().find_map(|&step| step);
            let mv = mv.expect("a move leads to a node");
            let root = Node::new(mv, problem.value);
            if self.tree.is_empty() {
                // The first slot belongs to the root of the analysis, wherever that is.
                self.tree.reset(root);
            }
            nodes[place] = self.tree.add_root(root, level).ok();
        }
        nodes[place]
    }

    /// Where a node grows that another worker has sent; `None` if it never came or was given back.
    pub(crate) fn node_at(&self, employer: WorkerId, address: NodeAddress) -> Option<NodeId> {
        let nodes = &self.nodes_of[usize::from(employer.0)];
        nodes.get(address.0 as usize).copied().flatten()
    }

    /// Makes the own value of a node agree with what its employer believes (Fig. 3.12). How to begin with the target;
    /// `None` if the node's value contradicts it.
    pub(crate) fn reconcile(
        &mut self,
        node: NodeId,
        sent: Value,
        bound: Bound,
    ) -> Option<FrameState<G::Move>> {
        let own = self.tree[node].value();
        match resolve_inconsistency(own, sent, bound) {
            Resolution::Consistent => return Some(FrameState::Start),
            Resolution::Revalue => return Some(FrameState::Undecided),
            Resolution::Refused => self.tree[node].set_value(refusal(own, sent)),
            Resolution::TakeOver(value) => {
                self.tree[node].set_value(value);
                self.tree.update_value(node);
            }
        }
        match self.tree[node].value().relation_to(bound) {
            Relation::Supports => Some(FrameState::Start),
            Relation::Undecided => Some(FrameState::Undecided),
            Relation::Contradicts => None,
        }
    }

    pub(crate) fn take_answer(&mut self, owner: WorkerId, answer: Answer<G::Move>) {
        let Some(errand) = self.office.close_errand(answer.code) else {
            return;
        };
        match errand.purpose {
            Purpose::Assignment(place) => self.take_verdict(owner, errand, place, answer),
            Purpose::Pass => self.take_pass(errand, &answer),
            Purpose::Foresight => unreachable!("a packet is not a problem"),
            Purpose::Ahead(_) => self.ahead.take_answer(&answer),
        }
    }

    fn take_verdict(
        &mut self,
        owner: WorkerId,
        errand: Errand,
        place: usize,
        answer: Answer<G::Move>,
    ) {
        let task = self.tasks.get_mut(errand.task);
        let is_root = errand.frame == 0 && task.client.is_none();
        let frame = &mut task.frames[errand.frame];
        let assignment = &mut frame.assignments[place];
        assert_eq!(assignment.state, AssignmentState::Sent(owner, answer.code));
        assignment.state = AssignmentState::Answered(answer.verdict);
        let kid = self.tree.kid(frame.node, assignment.share.index);
        if owner != self.office.id {
            self.tree[kid].set_value(answer.value);
            self.tree[kid].set_unsure(false);
        }
        let is_excessive = assignment.asked != assignment.share.target
            && (self.tree[kid].value()).is_on_target(assignment.share.target.bound);
        if answer.verdict == Verdict::Missed && is_excessive {
            assignment.asked = assignment.share.target;
            assignment.state = AssignmentState::Open;
        }
        let is_decided = assignment.is_answered() && frame.is_decided_by(answer.verdict);
        self.tree.update_value(frame.node);
        if let Some(home) = self.tree[kid].home() {
            self.office.note_line(home, answer.line);
        }
        let is_off_target =
            !is_root && !(self.tree[frame.node].value()).is_on_target(frame.target.bound);
        if is_off_target || is_decided {
            self.office.release_successors(frame, &mut self.tree);
            self.resume(errand, FrameState::Recursion);
        } else if task.frames.len() == errand.frame + 1 && (is_root || task.tip().can_go_on()) {
            task.tip().state = FrameState::Recursion;
            self.inform(errand.task);
        }
    }

    /// A node that holds its bound after a null move has met its target, whatever its successors are found to be worth.
    fn take_pass(&mut self, errand: Errand, answer: &Answer<G::Move>) {
        let frame = &mut self.tasks.get_mut(errand.task).frames[errand.frame];
        frame.pass = None;
        let pass_kid = self.tree.pass_kid(frame.node);
        let pass_kid = pass_kid.expect("the node after a null move is stored");
        self.tree[pass_kid].set_value(answer.value);
        if answer.verdict == Verdict::Met {
            self.office.release_successors(frame, &mut self.tree);
            self.resume(errand, FrameState::Passed);
        }
    }

    /// Work goes on at the frame that an answer was for; what was done above it is not needed any more.
    fn resume(&mut self, errand: Errand, state: FrameState<G::Move>) {
        let task = self.tasks.get_mut(errand.task);
        let above = task.frames.split_off(errand.frame + 1);
        task.returned = None;
        task.tip().state = state;
        self.tasks.break_off(errand.task);
        self.inform(errand.task);
        self.abandon(above);
    }

    /// A task has been answered. Who works alone, with several hands, takes up what comes first as always.
    fn inform(&mut self, id: TaskId) {
        if self.office.placement.workers > 1 {
            self.tasks.inform(id);
        } else {
            self.tasks.wake(id);
        }
    }

    /// Gives up work half done. What it has changed must not be hidden by what was known before: values are repaired
    /// upwards, and targets met at these nodes earlier are forgotten.
    pub(crate) fn abandon(&mut self, mut frames: Vec<Frame<G::Move>>) {
        self.office.release_frames(&mut frames, &mut self.tree);
        self.drop_tasks();
        for frame in frames.iter().rev() {
            self.tree.update_value(frame.node);
            if let Some(key) = frame.key {
                self.tables.forget(key);
            }
        }
    }

    /// Gives up all work half done.
    pub(crate) fn give_up_tasks(&mut self) {
        while let Some(task) = self.tasks.remove_first() {
            // Before the first step there is not even a root.
            if !self.tree.is_empty() {
                self.abandon(task.frames);
            }
        }
    }

    /// Ends own tasks that nobody waits for any more.
    pub(crate) fn drop_tasks(&mut self) {
        while let Some((code, parent)) = self.office.dropped.pop() {
            self.take_stop(self.office.id, code);
            self.tree.update_value(parent);
        }
    }

    fn take_findings(&mut self, code: ProblemCode, findings: Vec<Finding>) {
        let Some(errand) = self.office.close_errand(code) else {
            return;
        };
        let task = self.tasks.get_mut(errand.task);
        let asked = task.frames[errand.frame]
            .foresights
            .iter_mut()
            .filter(|one| matches!(one.state, ForesightState::Asked(_, asked) if asked == code));
        for (foresight, finding) in asked.zip(findings) {
            foresight.state = ForesightState::Found(finding);
        }
        self.tasks.wake(errand.task);
    }

    /// Drops a problem or a packet. If it was answered in the meantime it is not known any more.
    fn take_stop(&mut self, employer: WorkerId, code: ProblemCode) {
        if let Some(id) = self.tasks.of_client(Client { employer, code }) {
            let task = self.tasks.remove(id);
            self.abandon(task.frames);
        }
        self.jobs
            .retain(|job| job.employer != employer || job.packet.code != code);
    }

    fn take_forget(&mut self, employer: WorkerId, address: NodeAddress) {
        let nodes = &mut self.nodes_of[usize::from(employer.0)];
        if let Some(root) = nodes[address.0 as usize].take() {
            self.grown.forget(root);
            self.tree.remove_root(root);
            self.tell_released();
        }
    }

    /// Answers a problem.
    pub(crate) fn answer(&mut self, client: Client, task: &Task<G::Move>, verdict: Verdict) {
        let node = task.frames[0].node;
        let is_own = client.employer == self.office.id;
        // What has grown here can be read off the tree.
        let line = if !is_own && task.prefix.len() <= LINE_LEVELS {
            self.line_from(node)
        } else {
            Vec::new()
        };
        let answer = Answer {
            code: client.code,
            verdict,
            value: self.tree[node].value(),
            line,
        };
        if is_own {
            self.take_answer(client.employer, answer);
        } else {
            self.office.send(client.employer, Message::Answer(answer));
        }
    }

    /// The line expected from a node on, as far as it is known here.
    fn line_from(&self, node: NodeId) -> Vec<G::Move> {
        let (mut line, end) = self.tree.greatest_line(node);
        if let Some(home) = self.tree[end].home() {
            line.extend_from_slice(self.office.line_of(home));
        }
        line
    }

    /// Replaces what follows the first move of a line from the root by what is known of it.
    pub(crate) fn extend_line(&self, line: &mut Vec<G::Move>) {
        if let Some(kid) = self.tree.root_kid(line[0]) {
            line.truncate(1);
            line.extend(self.line_from(kid));
        }
    }

    /// Makes room for the next step where it is short, sparing the nodes that tasks work on.
    pub(crate) fn keep_room(&mut self) {
        let mut attempt = 0;
        while !self.tree.is_empty() && !self.tree.has_room(ROOM) && attempt < ATTEMPTS {
            self.counters.forgettings += 1;
            self.tree.make_room(&self.tasks.nodes(), attempt);
            self.tell_released();
            attempt += 1;
        }
    }

    /// Lets other workers give back what nobody here knows any more.
    fn tell_released(&mut self) {
        for home in self.tree.take_released() {
            self.office.forget_line(home);
            self.office.send(home.owner, Message::Forget(home.address));
        }
    }
}
