//! Questions of an expansion that a thread puts to the evaluator together, without holding the worker meanwhile.
//!
//! They are the questions that the expansion would ask one after the other. The batch ends at the first answer
//! after which the expansion would ask something else.

use std::collections::VecDeque;

use super::message::ProblemCode;
use crate::game::{Evaluator, Game, Value, Window};
use crate::thesis::params::Cc2sParams;
use crate::thesis::search::counters::Counters;
use crate::thesis::search::null_move::evaluate_after_pass;
use crate::thesis::search::stop_rule::StopRule;
use crate::thesis::search::valuation::{SurveyResult, evaluate_move, unknown_moves};

#[derive(Clone, Debug)]
pub(crate) enum BatchQuestions<M> {
    /// These successors, in this order.
    Successors(Vec<(M, Window)>),
    /// The moves that are not known, in the order in which to try them, and their values.
    Others { known: Vec<M>, window: Window },
    /// The position after a null move.
    Pass(Window),
}

#[derive(Clone, Debug)]
pub(crate) struct BatchResult<M> {
    /// Answered questions, the first one first.
    answers: VecDeque<(M, Window, SurveyResult)>,
    /// The moves without a node.
    pub moves: Option<Vec<M>>,
    /// The value of the position after a null move, if one is possible.
    pub pass: Option<Value>,
}

#[derive(Clone, Debug)]
pub(crate) struct Batch<M> {
    pub code: ProblemCode,
    questions: BatchQuestions<M>,
    /// `None` for a single question.
    stop_rule: Option<StopRule>,
    pub found: BatchResult<M>,
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

impl<M: Copy + Eq> BatchResult<M> {
    /// Takes the answer to this question if it is the next one asked; otherwise drops all answers.
    pub(crate) fn take_answer(&mut self, mv: M, window: Window) -> Option<SurveyResult> {
        let answer = self.answers.pop_front();
        let answer = answer.filter(|&(about, asked, _)| (about, asked) == (mv, window));
        if answer.is_none() {
            self.answers.clear();
        }
        answer.map(|(.., finding)| finding)
    }
}

impl<M: Copy + Eq> Batch<M> {
    pub(crate) fn new(
        code: ProblemCode,
        questions: BatchQuestions<M>,
        stop_rule: Option<StopRule>,
    ) -> Self {
        Self {
            code,
            questions,
            stop_rule,
            found: BatchResult::default(),
            counters: Counters::default(),
        }
    }

    /// Puts the questions to the evaluator. The game is at the node.
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
