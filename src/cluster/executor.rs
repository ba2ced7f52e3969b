//! The threads of a rank other than the first: one hash table, and one job at a time per thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam::channel::{self, Receiver, Sender};

use super::world::{RankCount, line_of};
use crate::chess::{Line, Move, Position};
use crate::cluster::{Executor, PollPolicy, Root, TablePaths};
use crate::endgame::probe::TableSet;
use crate::game::{HashUpdate, Job, Response, Tablebase};
use crate::search::{LeafSearcher, LeafTable, SHARED_DEPTH_MIN, STACK_BYTES, SharedSearch};
use crate::settings::EngineParams;
use crate::sync::Event;

struct FinishedJob {
    thread: usize,
    response: Response<Move>,
}

struct DoneSender {
    sender: Sender<FinishedJob>,
    event: Arc<Event>,
}

enum ThreadCommand {
    /// The root of the following jobs, and its endgame tables.
    Begin(Line, Option<Arc<dyn Tablebase<Position>>>),
    /// Forgets the last game.
    Forget,
    Job(Job<Move>),
}

/// The handle of a thread, which ends when the handle is dropped.
struct PoolThread {
    commands: Sender<ThreadCommand>,
    state: Arc<JobState>,
    handle: JoinHandle<()>,
}

/// The state of a thread's job, shared with its owner.
#[derive(Default)]
struct JobState {
    is_cancelled: AtomicBool,
    nodes: AtomicU64,
}

/// All threads of a rank.
pub struct RankExecutor {
    count: RankCount,
    poll_policy: PollPolicy,
    threads: Vec<PoolThread>,
    table: Option<Arc<LeafTable>>,
    shared: Option<Arc<SharedSearch>>,
    params: EngineParams,
    tables: TableSet,
    done: Option<Receiver<FinishedJob>>,
    /// Set when a job is done.
    event: Arc<Event>,
}

impl RankExecutor {
    /// Creates the executor of one of `count` ranks, without threads until it is configured.
    pub fn new(count: RankCount) -> Self {
        Self {
            count,
            poll_policy: PollPolicy::default(),
            threads: Vec::new(),
            table: None,
            shared: None,
            params: EngineParams::default(),
            tables: TableSet::default(),
            done: None,
            event: Arc::default(),
        }
    }

    /// Returns the poll policy for its current threads.
    pub const fn poll_policy(&self) -> PollPolicy {
        self.poll_policy
    }

    /// Waits until a job is done, for at most `timeout`.
    pub fn wait(&self, timeout: Duration) {
        self.event.wait(timeout);
    }

    fn dismiss(&mut self) {
        self.done = None;
        for thread in self.threads.drain(..) {
            thread.state.is_cancelled.store(true, Ordering::Relaxed);
            drop(thread.commands);
            // A panic has been reported already.
            let _ = thread.handle.join();
        }
    }

    fn send_all(&self, command: impl Fn() -> ThreadCommand) {
        for thread in &self.threads {
            // A panicked thread does no more jobs; the first rank will notice.
            let _ = thread.commands.send(command());
        }
    }
}

impl Drop for RankExecutor {
    fn drop(&mut self) {
        self.dismiss();
    }
}

impl Executor<Move> for RankExecutor {
    fn configure(&mut self, options: &[i32]) -> Result<usize, String> {
        self.dismiss();
        self.table = None;
        self.params = EngineParams::from_values(options).map_err(|error| error.to_string())?;
        let mebibytes = self.params.engine.hash_mib as usize;
        let table = Arc::new(LeafTable::new(mebibytes).map_err(|error| error.to_string())?);
        let threads = self.params.engine.threads as usize;
        self.poll_policy = self.count.poll_policy(threads);
        let thresholds = self.count.thresholds(threads);
        let shared = Arc::new(SharedSearch::new(SHARED_DEPTH_MIN, Some(thresholds)));
        let (sender, done) = channel::unbounded();
        let searchers = LeafSearcher::on_threads(&self.params.delegate(), &table, threads);
        for (place, mut searcher) in searchers.into_iter().enumerate() {
            searcher.set_shared(Some(Arc::clone(&shared)));
            let done = DoneSender {
                sender: sender.clone(),
                event: Arc::clone(&self.event),
            };
            let thread = start_thread(place, searcher, done).map_err(|error| error.to_string())?;
            self.threads.push(thread);
        }
        (self.table, self.shared, self.done) = (Some(table), Some(shared), Some(done));
        Ok(self.threads.len())
    }

    fn use_tables(&mut self, tables: &TablePaths) {
        // Tables that cannot be opened here are missing, which costs knowledge and nothing else.
        let _ = self.tables.open_syzygy(&tables.syzygy);
        self.tables.open_own(tables.own.as_ref().map(AsRef::as_ref));
    }

    fn new_game(&mut self) {
        if let Some(table) = &self.table {
            table.clear();
        }
        self.send_all(|| ThreadCommand::Forget);
    }

    fn begin(&mut self, root: &Root<Move>, with_tables: bool) -> Result<(), String> {
        let line = line_of(root)?;
        let tables = self.tables.for_search(&self.params.tables, false);
        let tables = tables.filter(|_| with_tables);
        if let Some(tables) = &tables {
            tables.want(line.position());
        }
        if let (Some(table), Some(shared)) = (&self.table, &self.shared) {
            table.age();
            shared.clear();
        }
        self.send_all(|| {
            ThreadCommand::Begin(line.clone(), tables.clone().map(|tables| tables as _))
        });
        Ok(())
    }

    fn start(&mut self, thread: usize, job: Job<Move>) {
        let thread = &self.threads[thread];
        thread.state.is_cancelled.store(false, Ordering::Relaxed);
        let _ = thread.commands.send(ThreadCommand::Job(job));
    }

    fn cancel(&mut self, thread: usize) {
        self.threads[thread]
            .state
            .is_cancelled
            .store(true, Ordering::Relaxed);
    }

    fn finished(&mut self) -> Option<(usize, Response<Move>)> {
        let done = self.done.as_ref()?.try_recv().ok()?;
        Some((done.thread, done.response))
    }

    fn nodes(&self) -> u64 {
        let nodes = |thread: &PoolThread| thread.state.nodes.load(Ordering::Relaxed);
        self.threads.iter().map(nodes).sum()
    }

    fn apply_updates(&mut self, updates: &[HashUpdate]) {
        if let (Some(table), Some(shared)) = (&self.table, &self.shared) {
            shared.apply(updates, table);
        }
    }

    fn take_updates(&mut self) -> Vec<HashUpdate> {
        let shared = self.shared.as_deref();
        shared.map(SharedSearch::take_updates).unwrap_or_default()
    }
}

fn start_thread(
    place: usize,
    searcher: LeafSearcher,
    done: DoneSender,
) -> std::io::Result<PoolThread> {
    let (commands, inbox) = channel::unbounded();
    let state = Arc::<JobState>::default();
    let theirs = Arc::clone(&state);
    let handle = thread::Builder::new()
        .name("worker".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || work(place, searcher, &inbox, &theirs, &done))?;
    Ok(PoolThread {
        commands,
        state,
        handle,
    })
}

/// Executes commands until the channel is closed.
fn work(
    thread: usize,
    mut searcher: LeafSearcher,
    inbox: &Receiver<ThreadCommand>,
    state: &JobState,
    done: &DoneSender,
) {
    let mut line = Line::new(Position::initial());
    for command in inbox {
        match command {
            ThreadCommand::Begin(next, tablebase) => {
                line = next;
                searcher.set_tablebase(tablebase);
                searcher.turn_to_new_position();
            }
            ThreadCommand::Forget => searcher.forget(),
            ThreadCommand::Job(job) => {
                let response = searcher.perform(&mut line, &job, &mut |nodes| {
                    state.nodes.store(nodes, Ordering::Relaxed);
                    !state.is_cancelled.load(Ordering::Relaxed)
                });
                state.nodes.store(0, Ordering::Relaxed);
                if done.sender.send(FinishedJob { thread, response }).is_err() {
                    return;
                }
                done.event.set();
            }
        }
    }
}
