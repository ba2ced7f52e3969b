//! Questions to the evaluator: how a successor gets its value, the first time and again (Figs. 2.15, 2.16).

use super::forget::ATTEMPTS;
use super::node::Node;
use super::recursive::{Searcher, Stopped};
use super::root::Monitor;
use super::tree::NodeId;
use super::value::{Bound, Relation, Value};
use crate::game::{Evaluator, Game, Window};

/// A valuation that is wanted next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Question<M> {
    pub subject: Subject<M>,
    pub window: Window,
}

/// The successor that a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject<M> {
    /// One that is stored, by its place among its siblings.
    Known(usize),
    /// One that has no node yet.
    New(M),
}

/// What a successor must become before the search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// Supporting or contradicting the bound.
    Decided(Bound),
    /// A point value.
    Exact,
}

/// A known successor on its way to its goal: first in a small window (A1), then in the open one (Fig. 2.15).
#[derive(Clone, Copy, Debug)]
pub(super) struct Pursuit {
    pub index: usize,
    goal: Goal,
    /// Questions asked.
    pub tries: u8,
}

impl Pursuit {
    pub(super) fn new(index: usize, goal: Goal) -> Self {
        Self {
            index,
            goal,
            tries: 0,
        }
    }
}

impl<G: Game, E: Evaluator<G>, W: Monitor<G::Move>> Searcher<'_, G, E, W> {
    /// The window to ask in next; `None` once the goal is reached or nothing more can be asked.
    pub(super) fn next_window(&self, v: NodeId, pursuit: &mut Pursuit) -> Option<Window> {
        let value = self.tree.kids(v)[pursuit.index].value();
        let is_reached = match pursuit.goal {
            Goal::Decided(bound) => value.relation_to(bound) != Relation::Undecided,
            Goal::Exact => value.is_exact(),
        };
        pursuit.tries += 1;
        match pursuit.tries {
            _ if is_reached => None,
            1 => Some(self.revaluation_window(value)),
            2 => Some(Window::FULL),
            _ => None,
        }
    }

    /// The window a bound value is first valued again in: from the bound (and one beyond, since a second valuation may
    /// contradict the first) into the unknown (A1).
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
    pub(super) fn make_exact(&mut self, v: NodeId, index: usize) -> Result<(), Stopped> {
        let mut pursuit = Pursuit::new(index, Goal::Exact);
        while let Some(window) = self.next_window(v, &mut pursuit) {
            self.value_again(v, index, window)?;
        }
        Ok(())
    }

    /// Asks the evaluator and keeps the answer.
    pub(super) fn answer(&mut self, v: NodeId, question: Question<G::Move>) -> Result<(), Stopped> {
        match question.subject {
            Subject::Known(index) => self.value_again(v, index, question.window),
            Subject::New(mv) => self.value_new(v, mv, question.window).map(|_| ()),
        }
    }

    /// Legal moves of `v` that have no node yet, in the order they should be tried.
    pub(super) fn unvalued_moves(&mut self, v: NodeId) -> Vec<G::Move> {
        if self.tree[v].is_fully_known() {
            return Vec::new();
        }
        let mut moves = Vec::with_capacity(64);
        self.game.legal_moves(&mut moves);
        self.tree[v].set_move_count(moves.len());
        let known = self.tree.kids(v);
        moves.retain(|&mv| known.iter().all(|kid| kid.mv() != mv));
        if self.params.presort {
            self.counters.leaf_nodes += self.evaluator.order(self.game, &mut moves);
        }
        moves
    }

    /// Values a successor for the first time and stores it; its place among its siblings.
    pub(super) fn value_new(
        &mut self,
        v: NodeId,
        mv: G::Move,
        window: Window,
    ) -> Result<usize, Stopped> {
        let is_quiet = self.evaluator.is_quiet(self.game, mv);
        self.game.play(mv);
        // What is proven cannot change its mind any more than the end of the game can.
        let end = self.game.end_score();
        let mut kid = match end.or_else(|| self.evaluator.proven(self.game)) {
            Some(score) => Node::end(mv, score),
            None => Node::new(mv, self.ask(window)),
        };
        self.game.undo();
        if is_quiet {
            kid.set_quiet();
        }
        self.store(v, kid)?;
        self.poll()?;
        Ok(self.tree[v].kid_count() - 1)
    }

    /// Values a known successor once more; below it, values are made to agree.
    fn value_again(&mut self, v: NodeId, index: usize, window: Window) -> Result<(), Stopped> {
        let kid = self.tree.kid(v, index);
        self.game.play(self.tree[kid].mv());
        self.value_node_again(kid, window);
        self.game.undo();
        self.poll()
    }

    /// The same for the node the game stands at.
    pub(super) fn value_node_again(&mut self, node: NodeId, window: Window) {
        let value = self.ask(window);
        self.tree[node].set_value(value);
        self.tree.update_value(node);
        self.counters.revaluations += 1;
    }

    /// Puts the question to the evaluator (Fig. 2.16).
    pub(super) fn ask(&mut self, window: Window) -> Value {
        let window = if self.params.open_windows {
            Window::FULL
        } else {
            window
        };
        let valuation = self.evaluator.evaluate(self.game, window);
        self.counters.leaf_nodes += valuation.nodes;
        self.counters.valuations += 1;
        Value::of(valuation, window)
    }

    fn store(&mut self, v: NodeId, kid: Node<G::Move>) -> Result<(), Stopped> {
        let mut attempts = 0..ATTEMPTS;
        while self.tree.add_kid(v, kid).is_err() {
            self.make_room(attempts.next().ok_or(Stopped::Memory)?);
        }
        self.counters.tree_nodes += 1;
        Ok(())
    }
}
