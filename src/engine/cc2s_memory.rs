//! The memory of a Cc2s that grows a tree: how a bound is shared out, and what is kept from move to move.

use crate::chess::{Line, Move};
use crate::search::LeafEvaluator;
use crate::thesis::{Cc2sParams, Monitor, SearchState, Searcher, TargetTables, Tree};

/// Parts of the memory bound, in eighths: stored tree, leaf table; the target tables get the rest.
const TREE_EIGHTHS: usize = 4;
const LEAF_EIGHTHS: usize = 3;
/// The two tables share what is left.
const TARGET_TABLES: usize = 2;

/// A stored tree and its target tables.
pub(super) struct Cc2sMemory {
    pub(super) tree: Tree<Move>,
    pub(super) tables: TargetTables,
    state: SearchState,
}

impl Cc2sMemory {
    /// That part of the bound which [`leaf_mebibytes`] leaves; `None` if it cannot be had.
    pub(super) fn beside_leaf_table(mebibytes: usize) -> Option<Self> {
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

    /// A searcher that works with this memory and has done nothing yet.
    pub(super) fn searcher<'a, W: Monitor<Move>>(
        &'a mut self,
        (line, evaluator, monitor): (&'a mut Line, &'a mut LeafEvaluator, &'a mut W),
        params: &'a Cc2sParams,
    ) -> Searcher<'a, Line, LeafEvaluator, W> {
        self.state = SearchState::default();
        let Self {
            tree,
            tables,
            state,
        } = self;
        Searcher::new(line, evaluator, monitor, tree, tables, params, state)
    }
}

/// The leaf table's part of the memory bound, in MiB.
pub(super) const fn leaf_mebibytes(mebibytes: usize) -> usize {
    let share = LEAF_EIGHTHS * mebibytes / 8;
    if share > 0 { share } else { 1 }
}

/// The game whose current position is the root of a kept tree, and what the values of that tree rest on.
#[derive(Default)]
pub(super) struct KeptRoot {
    line: Option<Line>,
    /// Whether the tree was grown with endgame tables at hand.
    has_tables: bool,
}

impl KeptRoot {
    /// Notes whether there are endgame tables from now on; true if the tree does not hold any more because of that.
    pub(super) fn changes_tables(&mut self, has_tables: bool) -> bool {
        let changes = has_tables != self.has_tables;
        self.has_tables = has_tables;
        if changes {
            self.line = None;
        }
        changes
    }

    /// Roots the tree at the end of `line`. The moves that lead there from the old root; `None` if the game is another.
    pub(super) fn advance(&mut self, line: &Line) -> Option<Vec<Move>> {
        let old = self.line.replace(line.clone())?;
        moves_between(&old, line)
    }

    /// The tree is given up.
    pub(super) fn forget(&mut self) {
        self.line = None;
    }
}

/// The moves that lead from the end of `old` to the end of `new`, if `new` continues `old`.
pub(super) fn moves_between(old: &Line, new: &Line) -> Option<Vec<Move>> {
    let same_start = old.first().key() == new.first().key() && new.moves().starts_with(old.moves());
    same_start.then(|| {
        new.moves()[old.moves().len()..]
            .iter()
            .copied()
            .collect::<Option<Vec<_>>>()
    })?
}
