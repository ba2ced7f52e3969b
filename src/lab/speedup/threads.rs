//! Threads of one process, by the clock.

use std::collections::BTreeMap;

use super::machine::{Machine, Run};
use crate::chess::Position;
use crate::chess::epd::Record;
use crate::engine::registry::SearchEntry;
use crate::engine::search::Search;
use crate::settings::EngineParams;
use crate::tools::ToolError;
use crate::tools::epd::trial::{Budget, Moment, attempt};

/// A search with any number of threads.
pub struct Threads {
    entry: &'static SearchEntry,
    params: EngineParams,
    /// By number of threads.
    searches: BTreeMap<u16, Box<dyn Search>>,
}

impl Threads {
    /// The search of that entry with these parameters but for the threads.
    pub fn new(entry: &'static SearchEntry, params: EngineParams) -> Self {
        Self {
            entry,
            params,
            searches: BTreeMap::new(),
        }
    }

    fn search(&mut self, threads: u16) -> Result<&mut dyn Search, ToolError> {
        if !self.searches.contains_key(&threads) {
            let mut params = self.params.clone();
            let set = params.set("engine", "threads", threads.into());
            set.map_err(ToolError::refused)?;
            let search = (self.entry.build)(&params).map_err(ToolError::refused)?;
            self.searches.insert(threads, search);
        }
        let search = self.searches.get_mut(&threads);
        Ok(search.expect("it was made just now").as_mut())
    }
}

impl Machine for Threads {
    fn depth_within(&mut self, position: &Position, nodes: u64) -> Result<u16, ToolError> {
        Ok(depth_within(self.search(1)?, position, nodes))
    }

    fn alone(&mut self, position: &Position, depth: u16) -> Result<Run, ToolError> {
        self.together(position, depth, 1, 0)
    }

    fn together(
        &mut self,
        position: &Position,
        depth: u16,
        workers: u16,
        _: u64,
    ) -> Result<Run, ToolError> {
        Ok(reach(self.search(workers)?, position, depth))
    }
}

/// The depth that a search meets within so many nodes.
pub(super) fn depth_within(search: &mut dyn Search, position: &Position, nodes: u64) -> u16 {
    let budget = Budget {
        nodes: Some(nodes),
        ..Budget::default()
    };
    attempt(search, &Record::bare(position.clone()), budget).depth()
}

/// The cost of meeting that depth.
pub(super) fn reach(search: &mut dyn Search, position: &Position, depth: u16) -> Run {
    let budget = Budget {
        depth: Some(depth),
        ..Budget::default()
    };
    let Moment { elapsed, nodes } = attempt(search, &Record::bare(position.clone()), budget).end;
    Run {
        elapsed_ns: elapsed.as_nanos() as u64,
        nodes,
        ..Run::default()
    }
}
