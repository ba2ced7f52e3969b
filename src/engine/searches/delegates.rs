//! Workers of a delegating search: threads that take jobs from one planner and share one hash table, and other ranks.
//!
//! The lead is the caller's thread. It works like the others, and tells the overseer what is new. Threads live as long as one question:
//! between questions nothing runs, nothing waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::cc2s::{Job, News, PlanStatus, Planner, Reply, Ticket};
use crate::chess::{Line, Move};
use crate::cluster::jobs::{answer, apply, updates};
use crate::cluster::world::{Done, Ranks};
use crate::game::Score;
use crate::search::{
    LeafSearcher, LeafTable, SHARED_DEPTH_MIN, STACK_BYTES, ShareThresholds, SharedSearch,
};
use crate::sync::{Event, SearchControl, StopOnDrop};

/// How long the lead waits for the others before it looks at the clock.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Watches a search and says when it is enough.
pub(super) trait Overseer {
    /// Called every few thousand nodes with the nodes of all workers; false ends the search.
    fn proceed(&mut self, status: &PlanStatus, nodes: u64) -> bool;
    /// Called when there is something to tell.
    fn tell(&mut self, status: &PlanStatus, news: &News<Move>, nodes: u64);
    /// Called between jobs: the overseer may do some work of its own.
    fn interlude(&mut self, status: &PlanStatus, nodes: u64) -> Interlude;
    /// Called when something is wrong that people should know.
    fn complain(&mut self, text: String);
    /// Called at the end with the best line, while helpers may still be on their way home.
    fn answer(&mut self, status: &PlanStatus, line: &[Move]);
}

/// What an overseer did between jobs.
pub(super) struct Interlude {
    /// Nodes it took.
    pub(super) nodes: u64,
    /// A line from the root proved to lead to that score, the root's view.
    pub(super) proof: Option<(Vec<Move>, Score)>,
}

/// What the workers share beside the hash table.
struct Shared {
    state: Mutex<State>,
    /// Something has changed that those who wait want to know.
    changed: Condvar,
    /// Whether to go on, and the nodes of all: the lead first, other ranks last.
    control: SearchControl,
    /// Where in the tree workers are; `None` for one that is alone.
    search: Option<Arc<SharedSearch>>,
    /// For each worker the ticket whose job it should break off.
    cancelled: Vec<AtomicU64>,
    /// Tells the thread that talks to other ranks that something has changed; `None` where there are none.
    wake: Option<Arc<Event>>,
}

struct State {
    planner: Planner<Move>,
    /// Not told yet, each with the status at the time.
    news: Vec<(PlanStatus, News<Move>)>,
    /// The job each worker is at.
    at: Vec<Option<Ticket>>,
    /// What workers have done, where other ranks are to be compared with them.
    done: Vec<Done>,
    /// What people are to know.
    complaints: Vec<String>,
    is_ended: bool,
}

/// Works on the planner's question with all workers, and with other ranks where there are any, until nothing is left to
/// ask or the overseer ends it.
pub(super) fn delegate(
    planner: Planner<Move>,
    line: &Line,
    workers: &mut [LeafSearcher],
    ranks: Option<&mut Ranks>,
    overseer: &mut dyn Overseer,
) -> Planner<Move> {
    let others = ranks
        .as_ref()
        .map(|ranks| (ranks.event(), ranks.thresholds()));
    let shared = Shared::new(planner, workers.len(), others);
    for worker in &mut *workers {
        worker.set_shared(shared.search.clone());
    }
    let (lead, helpers) = workers.split_first_mut().expect("somebody works");
    let table = lead.table().clone();
    thread::scope(|scope| {
        let end = EndAll(&shared);
        if let Some(ranks) = ranks {
            scope.spawn(|| shared.correspond(ranks, &table));
        }
        for (helper, place) in helpers.iter_mut().zip(1..) {
            if !spawn(scope, &shared, place, helper, line.clone()) {
                break;
            }
        }
        shared.lead(lead, line.clone(), overseer);
        let has_fallen_over = shared.state.lock().is_ended;
        drop(end);
        if !has_fallen_over {
            shared.answer(overseer);
        }
    });
    shared.state.into_inner().planner
}

/// Ends the work of all when it goes out of scope, also when its thread falls over.
struct EndAll<'a>(&'a Shared);

impl Drop for EndAll<'_> {
    fn drop(&mut self) {
        let _stop = StopOnDrop(&self.0.control);
        self.0.state.lock().is_ended = true;
        self.0.tell_of_change();
    }
}

/// Starts a helper; false if the system has no thread to give.
fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    shared: &'scope Shared,
    place: usize,
    helper: &'scope mut LeafSearcher,
    line: Line,
) -> bool {
    let work = move || shared.help(place, helper, line);
    let builder = thread::Builder::new()
        .name("worker".to_owned())
        .stack_size(STACK_BYTES);
    builder.spawn_scoped(scope, work).is_ok()
}

impl State {
    /// Draws all conclusions there are.
    fn conclude(&mut self) {
        while let Some(news) = self.planner.conclude() {
            self.news.push((self.planner.status(), news));
        }
    }

    /// Gives the worker something to do.
    fn next(&mut self, place: usize) -> Option<(Ticket, Job<Move>)> {
        self.conclude();
        let next = self.planner.take_at_home(0, |_| true);
        let next = next.or_else(|| self.planner.take());
        let next = next.or_else(|| self.planner.join(|_| true));
        self.at[place] = next.as_ref().map(|&(ticket, _)| ticket);
        next
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
            state: Mutex::new(State {
                planner,
                news: Vec::new(),
                at: vec![None; threads],
                done: Vec::new(),
                complaints: Vec::new(),
                is_ended: false,
            }),
            changed: Condvar::new(),
            search: (threads > 1 || wake.is_some())
                .then(|| Arc::new(SharedSearch::new(SHARED_DEPTH_MIN, thresholds))),
            control: SearchControl::new(threads + 1),
            cancelled: (0..threads).map(|_| AtomicU64::new(u64::MAX)).collect(),
            wake,
        }
    }

    /// Something has changed that others wait for.
    fn tell_of_change(&self) {
        self.changed.notify_all();
        if let Some(wake) = &self.wake {
            wake.set();
        }
    }

    /// Exchanges jobs and answers with the other ranks until the search has ended.
    fn correspond(&self, ranks: &mut Ranks, table: &LeafTable) {
        let _end = EndAll(self);
        loop {
            let mut state = self.state.lock();
            if state.is_ended {
                break;
            }
            let has_replies = ranks.coordinator.serve(&mut state.planner);
            state.conclude();
            ranks.coordinator.give_out(&mut state.planner);
            self.break_off(&state);
            ranks.note_own(std::mem::take(&mut state.done));
            state.complaints.extend(ranks.coordinator.take_complaints());
            drop(state);
            if has_replies {
                self.changed.notify_all();
            }
            if let Some(search) = &self.search {
                let received = ranks.coordinator.exchange_updates(updates(search));
                apply(search, table, &received);
            }
            self.control
                .proceed(self.cancelled.len(), ranks.coordinator.nodes());
            ranks.exchange();
        }
        ranks.stop();
    }

    /// Takes in the answer to a job of a thread.
    fn finish(&self, (ticket, from): (Ticket, Instant), reply: Reply<Move>) {
        let mut state = self.state.lock();
        if self.wake.is_some() {
            state.done.push(Done {
                from,
                to: Instant::now(),
                nodes: reply.nodes(),
                is_broken_off: matches!(reply, Reply::BrokenOff(_)),
            });
        }
        state.planner.note(ticket, reply);
        self.tell_of_change();
    }

    fn help(&self, place: usize, helper: &mut LeafSearcher, mut line: Line) {
        // A worker that falls over takes all with it: the engine knows what to do then.
        let _end = EndAll(self);
        let mut before = 0;
        loop {
            let Some((ticket, job)) = self.wait_for_job(place) else {
                return;
            };
            let from = Instant::now();
            let reply = answer(helper, &mut line, &job, &mut |nodes| {
                self.control.proceed(place, before + nodes) && !self.is_cancelled(place, ticket)
            });
            before += reply.nodes();
            self.control.proceed(place, before);
            self.finish((ticket, from), reply);
        }
    }

    /// `None`: the search has ended.
    fn wait_for_job(&self, place: usize) -> Option<(Ticket, Job<Move>)> {
        let mut state = self.state.lock();
        loop {
            if state.is_ended {
                return None;
            }
            if let Some(next) = state.next(place) {
                self.break_off(&state);
                return Some(next);
            }
            self.changed.wait(&mut state);
        }
    }

    fn lead(&self, lead: &mut LeafSearcher, mut line: Line, overseer: &mut dyn Overseer) {
        let mut before = 0;
        loop {
            let mut state = self.state.lock();
            let next = state.next(0);
            self.break_off(&state);
            let status = self.tell_all(&mut state, overseer);
            // A helper that fell over ends the search, too.
            let is_finished = state.planner.is_finished() || state.is_ended;
            if next.is_none() && !is_finished {
                self.changed.wait_for(&mut state, LOOK_EVERY);
            }
            drop(state);
            let proceeds = overseer.proceed(&status, self.control.nodes());
            if is_finished || !proceeds {
                return;
            }
            let interlude = overseer.interlude(&status, self.control.nodes());
            before += interlude.nodes;
            self.control.proceed(0, before);
            if let Some((line, score)) = interlude.proof {
                self.state.lock().planner.prove(&line, score);
            }
            let Some((ticket, job)) = next else { continue };
            let (mut status, mut is_stopped) = (status, false);
            let from = Instant::now();
            let reply = answer(lead, &mut line, &job, &mut |nodes| {
                self.control.proceed(0, before + nodes);
                if let Some(mut state) = self.state.try_lock() {
                    status = self.tell_all(&mut state, overseer);
                }
                is_stopped = !overseer.proceed(&status, self.control.nodes());
                !is_stopped && !self.is_cancelled(0, ticket)
            });
            before += reply.nodes();
            self.control.proceed(0, before);
            self.finish((ticket, from), reply);
            if is_stopped {
                return;
            }
        }
    }

    /// Tells the last words. On a busy machine helpers take their time to hear of the end, and the clock runs.
    fn answer(&self, overseer: &mut dyn Overseer) {
        let mut state = self.state.lock();
        let last_word = state.planner.last_word();
        let status = state.planner.status();
        state.news.extend(last_word.map(|news| (status, news)));
        let status = self.tell_all(&mut state, overseer);
        let line = state.planner.line();
        drop(state);
        overseer.answer(&status, &line);
    }

    /// Passes on what is new; answers how things stand.
    fn tell_all(&self, state: &mut State, overseer: &mut dyn Overseer) -> PlanStatus {
        let nodes = self.control.nodes();
        for (status, news) in state.news.drain(..) {
            overseer.tell(&status, &news, nodes);
        }
        for text in state.complaints.drain(..) {
            overseer.complain(text);
        }
        state.planner.status()
    }

    /// Has workers break off what nobody needs any more.
    fn break_off(&self, state: &State) {
        for ticket in state.planner.superseded() {
            let place = state.at.iter().position(|&at| at == Some(ticket));
            if let Some(place) = place {
                self.cancelled[place].store(ticket.number(), Ordering::Relaxed);
            }
        }
    }

    fn is_cancelled(&self, place: usize, ticket: Ticket) -> bool {
        self.cancelled[place].load(Ordering::Relaxed) == ticket.number()
    }
}
