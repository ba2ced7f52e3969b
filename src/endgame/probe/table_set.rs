//! The configured tables, kept open between searches.

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
    /// Replaces the Syzygy tables by those in a list of folders.
    pub fn open_syzygy(&mut self, list: &str) -> Vec<SyzygyTrouble> {
        let (syzygy, troubles) = Syzygy::open(list);
        self.syzygy = Some(Arc::new(syzygy));
        troubles
    }

    /// Uses our own tables in `folder`, or only the built-in ones.
    pub fn open_own(&mut self, folder: Option<&Path>) {
        self.own = Arc::new(folder.map_or_else(Own::built_in, Own::in_folder));
    }

    /// Returns the tables for one search; none for a player of limited strength.
    pub fn for_search(&self, params: &TableParams, is_limited: bool) -> Option<Arc<Tables>> {
        let tables = || Tables::new(Some(self.own.clone()), self.syzygy.clone(), params.clone());
        (!is_limited).then(tables).map(Arc::new)
    }
}

/// The default folder of our own tables; `None` if the system has no cache directory.
pub fn default_tables_folder() -> Option<PathBuf> {
    Own::default_folder()
}
