//! Partial expansion: which successors are valued, and how exactly (Figs. 2.14, 2.15, 2.16).

use super::forget::ATTEMPTS;
use super::node::Node;
use super::recursive::{Searcher, Stopped};
use super::root::Monitor;
use super::split::supporters_needed;
use super::target::{NodeKind, Target};
use super::tree::NodeId;
use super::value::{Bound, Relation, Value};
use crate::game::{Evaluator, Game, Window};

impl<G: Game, E: Evaluator<G>, W: Monitor<G::Move>> Searcher<'_, G, E, W> {
    /// Values successors of `v` until its target can be split or its value contradicts the target (Fig. 2.14).
    /// The game stands at `v`.
    pub(super) fn partial_expansion(&mut self, v: NodeId, target: Target) -> Result<(), Stopped> {
        self.tree.update_value(v);
        if self.params.value_all {
            self.make_all_exact(v)?;
        }
        match target.kind() {
            NodeKind::All => self.expand_all_node(v, target.bound),
            NodeKind::Cut => self.expand_cut_node(v, target),
        }
    }

    /// Every successor must comply; the first that does not ends the expansion, known exactly.
    fn expand_all_node(&mut self, v: NodeId, bound: Bound) -> Result<(), Stopped> {
        let probe = bound.to_child();
        for index in 0..self.tree[v].kid_count() {
            if self.is_off_target(v, bound) {
                return Ok(());
            }
            self.decide(v, index, probe)?;
            if self.settle_failure(v, index, bound)? {
                return Ok(());
            }
        }
        let moves = self.unvalued_moves(v);
        for mv in moves {
            let index = self.value_new(v, mv, probe.null_window())?;
            self.tree.update_value(v);
            if self.settle_failure(v, index, bound)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// If the successor has put `v` off target, makes it exact and returns true.
    fn settle_failure(&mut self, v: NodeId, index: usize, bound: Bound) -> Result<bool, Stopped> {
        if !self.is_off_target(v, bound) {
            return Ok(false);
        }
        self.make_exact(v, index)?;
        self.tree.update_value(v);
        Ok(true)
    }

    /// Enough supporters for a split are enough; without any, the value of `v` falls to what its successors are worth.
    fn expand_cut_node(&mut self, v: NodeId, target: Target) -> Result<(), Stopped> {
        let probe = target.bound.to_child();
        let needed = supporters_needed(target, self.params);
        let mut supporters = self.supporters(v, probe);
        for index in 0..self.tree[v].kid_count() {
            if supporters >= needed {
                return Ok(());
            }
            if self.decide(v, index, probe)? {
                supporters = self.supporters(v, probe);
            }
        }
        if supporters >= needed {
            return Ok(());
        }
        for mv in self.unvalued_moves(v) {
            let index = self.value_new(v, mv, probe.null_window())?;
            self.tree.update_value(v);
            if self.tree.kids(v)[index].value().supports(probe) {
                supporters = self.supporters(v, probe);
            }
            if supporters >= needed {
                return Ok(());
            }
        }
        if self.is_off_target(v, target.bound) {
            self.value_failed_cut_node(v)?;
        }
        Ok(())
    }

    /// A cut node none of whose successors is good enough gets a point value.
    ///
    /// Departs from Fig. 2.14 unless `exact_on_failure`: only the greatest successor is made exact, the others keep upper
    /// bounds below it. The node's value is the same, at a fraction of the cost.
    fn value_failed_cut_node(&mut self, v: NodeId) -> Result<(), Stopped> {
        if self.params.exact_on_failure {
            return self.make_all_exact(v);
        }
        loop {
            let greatest = (0..self.tree[v].kid_count())
                .map(|index| (self.tree.kids(v)[index].value().to_parent(), index))
                .max_by_key(|&(value, index)| {
                    (value.score, value.is_exact(), std::cmp::Reverse(index))
                });
            let Some((value, index)) = greatest else {
                return Ok(());
            };
            if value.is_exact() {
                self.tree.update_value(v);
                return Ok(());
            }
            self.make_exact(v, index)?;
            self.tree.update_value(v);
        }
    }

    fn make_all_exact(&mut self, v: NodeId) -> Result<(), Stopped> {
        for index in 0..self.tree[v].kid_count() {
            self.make_exact(v, index)?;
        }
        for mv in self.unvalued_moves(v) {
            self.value_new(v, mv, Window::FULL)?;
        }
        self.tree.update_value(v);
        Ok(())
    }

    /// Successors that support the bound; an end node cannot change its mind and counts for any number.
    fn supporters(&self, v: NodeId, probe: Bound) -> usize {
        let supporting = self
            .tree
            .kids(v)
            .iter()
            .filter(|kid| kid.value().supports(probe));
        supporting.fold(0, |count, kid| {
            if kid.is_end() {
                usize::MAX
            } else {
                count.saturating_add(1)
            }
        })
    }

    pub(super) fn is_off_target(&self, v: NodeId, bound: Bound) -> bool {
        !self.tree[v].value().is_on_target(bound)
    }

    /// Values the successor again if it is undecided towards `probe` (Fig. 2.15), first in a small window (A1), until it
    /// is decided; true if it was. Updates `v`.
    fn decide(&mut self, v: NodeId, index: usize, probe: Bound) -> Result<bool, Stopped> {
        let kid = self.tree.kid(v, index);
        let value = self.tree[kid].value();
        if value.relation_to(probe) != Relation::Undecided {
            return Ok(false);
        }
        self.value_again(v, index, self.revaluation_window(value))?;
        if self.tree[kid].value().relation_to(probe) == Relation::Undecided {
            self.value_again(v, index, Window::FULL)?;
        }
        self.tree.update_value(v);
        Ok(true)
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
        let value = self.tree.kids(v)[index].value();
        if !value.is_exact() {
            self.value_again(v, index, self.revaluation_window(value))?;
        }
        if !self.tree.kids(v)[index].value().is_exact() {
            self.value_again(v, index, Window::FULL)?;
        }
        Ok(())
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
        let mut kid = match self.game.end_score() {
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
