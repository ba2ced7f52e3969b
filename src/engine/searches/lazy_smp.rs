//! Lazy SMP: several searchers work on the same question and share the table and what they learn of moves, through
//! which each gains from what the others have found.
//!
//! The main thread searches as if it were alone, talks to the observer and decides when it is enough. Helpers leave out
//! depths, so they run ahead of it. Threads live as long as one question: between questions nothing runs, nothing
//! waits.

use std::sync::Arc;
use std::thread::{self, Scope, ScopedJoinHandle};

use crate::chess::{Line, Move, Position};
use crate::game::{Bound, Score, Tablebase};
use crate::large_pages::MemoryError;
use crate::search::{
    DeepenRequest, Iteration, LeafParams, LeafSearcher, LeafTable, Observer, STACK_BYTES,
};
use crate::sync::{SearchControl, StopOnDrop};

/// Memory of a helper beside the table: ordering statistics, path, stack.
const HELPER_MEBIBYTES: usize = 2;

/// Searchers on one table; that of the main thread is always there.
pub(super) struct ThreadPool {
    main: LeafSearcher,
    helpers: Vec<LeafSearcher>,
}

impl ThreadPool {
    /// A pool for `threads` threads within `mebibytes` of memory, or little more where helpers alone would take that.
    ///
    /// # Errors
    /// The memory cannot be had.
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

    /// A pool like this one that has learned nothing, with other memory.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub(super) fn resized(&self, mebibytes: usize) -> Result<Self, MemoryError> {
        Self::new(self.main.params(), self.helpers.len() + 1, mebibytes)
    }

    /// Forgets everything learned.
    pub(super) fn clear(&mut self) {
        self.main.clear();
        for helper in &mut self.helpers {
            helper.forget();
        }
    }

    /// Takes exact scores from endgame tables from now on, or from none.
    pub(super) fn set_tablebase(&mut self, tablebase: Option<&Arc<dyn Tablebase<Position>>>) {
        for searcher in std::iter::once(&mut self.main).chain(&mut self.helpers) {
            searcher.set_tablebase(tablebase.cloned());
        }
    }

    /// [`LeafSearcher::deepen`] by all searchers together. The observer is told of the main thread's iterations, and
    /// at the end of a helper's if that gave the answer; nodes are those of all. Where the system has no thread to
    /// give, fewer search.
    pub(super) fn deepen(
        &mut self,
        line: &mut Line,
        moves: &[Move],
        request: DeepenRequest,
        observer: &mut dyn Observer,
    ) -> Vec<Move> {
        let Self { main, helpers } = self;
        let table = Arc::clone(main.table());
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
            let mut told = Reporter {
                observer,
                control: &control,
                nodes: 0,
                finished: None,
            };
            let pv = {
                let _end = StopOnDrop(&control);
                main.deepen(line, moves, request, &mut told)
            };
            let found = running.into_iter().filter_map(joined);
            match found.max_by_key(ThreadResult::preference) {
                Some(found)
                    if request.pv_count == 1 && Some(found.preference()) > told.finished =>
                {
                    told.adopt(&found, table.permille());
                    found.pv
                }
                _ => pv,
            }
        })
    }
}

/// Preference among answers: a mate found, the shorter the better; else the depth searched.
type Preference = (Option<Score>, u16);

fn preference(score: Score, depth: u16) -> Preference {
    let is_win = score.mate_distance().is_some_and(|plies| plies > 0);
    (is_win.then_some(score), depth)
}

/// The last iteration a helper finished.
struct ThreadResult {
    depth: u16,
    selective_depth: u16,
    score: Score,
    effort_permille: Option<u16>,
    pv: Vec<Move>,
}

impl ThreadResult {
    fn preference(&self) -> Preference {
        preference(self.score, self.depth)
    }
}

/// A helper's thread; `None` if the system has none to give.
fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    helper: &'scope mut LeafSearcher,
    mut line: Line,
    moves: &'scope [Move],
    request: DeepenRequest,
    control: &'scope SearchControl,
) -> Option<ScopedJoinHandle<'scope, Option<ThreadResult>>> {
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
fn joined(thread: ScopedJoinHandle<'_, Option<ThreadResult>>) -> Option<ThreadResult> {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Watches a helper: it tells nobody anything but its nodes.
struct Silent<'a> {
    control: &'a SearchControl,
    place: usize,
    found: Option<ThreadResult>,
}

impl Observer for Silent<'_> {
    fn proceed(&mut self, nodes: u64) -> bool {
        self.control.proceed(self.place - 1, nodes)
    }

    fn iteration(&mut self, iteration: &Iteration<'_>) -> bool {
        if iteration.multi_pv == 1 {
            self.found = Some(ThreadResult {
                depth: iteration.depth,
                selective_depth: iteration.selective_depth,
                score: iteration.score,
                effort_permille: iteration.effort_permille,
                pv: iteration.pv.to_vec(),
            });
        }
        self.proceed(iteration.nodes)
    }
}

/// Passes the main thread's reports on to the observer, with the nodes of all threads.
struct Reporter<'a> {
    observer: &'a mut dyn Observer,
    control: &'a SearchControl,
    /// Nodes of the main thread.
    nodes: u64,
    /// The main thread's last finished iteration.
    finished: Option<Preference>,
}

impl Reporter<'_> {
    /// Tells of a helper's answer as if the main thread had found it.
    fn adopt(&mut self, found: &ThreadResult, table_permille: u16) {
        self.observer.iteration(&Iteration {
            depth: found.depth,
            selective_depth: found.selective_depth,
            multi_pv: 1,
            score: found.score,
            bound: Bound::Exact,
            nodes: self.nodes + self.control.nodes(),
            effort_permille: found.effort_permille,
            table_permille,
            pv: &found.pv,
        });
    }
}

impl Observer for Reporter<'_> {
    fn proceed(&mut self, nodes: u64) -> bool {
        self.nodes = nodes;
        self.observer.proceed(nodes + self.control.nodes())
    }

    fn iteration(&mut self, iteration: &Iteration<'_>) -> bool {
        self.nodes = iteration.nodes;
        if iteration.multi_pv == 1 {
            self.finished = Some(preference(iteration.score, iteration.depth));
        }
        self.observer.iteration(&Iteration {
            nodes: iteration.nodes + self.control.nodes(),
            ..*iteration
        })
    }

    fn changed(&mut self, iteration: &Iteration<'_>) {
        self.observer.changed(&Iteration {
            nodes: iteration.nodes + self.control.nodes(),
            ..*iteration
        });
    }
}
