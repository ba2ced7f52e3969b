//! Making a search, at once or ahead: by a thread of its own, while nothing else is to do.

use std::io;
use std::thread::{self, JoinHandle};

use super::memory;
use super::registry::SearchEntry;
use super::search::{MemoryError, Search};
use crate::settings::EngineParams;

/// A new search.
pub(super) struct PreparedSearch {
    pub(super) search: Box<dyn Search>,
    /// Its parameters; its memory may be less than was asked for.
    pub(super) params: EngineParams,
    /// Says so if it is.
    pub(super) less: Option<MemoryError>,
}

/// Makes a search. Where its memory cannot be had, it gets the largest of its halves that can.
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
    /// Begins to make a search, once its predecessors are gone.
    ///
    /// # Errors
    /// The system has no thread to give; the predecessors are gone all the same.
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

    /// Whether this is what is asked for.
    pub(super) fn is_for(&self, entry: &SearchEntry, params: &EngineParams) -> bool {
        self.entry.name == entry.name && self.params.is_same_search(params)
    }

    /// Waits for the search; `None` where it cannot be had.
    pub(super) fn finish(self) -> Option<PreparedSearch> {
        self.thread.join().ok().flatten()
    }
}
