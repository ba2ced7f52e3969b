//! Questions to the evaluator: the value of a successor, the first time and again (Figs. 2.15, 2.16).

use super::searcher::{Searcher, Stopped};
use crate::game::{Evaluator, Game, Relation, Score, TargetBound, Value, Window};
use crate::thesis::tree::forget::ATTEMPTS;
use crate::thesis::tree::node::TreeNode;
use crate::thesis::tree::search_tree::NodeId;

/// The result of evaluating a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurveyResult {
    /// The game is over there.
    End(Score),
    /// The evaluator's answer.
    Value(Value),
}

impl SurveyResult {
    /// Returns the value of the position, which is final at the end of a game.
    pub(crate) fn value(self) -> Value {
        match self {
            Self::End(score) => Value::exact(score),
            Self::Value(value) => value,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EvaluatorQuestion<M> {
    pub subject: SuccessorRef<M>,
    pub window: Window,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SuccessorRef<M> {
    /// A stored successor, by its place among its siblings.
    Known(usize),
    /// A successor without a node.
    New(M),
}

/// The state that a successor must reach before the search continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// A value that supports or contradicts the bound.
    Decided(TargetBound),
    /// A point value.
    Exact,
    /// A point value, or a bound beyond the first window.
    Near,
}

/// A known successor that is being evaluated again: first in a small window (A1), then in the open one (Fig.
/// 2.15).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pursuit {
    pub index: usize,
    goal: Goal,
    /// Questions asked, including those left out.
    pub tries: u8,
}

impl Pursuit {
    pub(crate) fn new(index: usize, goal: Goal) -> Self {
        Self {
            index,
            goal,
            tries: 0,
        }
    }

    /// Creates a pursuit of a point value, with an open window at once.
    pub(crate) fn at_once(index: usize) -> Self {
        Self {
            index,
            goal: Goal::Exact,
            tries: 1,
        }
    }
}

/// Returns the value of the position after a move, and the nodes that the evaluator has searched, if it was
/// called.
pub(crate) fn evaluate_move<G: Game>(
    game: &mut G,
    evaluator: &mut impl Evaluator<G>,
    mv: G::Move,
    window: Window,
) -> (SurveyResult, Option<u64>) {
    game.play(mv);
    // A proven result is as final as the end of the game.
    let end = game.end_score().or_else(|| evaluator.tb_score(game));
    let found = end.map_or_else(
        || {
            let valuation = evaluator.evaluate(game, window);
            let nodes = valuation.nodes;
            (
                SurveyResult::Value(Value::of(valuation, window)),
                Some(nodes),
            )
        },
        |score| (SurveyResult::End(score), None),
    );
    game.undo();
    found
}

/// Returns the legal moves that are not known, ordered by the evaluator if `presort`, and the evaluator's nodes
/// for that.
pub(crate) fn unknown_moves<G: Game>(
    game: &mut G,
    evaluator: &mut impl Evaluator<G>,
    is_known: impl Fn(G::Move) -> bool,
    presort: bool,
) -> (Vec<G::Move>, u64) {
    let mut moves = Vec::with_capacity(64);
    game.legal_moves(&mut moves);
    moves.retain(|&mv| !is_known(mv));
    let nodes = if presort {
        evaluator.order(game, &mut moves)
    } else {
        0
    };
    (moves, nodes)
}

impl<G: Game, E: Evaluator<G>> Searcher<'_, G, E> {
    /// Returns the window of the next question; `None` once the goal is reached or nothing more can be asked.
    pub(crate) fn next_window(&self, v: NodeId, pursuit: &mut Pursuit) -> Option<Window> {
        let value = self.tree.successors(v)[pursuit.index].value();
        let is_reached = match pursuit.goal {
            Goal::Decided(bound) => value.relation_to(bound) != Relation::Undecided,
            Goal::Exact | Goal::Near => value.is_exact(),
        };
        let is_sparing = self.params.sparing_revaluation;
        pursuit.tries += 1;
        match (pursuit.tries, pursuit.goal) {
            _ if is_reached => None,
            (1, Goal::Decided(bound)) if is_sparing => Some(bound.null_window()),
            (1, _) => Some(self.revaluation_window(value)),
            (2, Goal::Near) if is_sparing => None,
            (2, _) => Some(Window::FULL),
            _ => None,
        }
    }

    /// Returns the window in which a bound value is first evaluated again (A1). It extends from the bound into the
    /// unknown, and one beyond, since a second evaluation may contradict the first.
    fn revaluation_window(&self, value: Value) -> Window {
        let width = self.params.revaluation_window_cp as i16;
        if width == 0 || value.score.is_decisive() {
            return Window::FULL;
        }
        if value.bounds_below() {
            Window::new(value.score - 1, value.score + width)
        } else {
            Window::new(value.score - width, value.score + 1)
        }
    }

    /// Gives the successor a point value.
    pub(crate) fn make_exact(&mut self, v: NodeId, index: usize) -> Result<(), Stopped> {
        let mut pursuit = Pursuit::new(index, Goal::Exact);
        while let Some(window) = self.next_window(v, &mut pursuit) {
            let subject = SuccessorRef::Known(index);
            self.answer(v, EvaluatorQuestion { subject, window })?;
        }
        Ok(())
    }

    /// Asks the evaluator and stores the answer.
    pub(crate) fn answer(
        &mut self,
        v: NodeId,
        question: EvaluatorQuestion<G::Move>,
    ) -> Result<(), Stopped> {
        let finding = self.evaluate_move(self.move_of(v, question), question.window);
        self.take_in(v, question, finding)
    }

    pub(crate) fn move_of(&self, v: NodeId, question: EvaluatorQuestion<G::Move>) -> G::Move {
        match question.subject {
            SuccessorRef::Known(index) => self.tree.successors(v)[index].mv(),
            SuccessorRef::New(mv) => mv,
        }
    }

    pub(crate) fn evaluate_move(&mut self, mv: G::Move, window: Window) -> SurveyResult {
        let window = self.params.window(window);
        let (finding, cost) = evaluate_move(self.game, self.evaluator, mv, window);
        self.state.counters.count(cost);
        finding
    }

    /// Stores the answer to a question about a successor of `v`, where the game is. The value of a known successor
    /// is made consistent with those below it.
    pub(crate) fn take_in(
        &mut self,
        v: NodeId,
        question: EvaluatorQuestion<G::Move>,
        finding: SurveyResult,
    ) -> Result<(), Stopped> {
        match (question.subject, finding) {
            (SuccessorRef::Known(index), finding) => {
                let successor = self.tree.successor(v, index);
                self.set_value_again(successor, finding.value());
            }
            (SuccessorRef::New(mv), finding) => {
                let successor = match finding {
                    SurveyResult::End(score) => TreeNode::end(mv, score),
                    SurveyResult::Value(value) => TreeNode::new(mv, value),
                };
                self.store(v, successor)?;
            }
        }
        self.poll()
    }

    /// Returns the legal moves of `v` without a node, in the order in which to try them.
    pub(crate) fn unvalued_moves(&mut self, v: NodeId) -> Vec<G::Move> {
        if self.tree[v].is_fully_known() {
            return Vec::new();
        }
        let known = self.tree.successors(v);
        let is_known = |mv| known.iter().any(|successor| successor.mv() == mv);
        let presort = self.params.presort;
        let (moves, nodes) = unknown_moves(self.game, self.evaluator, is_known, presort);
        let count = known.len() + moves.len();
        self.tree[v].set_move_count(count);
        self.state.counters.leaf_nodes += nodes;
        moves
    }

    /// Evaluates the current node once more, and makes its value consistent with those below it.
    pub(crate) fn value_node_again(&mut self, node: NodeId, window: Window) {
        let value = self.ask(window);
        self.set_value_again(node, value);
    }

    pub(crate) fn set_value_again(&mut self, node: NodeId, value: Value) {
        self.tree[node].set_value(value);
        self.tree.update_value(node);
        self.state.counters.revaluations += 1;
    }

    /// Evaluates the current position in the window (Fig. 2.16).
    pub(crate) fn ask(&mut self, window: Window) -> Value {
        let window = self.params.window(window);
        let valuation = self.evaluator.evaluate(self.game, window);
        self.state.counters.count(Some(valuation.nodes));
        Value::of(valuation, window)
    }

    fn store(&mut self, v: NodeId, successor: TreeNode<G::Move>) -> Result<(), Stopped> {
        let mut attempts = 0..ATTEMPTS;
        while self.tree.add_successor(v, successor).is_err() {
            self.make_room(&mut attempts)?;
        }
        self.state.counters.tree_nodes += 1;
        Ok(())
    }
}
