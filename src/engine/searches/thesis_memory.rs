//! The memory of the thesis's search: the parts of its bound.

use crate::chess::{Line, Move};
use crate::game::SearchListener;
use crate::search::LeafEvaluator;
use crate::thesis::{Cc2sParams, SearchState, Searcher, TargetTables, Tree};

/// Parts of the memory bound, in eighths: stored tree, leaf table; the target tables get the rest.
const TREE_EIGHTHS: usize = 4;
const LEAF_EIGHTHS: usize = 3;
/// The two tables share what is left.
const TARGET_TABLES: usize = 2;

/// A stored tree and its target tables.
pub(crate) struct Cc2sMemory {
    pub(crate) tree: Tree<Move>,
    pub(crate) tables: TargetTables,
    state: SearchState,
}

impl Cc2sMemory {
    /// The part of the bound that [`leaf_mebibytes`] leaves; `None` if it cannot be allocated.
    pub(crate) fn beside_leaf_table(mebibytes: usize) -> Option<Self> {
        let eighth = mebibytes.checked_mul(1 << 20)? / 8;
        let table_bytes = (8 - TREE_EIGHTHS - LEAF_EIGHTHS) * eighth;
        Self::with_bytes(TREE_EIGHTHS * eighth, table_bytes)
    }

    fn with_bytes(tree_bytes: usize, table_bytes: usize) -> Option<Self> {
        let entries = table_bytes / TARGET_TABLES / TargetTables::ENTRY_BYTES;
        Some(Self {
            tree: Tree::with_capacity(tree_bytes / Tree::<Move>::NODE_BYTES).ok()?,
            tables: TargetTables::with_entries(entries).ok()?,
            state: SearchState::default(),
        })
    }

    /// A new searcher with this memory.
    pub(crate) fn searcher<'a>(
        &'a mut self,
        line: &'a mut Line,
        evaluator: &'a mut LeafEvaluator,
        listener: &'a mut dyn SearchListener<Move>,
        params: &'a Cc2sParams,
    ) -> Searcher<'a, Line, LeafEvaluator> {
        self.state = SearchState::default();
        let Self {
            tree,
            tables,
            state,
        } = self;
        Searcher::new(line, evaluator, listener, tree, tables, params, state)
    }
}

/// The leaf table's part of the memory bound, in MiB.
pub(crate) const fn leaf_mebibytes(mebibytes: usize) -> usize {
    let share = LEAF_EIGHTHS * mebibytes / 8;
    if share > 0 { share } else { 1 }
}
