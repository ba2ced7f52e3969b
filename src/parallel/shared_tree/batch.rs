//! Questions of an expansion that are put to the evaluator together, by a thread that does not hold the worker meanwhile.
//!
//! They are those that the expansion would ask one after the other: the first answer after which it would ask something
//! else ends them.

use std::collections::VecDeque;

use crate::cc2s::params::Cc2sParams;
use crate::cc2s::search::counters::Counters;
use crate::cc2s::search::expand::Need;
use crate::cc2s::search::monitor::Monitor;
use crate::cc2s::search::null_move::evaluate_after_pass;
use crate::cc2s::search::searcher::Stopped;
use crate::cc2s::search::stop_rule::StopRule;
use crate::cc2s::search::valuation::Finding;
use crate::cc2s::search::valuation::{Question, evaluate_move, unknown_moves};
use crate::cc2s::tree::node::Node;
use crate::cc2s::tree::search_tree::NodeId;
use crate::cc2s::tree::value::Value;
use crate::game::{Evaluator, Game, Window};
use crate::parallel::cluster::message::ProblemCode;
use crate::parallel::cluster::pending::{Request, RequestKind};
use crate::parallel::task::frame::{FrameState, Task};
use crate::parallel::task::step::{ExternalWork, StepContext, StepResult};

/// What is asked.
#[derive(Clone, Debug)]
enum BatchQuestions<M> {
    /// These successors, one after the other.
    Successors(Vec<(M, Window)>),
    /// The moves beside those known, in the order they should be tried, and what they lead to, one after the other.
    Others { known: Vec<M>, window: Window },
    /// The position after a null move.
    Pass(Window),
}

/// What was found out.
#[derive(Clone, Debug)]
pub(crate) struct BatchResult<M> {
    /// Questions that were answered, the first one first.
    answers: VecDeque<(M, Window, Finding)>,
    /// The moves without a node.
    moves: Option<Vec<M>>,
    /// What the position after a null move is worth, if one is possible.
    pub pass: Option<Value>,
}

/// Questions about one node, and what has come out.
#[derive(Clone, Debug)]
pub(crate) struct Batch<M> {
    /// For what comes out.
    pub code: ProblemCode,
    questions: BatchQuestions<M>,
    /// `None`: there is one question.
    stop_rule: Option<StopRule>,
    pub found: BatchResult<M>,
    /// The work that was done.
    pub counters: Counters,
}

impl<M> Default for BatchResult<M> {
    fn default() -> Self {
        Self {
            answers: VecDeque::new(),
            moves: None,
            pass: None,
        }
    }
}

impl<M: Copy + Eq> Batch<M> {
    /// Finds out what is asked. The game stands at the node.
    pub(crate) fn put_to<G, E>(&mut self, game: &mut G, evaluator: &mut E, params: &Cc2sParams)
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        match &mut self.questions {
            BatchQuestions::Successors(questions) => {
                let questions = std::mem::take(questions);
                self.ask_all(game, evaluator, params, questions.into_iter());
            }
            &mut BatchQuestions::Others { ref known, window } => {
                let is_known = |mv| known.contains(&mv);
                let (moves, nodes) = unknown_moves(game, evaluator, is_known, params.presort);
                self.counters.leaf_nodes += nodes;
                let questions = moves.iter().map(|&mv| (mv, window));
                self.ask_all(game, evaluator, params, questions);
                self.found.moves = Some(moves);
            }
            &mut BatchQuestions::Pass(window) => {
                let (value, nodes) = evaluate_after_pass(game, evaluator, params.window(window));
                self.counters.count(nodes);
                self.found.pass = value;
            }
        }
    }

    /// Asks until the next question depends on the answer.
    fn ask_all<G, E>(
        &mut self,
        game: &mut G,
        evaluator: &mut E,
        params: &Cc2sParams,
        questions: impl Iterator<Item = (M, Window)>,
    ) where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        for (mv, window) in questions {
            let (finding, nodes) = evaluate_move(game, evaluator, mv, params.window(window));
            self.counters.count(nodes);
            self.found.answers.push_back((mv, window, finding));
            let stop_rule = self.stop_rule.as_mut();
            if !stop_rule.is_some_and(|stop_rule| stop_rule.goes_on(finding)) {
                return;
            }
        }
    }
}

impl<G: Game, E: Evaluator<G>, W: Monitor<G::Move>> StepContext<'_, '_, G, E, W> {
    /// Begins with a node: perhaps with what it is worth after a null move.
    pub(crate) fn start_as_found(&mut self, task: &mut Task<G::Move>) -> StepResult<G::Move> {
        let frame = task.tip();
        let searcher = &*self.searcher;
        match searcher.pass_target(frame.node, frame.target) {
            Some(share) if !searcher.is_pass_decided(frame.node, share) => {
                frame.state = FrameState::AskingPass(share);
                let questions = BatchQuestions::Pass(share.bound.null_window());
                return StepResult::Asks(ExternalWork::Batch(self.batch(task, questions, None)));
            }
            Some(share) => {
                let promising = searcher.supporting_pass(frame.node, share);
                self.consider_pass(task, promising);
            }
            None => self.consider_pass(task, None),
        }
        StepResult::Ready
    }

    /// Goes on with an expansion as far as what was found out reaches.
    pub(crate) fn expand_as_found(
        &mut self,
        task: &mut Task<G::Move>,
    ) -> Result<StepResult<G::Move>, Stopped> {
        let frame = task.tip();
        let FrameState::Expanding(expansion, awaited) = &mut frame.state else {
            unreachable!("the state was looked at");
        };
        loop {
            let need = match awaited.take() {
                Some(question) => Some(Need::Answer(question)),
                None => self.searcher.next_need(frame.node, expansion),
            };
            match need {
                Some(Need::Answer(question)) => {
                    let about = (self.searcher.move_of(frame.node, question), question.window);
                    let answer = frame.found.answers.pop_front();
                    let answer = answer.filter(|&(mv, window, _)| (mv, window) == about);
                    let Some((.., finding)) = answer else {
                        frame.found.answers.clear();
                        *awaited = Some(question);
                        return Ok(StepResult::Asks(ExternalWork::Batch(
                            self.ask_on(task, question),
                        )));
                    };
                    self.searcher.take_in(frame.node, question, finding)?;
                }
                Some(Need::Moves) => {
                    let Some(moves) = self.moves_found(frame.node, &mut frame.found) else {
                        return Ok(StepResult::Asks(ExternalWork::Batch(
                            self.ask_for_moves(task),
                        )));
                    };
                    expansion.supply(moves);
                }
                None => {
                    frame.found = BatchResult::default();
                    return Ok(self.divide(task));
                }
            }
        }
    }

    fn moves_found(
        &mut self,
        node: NodeId,
        found: &mut BatchResult<G::Move>,
    ) -> Option<Vec<G::Move>> {
        if self.searcher.tree[node].is_fully_known() {
            return Some(Vec::new());
        }
        let moves = found.moves.take()?;
        let count = self.searcher.tree.successors(node).len() + moves.len();
        self.searcher.tree[node].set_move_count(count);
        Some(moves)
    }

    /// The question, and those that follow if the answers turn out as hoped.
    fn ask_on(&mut self, task: &mut Task<G::Move>, question: Question<G::Move>) -> Batch<G::Move> {
        let (node, expansion) = task.tip().expansion();
        let stop_rule = self.searcher.stop_rule(node, expansion);
        let following = match stop_rule {
            Some(_) => self.searcher.foreseeable_questions(node, expansion),
            None => Vec::new(),
        };
        let all = [question].into_iter().chain(following);
        let questions = all.map(|it| (self.searcher.move_of(node, it), it.window));
        let questions = BatchQuestions::Successors(questions.collect());
        self.batch(task, questions, stop_rule)
    }

    fn ask_for_moves(&mut self, task: &mut Task<G::Move>) -> Batch<G::Move> {
        let (node, expansion) = task.tip().expansion();
        let stop_rule = self.searcher.stop_rule(node, expansion);
        let questions = BatchQuestions::Others {
            known: self
                .searcher
                .tree
                .successors(node)
                .iter()
                .map(Node::mv)
                .collect(),
            window: expansion.new_window(),
        };
        self.batch(task, questions, stop_rule)
    }

    fn batch(
        &mut self,
        task: &mut Task<G::Move>,
        questions: BatchQuestions<G::Move>,
        stop_rule: Option<StopRule>,
    ) -> Batch<G::Move> {
        let code = self.pending.open_request(Request {
            task: self.id,
            frame: task.frames.len() - 1,
            kind: RequestKind::Prefetch,
        });
        task.tip().asked = Some(code);
        Batch {
            code,
            questions,
            stop_rule,
            found: BatchResult::default(),
            counters: Counters::default(),
        }
    }
}
