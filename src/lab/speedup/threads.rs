//! Threads of one process, in real time.

use std::collections::BTreeMap;
use std::time::Instant;

use super::machine::{Machine, Run};
use crate::chess::epd::Record;
use crate::chess::{Line, Move, Position};
use crate::engine::registry::SearchEntry;
use crate::engine::search::{Question, RootUpdate, Search, SearchListener, decide};
use crate::game::Progress;
use crate::settings::EngineParams;
use crate::tools::ToolError;
use crate::tools::epd::trial::{Moment, SearchBudget, attempt};

/// A search with a variable number of threads.
pub struct Threads {
    entry: &'static SearchEntry,
    params: EngineParams,
    safe_within: Option<SafetyDemand>,
    /// The searches by number of threads.
    searches: BTreeMap<u16, Box<dyn Search>>,
}

impl Threads {
    /// Creates the search of `entry` with these parameters, except the number of threads.
    pub fn new(entry: &'static SearchEntry, params: EngineParams) -> Self {
        Self {
            entry,
            params,
            safe_within: None,
            searches: BTreeMap::new(),
        }
    }

    /// Searches for plies of two strategies within a margin instead of depth. A run that reaches `nodes_max` nodes
    /// per thread first counts as complete.
    #[must_use]
    pub fn safe_within(self, margin_cp: u16, nodes_max: u64) -> Self {
        let safe_within = Some(SafetyDemand {
            margin_cp,
            nodes_max,
        });
        Self {
            safe_within,
            ..self
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
        let safe_within = self.safe_within;
        let search = self.search(1)?;
        Ok(match safe_within {
            Some(safety) => safety.wait(search, position, u16::MAX, nodes).plies,
            None => depth_within(search, position, nodes),
        })
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
        let safe_within = self.safe_within;
        let search = self.search(workers)?;
        let Some(safety) = safe_within else {
            return Ok(reach(search, position, depth));
        };
        let nodes_max = safety.nodes_max.saturating_mul(workers.into());
        let wait = safety.wait(search, position, depth, nodes_max);
        Ok(Run {
            elapsed_ns: wait.start.elapsed().as_nanos() as u64,
            nodes: wait.nodes,
            ..Run::default()
        })
    }
}

/// The target of a search for two strategies.
#[derive(Clone, Copy)]
struct SafetyDemand {
    margin_cp: u16,
    nodes_max: u64,
}

impl SafetyDemand {
    /// Analyses until two strategies look `plies_wanted` plies ahead, or for `nodes_max` nodes.
    fn wait(
        self,
        search: &mut dyn Search,
        position: &Position,
        plies_wanted: u16,
        nodes_max: u64,
    ) -> SafetyWait {
        search.new_game();
        search.prepare();
        let mut wait = SafetyWait {
            margin_cp: self.margin_cp,
            plies_wanted,
            nodes_max,
            start: Instant::now(),
            plies: 0,
            nodes: 0,
        };
        let question = Question {
            is_analysis: true,
            ..Question::about(Line::new(position.clone()))
        };
        decide(search, &question, &mut wait);
        wait
    }
}

/// Stops a search when two strategies within a margin look far enough ahead.
struct SafetyWait {
    margin_cp: u16,
    plies_wanted: u16,
    nodes_max: u64,
    start: Instant,
    plies: u16,
    nodes: u64,
}

impl SearchListener<Move> for SafetyWait {
    fn proceed(&mut self, progress: &Progress) -> bool {
        self.nodes = progress.nodes;
        self.plies < self.plies_wanted && self.nodes < self.nodes_max
    }

    fn report(&mut self, update: &RootUpdate) {
        let is_within = update
            .claim
            .is_some_and(|claim| claim.margin_cp <= self.margin_cp);
        let safety = update
            .safety
            .filter(|safety| is_within && safety.conspiracy > 1);
        self.plies = self.plies.max(safety.map_or(0, |safety| safety.depth));
    }
}

/// Returns the depth that a search completes within `nodes` nodes.
pub(super) fn depth_within(search: &mut dyn Search, position: &Position, nodes: u64) -> u16 {
    let budget = SearchBudget {
        nodes: Some(nodes),
        ..SearchBudget::default()
    };
    attempt(search, &Record::bare(position.clone()), budget).depth()
}

/// Returns the cost of a search to `depth` plies.
pub(super) fn reach(search: &mut dyn Search, position: &Position, depth: u16) -> Run {
    let budget = SearchBudget {
        depth: Some(depth),
        ..SearchBudget::default()
    };
    let Moment { elapsed, nodes } = attempt(search, &Record::bare(position.clone()), budget).end;
    Run {
        elapsed_ns: elapsed.as_nanos() as u64,
        nodes,
        ..Run::default()
    }
}
