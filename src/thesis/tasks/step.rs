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
    Ready,
    /// It must wait for an answer.
    Waits,
    /// This work must be done first, with an evaluator.
    Asks(ExternalWork<M>),
    Ended(Verdict),
}

/// Work done without the worker. The game is at the current node.
#[derive(Clone, Debug)]
pub(crate) enum ExternalWork<M> {
    Batch(Batch<M>),
    SubtreeJob(SubtreeJob<M>),
}

/// The outcome of the work on the successors of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conclusion {
    NextRound,
    /// A successor has missed its target, but the node is still on target (Fig. 3.10, line 11).
    SplitAnew,
    /// The node has met its target, or its value contradicts it (lines 14a and 10).
    Leave(Verdict),
}

/// A task at work: the searcher is at the node of its last frame.
pub(crate) struct StepContext<'a, G: Game, E> {
    pub searcher: Searcher<'a, G, E>,
    pub sharing: &'a mut Sharing<G::Move>,
    /// The task's number.
    pub id: TaskId,
    /// The number of this worker's tasks that need not wait.
    pub ready_tasks: usize,
    /// Whether a thread is idle.
    pub has_waiting_threads: bool,
    /// Whether the evaluator is called between the steps rather than by them.
    pub asks_between: bool,
}

impl<G: Game, E: Evaluator<G>> StepContext<'_, G, E> {
    /// Does what the state of the last frame requires: at most one evaluation, except at the root.
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

    /// Resolves a disagreement of employer and owner, of which neither has a point value.
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

    /// Begins the work on the node after a null move; nothing else is done at this node meanwhile.
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

    /// Continues an expansion as far as the known answers allow, and asks the next question. At most one question
    /// is answered in a step, unless the evaluator is called between the steps.
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

    /// Returns the moves without a node, if they are known or may be generated at once.
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

    /// Asks a question: between the steps, or here.
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

    /// Splits the target among the successors after the expansion, if possible.
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

    /// Plans the next round at the root: a hypothesis, and its shares of the moves (Fig. 2.6, lines 11 to 13).
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

    /// Whether other workers still evaluate moves whose values the director needs first.
    fn lacks_first_values(&mut self, task: &mut Task<G::Move>) -> bool {
        let moves = self.sharing.director().moves_to_value();
        let Some(moves) = moves.map(<[_]>::to_vec) else {
            return false;
        };
        self.awaits_first_values(task, &moves)
    }

    /// Passes the moves' values found by other workers to the director.
    fn take_first_values(&mut self, root: &mut Frame<G::Move>) {
        let director = self.sharing.director_mut();
        for prefetch in root.prefetches.drain(..) {
            if let PrefetchState::Found(finding) = prefetch.state {
                director.take_first_value(prefetch.mv, finding);
            }
        }
    }

    /// Works on the successors until there is a conclusion (Fig. 3.10 from line 6a on).
    fn recur(&mut self, task: &mut Task<G::Move>) -> StepResult<G::Move> {
        self.take_note(task);
        match self.conclusion(task) {
            None => self.work_on_successors(task),
            Some(Conclusion::NextRound) => self.end_round(task),
            Some(Conclusion::SplitAnew) => self.try_again(task),
            Some(Conclusion::Leave(verdict)) => self.leave(task, verdict),
        }
    }

    fn conclusion(&self, task: &mut Task<G::Move>) -> Option<Conclusion> {
        let is_root = task.is_root();
        let frame = task.tip();
        if is_root {
            // The root has no target; its director decides when a round is lost.
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

    /// Begins the work on open successors: by other workers (lines 6a to 6f), as a subtree job, or here.
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

    /// Begins with the next successor that is worked on here (lines 8a to 8c); without one, waits for answers
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

    /// Ends a round, whatever its outcome: the director plans the next one.
    fn end_round(&mut self, task: &mut Task<G::Move>) -> StepResult<G::Move> {
        let frame = task.tip();
        self.sharing
            .pending
            .release_successors(frame, self.searcher.tree);
        frame.state = FrameState::Planning;
        StepResult::Ready
    }

    /// Notes the results of the frame above or of other workers (line 9).
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

    /// Begins another pass: a successor has missed its target, but the node is still on target, which must be
    /// split anew (line 3).
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

    /// Returns the frame for a successor that is worked on here.
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
