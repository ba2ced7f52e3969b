//! The state of a search.

use std::ops::Range;

use super::counters::Counters;
use crate::game::{Evaluator, Game, Progress, SearchListener};
#[cfg(test)]
use crate::game::{Heuristic, HeuristicEvaluator};
use crate::thesis::params::Cc2sParams;
use crate::thesis::tree::search_tree::{NodeId, Tree};
use crate::thesis::tree::table::TargetTables;
use crate::thesis::tree::target_store::TargetStore;

/// The reason why a search ended before its target was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Stopped by the listener.
    ByListener,
    /// The tree has no room, even after forgetting all nodes that may be forgotten.
    Memory,
}

/// The state of a search, which outlives the searcher if the work continues later.
#[derive(Clone, Debug)]
pub struct SearchState {
    /// The nodes from the root to the current node, both included. A worker's tasks store their own.
    pub(crate) path: Vec<NodeId>,
    /// The level at which a target counts as met.
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

/// A search in progress: its game, its evaluator, its tree, and the listener that may stop it.
///
/// After an error every method leaves the game at the position where it found it.
pub struct Searcher<'a, G: Game, E> {
    pub(crate) game: &'a mut G,
    pub(crate) evaluator: &'a mut E,
    pub(crate) listener: &'a mut dyn SearchListener<G::Move>,
    pub(crate) tree: &'a mut Tree<G::Move>,
    pub(crate) targets: TargetStore<'a>,
    pub(crate) params: &'a Cc2sParams,
    pub(crate) state: &'a mut SearchState,
    /// Whether no other search uses the tree: then all nodes outside its path may be forgotten.
    pub(crate) is_alone: bool,
    /// The number of best moves separated from those that follow.
    pub(crate) pv_count: usize,
}

impl<'a, G: Game, E: Evaluator<G>> Searcher<'a, G, E> {
    /// Creates a searcher at the position of `game`. The tree is empty or has that position at its root.
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

    /// Sets the number of best moves to separate (at least one), each from all that follow.
    #[must_use]
    pub fn separating(self, pv_count: usize) -> Self {
        assert!(pv_count > 0, "the best move at least is separated");
        Self { pv_count, ..self }
    }

    /// Returns the work done so far.
    pub fn counters(&self) -> Counters {
        self.state.counters
    }

    /// Asks the listener whether to continue.
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

    /// Frees at least a quarter of the tree if possible, sparing the current path; more if room is still short
    /// after that. Forgotten nodes become leaves that keep their values, so the search benefits from them and
    /// rebuilds only what it visits again. `attempts` are the remaining ones for the same node, of
    /// [`ATTEMPTS`](crate::thesis::tree::forget::ATTEMPTS).
    pub(crate) fn make_room(&mut self, attempts: &mut Range<usize>) -> Result<(), Stopped> {
        if !self.is_alone {
            // The worker decides which nodes are spared, before a step begins.
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
