//! A searcher that can be held up in the middle of a job, so that virtual time decides who searches when.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam::channel::{self, Receiver, Sender};

use crate::cc2s::delegation::{Job, Reply};
use crate::chess::{Line, Move};
use crate::driver::ranks::{Crew, Entry, Root, TablePaths};
use crate::engine::jobs::{answer, remember, worth_sharing};
use crate::engine::ranks::line_of;
use crate::lab::LabError;
use crate::leaf::{LeafParams, LeafTable, Searcher};

/// A searcher asks whether to go on after so many nodes.
const ASKS_EVERY: u64 = 1_024;
/// A thread stops only at every so many of these questions: to wait for it takes longer than to search. A job that is broken
/// off between two of them ends when it should, but what it found until the second is remembered.
const STOPS_EVERY: u64 = 16;
/// Searchers recurse.
const STACK_BYTES: usize = 8 << 20;

/// What the thread of a searcher is told.
enum Order {
    Begin(Line),
    Forget,
    Job(Job<Move>),
    /// Go on with the job; whether its answer is still wanted.
    GoOn(bool),
}

/// What it answers to a job, and whenever it goes on.
enum Sign {
    /// So many nodes of the job are searched.
    Paused(u64),
    Done(Reply<Move>, Vec<Entry>),
}

/// What a job has come to, and when.
struct Busy {
    /// The moment that the sign is about.
    due_ns: u64,
    /// Nodes of the job until then.
    nodes: u64,
    sign: Sign,
    is_cancelled: bool,
    /// Nodes counted in `nodes` that a job broken off has not searched, as far as virtual time goes.
    unsearched: u64,
}

/// One searcher of one rank, on a thread of its own that runs only while it is waited for.
pub(super) struct Diver {
    orders: Option<Sender<Order>>,
    signs: Receiver<Sign>,
    thread: Option<JoinHandle<()>>,
    table: Arc<LeafTable>,
    node_ns: u64,
    shares: bool,
    now_ns: u64,
    busy: Option<Busy>,
    entries: Vec<Entry>,
    /// Time spent on jobs.
    pub(super) busy_ns: u64,
    /// Nodes of all jobs.
    pub(super) searched: u64,
}

impl Diver {
    /// A searcher with a table of its own, which needs that long for a node.
    pub(super) fn new(
        params: &LeafParams,
        mebibytes: usize,
        node_ns: u64,
        shares: bool,
    ) -> Result<Self, LabError> {
        let table = Arc::new(LeafTable::new(mebibytes).map_err(LabError::refused)?);
        let searcher = Searcher::with_table(params.clone(), Arc::clone(&table));
        let (orders, inbox) = channel::unbounded();
        let (outbox, signs) = channel::unbounded();
        let thread = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(move || dive(searcher, &inbox, &outbox))?;
        Ok(Self {
            orders: Some(orders),
            signs,
            thread: Some(thread),
            table,
            node_ns,
            shares,
            now_ns: 0,
            busy: None,
            entries: Vec::new(),
            busy_ns: 0,
            searched: 0,
        })
    }

    fn tell(&self, order: Order) {
        let orders = self.orders.as_ref().expect("there until it is dropped");
        orders.send(order).expect("the thread lives as long");
    }

    /// The next sign, and when it is given.
    fn hear(&mut self, before: u64) {
        let sign = self.signs.recv().expect("the thread lives as long");
        let nodes = match &sign {
            Sign::Paused(nodes) => *nodes,
            Sign::Done(reply, _) => reply.nodes().max(before),
        };
        let took_ns = (nodes - before) * self.node_ns;
        self.busy_ns += took_ns;
        self.searched += nodes - before;
        self.busy = Some(Busy {
            due_ns: self.now_ns + took_ns,
            nodes,
            sign,
            is_cancelled: self.busy.as_ref().is_some_and(|busy| busy.is_cancelled),
            unsearched: self.busy.as_ref().map_or(0, |busy| busy.unsearched),
        });
    }

    /// When there is something to be done here next.
    pub(super) fn due_ns(&self) -> Option<u64> {
        self.busy.as_ref().map(|busy| busy.due_ns)
    }

    /// It is now this time: who has paused goes on, or breaks off.
    pub(super) fn advance(&mut self, now_ns: u64) {
        self.now_ns = now_ns;
        while let Some(busy) = &self.busy {
            if busy.due_ns > now_ns || matches!(busy.sign, Sign::Done(..)) {
                return;
            }
            let (nodes, is_wanted) = (busy.nodes, !busy.is_cancelled);
            self.tell(Order::GoOn(is_wanted));
            self.hear(nodes);
        }
    }

    /// The rank's hash table.
    pub(super) fn table(&self) -> &Arc<LeafTable> {
        &self.table
    }
}

impl Drop for Diver {
    fn drop(&mut self) {
        if let Some(Sign::Paused(_)) = self.busy.take().map(|busy| busy.sign) {
            self.tell(Order::GoOn(false));
        }
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // It falls over only with those who wait for it.
            let _ = thread.join();
        }
    }
}

impl Crew<Move> for Diver {
    fn configure(&mut self, _: &[i32]) -> Result<usize, String> {
        Ok(1)
    }

    fn use_tables(&mut self, _: &TablePaths) {}

    fn new_game(&mut self) {
        self.table.clear();
        self.tell(Order::Forget);
    }

    fn begin(&mut self, root: &Root<Move>, _: bool) -> Result<(), String> {
        let line = line_of(root)?;
        self.table.age();
        self.tell(Order::Begin(line));
        Ok(())
    }

    fn start(&mut self, _: usize, job: Job<Move>) {
        assert!(self.busy.is_none(), "one job at a time");
        self.tell(Order::Job(job));
        self.hear(0);
    }

    fn cancel(&mut self, _: usize) {
        let Some(busy) = self.busy.as_mut().filter(|busy| !busy.is_cancelled) else {
            return;
        };
        busy.is_cancelled = true;
        let until_ns = self.now_ns + ASKS_EVERY * self.node_ns;
        let early_ns = busy.due_ns.saturating_sub(until_ns);
        // What was counted beforehand and will not be searched.
        let unsearched = early_ns / self.node_ns;
        busy.due_ns -= early_ns;
        busy.unsearched = unsearched;
        self.busy_ns -= early_ns;
        self.searched -= unsearched;
    }

    fn finished(&mut self) -> Option<(usize, Reply<Move>)> {
        let busy = self
            .busy
            .take_if(|busy| busy.due_ns <= self.now_ns && matches!(busy.sign, Sign::Done(..)))?;
        let Sign::Done(reply, entries) = busy.sign else {
            return None;
        };
        if busy.is_cancelled {
            let nodes = busy.nodes - busy.unsearched;
            return Some((0, Reply::BrokenOff(nodes)));
        }
        if self.shares {
            self.entries.extend(entries);
        }
        Some((0, reply))
    }

    fn nodes(&self) -> u64 {
        self.busy
            .as_ref()
            .map_or(0, |busy| busy.nodes - busy.unsearched)
    }

    fn take_entries(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.entries)
    }

    fn add_entries(&mut self, entries: &[Entry]) {
        remember(&self.table, entries);
    }
}

/// Follows orders until there are no more.
fn dive(mut searcher: Searcher, inbox: &Receiver<Order>, signs: &Sender<Sign>) {
    let mut line = None;
    for order in inbox {
        match (order, &mut line) {
            (Order::Begin(next), line) => {
                *line = Some(next);
                searcher.turn_to_new_position();
            }
            (Order::Forget, _) => searcher.forget(),
            (Order::Job(job), Some(line)) => {
                let reply = answer(&mut searcher, line, &job, &mut |nodes| {
                    if !nodes.is_multiple_of(ASKS_EVERY * STOPS_EVERY) {
                        return true;
                    }
                    let is_heard = signs.send(Sign::Paused(nodes)).is_ok();
                    is_heard && matches!(inbox.recv(), Ok(Order::GoOn(true)))
                });
                let entries = worth_sharing(&searcher, line, &job, &reply);
                if signs.send(Sign::Done(reply, entries)).is_err() {
                    return;
                }
            }
            (Order::Job(_) | Order::GoOn(_), _) => {}
        }
    }
}
