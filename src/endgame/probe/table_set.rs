//! The tables the settings speak of, kept open from search to search.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::endgame::probe::{Own, Syzygy, SyzygyTrouble, TableParams, Tables};

/// Open tables.
pub struct TableSet {
    own: Arc<Own>,
    syzygy: Option<Arc<Syzygy>>,
}

impl Default for TableSet {
    fn default() -> Self {
        Self {
            own: Arc::new(Own::built_in()),
            syzygy: None,
        }
    }
}

impl TableSet {
    /// Uses the Syzygy tables in the folders of this list instead of those before.
    pub fn open_syzygy(&mut self, list: &str) -> Vec<SyzygyTrouble> {
        let (syzygy, troubles) = Syzygy::open(list);
        self.syzygy = Some(Arc::new(syzygy));
        troubles
    }

    /// Uses the own tables of this folder, or the built-in ones alone.
    pub fn open_own(&mut self, folder: Option<&Path>) {
        self.own = Arc::new(folder.map_or_else(Own::built_in, Own::in_folder));
    }

    /// The tables for one search. A player of limited strength knows none.
    pub fn for_search(&self, params: &TableParams, is_limited: bool) -> Option<Arc<Tables>> {
        let tables = || Tables::new(Some(self.own.clone()), self.syzygy.clone(), params.clone());
        (!is_limited).then(tables).map(Arc::new)
    }
}

/// The folder for own tables of a user who has named none; `None` where the system has no place for such things.
pub fn default_tables_folder() -> Option<PathBuf> {
    Own::default_folder()
}
