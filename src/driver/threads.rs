//! One thread for each worker, and real channels between them.
//!
//! The worker at home sits on the caller's thread, beside the monitor, which may stop everybody:
//!
//! ```text
//! caller's thread: home, monitor <--- letters ---> worker 1, worker 2, ...   one thread and one inbox each
//!        `---------------- stop, node counts (Signals) ---------------'
//! ```
//!
//! A worker without work looks out for letters for a moment, then sleeps in its inbox until one comes. Threads live as long
//! as one analysis.

use std::hint;
use std::num::NonZero;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use crossbeam::channel::{self, Receiver, Sender};

use crate::cc2s::{Envelope, Monitor, Progress, RootReport, Status, Worker};
use crate::game::{Evaluator, Game};
use crate::sync::{Signals, StopAtEnd};

/// The leaf search recurses; this is enough for the deepest one.
const STACK_BYTES: usize = 16 << 20;
/// While home waits for letters the monitor is asked this often.
const MONITOR_INTERVAL: Duration = Duration::from_millis(1);

/// A worker without work looks so often for letters before it sleeps, which takes some hundred microseconds: most letters
/// come sooner than a sleeper can be woken, and to wake one costs the sender more than the letter (`docs/experiments.md`).
const LOOKS: usize = 2_000;
/// Spins between two looks.
const SPINS: usize = 8;

/// What is in an inbox.
enum Letter<M> {
    Mail(Envelope<M>),
    /// The analysis is over.
    End,
}

/// A worker, its evaluator and its mail.
struct Seat<'a, G: Game, E> {
    worker: &'a mut Worker<G>,
    evaluator: &'a mut E,
    inbox: Receiver<Letter<G::Move>>,
    /// The inboxes of all workers.
    outboxes: &'a [Sender<Letter<G::Move>>],
    signals: &'a Signals,
    /// How often to look for letters before sleeping.
    looks: usize,
    /// The letter that ends the analysis has been read.
    is_over: bool,
}

/// Ends the analysis for all workers, also for those that sleep, when it goes out of scope.
struct EndOfAnalysis<'a, M>(&'a [Sender<Letter<M>>], &'a Signals);

impl<M> Drop for EndOfAnalysis<'_, M> {
    fn drop(&mut self) {
        self.1.stop();
        for outbox in self.0 {
            // Who is gone already need not be told.
            let _ = outbox.send(Letter::End);
        }
    }
}

/// Lets the workers, the first of which leads an analysis, work until the decision is taken, a worker's memory is full or
/// the monitor says stop. The monitor is asked after every step at home, a valuation at most, and every millisecond while
/// home waits. `evaluators` holds one for each worker.
///
/// At the end every letter has arrived, but nobody need be at rest.
pub fn run<G, E>(
    workers: &mut [Worker<G>],
    evaluators: &mut [E],
    monitor: &mut impl Monitor<G::Move>,
) where
    G: Game + Send,
    G::Move: Send,
    E: Evaluator<G> + Send,
{
    assert_eq!(workers.len(), evaluators.len(), "an evaluator each");
    let signals = Signals::new(workers.len());
    let (outboxes, inboxes): (Vec<_>, Vec<_>) =
        workers.iter().map(|_| channel::unbounded()).unzip();
    // Where several workers share a processor, to look out keeps it from those who have work.
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let looks = if workers.len() <= processors {
        LOOKS
    } else {
        0
    };
    let pairs = workers.iter_mut().zip(evaluators).zip(inboxes.clone());
    let mut seats = pairs.map(|((worker, evaluator), inbox)| Seat {
        worker,
        evaluator,
        inbox,
        outboxes: &outboxes,
        signals: &signals,
        looks,
        is_over: false,
    });
    let mut local: Vec<_> = seats.by_ref().take(1).collect();
    // A thread takes its seat when it runs; the seat of a thread that cannot be had stays here.
    let others: Vec<_> = seats.map(|seat| Mutex::new(Some(seat))).collect();
    thread::scope(|scope| {
        let _end = EndOfAnalysis(&outboxes, &signals);
        for place in &others {
            let take = || place.lock().ok().and_then(|mut seat| seat.take());
            let builder = thread::Builder::new()
                .name("worker".to_owned())
                .stack_size(STACK_BYTES);
            let started = builder.spawn_scoped(scope, move || take().map(Seat::work));
            if started.is_err() {
                local.extend(take());
            }
        }
        serve(&mut local, monitor);
    });
    drop(local);
    for (worker, inbox) in workers.iter_mut().zip(inboxes) {
        for letter in inbox.try_iter() {
            if let Letter::Mail(envelope) = letter {
                worker.receive(envelope);
            }
        }
    }
}

/// Lets the worker at home, the first, work, and with it those that have no thread of their own.
fn serve<G: Game, E: Evaluator<G>>(
    seats: &mut [Seat<'_, G, E>],
    monitor: &mut impl Monitor<G::Move>,
) {
    loop {
        let mut has_worked = false;
        for seat in &mut *seats {
            has_worked |= seat.turn();
        }
        let home = &mut seats[0];
        for report in home.worker.take_reports() {
            monitor.report(&home.with_all_nodes(report));
        }
        let status = Status {
            nodes: home.signals.nodes(),
            ..home.worker.status()
        };
        if home.worker.is_done() || !home.goes_on() || !monitor.proceed(&status) {
            return;
        }
        if !has_worked && let Some(letter) = home.wait(MONITOR_INTERVAL) {
            home.read(letter);
        }
    }
}

impl<G: Game, E: Evaluator<G>> Seat<'_, G, E> {
    /// What the thread of a worker does until the analysis is over.
    fn work(mut self) {
        // Should this worker fall over, nobody is to wait for it.
        let _end = StopAtEnd(self.signals);
        while self.goes_on() {
            if !self.turn() && !self.is_over {
                let letter = self.look_out().or_else(|| self.inbox.recv().ok());
                self.read(letter.unwrap_or(Letter::End));
            }
        }
    }

    /// Waits for a letter, but no longer than that.
    fn wait(&self, longest: Duration) -> Option<Letter<G::Move>> {
        self.look_out()
            .or_else(|| self.inbox.recv_timeout(longest).ok())
    }

    /// Waits a little for a letter without going to sleep.
    fn look_out(&self) -> Option<Letter<G::Move>> {
        (0..self.looks).find_map(|_| {
            let letter = self.inbox.try_recv().ok();
            if letter.is_none() {
                (0..SPINS).for_each(|_| hint::spin_loop());
            }
            letter
        })
    }

    fn read(&mut self, letter: Letter<G::Move>) {
        match letter {
            Letter::Mail(envelope) => self.worker.receive(envelope),
            Letter::End => self.is_over = true,
        }
    }

    /// Takes in what has arrived, does one step and sends what there is to say; false if there was nothing to do.
    fn turn(&mut self) -> bool {
        while let Ok(letter) = self.inbox.try_recv() {
            self.read(letter);
        }
        let progress = self.worker.step(self.evaluator);
        let outbox = self.worker.take_outbox();
        let has_worked = progress != Progress::Idle || !outbox.is_empty();
        for envelope in outbox {
            let to = usize::from(envelope.to.0);
            // Who has left the analysis has no use for it.
            let _ = self.outboxes[to].send(Letter::Mail(envelope));
        }
        if self.worker.halted().is_some() {
            self.signals.stop();
        }
        has_worked
    }

    /// Says how much was done, and hears whether to go on.
    fn goes_on(&self) -> bool {
        let thread = usize::from(self.worker.id().0);
        self.signals.proceed(thread, self.worker.counters().nodes()) && !self.is_over
    }

    /// A report of home, with the nodes of all workers: those of the others count as the evaluator's.
    fn with_all_nodes(&self, mut report: RootReport<G::Move>) -> RootReport<G::Move> {
        let nodes = report.counters.nodes();
        let all = self.signals.nodes().max(nodes);
        report.counters.leaf_nodes += all - nodes;
        report
    }
}
