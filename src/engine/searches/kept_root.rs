//! The root position of a tree or table kept from move to move.

use crate::chess::{Line, Move};

/// The game whose current position is the root of a kept tree, and what the values of that tree rest on.
#[derive(Default)]
pub(super) struct KeptRoot {
    line: Option<Line>,
    /// Whether the tree was grown with endgame tables.
    has_tables: bool,
}

impl KeptRoot {
    /// Records whether there are endgame tables from now on; true if this invalidates the tree.
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
pub(crate) fn moves_between(old: &Line, new: &Line) -> Option<Vec<Move>> {
    let same_start = old.first().key() == new.first().key() && new.moves().starts_with(old.moves());
    same_start.then(|| {
        new.moves()[old.moves().len()..]
            .iter()
            .copied()
            .collect::<Option<Vec<_>>>()
    })?
}
