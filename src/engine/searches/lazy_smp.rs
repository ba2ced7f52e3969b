//! Lazy SMP: several searchers work on the same question and share the hash table and the histories, so each benefits
//! from the results of the others.
//!
//! The main thread searches as if alone, reports to the listener and decides when to stop. Helpers skip depths, so they
//! run ahead of it. Threads live for one question only; between questions nothing runs.

use std::sync::Arc;
use std::thread::{self, Scope, ScopedJoinHandle};

use crate::chess::{Line, Move, Position};
use crate::game::{Progress, RootUpdate, Score, SearchListener, Tablebase};
use crate::large_pages::MemoryError;
use crate::search::{DeepenRequest, LeafParams, LeafSearcher, LeafTable, STACK_BYTES};
use crate::sync::{SearchControl, StopOnDrop};

/// Memory of a helper beside the table: ordering statistics, path, stack.
const HELPER_MEBIBYTES: usize = 2;

/// Searchers on one table; that of the main thread is always there.
pub(super) struct ThreadPool {
    main: LeafSearcher,
    helpers: Vec<LeafSearcher>,
}

impl ThreadPool {
    /// A pool for `threads` threads within `mebibytes` of memory, or slightly more if the helpers need that.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub(super) fn new(
        params: &LeafParams,
        threads: usize,
        mebibytes: usize,
    ) -> Result<Self, MemoryError> {
        let helpers = threads.saturating_sub(1);
        let table = mebibytes.saturating_sub(helpers * HELPER_MEBIBYTES).max(1);
        let table = LeafTable::new(table).map_err(|_| MemoryError::of(mebibytes))?;
        let mut searchers = LeafSearcher::on_threads(params, &Arc::new(table), helpers + 1);
        Ok(Self {
            main: searchers.swap_remove(0),
            helpers: searchers,
        })
    }

    /// Forgets everything learned.
    pub(super) fn clear(&mut self) {
        self.main.clear();
        for helper in &mut self.helpers {
            helper.forget();
        }
    }

    /// Sets or removes the endgame tables that give exact scores.
    pub(super) fn set_tablebase(&mut self, tablebase: Option<&Arc<dyn Tablebase<Position>>>) {
        for searcher in std::iter::once(&mut self.main).chain(&mut self.helpers) {
            searcher.set_tablebase(tablebase.cloned());
        }
    }

    /// [`LeafSearcher::deepen`] by all searchers together. The listener gets the iterations of the main thread, and at
    /// the end that of a helper if it gave the answer. Nodes are those of all threads. If the system cannot start a
    /// thread, fewer threads search.
    pub(super) fn deepen(
        &mut self,
        line: &mut Line,
        moves: &[Move],
        request: DeepenRequest,
        listener: &mut dyn SearchListener<Move>,
    ) -> Vec<Move> {
        let Self { main, helpers } = self;
        let control = SearchControl::new(helpers.len());
        let start = line.clone();
        thread::scope(|scope| {
            let running: Vec<_> = helpers
                .iter_mut()
                .zip(1..)
                .map_while(|(helper, place)| {
                    let request = DeepenRequest { place, ..request };
                    spawn(scope, helper, start.clone(), moves, request, &control)
                })
                .collect();
            let mut told = Together {
                listener,
                control: &control,
                nodes: 0,
                finished: None,
            };
            let pv = {
                let _end = StopOnDrop(&control);
                main.deepen(line, moves, request, &mut told)
            };
            let found = running.into_iter().filter_map(joined);
            match found.max_by_key(preference) {
                Some(found)
                    if request.pv_count == 1 && Some(preference(&found)) > told.finished =>
                {
                    told.adopt(&found);
                    found.pv
                }
                _ => pv,
            }
        })
    }
}

/// Preference among answers: a mate found, the shorter the better; else the depth searched.
type Preference = (Option<Score>, u16);

fn preference(update: &RootUpdate<Move>) -> Preference {
    let score = update.score;
    let is_win = score.mate_distance().is_some_and(|plies| plies > 0);
    (is_win.then_some(score), update.depth)
}

/// A helper's thread; `None` if the system has none to give.
fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    helper: &'scope mut LeafSearcher,
    mut line: Line,
    moves: &'scope [Move],
    request: DeepenRequest,
    control: &'scope SearchControl,
) -> Option<ScopedJoinHandle<'scope, Option<RootUpdate<Move>>>> {
    let work = move || {
        let mut silent = Silent {
            control,
            place: request.place,
            found: None,
        };
        helper.deepen(&mut line, moves, request, &mut silent);
        silent.found
    };
    let builder = thread::Builder::new()
        .name("helper".to_owned())
        .stack_size(STACK_BYTES);
    builder.spawn_scoped(scope, work).ok()
}

/// The result of a helper. Its panic is passed on: the engine handles it.
fn joined(thread: ScopedJoinHandle<'_, Option<RootUpdate<Move>>>) -> Option<RootUpdate<Move>> {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Listens to a helper: nobody is told anything but its nodes.
struct Silent<'a> {
    control: &'a SearchControl,
    place: usize,
    /// The last iteration it finished.
    found: Option<RootUpdate<Move>>,
}

impl SearchListener<Move> for Silent<'_> {
    fn proceed(&mut self, progress: &Progress) -> bool {
        self.control.proceed(self.place - 1, progress.nodes)
    }

    fn report(&mut self, update: &RootUpdate<Move>) {
        if update.multi_pv == 1 && update.safety.is_some() {
            self.found = Some(update.clone());
        }
    }
}

/// Passes the main thread's reports on to the listener, with the nodes of all threads.
struct Together<'a> {
    listener: &'a mut dyn SearchListener<Move>,
    control: &'a SearchControl,
    /// Nodes of the main thread.
    nodes: u64,
    /// The main thread's last finished iteration.
    finished: Option<Preference>,
}

impl Together<'_> {
    /// Tells of a helper's iteration as if the main thread had finished it.
    fn adopt(&mut self, found: &RootUpdate<Move>) {
        self.report(&RootUpdate {
            nodes: self.nodes,
            ..found.clone()
        });
    }
}

impl SearchListener<Move> for Together<'_> {
    fn proceed(&mut self, progress: &Progress) -> bool {
        self.nodes = progress.nodes;
        self.listener.proceed(&Progress {
            nodes: progress.nodes + self.control.nodes(),
            ..*progress
        })
    }

    fn report(&mut self, update: &RootUpdate<Move>) {
        self.nodes = update.nodes;
        if update.multi_pv == 1 && update.safety.is_some() {
            self.finished = Some(preference(update));
        }
        self.listener.report(&RootUpdate {
            nodes: update.nodes + self.control.nodes(),
            ..update.clone()
        });
    }
}
