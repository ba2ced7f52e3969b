//! The threads of a rank other than the first: one hash table, and for each thread one job at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam::channel::{self, Receiver, Sender};

use super::jobs::{answer, hear, hints};
use super::world::{RankCount, line_of};
use crate::cc2s::{Job, Reply};
use crate::chess::{Line, Move, Position};
use crate::cluster::{Executor, Hint, Pace, Root, TablePaths};
use crate::endgame::probe::TableSet;
use crate::game::Truth;
use crate::search::{Company, LeafSearcher, LeafTable, SHARED_DEPTH_MIN, STACK_BYTES};
use crate::settings::EngineParams;
use crate::sync::Event;

/// A thread has done its job.
struct Done {
    thread: usize,
    reply: Reply<Move>,
}

/// Where threads tell that they have done their jobs.
struct Announcement {
    sender: Sender<Done>,
    event: Arc<Event>,
}

/// What a thread is told.
enum Order {
    /// Jobs from now on are about that position.
    Begin(Line, Option<Arc<dyn Truth<Position>>>),
    /// Forget the last game.
    Forget,
    Job(Job<Move>),
}

/// A thread of the pool, as those see it who give it orders. It ends when it is dropped.
struct PoolThread {
    orders: Sender<Order>,
    signs: Arc<Signs>,
    handle: JoinHandle<()>,
}

/// What a thread and those who give it orders tell each other during a job.
#[derive(Default)]
struct Signs {
    is_cancelled: AtomicBool,
    nodes: AtomicU64,
}

/// All threads of a rank.
pub struct RankExecutor {
    count: RankCount,
    pace: Pace,
    threads: Vec<PoolThread>,
    table: Option<Arc<LeafTable>>,
    company: Option<Arc<Company>>,
    params: EngineParams,
    shelf: TableSet,
    done: Option<Receiver<Done>>,
    /// Rung when a job is done.
    event: Arc<Event>,
}

impl RankExecutor {
    /// One of so many ranks, without threads until it is configured.
    pub fn new(count: RankCount) -> Self {
        Self {
            count,
            pace: Pace::default(),
            threads: Vec::new(),
            table: None,
            company: None,
            params: EngineParams::default(),
            shelf: TableSet::default(),
            done: None,
            event: Arc::default(),
        }
    }

    /// How often to look for messages and to send mail, by the threads that it has now.
    pub const fn pace(&self) -> Pace {
        self.pace
    }

    /// Waits until a job is done, or that long.
    pub fn wait(&self, rest: Duration) {
        self.event.wait(rest);
    }

    fn dismiss(&mut self) {
        self.done = None;
        for thread in self.threads.drain(..) {
            thread.signs.is_cancelled.store(true, Ordering::Relaxed);
            drop(thread.orders);
            // One that has fallen over has told so already.
            let _ = thread.handle.join();
        }
    }

    fn tell_all(&self, order: impl Fn() -> Order) {
        for thread in &self.threads {
            // One that has fallen over does no more jobs; the first rank will notice.
            let _ = thread.orders.send(order());
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
        self.pace = self.count.pace(threads);
        let telling = self.count.telling(threads);
        let company = Arc::new(Company::new(SHARED_DEPTH_MIN, Some(telling)));
        let (sender, done) = channel::unbounded();
        let searchers = LeafSearcher::on_threads(&self.params.delegate(), &table, threads);
        for (place, mut searcher) in searchers.into_iter().enumerate() {
            searcher.join(Some(Arc::clone(&company)));
            let done = Announcement {
                sender: sender.clone(),
                event: Arc::clone(&self.event),
            };
            let thread = start_thread(place, searcher, done).map_err(|error| error.to_string())?;
            self.threads.push(thread);
        }
        (self.table, self.company, self.done) = (Some(table), Some(company), Some(done));
        Ok(self.threads.len())
    }

    fn use_tables(&mut self, tables: &TablePaths) {
        // Tables that cannot be opened here are missing, which costs knowledge and nothing else.
        let _ = self.shelf.open_syzygy(&tables.syzygy);
        self.shelf.open_own(tables.own.as_ref().map(AsRef::as_ref));
    }

    fn new_game(&mut self) {
        if let Some(table) = &self.table {
            table.clear();
        }
        self.tell_all(|| Order::Forget);
    }

    fn begin(&mut self, root: &Root<Move>, with_tables: bool) -> Result<(), String> {
        let line = line_of(root)?;
        let tables = self.shelf.for_search(&self.params.tables, false);
        let tables = tables.filter(|_| with_tables);
        if let Some(tables) = &tables {
            tables.want(line.position());
        }
        if let (Some(table), Some(company)) = (&self.table, &self.company) {
            table.age();
            company.clear();
        }
        self.tell_all(|| Order::Begin(line.clone(), tables.clone().map(|tables| tables as _)));
        Ok(())
    }

    fn start(&mut self, thread: usize, job: Job<Move>) {
        let thread = &self.threads[thread];
        thread.signs.is_cancelled.store(false, Ordering::Relaxed);
        let _ = thread.orders.send(Order::Job(job));
    }

    fn cancel(&mut self, thread: usize) {
        self.threads[thread]
            .signs
            .is_cancelled
            .store(true, Ordering::Relaxed);
    }

    fn finished(&mut self) -> Option<(usize, Reply<Move>)> {
        let done = self.done.as_ref()?.try_recv().ok()?;
        Some((done.thread, done.reply))
    }

    fn nodes(&self) -> u64 {
        let nodes = |thread: &PoolThread| thread.signs.nodes.load(Ordering::Relaxed);
        self.threads.iter().map(nodes).sum()
    }

    fn add_hints(&mut self, hints: &[Hint]) {
        if let (Some(table), Some(company)) = (&self.table, &self.company) {
            hear(company, table, hints);
        }
    }

    fn take_hints(&mut self) -> Vec<Hint> {
        self.company.as_deref().map(hints).unwrap_or_default()
    }
}

/// Starts a thread.
fn start_thread(
    place: usize,
    searcher: LeafSearcher,
    done: Announcement,
) -> std::io::Result<PoolThread> {
    let (orders, inbox) = channel::unbounded();
    let signs = Arc::<Signs>::default();
    let theirs = Arc::clone(&signs);
    let handle = thread::Builder::new()
        .name("worker".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || work(place, searcher, &inbox, &theirs, &done))?;
    Ok(PoolThread {
        orders,
        signs,
        handle,
    })
}

/// Follows orders until there are no more.
fn work(
    thread: usize,
    mut searcher: LeafSearcher,
    inbox: &Receiver<Order>,
    signs: &Signs,
    done: &Announcement,
) {
    let mut line = Line::new(Position::initial());
    for order in inbox {
        match order {
            Order::Begin(next, truth) => {
                line = next;
                searcher.set_truth(truth);
                searcher.turn_to_new_position();
            }
            Order::Forget => searcher.forget(),
            Order::Job(job) => {
                let reply = answer(&mut searcher, &mut line, &job, &mut |nodes| {
                    signs.nodes.store(nodes, Ordering::Relaxed);
                    !signs.is_cancelled.load(Ordering::Relaxed)
                });
                signs.nodes.store(0, Ordering::Relaxed);
                if done.sender.send(Done { thread, reply }).is_err() {
                    return;
                }
                done.event.set();
            }
        }
    }
}
