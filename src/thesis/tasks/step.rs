//! One step of a task: Fig. 2.7 without recursion (Figs. 3.9, 3.10).

use super::assignment::AssignmentState;
use super::frame::{Frame, FrameState};
use super::prefetched::{KnownAnswer, PrefetchState};
use super::problem::{Task, TaskId};
use super::sharing::Sharing;
use crate::game::{Evaluator, Game, Window};
use crate::thesis::messages::batch::{Batch, BatchQuestions, BatchResult};
use crate::thesis::messages::subtree_job::SubtreeJob;
use crate::thesis::messages::waste_risk::FailureRisk;
use crate::thesis::search::expand::Need;
use crate::thesis::search::null_move::PassQuestion;
use crate::thesis::search::searcher::{Searcher, Stopped};
use crate::thesis::search::split::split;
use crate::thesis::search::valuation::EvaluatorQuestion;
use crate::thesis::search::visit::{PASSES_MAX, Visit};
use crate::thesis::tree::search_tree::NodeId;
use crate::thesis::tree::target::{Target, Verdict};

/// The state of a task after a step.
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

/// Work done without the worker. The game stands at the node worked on.
#[derive(Clone, Debug)]
pub(crate) enum ExternalWork<M> {
    /// To ask the evaluator.
    Batch(Batch<M>),
    /// To work on successors.
    SubtreeJob(SubtreeJob<M>),
}

/// Outcome of the work on the successors of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conclusion {
    /// The root's round is over.
    NextRound,
    /// One has missed its target, but the node is still on its own (Fig. 3.10, line 11).
    SplitAnew,
    /// The node has met its target, or its value contradicts it (lines 14a and 10).
    Leave(Verdict),
}

/// A task at work: the searcher stands at the node of its last frame.
pub(crate) struct StepContext<'a, G: Game, E> {
    pub searcher: Searcher<'a, G, E>,
    pub sharing: &'a mut Sharing<G::Move>,
    /// The task's own name.
    pub id: TaskId,
    /// Tasks of this worker that need not wait.
    pub ready_tasks: usize,
    /// Somebody could help.
    pub has_waiting_threads: bool,
    /// The evaluator is asked between the steps, not by them.
    pub asks_between: bool,
}

impl<G: Game, E: Evaluator<G>> StepContext<'_, G, E> {
    /// Does what the state of the last frame asks for: at most one valuation, except at the root.
    pub(crate) fn step(
        &mut self,
        task: &mut Task<G::Move>,
    ) -> Result<StepResult<G::Move>, Stopped> {
        self.searcher.state.level_limit = task.level_limit;
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
            Visit::Settled(verdict) => return Ok(Self::pop(task, verdict)),
            Visit::Open(target) => frame.target = target,
        }
        frame.key = Some(self.searcher.game.key());
        let promising = match self.searcher.pass_question(frame.node, frame.target) {
            PassQuestion::Decided(promising) => promising,
            PassQuestion::Open(share) if self.asks_between => {
                frame.state = FrameState::AskingPass(share);
                let questions = BatchQuestions::Pass(share.bound.null_window());
                let batch = self.batch(task, questions, None);
                return Ok(StepResult::Asks(ExternalWork::Batch(batch)));
            }
            PassQuestion::Open(share) => self.searcher.ask_pass(frame.node, share)?,
        };
        self.consider_pass(task, promising);
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
            None => self.begin_pass(task.tip()),
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
        self.begin_pass(task.tip());
        StepResult::Ready
    }

    /// Begins a pass through expansion and split.
    pub(crate) fn begin_pass(&mut self, frame: &mut Frame<G::Move>) {
        frame.passes += 1;
        let expansion = (self.searcher).begin_expansion(frame.node, frame.target);
        frame.state = FrameState::Expanding(Box::new(expansion), None);
    }

    /// Goes on with an expansion as far as what was found out reaches, and has what is missing asked. At most one
    /// question is answered in a step, unless the evaluator is asked between the steps.
    fn expand(&mut self, task: &mut Task<G::Move>) -> Result<StepResult<G::Move>, Stopped> {
        loop {
            let frame = task.tip();
            let FrameState::Expanding(expansion, awaited) = &mut frame.state else {
                unreachable!("the state was looked at");
            };
            let need = match awaited.take() {
                Some(question) => Some(Need::Answer(question)),
                None => self.searcher.next_need(frame.node, expansion),
            };
            match need {
                None => return Ok(self.divide(task)),
                Some(Need::Moves) => {
                    let Some(moves) = self.moves(frame.node, &mut frame.found) else {
                        let batch = self.ask_for_moves(task);
                        return Ok(StepResult::Asks(ExternalWork::Batch(batch)));
                    };
                    expansion.supply(moves);
                }
                Some(Need::Answer(question)) => {
                    let mv = self.searcher.move_of(frame.node, question);
                    match frame.known_answer(mv, question.window) {
                        KnownAnswer::Found(finding) => {
                            self.searcher.take_in(frame.node, question, finding)?;
                        }
                        KnownAnswer::Asked => {
                            frame.await_answer(question);
                            return Ok(StepResult::Waits);
                        }
                        KnownAnswer::None => return self.ask(task, question),
                    }
                    if !self.asks_between {
                        return Ok(StepResult::Ready);
                    }
                }
            }
        }
    }

    /// The moves without a node, if they are known or may be asked for at once.
    fn moves(&mut self, node: NodeId, found: &mut BatchResult<G::Move>) -> Option<Vec<G::Move>> {
        if !self.asks_between {
            return Some(self.searcher.unvalued_moves(node));
        }
        let tree = &mut *self.searcher.tree;
        if tree[node].is_fully_known() {
            return Some(Vec::new());
        }
        let moves = found.moves.take()?;
        let count = tree.successors(node).len() + moves.len();
        tree[node].set_move_count(count);
        Some(moves)
    }

    /// Has a question answered that nobody has been asked yet: between the steps, or here.
    fn ask(
        &mut self,
        task: &mut Task<G::Move>,
        question: EvaluatorQuestion<G::Move>,
    ) -> Result<StepResult<G::Move>, Stopped> {
        if self.asks_between {
            task.tip().await_answer(question);
            let batch = self.ask_on(task, question);
            return Ok(StepResult::Asks(ExternalWork::Batch(batch)));
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
        frame.found = BatchResult::default();
        self.sharing.pending.release_prefetches(frame);
        if self.searcher.is_off_target(frame.node, frame.target.bound) {
            return self.leave(task, Verdict::Missed);
        }
        let mut shares = Vec::new();
        let Searcher { tree, params, .. } = &self.searcher;
        split(tree, frame.node, frame.target, params, &mut shares);
        if self.sharing.team.waste_risk_last {
            frame.failure_risk = FailureRisk::of(frame.target, frame.is_replacement);
        }
        frame.assign(shares);
        StepResult::Ready
    }

    /// The root asks for the next round: a hypothesis, and its shares of the moves (Fig. 2.6, lines 11 to 13).
    fn plan(&mut self, task: &mut Task<G::Move>) -> Result<StepResult<G::Move>, Stopped> {
        if self.lacks_first_values(task) {
            return Ok(StepResult::Waits);
        }
        self.take_first_values(task.tip());
        let director = self.sharing.director_mut();
        let Some(shares) = self.searcher.plan(director)? else {
            return Ok(Self::pop(task, Verdict::Met));
        };
        task.requirement = director.requirements;
        task.level_limit = self.searcher.state.level_limit;
        if self.sharing.team.waste_risk_last {
            task.tip().failure_risk = FailureRisk::ROOT;
        }
        task.tip().assign(shares);
        Ok(StepResult::Ready)
    }

    /// Whether others still value moves that the director must know the values of before it can say anything.
    fn lacks_first_values(&mut self, task: &mut Task<G::Move>) -> bool {
        let moves = self.sharing.director().moves_to_value();
        let Some(moves) = moves.map(<[_]>::to_vec) else {
            return false;
        };
        self.awaits_first_values(task, &moves)
    }

    /// Tells the director what others have found the moves to be worth.
    fn take_first_values(&mut self, root: &mut Frame<G::Move>) {
        let director = self.sharing.director_mut();
        for prefetch in root.prefetches.drain(..) {
            if let PrefetchState::Found(finding) = prefetch.state {
                director.take_first_value(prefetch.mv, finding);
            }
        }
    }

    /// Successors are worked on until it is known what that comes to (Fig. 3.10 from line 6a on).
    fn recur(&mut self, task: &mut Task<G::Move>) -> StepResult<G::Move> {
        self.take_note(task);
        match self.conclusion(task) {
            None => self.work_on_successors(task),
            Some(Conclusion::NextRound) => self.end_round(task),
            Some(Conclusion::SplitAnew) => self.try_again(task),
            Some(Conclusion::Leave(verdict)) => self.leave(task, verdict),
        }
    }

    /// Outcome of the work on the successors, if there is one.
    fn conclusion(&self, task: &mut Task<G::Move>) -> Option<Conclusion> {
        let is_root = task.is_root();
        let frame = task.tip();
        if is_root {
            // The root has no target to be off; its director says when a round is lost.
            let is_over = self.sharing.director().is_missed() || frame.verdict().is_some();
            return is_over.then_some(Conclusion::NextRound);
        }
        if self.searcher.is_off_target(frame.node, frame.target.bound) {
            return Some(Conclusion::Leave(Verdict::Missed));
        }
        Some(match frame.verdict()? {
            Verdict::Missed => Conclusion::SplitAnew,
            Verdict::Met => Conclusion::Leave(Verdict::Met),
        })
    }

    /// Has successors worked on that nobody works on yet: by others (lines 6a to 6f), apart, or here.
    fn work_on_successors(&mut self, task: &mut Task<G::Move>) -> StepResult<G::Move> {
        self.hand_out(task);
        if self.asks_between
            && !task.is_root()
            && let Some(job) = self.job(task)
        {
            return StepResult::Asks(ExternalWork::SubtreeJob(job));
        }
        self.descend_or_wait(task)
    }

    /// Begins with the next successor that is worked on here (lines 8a to 8c); without one, answers are waited for
    /// (12b).
    fn descend_or_wait(&mut self, task: &mut Task<G::Move>) -> StepResult<G::Move> {
        let frame = task.tip();
        if frame.has_news() {
            return StepResult::Ready;
        }
        let Some(place) = frame.place_of(AssignmentState::Own) else {
            assert!(frame.awaits_answers(), "else there would be a verdict");
            frame.state = FrameState::Waiting;
            return StepResult::Waits;
        };
        frame.assignments[place].state = AssignmentState::Here;
        let above = self.successor(frame, place);
        frame.state = FrameState::Recursion;
        task.frames.push(above);
        StepResult::Ready
    }

    /// A round is over, whatever came out: the director says what is next.
    fn end_round(&mut self, task: &mut Task<G::Move>) -> StepResult<G::Move> {
        let frame = task.tip();
        self.sharing
            .pending
            .release_successors(frame, self.searcher.tree);
        frame.state = FrameState::Planning;
        StepResult::Ready
    }

    /// Takes note of what the frame above or other workers have found out (line 9).
    fn take_note(&mut self, task: &mut Task<G::Move>) {
        let is_root = task.is_root();
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
                if is_root {
                    self.searcher
                        .note(self.sharing.director_mut(), place, verdict);
                }
            }
        }
    }

    /// A successor has missed its target, but the node is still on its own: that must be split anew (line 3).
    fn try_again(&mut self, task: &mut Task<G::Move>) -> StepResult<G::Move> {
        let frame = task.tip();
        if frame.passes == PASSES_MAX {
            self.searcher.state.counters.given_up += 1;
            return self.leave(task, Verdict::Met);
        }
        self.sharing
            .pending
            .release_successors(frame, self.searcher.tree);
        self.begin_pass(frame);
        StepResult::Ready
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
        self.sharing
            .pending
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
