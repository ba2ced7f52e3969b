//! Workers of a delegating search: threads that take jobs from one planner and share one hash table, and the other
//! ranks.
//!
//! Worker 0 is the caller's thread. It works like the others, and polls the reporter between jobs. Threads live for one
//! question only; between questions nothing runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use crossbeam::utils::CachePadded;
use parking_lot::{Condvar, Mutex};

use super::reporter::{Reporter, Snapshot};
use crate::cc2s::{JobId, Planner, Reach, WorkerInfo};
use crate::chess::{Line, Move};
use crate::cluster::world::{JobTiming, Ranks};
use crate::engine::search::RootUpdate;
use crate::game::{Job, Response};
use crate::search::{
    LeafSearcher, LeafTable, SHARED_DEPTH_MIN, STACK_BYTES, ShareThresholds, SharedSearch,
};
use crate::sync::Event;

/// Longest wait of worker 0 for a job before it polls the reporter.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// State that the workers share beside the hash table.
struct Shared {
    state: Mutex<DelegationState>,
    /// Signalled when there may be another job, or none any more.
    changed: Condvar,
    /// One for each worker.
    signals: Vec<CachePadded<Signal>>,
    /// Nodes of other ranks.
    rank_nodes: AtomicU64,
    /// The moves that workers are searching; `None` for a single worker.
    search: Option<Arc<SharedSearch>>,
    /// Wakes the thread that communicates with other ranks; `None` without other ranks.
    wake: Option<Arc<Event>>,
}

/// All that is exchanged with a worker while it does a job.
#[derive(Default)]
struct Signal {
    /// Whether its job is cancelled. Changes only under the lock of the state, so that it refers to the current job.
    is_aborted: AtomicBool,
    /// Nodes of all its jobs.
    nodes: AtomicU64,
}

impl Signal {
    /// Notes the worker's nodes; tells whether to go on.
    fn proceed(&self, nodes: u64) -> bool {
        self.nodes.store(nodes, Ordering::Relaxed);
        !self.is_aborted.load(Ordering::Relaxed)
    }

    fn abort(&self) {
        self.is_aborted.store(true, Ordering::Relaxed);
    }
}

struct DelegationState {
    planner: Planner<Move>,
    /// Not reported yet.
    updates: Vec<RootUpdate>,
    /// The job each worker is at.
    running: Vec<Option<JobId>>,
    /// Jobs finished by workers, for comparison with other ranks.
    done: Vec<JobTiming>,
    /// Problems to report to the user.
    complaints: Vec<String>,
    is_ended: bool,
}

/// Works on the planner's question with all workers and other ranks, until nothing is left to search or the reporter
/// ends it.
pub(super) fn delegate(
    planner: Planner<Move>,
    line: &Line,
    searchers: &mut [LeafSearcher],
    ranks: Option<&mut Ranks>,
    reporter: &mut Reporter<'_>,
) -> Planner<Move> {
    let others = ranks
        .as_ref()
        .map(|ranks| (ranks.event(), ranks.thresholds()));
    let shared = Shared::new(planner, searchers.len(), others);
    for searcher in &mut *searchers {
        searcher.set_shared(shared.search.clone());
    }
    let (first, helpers) = searchers.split_first_mut().expect("somebody works");
    let table = first.table().clone();
    thread::scope(|scope| {
        if let Some(ranks) = ranks {
            scope.spawn(|| shared.correspond(ranks, &table));
        }
        for (searcher, place) in helpers.iter_mut().zip(1..) {
            let helper = WorkerThread::new(&shared, place, searcher, line.clone());
            if !spawn(scope, helper) {
                break;
            }
        }
        let worker = WorkerThread::new(&shared, 0, first, line.clone());
        if worker.run(Some(reporter)) {
            shared.answer(reporter);
        }
    });
    shared.state.into_inner().planner
}

/// Starts a helper; false if the system has no thread to give.
fn spawn<'scope>(scope: &'scope Scope<'scope, '_>, helper: WorkerThread<'scope>) -> bool {
    let builder = thread::Builder::new()
        .name("worker".to_owned())
        .stack_size(STACK_BYTES);
    builder.spawn_scoped(scope, || helper.run(None)).is_ok()
}

/// Ends the work of all when it goes out of scope, also when its thread panics: the engine knows what to do then.
struct EndAll<'a>(&'a Shared);

impl Drop for EndAll<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.is_ended = true;
        for signal in &self.0.signals {
            signal.abort();
        }
        drop(state);
        self.0.notify();
    }
}

impl DelegationState {
    /// Draws all conclusions there are.
    fn conclude(&mut self) {
        while let Some(update) = self.planner.conclude() {
            self.updates.push(update);
        }
    }

    /// Passes on all that is new; the state of the search.
    fn report(&mut self, reporter: &mut Reporter<'_>, nodes: u64) -> Snapshot {
        for update in self.updates.drain(..) {
            reporter.report(&update, nodes);
        }
        for text in self.complaints.drain(..) {
            reporter.complain(text);
        }
        Snapshot::of(&self.planner)
    }
}

impl Shared {
    /// `others`: how to wake the thread that talks to other ranks, and what they are told; `None` where there are none.
    fn new(
        planner: Planner<Move>,
        threads: usize,
        others: Option<(Arc<Event>, ShareThresholds)>,
    ) -> Self {
        let (wake, thresholds) = others.unzip();
        Self {
            state: Mutex::new(DelegationState {
                planner,
                updates: Vec::new(),
                running: vec![None; threads],
                done: Vec::new(),
                complaints: Vec::new(),
                is_ended: false,
            }),
            changed: Condvar::new(),
            signals: (0..threads).map(|_| CachePadded::default()).collect(),
            rank_nodes: AtomicU64::new(0),
            search: (threads > 1 || wake.is_some())
                .then(|| Arc::new(SharedSearch::new(SHARED_DEPTH_MIN, thresholds))),
            wake,
        }
    }

    /// Wakes those who wait for a change.
    fn notify(&self) {
        self.changed.notify_all();
        if let Some(wake) = &self.wake {
            wake.set();
        }
    }

    /// Nodes of all workers and ranks.
    fn nodes(&self) -> u64 {
        let nodes = |signal: &CachePadded<Signal>| signal.nodes.load(Ordering::Relaxed);
        let own: u64 = self.signals.iter().map(nodes).sum();
        own + self.rank_nodes.load(Ordering::Relaxed)
    }

    /// Gives the worker the next job, and has others break off what nobody needs any more.
    fn next_job(&self, state: &mut DelegationState, place: usize) -> Option<(JobId, Job<Move>)> {
        state.conclude();
        let next = state.planner.next_job(WorkerInfo::LOCAL, Reach::Help);
        state.running[place] = next.as_ref().map(|&(id, _)| id);
        if next.is_some() {
            self.signals[place]
                .is_aborted
                .store(false, Ordering::Relaxed);
        }
        self.abort_superseded(state);
        next
    }

    fn abort_superseded(&self, state: &DelegationState) {
        for id in state.planner.superseded(WorkerInfo::LOCAL) {
            let mut running = state.running.iter();
            if let Some(place) = running.position(|&running| running == Some(id)) {
                self.signals[place].abort();
            }
        }
    }

    /// Takes in the answer to a worker's job.
    fn finish(&self, id: JobId, from: Instant, response: Response<Move>) {
        let mut state = self.state.lock();
        if self.wake.is_some() {
            state.done.push(JobTiming {
                from,
                to: Instant::now(),
                nodes: response.nodes(),
                is_broken_off: matches!(response, Response::Aborted(_)),
            });
        }
        state.planner.note(id, response);
        self.notify();
    }

    /// Exchanges jobs and answers with the other ranks until the search has ended.
    fn correspond(&self, ranks: &mut Ranks, table: &LeafTable) {
        let _end = EndAll(self);
        loop {
            let mut state = self.state.lock();
            if state.is_ended {
                break;
            }
            let has_responses = ranks.coordinator.serve(&mut state.planner);
            state.conclude();
            ranks.coordinator.give_out(&mut state.planner);
            self.abort_superseded(&state);
            ranks.note_own(std::mem::take(&mut state.done));
            state.complaints.extend(ranks.coordinator.take_complaints());
            drop(state);
            if has_responses {
                self.changed.notify_all();
            }
            if let Some(search) = &self.search {
                let updates = ranks.coordinator.exchange_updates(search.take_updates());
                search.apply(&updates, table);
            }
            self.rank_nodes
                .store(ranks.coordinator.nodes(), Ordering::Relaxed);
            ranks.exchange();
        }
        ranks.stop();
    }

    /// Reports the final state and the answer. On a busy machine helpers take their time to hear of the end, and the
    /// clock runs.
    fn answer(&self, reporter: &mut Reporter<'_>) {
        let mut state = self.state.lock();
        let last = state.planner.final_update();
        state
            .updates
            .extend(last.filter(|_| reporter.wants_bounds()));
        let now = state.report(reporter, self.nodes());
        let pv = state.planner.pv();
        drop(state);
        reporter.answer(&now, &pv);
    }
}

/// A worker on its thread.
struct WorkerThread<'a> {
    shared: &'a Shared,
    place: usize,
    searcher: &'a mut LeafSearcher,
    line: Line,
    /// Nodes of the jobs done.
    nodes: u64,
    /// The state of the search as last reported, by worker 0 alone.
    last: Snapshot,
}

/// The search has ended, or the reporter ends it.
struct Ended;

/// The next job, if there is one already.
type Next = Result<Option<(JobId, Job<Move>)>, Ended>;

impl<'a> WorkerThread<'a> {
    fn new(shared: &'a Shared, place: usize, searcher: &'a mut LeafSearcher, line: Line) -> Self {
        Self {
            shared,
            place,
            searcher,
            line,
            nodes: 0,
            last: Snapshot::default(),
        }
    }

    /// Does jobs until the search has ended, and then ends all others; false if another has ended it, as only one that
    /// panics does before worker 0, which has the reporter.
    fn run(mut self, mut reporter: Option<&mut Reporter<'_>>) -> bool {
        let _end = EndAll(self.shared);
        while self.step(reporter.as_deref_mut()).is_ok() {}
        !self.shared.state.lock().is_ended
    }

    fn step(&mut self, mut reporter: Option<&mut Reporter<'_>>) -> Result<(), Ended> {
        let next = match reporter.as_deref_mut() {
            Some(reporter) => self.poll_for_job(reporter)?,
            None => self.wait_for_job()?,
        };
        match next {
            Some((id, job)) => self.perform(id, &job, reporter),
            None => Ok(()),
        }
    }

    fn wait_for_job(&mut self) -> Next {
        let mut state = self.shared.state.lock();
        loop {
            if state.is_ended {
                return Err(Ended);
            }
            let next = self.shared.next_job(&mut state, self.place);
            if next.is_some() {
                return Ok(next);
            }
            self.shared.changed.wait(&mut state);
        }
    }

    /// Reports all that is new and, where there is no job, waits a little; then the reporter may look for a mate.
    fn poll_for_job(&mut self, reporter: &mut Reporter<'_>) -> Next {
        let shared = self.shared;
        let mut state = shared.state.lock();
        let next = shared.next_job(&mut state, self.place);
        self.last = state.report(reporter, shared.nodes());
        let is_finished = state.planner.is_finished() || state.is_ended;
        if next.is_none() && !is_finished {
            shared.changed.wait_for(&mut state, POLL_INTERVAL);
        }
        drop(state);
        if !reporter.proceed(&self.last, shared.nodes()) || is_finished {
            return Err(Ended);
        }
        let probe = reporter.probe_mate(&self.last, shared.nodes());
        self.count(probe.nodes);
        if let Some((pv, score)) = probe.mate {
            shared.state.lock().planner.prove(&pv, score);
        }
        Ok(next)
    }

    /// Adds nodes that are done with.
    fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.shared.signals[self.place].proceed(self.nodes);
    }

    /// Does a job, and reports all that is new meanwhile.
    fn perform(
        &mut self,
        id: JobId,
        job: &Job<Move>,
        mut reporter: Option<&mut Reporter<'_>>,
    ) -> Result<(), Ended> {
        let (shared, last) = (self.shared, &mut self.last);
        let signal = &shared.signals[self.place];
        let (before, mut is_stopped) = (self.nodes, false);
        let from = Instant::now();
        let response = self.searcher.perform(&mut self.line, job, &mut |nodes| {
            let is_wanted = signal.proceed(before + nodes);
            if let Some(reporter) = &mut reporter {
                if let Some(mut state) = shared.state.try_lock() {
                    *last = state.report(reporter, shared.nodes());
                }
                is_stopped = !reporter.proceed(last, shared.nodes());
            }
            is_wanted && !is_stopped
        });
        self.count(response.nodes());
        shared.finish(id, from, response);
        if is_stopped { Err(Ended) } else { Ok(()) }
    }
}
