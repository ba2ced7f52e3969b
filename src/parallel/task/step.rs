//! One step of a task: Fig. 2.7 without recursion (Figs. 3.9, 3.10).

use super::frame::{AssignmentState, Frame, FrameState, Prefetch, PrefetchState, Task, TaskId};
use super::waste_risk::FailureRisk;
use crate::cc2s::root::director::Director;
use crate::cc2s::search::monitor::Monitor;
use crate::cc2s::search::searcher::{Searcher, Stopped};
use crate::cc2s::search::split::{Share, alternatives, split, supporters_needed};
use crate::cc2s::search::valuation::Question;
use crate::cc2s::search::visit::{Entry, PASSES_MAX};
use crate::cc2s::tree::placement::WorkerId;
use crate::cc2s::tree::search_tree::NodeId;
use crate::cc2s::tree::target::{NodeKind, Target, Verdict};
use crate::game::{Evaluator, Game, Window};
use crate::parallel::cluster::message::{Message, Packet, ProblemCode};
use crate::parallel::cluster::pending::{Handout, Pending, Request, RequestKind};
use crate::parallel::cluster::root_speculation::RootSpeculation;
use crate::parallel::cluster::work_stealing::is_movable;
use crate::parallel::params::TeamParams;
use crate::parallel::shared_tree::batch::Batch;
use crate::parallel::shared_tree::job_size::CostModel;
use crate::parallel::shared_tree::subtree_job::SubtreeJob;

/// What becomes of a task after a step.
#[derive(Clone, Debug)]
pub(crate) enum StepResult<M> {
    /// It can go on.
    Ready,
    /// It can do nothing until an answer comes.
    Waits,
    /// Somebody else is to do this first, with an evaluator.
    Asks(ExternalWork<M>),
    /// It is done.
    Ended(Verdict),
}

/// What is done without the worker. The game stands at the node worked on.
#[derive(Clone, Debug)]
pub(crate) enum ExternalWork<M> {
    /// To ask the evaluator.
    Batch(Batch<M>),
    /// To work on successors.
    SubtreeJob(SubtreeJob<M>),
}

/// A task at work: the searcher stands at the node of its last frame.
pub(crate) struct StepContext<'s, 'a, G: Game, E, W> {
    pub searcher: &'s mut Searcher<'a, G, E, W>,
    pub pending: &'s mut Pending<G::Move>,
    pub director: &'s mut Option<Director<G::Move>>,
    pub root_speculation: &'s mut RootSpeculation<G::Move>,
    pub team: &'s TeamParams,
    /// The task's own name.
    pub id: TaskId,
    /// Tasks of this worker that need not wait.
    pub ready_tasks: usize,
    /// Somebody could help.
    pub has_waiting_threads: bool,
    /// The evaluator is asked between the steps, not by them.
    pub asks_between: bool,
    /// How much work problems have been.
    pub cost_model: &'s mut CostModel,
}

impl<G: Game, E: Evaluator<G>, W: Monitor<G::Move>> StepContext<'_, '_, G, E, W> {
    /// Does what the state of the last frame asks for: at most one valuation, except at the root.
    pub(crate) fn step(
        &mut self,
        task: &mut Task<G::Move>,
    ) -> Result<StepResult<G::Move>, Stopped> {
        match &task.tip().state {
            FrameState::Undecided => Ok(self.value_anew(task)),
            FrameState::Start => self.start(task),
            &FrameState::AskingPass(share) => {
                let frame = task.tip();
                let value = frame.found.pass.take();
                let share = self.searcher.take_pass(frame.node, share, value)?;
                self.consider_pass(task, share);
                Ok(StepResult::Ready)
            }
            FrameState::Passing => Ok(self.come_back_from_pass(task)),
            FrameState::Expanding(..) => self.expand(task),
            FrameState::Planning => self.plan(task),
            FrameState::Recursion | FrameState::Waiting => Ok(self.recur(task)),
        }
    }

    /// Employer and owner disagree, and neither has a point value.
    fn value_anew(&mut self, task: &mut Task<G::Move>) -> StepResult<G::Move> {
        let frame = task.tip();
        self.searcher.value_node_again(frame.node, Window::FULL);
        frame.state = FrameState::Start;
        if self
            .searcher
            .is_off_target(frame.node, frame.demanded.bound)
        {
            return Self::pop(task, Verdict::Missed);
        }
        StepResult::Ready
    }

    fn start(&mut self, task: &mut Task<G::Move>) -> Result<StepResult<G::Move>, Stopped> {
        let level = task.level();
        let frame = task.tip();
        match self.searcher.enter(frame.node, frame.demanded, level) {
            Entry::Settled(verdict) => return Ok(Self::pop(task, verdict)),
            Entry::Open(target) => (frame.goal, frame.target) = (target, target),
        }
        frame.key = Some(self.searcher.game.key());
        if self.asks_between {
            return Ok(self.start_as_found(task));
        }
        let share = self.searcher.pass_share(frame.node, frame.target)?;
        self.consider_pass(task, share);
        Ok(StepResult::Ready)
    }

    /// Begins with the node after a null move, if it is promising.
    pub(crate) fn consider_pass(
        &mut self,
        task: &mut Task<G::Move>,
        promising: Option<(NodeId, Target)>,
    ) {
        match promising {
            Some((pass_successor, share)) => Self::visit_after_pass(task, pass_successor, share),
            None => self.begin_deepening(task),
        }
    }

    /// Lets the node after a null move be worked on here; nothing else is done at this node meanwhile.
    fn visit_after_pass(task: &mut Task<G::Move>, pass_successor: NodeId, share: Target) {
        task.tip().state = FrameState::Passing;
        let above = Frame {
            waste_risk: task.tip().waste_risk,
            ..Frame::new(pass_successor, None, share, FrameState::Start)
        };
        task.frames.push(above);
    }

    fn come_back_from_pass(&mut self, task: &mut Task<G::Move>) -> StepResult<G::Move> {
        let verdict = task.returned.take();
        if verdict.expect("the frame above has returned") == Verdict::Met {
            return self.leave(task, Verdict::Met);
        }
        self.begin_deepening(task);
        StepResult::Ready
    }

    /// Begins a pass through expansion and split.
    pub(crate) fn begin_pass(&mut self, frame: &mut Frame<G::Move>) {
        frame.passes += 1;
        let mut expansion = self.searcher.begin_expansion(frame.node, frame.target);
        expansion.alternatives = self.alternatives_wanted(frame);
        expansion.asks_beyond = self.team.is_large(self.pending.placement.workers);
        frame.state = FrameState::Expanding(Box::new(expansion), None);
    }

    /// How many successors beside the one that its target is handed down to a cut node is to have worked on. The first one
    /// nearly always does; once one has not, the next ones often do not either, and who has nothing to do may as well find
    /// that out now.
    fn alternatives_wanted(&self, frame: &Frame<G::Move>) -> usize {
        let is_wanted = frame.passes > 1
            && frame.target.kind() == NodeKind::Cut
            && supporters_needed(frame.target, self.searcher.params) == 1
            && self.pending.is_machine_idle();
        if is_wanted {
            self.team.alternatives as usize
        } else {
            0
        }
    }

    fn expand(&mut self, task: &mut Task<G::Move>) -> Result<StepResult<G::Move>, Stopped> {
        if self.asks_between {
            return self.expand_as_found(task);
        }
        let frame = task.tip();
        let FrameState::Expanding(expansion, awaited) = &mut frame.state else {
            unreachable!("the state was looked at");
        };
        let question = awaited
            .take()
            .or_else(|| self.searcher.next_question(frame.node, expansion));
        let Some(question) = question else {
            return Ok(self.divide(task));
        };
        let mv = self.searcher.move_of(frame.node, question);
        let answers = |one: &Prefetch<_>| one.answers(mv, question.window);
        let prefetched = frame.prefetches.iter().position(answers);
        match prefetched.map(|place| (place, frame.prefetches[place].state)) {
            Some((_, PrefetchState::Asked(..))) => {
                *awaited = Some(question);
                return Ok(StepResult::Waits);
            }
            Some((place, PrefetchState::Found(finding))) => {
                // What is found of a packet comes in the order in which it was asked.
                frame.prefetches.remove(place);
                self.searcher.take_in(frame.node, question, finding)?;
            }
            None => return self.ask(task, question),
        }
        Ok(StepResult::Ready)
    }

    /// Has a question answered that nobody has been asked yet: by another worker or here.
    fn ask(
        &mut self,
        task: &mut Task<G::Move>,
        question: Question<G::Move>,
    ) -> Result<StepResult<G::Move>, Stopped> {
        if self.gives_questions() {
            let frame = task.tip();
            frame.await_answer(question);
            let mv = self.searcher.move_of(frame.node, question);
            self.give_to_thief(task, vec![(mv, question.window)]);
            return Ok(StepResult::Waits);
        }
        if self.wants_prefetch(task.tip()) {
            self.prefetch(task);
        }
        self.searcher.answer(task.tip().node, question)?;
        Ok(StepResult::Ready)
    }

    /// The expansion is over: the target is handed down to the successors, if it can be.
    pub(crate) fn divide(&mut self, task: &mut Task<G::Move>) -> StepResult<G::Move> {
        let frame = task.tip();
        let count = frame.expansion().1.alternatives;
        self.pending.release_prefetches(frame);
        if self.searcher.is_off_target(frame.node, frame.target.bound) {
            return self.leave(task, Verdict::Missed);
        }
        let mut shares = Vec::new();
        let Searcher { tree, params, .. } = &*self.searcher;
        split(tree, frame.node, frame.target, params, &mut shares);
        let are_alternatives = count > 0 && shares.len() == 1;
        if are_alternatives {
            shares.extend(alternatives(tree, frame.node, shares[0], count));
        }
        if self.team.waste_risk_last {
            frame.failure_risk = FailureRisk::of(frame.target, frame.is_replacement);
        }
        frame.assign(shares, are_alternatives);
        StepResult::Ready
    }

    /// Whether a question goes to a worker that has nothing to do, because there is another task to turn to meanwhile.
    fn gives_questions(&self) -> bool {
        self.team.question_stealing && self.ready_tasks > 1 && self.pending.thief_count() > 0
    }

    /// Whether the values of further successors are likely to be needed and the machine is not loaded (thesis 3.4.2).
    fn wants_prefetch(&self, frame: &Frame<G::Move>) -> bool {
        let team = self.team;
        if !team.prefetch
            || self.pending.placement.workers == 1
            || team.work_stealing && self.pending.thief_count() == 0
            || frame.prefetches.iter().any(Prefetch::is_asked)
            || self.ready_tasks >= team.prefetch_tasks_max as usize
        {
            return false;
        }
        let needed = match frame.target.kind() {
            NodeKind::All => 0,
            NodeKind::Cut => supporters_needed(frame.target, self.searcher.params),
        };
        let valued = self.searcher.tree[frame.node].successor_count();
        valued >= needed + team.prefetch_from as usize
    }

    /// Sends the successors that will be valued next to other workers, all but those that can be valued here meanwhile.
    fn prefetch(&mut self, task: &mut Task<G::Move>) {
        let Frame {
            node,
            ref state,
            ref prefetches,
            ..
        } = *task.tip();
        let FrameState::Expanding(expansion, _) = state else {
            unreachable!("successors are being valued");
        };
        let mut questions = self.searcher.foreseeable_questions(node, expansion);
        // What has been found is kept until its turn comes.
        questions.retain(|&question| {
            let mv = self.searcher.move_of(node, question);
            let mut found = prefetches.iter();
            !found.any(|one| one.answers(mv, question.window))
        });
        let (own, size) = self.packets(questions.len());
        for packet in questions[own..].chunks(size) {
            let questions = packet
                .iter()
                .map(|&question| (self.searcher.move_of(node, question), question.window))
                .collect();
            if self.team.work_stealing {
                self.give_to_thief(task, questions);
            } else {
                let helper = self.pending.next_helper();
                self.send_prefetch(task, helper, questions, false);
            }
        }
    }

    /// Sends successors of the node worked on to the worker that has waited longest for work.
    fn give_to_thief(&mut self, task: &mut Task<G::Move>, questions: Vec<(G::Move, Window)>) {
        let thief = self.pending.next_thief();
        let thief = thief.expect("there are no more packets than thieves");
        self.send_prefetch(task, thief, questions, true);
    }

    /// Sends successors of the node worked on to another worker for valuation.
    fn send_prefetch(
        &mut self,
        task: &mut Task<G::Move>,
        helper: WorkerId,
        questions: Vec<(G::Move, Window)>,
        is_stolen: bool,
    ) {
        let frame = task.frames.len() - 1;
        let code = self.pending.open_request(Request {
            task: self.id,
            frame,
            kind: RequestKind::Prefetch,
        });
        let state = PrefetchState::Asked(helper, code);
        let prefetches = questions
            .iter()
            .map(|&(mv, window)| Prefetch { mv, window, state });
        task.tip().prefetches.extend(prefetches);
        let packet = Packet {
            code,
            path: task.path().collect(),
            questions,
            priority: RequestKind::Prefetch.priority(task, frame),
            is_stolen,
        };
        self.pending.send(helper, Message::Evaluate(packet));
    }

    /// How many of the questions that can be prefetched are kept, and how many the others are sent at a time: each of those
    /// who want work gets an equal part.
    fn packets(&self, questions: usize) -> (usize, usize) {
        if self.team.work_stealing {
            let size = questions.div_ceil(self.pending.thief_count() + 1).max(1);
            (size.min(questions), size)
        } else {
            let size = self.team.packet_size as usize;
            (size.saturating_sub(1).min(questions), size)
        }
    }

    /// Before an analysis begins, other workers value all moves at once, in open windows: the leader would value one
    /// after the other, and nobody else could do anything meanwhile. Whether they still do.
    fn awaits_first_values(&mut self, task: &mut Task<G::Move>, moves: &[G::Move]) -> bool {
        let is_team = self.team.prefetch && self.pending.placement.workers > 1;
        if is_team && self.searcher.tree.is_empty() && task.tip().prefetches.is_empty() {
            for &mv in moves {
                let helper = self.pending.next_helper();
                self.send_prefetch(task, helper, vec![(mv, Window::FULL)], false);
            }
        }
        task.tip().prefetches.iter().any(Prefetch::is_asked)
    }

    fn plan(&mut self, task: &mut Task<G::Move>) -> Result<StepResult<G::Move>, Stopped> {
        let director = self.director.as_ref().expect("the root has a director");
        if let Some(moves) = director.moves_to_value().map(<[_]>::to_vec)
            && self.awaits_first_values(task, &moves)
        {
            return Ok(StepResult::Waits);
        }
        let director = self.director.as_mut().expect("the root has a director");
        for prefetch in task.tip().prefetches.drain(..) {
            if let PrefetchState::Found(finding) = prefetch.state {
                director.take_first_value(prefetch.mv, finding);
            }
        }
        self.note_speculation();
        let director = self.director.as_mut().expect("the root has a director");
        let Some(shares) = self.searcher.plan(director)? else {
            self.give_up_speculation();
            return Ok(Self::pop(task, Verdict::Met));
        };
        task.requirement = director.requirements;
        if self.team.waste_risk_last {
            task.tip().failure_risk = FailureRisk::ROOT;
        }
        task.tip().assign(shares, false);
        self.adopt(task);
        Ok(StepResult::Ready)
    }

    /// Successors are worked on until it is known what that comes to.
    fn recur(&mut self, task: &mut Task<G::Move>) -> StepResult<G::Move> {
        let is_root = task.is_root();
        self.take_note(task, is_root);
        let frame = task.tip();
        let is_off_target = !is_root && self.searcher.is_off_target(frame.node, frame.target.bound);
        let is_missed = is_off_target || is_root && self.is_round_missed();
        let verdict = if is_missed {
            Some(Verdict::Missed)
        } else {
            frame.verdict()
        };
        match verdict {
            None => {}
            Some(_) if is_root => {
                self.keep_round(task);
                let frame = task.tip();
                self.pending.release_successors(frame, self.searcher.tree);
                frame.state = FrameState::Planning;
                return StepResult::Ready;
            }
            Some(Verdict::Missed) if !is_off_target => return self.try_again(task),
            Some(Verdict::Met) if task.tip().is_below_goal() => {
                self.deepen(task);
                return StepResult::Ready;
            }
            Some(verdict) => return self.leave(task, verdict),
        }
        self.hand_out(task);
        if is_root {
            self.speculate(task);
        }
        if self.asks_between
            && !is_root
            && let Some(job) = self.job(task)
        {
            return StepResult::Asks(ExternalWork::SubtreeJob(job));
        }
        let frame = task.tip();
        if frame.has_news() {
            return StepResult::Ready;
        }
        if let Some(place) = frame.place_of(AssignmentState::Own) {
            frame.assignments[place].state = AssignmentState::Here;
            let above = self.successor(frame, place);
            frame.state = FrameState::Recursion;
            task.frames.push(above);
            StepResult::Ready
        } else {
            assert!(frame.awaits_answers(), "else there would be a verdict");
            frame.state = FrameState::Waiting;
            StepResult::Waits
        }
    }

    fn is_round_missed(&self) -> bool {
        self.director.as_ref().is_some_and(Director::is_missed)
    }

    /// Takes note of what the frame above or other workers have found out.
    fn take_note(&mut self, task: &mut Task<G::Move>, is_root: bool) {
        let returned = task.returned.take();
        let frame = task.tip();
        if let Some(verdict) = returned {
            let place = frame.place_of(AssignmentState::Here);
            let place = place.expect("the frame above worked on an assignment");
            frame.assignments[place].state = AssignmentState::Answered(verdict);
            self.searcher.tree.update_value(frame.node);
        }
        for place in 0..frame.assignments.len() {
            if let AssignmentState::Answered(verdict) = frame.assignments[place].state {
                frame.assignments[place].state = AssignmentState::Done(verdict);
                if let (true, Some(director)) = (is_root, self.director.as_mut()) {
                    self.searcher.note(director, place, verdict);
                }
            }
        }
    }

    /// A successor has missed its target, but the node is still on its own: that must be split anew.
    fn try_again(&mut self, task: &mut Task<G::Move>) -> StepResult<G::Move> {
        let frame = task.tip();
        if frame.passes == PASSES_MAX {
            self.searcher.counters.given_up += 1;
            return self.leave(task, Verdict::Met);
        }
        self.pending.release_successors(frame, self.searcher.tree);
        self.begin_pass(frame);
        StepResult::Ready
    }

    /// Sends the successors that belong to others to them, if they are not known to have met their targets. Of alternatives one
    /// at a time is worked on by this worker, and only if no other is.
    fn hand_out(&mut self, task: &mut Task<G::Move>) {
        let mut from = 0;
        while let Some(place) = task.tip().next_open(from) {
            let share = task.tip().assignments[place].share;
            let node = task.tip().node;
            if self.is_known_met(node, share) {
                task.tip().assignments[place].state = AssignmentState::Answered(Verdict::Met);
                from = place + 1;
                continue;
            }
            let is_single = task.tip().assignments.len() == 1;
            let owner = self.owner(node, share, is_single);
            let thief = if owner == self.pending.id {
                self.thief_for(task, node, share)
            } else {
                None
            };
            let worker = thief.unwrap_or(owner);
            let is_alternative = task.tip().are_alternatives && task.tip().is_under_way();
            task.tip().assignments[place].state = if worker == self.pending.id {
                if is_alternative {
                    AssignmentState::Open
                } else {
                    AssignmentState::Own
                }
            } else {
                let successor = self.searcher.tree.successor(node, share.index);
                let handout = Handout {
                    node: successor,
                    mv: self.searcher.tree[successor].mv(),
                    target: share.target,
                    kind: RequestKind::Assignment(place),
                    is_stolen: thief.is_some(),
                    is_postponed: is_alternative,
                    plies_ahead: 0,
                };
                AssignmentState::Sent(worker, self.send_problem(task, worker, handout))
            };
            from = place + 1;
        }
    }

    /// A worker that wants work, if this successor of `v` can be given away while another is worked on here.
    fn thief_for(&mut self, task: &mut Task<G::Move>, v: NodeId, share: Share) -> Option<WorkerId> {
        let tree = &*self.searcher.tree;
        let is_worthwhile = i32::from(share.target.depth) >= self.team.stealing_depth_min
            && is_movable(tree, tree.successor(v, share.index));
        if is_worthwhile && task.has_own_work() {
            self.pending.next_thief()
        } else {
            None
        }
    }

    /// The worker that is to work on a successor of `v`.
    pub(crate) fn owner(&mut self, v: NodeId, share: Share, is_single: bool) -> WorkerId {
        let successor = self.searcher.tree.successor(v, share.index);
        if self.pending.placement.workers == 1
            || self.searcher.tree[successor].is_end()
            || self.is_settled(successor, share.target)
        {
            return self.pending.id;
        }
        let Searcher { tree, game, .. } = &mut *self.searcher;
        let node = &tree[successor];
        if let Some(remote) = node.remote() {
            return remote.owner;
        }
        let stays = is_single && !self.team.spread_single;
        if stays || !tree.is_leaf(successor) {
            return self.pending.id;
        }
        game.play(node.mv());
        let owner = self.pending.placement.owner(game.key());
        game.undo();
        owner
    }

    /// Whether the common tables know that a successor of `v` has met its target: one that would be sent to another worker.
    pub(crate) fn is_known_met(&mut self, v: NodeId, share: Share) -> bool {
        let Some(part) = self.searcher.part else {
            return false;
        };
        let tree = &*self.searcher.tree;
        let successor = tree.successor(v, share.index);
        let node = &tree[successor];
        let is_here = node.remote().is_none() && !tree.is_leaf(successor);
        if is_here
            || node.is_end()
            || node.is_unsure()
            || !node.value().supports(share.target.bound)
        {
            return false;
        }
        let mv = node.mv();
        self.searcher.game.play(mv);
        let is_met =
            !part.holds(self.searcher.game.key()) && self.searcher.is_remembered(share.target);
        self.searcher.game.undo();
        self.searcher.counters.table_hits += u64::from(is_met);
        is_met
    }

    /// Whether a successor of the node worked on has met that target by the value that is known of it here, if need be
    /// because it is searched less deep where nothing threatens its bound.
    fn is_settled(&mut self, successor: NodeId, target: Target) -> bool {
        let node = &self.searcher.tree[successor];
        let is_small = target.depth <= 1 && target.conspiracy <= 1;
        if !is_small || node.is_unsure() || !node.value().supports(target.bound) {
            return false;
        }
        if target.is_trivial() {
            return true;
        }
        let mv = node.mv();
        self.searcher.game.play(mv);
        let reduced = self.searcher.reduced_by_fail_high(successor, target);
        self.searcher.game.undo();
        reduced.is_trivial()
    }

    /// Hands out a node that one step leads to from the last frame's.
    pub(crate) fn send_problem(
        &mut self,
        task: &Task<G::Move>,
        owner: WorkerId,
        handout: Handout<G::Move>,
    ) -> ProblemCode {
        let place = (self.id, task, task.frames.len() - 1);
        let tree = &mut *self.searcher.tree;
        self.pending.hand_out(tree, place, owner, handout)
    }

    /// The frame for a successor that is worked on here.
    fn successor(&self, frame: &Frame<G::Move>, place: usize) -> Frame<G::Move> {
        let share = frame.assignments[place].share;
        let successor = self.searcher.tree.successor(frame.node, share.index);
        let mv = self.searcher.tree[successor].mv();
        Frame {
            place: place + 1,
            waste_risk: frame.waste_risk_of(place),
            is_replacement: frame.seeks_replacement(),
            ..Frame::new(successor, Some(mv), share.target, FrameState::Start)
        }
    }

    /// Ends the work on a node that was entered.
    fn leave(&mut self, task: &mut Task<G::Move>, verdict: Verdict) -> StepResult<G::Move> {
        self.pending
            .release_frames(std::slice::from_mut(task.tip()), self.searcher.tree);
        self.searcher.remember(task.tip().demanded, verdict);
        Self::pop(task, verdict)
    }

    fn pop(task: &mut Task<G::Move>, verdict: Verdict) -> StepResult<G::Move> {
        if task.frames.len() == 1 {
            return StepResult::Ended(verdict);
        }
        task.frames.pop();
        task.returned = Some(verdict);
        StepResult::Ready
    }
}
