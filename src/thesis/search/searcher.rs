//! The state that a search works on.

use std::ops::Range;

use super::counters::Counters;
use crate::game::{Evaluator, Game, Progress, SearchListener};
#[cfg(test)]
use crate::game::{Heuristic, HeuristicEvaluator};
use crate::thesis::params::Cc2sParams;
use crate::thesis::tree::search_tree::{NodeId, Tree};
use crate::thesis::tree::table::TargetTables;
use crate::thesis::tree::target_store::TargetStore;

/// Why a search ended before its target was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The listener said so.
    ByListener,
    /// Even after forgetting what could be forgotten the tree has no room.
    Memory,
}

/// Where a search is and what it has done so far. It outlives the searcher where the work goes on later.
#[derive(Clone, Debug)]
pub struct SearchState {
    /// The nodes between the root and the one worked on, both included. A worker's tasks keep their own.
    pub(crate) path: Vec<NodeId>,
    /// Level at which a target counts as met.
    pub(crate) level_limit: usize,
    pub(crate) counters: Counters,
    pub(crate) status: Progress,
}

impl Default for SearchState {
    /// At the root, before any work.
    fn default() -> Self {
        Self {
            path: vec![NodeId::ROOT],
            level_limit: usize::MAX,
            counters: Counters::default(),
            status: Progress::default(),
        }
    }
}

/// One search at work: the game it walks on, the evaluator it asks, the tree it grows, the listener that may stop it.
///
/// After an error every method leaves the game at the position it found it.
pub struct Searcher<'a, G: Game, E> {
    pub(crate) game: &'a mut G,
    pub(crate) evaluator: &'a mut E,
    pub(crate) listener: &'a mut dyn SearchListener<G::Move>,
    pub(crate) tree: &'a mut Tree<G::Move>,
    pub(crate) targets: TargetStore<'a>,
    pub(crate) params: &'a Cc2sParams,
    pub(crate) state: &'a mut SearchState,
    /// Nobody else works in the tree: it may forget whatever is not on its path.
    pub(crate) is_alone: bool,
    /// Number of best moves separated from those that follow.
    pub(crate) pv_count: usize,
}

impl<'a, G: Game, E: Evaluator<G>> Searcher<'a, G, E> {
    /// A searcher for the position `game` stands at. The tree is empty or holds that position at its root.
    pub fn new(
        game: &'a mut G,
        evaluator: &'a mut E,
        listener: &'a mut dyn SearchListener<G::Move>,
        tree: &'a mut Tree<G::Move>,
        tables: &'a TargetTables,
        params: &'a Cc2sParams,
        state: &'a mut SearchState,
    ) -> Self {
        Self {
            game,
            evaluator,
            listener,
            tree,
            targets: TargetStore::new(tables),
            params,
            state,
            is_alone: true,
            pv_count: 1,
        }
    }

    /// The same searcher, but it separates that many of the best moves (at least one), each from all that follow.
    #[must_use]
    pub fn separating(self, pv_count: usize) -> Self {
        assert!(pv_count > 0, "the best move at least is separated");
        Self { pv_count, ..self }
    }

    /// Work done so far.
    pub fn counters(&self) -> Counters {
        self.state.counters
    }

    /// Asks the listener whether to go on.
    pub(crate) fn poll(&mut self) -> Result<(), Stopped> {
        let SearchState {
            counters, status, ..
        } = &mut *self.state;
        status.nodes = counters.nodes();
        status.tree_nodes = counters.tree_nodes;
        if self.listener.proceed(status) {
            Ok(())
        } else {
            Err(Stopped::ByListener)
        }
    }

    /// Frees at least a quarter of the tree if it can, sparing the current path; more where room is still short after
    /// that. Forgotten nodes become leaves that keep their values, so the search goes on with what they taught it and
    /// rebuilds only what it visits again. `attempts` are those left for one and the same node, of
    /// [`ATTEMPTS`](crate::thesis::tree::forget::ATTEMPTS).
    pub(crate) fn make_room(&mut self, attempts: &mut Range<usize>) -> Result<(), Stopped> {
        if !self.is_alone {
            // It is for the worker to say what is spared, before a step begins.
            return Err(Stopped::Memory);
        }
        let attempt = attempts.next().ok_or(Stopped::Memory)?;
        self.state.counters.forgettings += 1;
        self.tree.make_room(&self.state.path, attempt);
        Ok(())
    }
}

/// The parts of a search in tests, beside game and listener.
#[cfg(test)]
pub(crate) struct TestSearch<M> {
    pub params: Cc2sParams,
    pub evaluator: HeuristicEvaluator,
    pub tree: Tree<M>,
    tables: TargetTables,
    state: SearchState,
}

#[cfg(test)]
impl<M: Copy + Eq> TestSearch<M> {
    /// An empty tree with room for so many nodes.
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            params: Cc2sParams::default(),
            evaluator: HeuristicEvaluator::default(),
            tree: Tree::with_capacity(capacity).unwrap(),
            tables: TargetTables::with_entries(1 << 10).unwrap(),
            state: SearchState::default(),
        }
    }

    pub(crate) fn searcher<'a, G>(
        &'a mut self,
        game: &'a mut G,
        listener: &'a mut dyn SearchListener<G::Move>,
    ) -> Searcher<'a, G, HeuristicEvaluator>
    where
        G: Heuristic<Move = M>,
    {
        let Self {
            params,
            evaluator,
            tree,
            tables,
            state,
        } = self;
        Searcher::new(game, evaluator, listener, tree, tables, params, state)
    }
}
