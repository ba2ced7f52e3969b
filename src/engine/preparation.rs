//! Creates a search, at once or in advance in a separate thread while the engine is idle.

use std::io;
use std::thread::{self, JoinHandle};

use super::memory;
use super::registry::SearchEntry;
use super::search::{MemoryError, Search};
use crate::settings::EngineParams;

/// A new search.
pub(super) struct PreparedSearch {
    pub(super) search: Box<dyn Search>,
    /// Its parameters; its memory may be less than requested.
    pub(super) params: EngineParams,
    /// Says so if it is.
    pub(super) less: Option<MemoryError>,
}

/// Creates a search. If its memory cannot be allocated, it is halved until it fits.
///
/// # Errors
/// Not even the least memory can be had.
pub(super) fn make(
    entry: &SearchEntry,
    params: &EngineParams,
) -> Result<PreparedSearch, MemoryError> {
    let mut params = params.clone();
    let (search, less) = memory::largest(params.engine.hash_mib, |mebibytes| {
        params.engine.hash_mib = mebibytes as i32;
        (entry.build)(&params)
    })?;
    Ok(PreparedSearch {
        search,
        params,
        less,
    })
}

/// A search in the making.
pub(super) struct Preparation {
    entry: &'static SearchEntry,
    params: EngineParams,
    thread: JoinHandle<Option<PreparedSearch>>,
}

/// Searches whose memory a new one may need.
#[derive(Default)]
pub(super) struct Predecessors {
    pub(super) search: Option<Box<dyn Search>>,
    pub(super) preparation: Option<Preparation>,
}

impl Preparation {
    /// Starts creating a search, once its predecessors are dropped.
    ///
    /// # Errors
    /// The system cannot start a thread; the predecessors are dropped anyway.
    pub(super) fn begin(
        entry: &'static SearchEntry,
        params: &EngineParams,
        predecessors: Predecessors,
    ) -> io::Result<Self> {
        let params = params.clone();
        let asked = params.clone();
        let builder = thread::Builder::new().name("preparation".to_owned());
        let thread = builder.spawn(move || {
            drop(predecessors.search);
            drop(predecessors.preparation.map(Self::finish));
            make(entry, &asked).ok()
        })?;
        Ok(Self {
            entry,
            params,
            thread,
        })
    }

    /// Whether this is the requested search.
    pub(super) fn is_for(&self, entry: &SearchEntry, params: &EngineParams) -> bool {
        self.entry.name == entry.name && self.params.is_same_search(params)
    }

    /// Waits for the search; `None` if it cannot be created.
    pub(super) fn finish(self) -> Option<PreparedSearch> {
        self.thread.join().ok().flatten()
    }
}
