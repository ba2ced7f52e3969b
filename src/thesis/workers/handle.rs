//! The handling of messages by a worker (Fig. 3.11, with its line numbers).

use super::inconsistency::{Resolution, refusal, resolve_inconsistency};
use super::worker::Worker;
use crate::game::{Game, Relation, TargetBound, Value};
use crate::thesis::messages::message::{Answer, Envelope, Message, Problem, ProblemCode};
use crate::thesis::search::searcher::Stopped;
use crate::thesis::search::valuation::SurveyResult;
use crate::thesis::tasks::assignment::AssignmentState;
use crate::thesis::tasks::frame::{Frame, FrameState};
use crate::thesis::tasks::pending::{PendingRequest, RequestKind};
use crate::thesis::tasks::prefetched::PrefetchState;
use crate::thesis::tasks::problem::{Client, Task, TaskId};
use crate::thesis::tree::forget::ATTEMPTS;
use crate::thesis::tree::node::TreeNode;
use crate::thesis::tree::placement::{NodeAddress, WorkerId};
use crate::thesis::tree::search_tree::NodeId;
use crate::thesis::tree::target::Verdict;

/// The maximum level, from the root, of answers with a principal variation.
const PV_LEVELS: usize = 6;
/// Slots of the tree kept free for one step. The maximum number of successors of a node takes 510, since their
/// block grows with them, and most subtree jobs take less than 1,000.
const ROOM: usize = 1024;

impl<G: Game> Worker<G> {
    /// Receives a message. The work that it requires is done by [`Worker::step`].
    ///
    /// Messages of one worker must arrive in the order in which they were sent; those of different workers may
    /// arrive in any order.
    pub fn receive(&mut self, envelope: Envelope<G::Move>) {
        assert_eq!(
            envelope.to, self.sharing.pending.id,
            "a message gone astray"
        );
        match envelope.message {
            Message::Problem(problem) => self.handle_problem(envelope.from, problem),
            Message::Answer(answer) => self.handle_answer(envelope.from, answer),
            Message::Stop(code) => self.handle_stop(envelope.from, code),
            Message::Forget(address) => self.handle_forget(envelope.from, address),
            Message::Evaluate(request) => self.valuations.push_back((envelope.from, request)),
            Message::Evaluated(code, finding) => self.handle_finding(code, finding),
        }
    }

    /// PROBLEM (lines 4 to 9): adds a task for it, unless its node is known to contradict the target.
    fn handle_problem(&mut self, employer: WorkerId, problem: Problem<G::Move>) {
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
            requirement: problem.priority.requirement,
            tree_order: problem.priority.tree_order,
            frames: vec![Frame {
                waste_risk: problem.priority.waste_risk,
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

    /// Returns the node of this address, creating it if it is new; `None` if there is no room.
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
            let root = TreeNode::new(mv, problem.value);
            if self.search.tree.is_empty() {
                // The first slot belongs to the root of the analysis, even if that is stored at another worker.
                self.search.tree.reset(root);
            }
            nodes[place] = self.search.tree.add_root(root, level).ok();
        }
        nodes[place]
    }

    /// Returns the node with another worker's address; `None` if it never arrived or was freed.
    pub(crate) fn node_at(&self, employer: WorkerId, address: NodeAddress) -> Option<NodeId> {
        let nodes = &self.nodes_of[usize::from(employer.0)];
        nodes.get(address.0 as usize).copied().flatten()
    }

    /// Makes the own value of a node consistent with its employer's (Fig. 3.12). Returns the first state of the
    /// work on the target; `None` if the node's value contradicts it.
    pub(crate) fn reconcile(
        &mut self,
        node: NodeId,
        sent: Value,
        bound: TargetBound,
    ) -> Option<FrameState<G::Move>> {
        let own = self.search.tree[node].value();
        match resolve_inconsistency(own, sent, bound) {
            Resolution::Consistent => return Some(FrameState::Start),
            Resolution::Revalue => return Some(FrameState::Undecided),
            Resolution::Refused => self.search.tree[node].set_value(refusal(own, sent)),
            Resolution::TakeOver(value) => {
                self.search.tree[node].set_value(value);
                self.search.tree.update_value(node);
            }
        }
        match self.search.tree[node].value().relation_to(bound) {
            Relation::Supports => Some(FrameState::Start),
            Relation::Undecided => Some(FrameState::Undecided),
            Relation::Contradicts => None,
        }
    }

    /// ANTWORT (lines 14 to 23). An answer without a request is no longer needed.
    pub(crate) fn handle_answer(&mut self, owner: WorkerId, answer: Answer<G::Move>) {
        let Some(request) = self.sharing.pending.close_request(answer.code) else {
            return;
        };
        match request.kind {
            RequestKind::Assignment(place) => self.handle_verdict(owner, request, place, answer),
            RequestKind::Prefetch => unreachable!("a valuation is not a problem"),
        }
    }

    /// Stores value and verdict of a successor, and updates its parent's value (lines 15 to 20). If that decides
    /// the parent, work continues there, and work in progress above it is abandoned (21, 22).
    fn handle_verdict(
        &mut self,
        owner: WorkerId,
        request: PendingRequest,
        place: usize,
        answer: Answer<G::Move>,
    ) {
        let (tree, pending) = (&mut self.search.tree, &mut self.sharing.pending);
        let task = self.tasks.get_mut(request.task);
        let is_root = request.frame == 0 && task.client.is_none();
        let frame = &mut task.frames[request.frame];
        let assignment = &mut frame.assignments[place];
        assert_eq!(assignment.state, AssignmentState::Sent(owner, answer.code));
        let successor = tree.successor(frame.node, assignment.share.index);
        if owner != pending.id {
            tree[successor].set_value(answer.value);
            tree[successor].set_unsure(false);
        }
        assignment.state = AssignmentState::Answered(answer.verdict);
        let is_decided = answer.verdict == Verdict::Missed;
        tree.update_value(frame.node);
        if let Some(remote) = tree[successor].remote() {
            pending.note_pv(remote, answer.pv);
        }
        let is_off_target = !is_root && !tree[frame.node].value().is_on_target(frame.target.bound);
        if is_off_target || is_decided {
            pending.release_successors(frame, tree);
            self.resume(request);
        } else if task.frames.len() == request.frame + 1 && (is_root || task.tip().can_go_on()) {
            task.tip().state = FrameState::Recursion;
            self.inform(request.task);
        }
    }

    /// Continues at the frame of an answer; the frames above it are not needed any more.
    fn resume(&mut self, request: PendingRequest) {
        let task = self.tasks.get_mut(request.task);
        let above = task.frames.split_off(request.frame + 1);
        task.returned = None;
        task.tip().state = FrameState::Recursion;
        self.inform(request.task);
        self.abandon(above);
    }

    /// Resumes a task that was answered. A lone worker with several threads follows the usual order of tasks.
    fn inform(&mut self, id: TaskId) {
        if self.sharing.pending.placement.workers > 1 {
            self.tasks.inform(id);
        } else {
            self.tasks.wake(id);
        }
    }

    /// Abandons unfinished work. Its results must not be hidden by older ones: values are updated upwards, and
    /// targets met at these nodes earlier are removed from the tables.
    pub(crate) fn abandon(&mut self, mut frames: Vec<Frame<G::Move>>) {
        self.sharing
            .pending
            .release_frames(&mut frames, &mut self.search.tree);
        self.drop_tasks();
        for frame in frames.iter().rev() {
            self.search.tree.update_value(frame.node);
            if let Some(key) = frame.key {
                self.search.tables.forget(key);
            }
        }
    }

    pub(crate) fn give_up_tasks(&mut self) {
        while let Some(task) = self.tasks.remove_first() {
            // Before the first step there is not even a root.
            if !self.search.tree.is_empty() {
                self.abandon(task.frames);
            }
        }
    }

    /// Ends own tasks whose answers are no longer needed.
    pub(crate) fn drop_tasks(&mut self) {
        while let Some((code, parent)) = self.sharing.pending.dropped.pop() {
            self.handle_stop(self.sharing.pending.id, code);
            self.search.tree.update_value(parent);
        }
    }

    /// Stores the value of a successor, found by another worker.
    fn handle_finding(&mut self, code: ProblemCode, finding: SurveyResult) {
        let Some(request) = self.sharing.pending.close_request(code) else {
            return;
        };
        let task = self.tasks.get_mut(request.task);
        let asked = task.frames[request.frame]
            .prefetches
            .iter_mut()
            .find(|one| matches!(one.state, PrefetchState::Asked(_, asked) if asked == code));
        asked.expect("its frame waits for it").state = PrefetchState::Found(finding);
        self.tasks.wake(request.task);
    }

    /// STOP (lines 24 to 29): drops a problem or an evaluation. If it was answered in the meantime it is not known
    /// any more.
    fn handle_stop(&mut self, employer: WorkerId, code: ProblemCode) {
        if let Some(id) = self.tasks.of_client(Client { employer, code }) {
            let task = self.tasks.remove(id);
            self.abandon(task.frames);
        }
        self.valuations
            .retain(|(from, request)| (*from, request.code) != (employer, code));
    }

    /// Frees a node that the employer will never request again.
    fn handle_forget(&mut self, employer: WorkerId, address: NodeAddress) {
        let nodes = &mut self.nodes_of[usize::from(employer.0)];
        if let Some(root) = nodes[address.0 as usize].take() {
            self.search.tree.remove_root(root);
            self.tell_released();
        }
    }

    pub(crate) fn answer(&mut self, client: Client, task: &Task<G::Move>, verdict: Verdict) {
        let node = task.frames[0].node;
        let is_own = client.employer == self.sharing.pending.id;
        // The line of a local node can be read from the tree.
        let pv = if !is_own && task.prefix.len() <= PV_LEVELS {
            self.pv_from(node)
        } else {
            Vec::new()
        };
        let answer = Answer {
            code: client.code,
            verdict,
            value: self.search.tree[node].value(),
            pv,
        };
        if is_own {
            self.handle_answer(client.employer, answer);
        } else {
            self.sharing
                .pending
                .send(client.employer, Message::Answer(answer));
        }
    }

    /// Returns the principal variation from a node on, as far as it is known here.
    fn pv_from(&self, node: NodeId) -> Vec<G::Move> {
        let (mut pv, end) = self.search.tree.greatest_pv(node);
        if let Some(remote) = self.search.tree[end].remote() {
            pv.extend_from_slice(self.sharing.pending.pv_of(remote));
        }
        pv
    }

    /// Replaces the moves after the first of a variation from the root by the known ones.
    pub(crate) fn extend_pv(&self, pv: &mut Vec<G::Move>) {
        if let Some(successor) = self.search.tree.root_successor(pv[0]) {
            pv.truncate(1);
            pv.extend(self.pv_from(successor));
        }
    }

    /// Makes room for the next step if necessary, sparing the nodes that tasks work on.
    pub(crate) fn keep_room(&mut self) {
        let mut attempt = 0;
        while !self.search.tree.is_empty() && !self.search.tree.has_room(ROOM) && attempt < ATTEMPTS
        {
            self.search.state.counters.forgettings += 1;
            self.search.tree.make_room(&self.tasks.nodes(), attempt);
            self.tell_released();
            attempt += 1;
        }
    }

    /// Lets other workers free the nodes that are not referenced here any more.
    fn tell_released(&mut self) {
        for remote in self.search.tree.take_released() {
            self.sharing.pending.forget_pv(remote);
            self.sharing
                .pending
                .send(remote.owner, Message::Forget(remote.address));
        }
    }
}
