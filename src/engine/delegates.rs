//! Workers of a delegating search: threads that take jobs from one planner and share one hash table.
//!
//! The lead is the caller's thread. It works like the others, and tells the overseer what is new. Threads live as long as one question:
//! between questions nothing runs, nothing waits.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, Scope};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use super::active::STACK_BYTES;
use crate::cc2s::delegation::{Ask, Found, Job, News, Planner, Reply, Status, Ticket};
use crate::chess::{Line, Move};
use crate::game::{Score, Window};
use crate::leaf::{self, Searcher};
use crate::sync::{Signals, StopAtEnd};

/// How long the lead waits for the others before it looks at the clock.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Watches a search and says when it is enough.
pub(super) trait Overseer {
    /// Called every few thousand nodes with the nodes of all workers; false ends the search.
    fn proceed(&mut self, status: &Status, nodes: u64) -> bool;
    /// Called when there is something to tell.
    fn tell(&mut self, status: &Status, news: &News<Move>, nodes: u64);
    /// Called between jobs: the overseer may do some work of its own.
    fn interlude(&mut self, status: &Status, nodes: u64) -> Interlude;
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
    /// Whether to go on, and the nodes of all, the lead first.
    signals: Signals,
    /// For each worker the ticket whose job it should break off.
    cancelled: Vec<AtomicU64>,
}

struct State {
    planner: Planner<Move>,
    /// Not told yet, each with the status at the time.
    news: Vec<(Status, News<Move>)>,
    /// The job each worker is at.
    at: Vec<Option<Ticket>>,
    is_ended: bool,
}

/// Works on the planner's question with all workers until nothing is left to ask or the overseer ends it.
pub(super) fn delegate(
    planner: Planner<Move>,
    line: &Line,
    workers: &mut [Searcher],
    overseer: &mut dyn Overseer,
) -> Planner<Move> {
    let count = workers.len();
    let shared = Shared {
        state: Mutex::new(State {
            planner,
            news: Vec::new(),
            at: vec![None; count],
            is_ended: false,
        }),
        changed: Condvar::new(),
        signals: Signals::new(count),
        cancelled: (0..count).map(|_| AtomicU64::new(u64::MAX)).collect(),
    };
    let (lead, helpers) = workers.split_first_mut().expect("somebody works");
    thread::scope(|scope| {
        let end = EndAll(&shared);
        for (helper, place) in helpers.iter_mut().zip(1..) {
            if !spawn(scope, &shared, place, helper, line.clone()) {
                break;
            }
        }
        shared.lead(lead, line.clone(), overseer);
        drop(end);
    });
    let nodes = shared.signals.nodes();
    let mut state = shared.state.into_inner();
    state.news.extend(
        state
            .planner
            .last_word()
            .map(|news| (state.planner.status(), news)),
    );
    for (status, news) in &state.news {
        overseer.tell(status, news, nodes);
    }
    state.planner
}

/// Ends the work of all when it goes out of scope, also when its thread falls over.
struct EndAll<'a>(&'a Shared);

impl Drop for EndAll<'_> {
    fn drop(&mut self) {
        let _stop = StopAtEnd(&self.0.signals);
        self.0.state.lock().is_ended = true;
        self.0.changed.notify_all();
    }
}

/// Starts a helper; false if the system has no thread to give.
fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    shared: &'scope Shared,
    place: usize,
    helper: &'scope mut Searcher,
    line: Line,
) -> bool {
    let work = move || shared.help(place, helper, line);
    let builder = thread::Builder::new()
        .name("worker".to_owned())
        .stack_size(STACK_BYTES);
    builder.spawn_scoped(scope, work).is_ok()
}

impl State {
    /// Draws all conclusions there are, and gives the worker something to do.
    fn next(&mut self, place: usize) -> Option<(Ticket, Job<Move>)> {
        while let Some(news) = self.planner.conclude() {
            self.news.push((self.planner.status(), news));
        }
        let next = self.planner.take();
        self.at[place] = next.as_ref().map(|&(ticket, _)| ticket);
        next
    }
}

impl Shared {
    fn help(&self, place: usize, helper: &mut Searcher, mut line: Line) {
        // A worker that falls over takes all with it: the engine knows what to do then.
        let _end = EndAll(self);
        let mut before = 0;
        loop {
            let Some((ticket, job)) = self.wait_for_job(place) else {
                return;
            };
            let reply = answer(helper, &mut line, &job, &mut |nodes| {
                self.signals.proceed(place, before + nodes) && !self.is_cancelled(place, ticket)
            });
            before += nodes_of(&reply);
            self.signals.proceed(place, before);
            self.hand_in(ticket, reply);
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

    fn lead(&self, lead: &mut Searcher, mut line: Line, overseer: &mut dyn Overseer) {
        let mut before = 0;
        loop {
            let mut state = self.state.lock();
            let next = state.next(0);
            self.break_off(&state);
            let status = self.tell_all(&mut state, overseer);
            let is_finished = state.planner.is_finished();
            if next.is_none() && !is_finished {
                self.changed.wait_for(&mut state, LOOK_EVERY);
            }
            drop(state);
            let proceeds = overseer.proceed(&status, self.signals.nodes());
            if is_finished || !proceeds {
                return;
            }
            let interlude = overseer.interlude(&status, self.signals.nodes());
            before += interlude.nodes;
            self.signals.proceed(0, before);
            if let Some((line, score)) = interlude.proof {
                self.state.lock().planner.prove(&line, score);
            }
            let Some((ticket, job)) = next else { continue };
            let (mut status, mut is_stopped) = (status, false);
            let reply = answer(lead, &mut line, &job, &mut |nodes| {
                self.signals.proceed(0, before + nodes);
                if let Some(mut state) = self.state.try_lock() {
                    status = self.tell_all(&mut state, overseer);
                }
                is_stopped = !overseer.proceed(&status, self.signals.nodes());
                !is_stopped && !self.is_cancelled(0, ticket)
            });
            before += nodes_of(&reply);
            self.signals.proceed(0, before);
            self.hand_in(ticket, reply);
            if is_stopped {
                return;
            }
        }
    }

    /// Passes on what is new; answers how things stand.
    fn tell_all(&self, state: &mut State, overseer: &mut dyn Overseer) -> Status {
        let nodes = self.signals.nodes();
        for (status, news) in state.news.drain(..) {
            overseer.tell(&status, &news, nodes);
        }
        state.planner.status()
    }

    fn hand_in(&self, ticket: Ticket, reply: Reply<Move>) {
        let mut state = self.state.lock();
        state.planner.note(ticket, reply);
        self.changed.notify_all();
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

fn nodes_of(reply: &Reply<Move>) -> u64 {
    match reply {
        Reply::Score(found) => found.nodes,
        Reply::BrokenOff(nodes) => *nodes,
        Reply::Successors(_) => 0,
    }
}

/// Does a job, or breaks it off where `proceed` says so.
fn answer(
    worker: &mut Searcher,
    line: &mut Line,
    job: &Job<Move>,
    proceed: &mut dyn FnMut(u64) -> bool,
) -> Reply<Move> {
    let path = &job.path;
    let mut nodes_so_far = 0;
    let proceed = &mut |nodes| {
        nodes_so_far = nodes;
        proceed(nodes)
    };
    let question = |depth, window, is_cut| leaf::Question {
        path,
        depth,
        window,
        is_cut,
    };
    let found = match job.ask {
        Ask::Successors => return Reply::Successors(worker.successors(line, path)),
        Ask::Value {
            depth,
            window,
            is_cut,
        } => worker.answer(line, question(depth, window, is_cut), proceed),
        Ask::Strategy {
            depth,
            at_least,
            excluded,
        } => {
            let window = Window::null_below(at_least);
            worker.answer_by_move(line, question(depth, window, true), excluded, proceed)
        }
    };
    match found {
        None => Reply::BrokenOff(nodes_so_far),
        Some(reply) => Reply::Score(Found {
            score: reply.score,
            best: reply.best,
            line: reply.line,
            nodes: reply.nodes,
            level: reply.selective_depth,
        }),
    }
}
