//! Threads that share memory: one tree, and a context in it for each thread.
//!
//! The first context runs on the caller's thread, beside the listener, which may stop all threads:
//!
//! ```text
//! caller's thread: context 0, listener --.
//! thread 1: context 1 -------------------+--- one at a time ---> worker (tasks, tree, tables)
//! thread 2: context 2 -------------------'
//! ```
//!
//! The evaluator runs while other threads hold the worker. A thread without work polls for a moment, then sleeps
//! until another thread has work to spare. Threads exist for one analysis.

use std::hint;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam::utils::CachePadded;
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::game::{Evaluator, Game, Progress, RootUpdate, SearchListener};
use crate::thesis::{ThreadContext, Worker};

/// Enough stack for the deepest recursion of the leaf search.
const STACK_BYTES: usize = 16 << 20;
/// The interval at which the listener is called while its thread is idle.
const LISTENER_INTERVAL: Duration = Duration::from_millis(1);

/// The number of polls of an idle thread before it sleeps, which take some hundred microseconds. Most work arrives
/// sooner than a sleeping thread can be woken (`docs/experiments.md`).
const POLLS: usize = 2_000;
/// Spins between two polls.
const SPINS: usize = 8;

/// State shared by the threads.
struct Workplace<'a, G: Game> {
    worker: Mutex<&'a mut Worker<G>>,
    /// Counts how often there was work to spare while a thread was idle.
    offers: CachePadded<AtomicU64>,
    /// The number of threads without work.
    idle: CachePadded<AtomicUsize>,
    wake: Condvar,
    is_over: CachePadded<AtomicBool>,
    /// The number of polls before sleeping.
    polls: usize,
}

/// Ends the analysis for all threads, including sleeping ones, when it goes out of scope.
struct EndOfAnalysis<'a, 'w, G: Game>(&'a Workplace<'w, G>);

impl<G: Game> Drop for EndOfAnalysis<'_, '_, G> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Relaxed);
        // A thread that is about to sleep holds the lock until then.
        drop(self.0.worker.lock());
        self.0.wake.notify_all();
    }
}

/// The state after a turn, as needed by the thread beside the listener.
struct PoolView<M> {
    reports: Vec<RootUpdate<M>>,
    status: Progress,
    is_over: bool,
}

/// Runs threads, one for each evaluator, for a worker that leads an analysis. They end when the decision is made,
/// its memory is full or the listener stops the search. The listener is called after every evaluation of the first
/// thread, and every millisecond while that thread is idle. `game` is at the root.
pub fn run<G, E>(
    worker: &mut Worker<G>,
    game: &G,
    evaluators: &mut [E],
    listener: &mut dyn SearchListener<G::Move>,
) where
    G: Game + Clone + Send,
    G::Move: Send,
    E: Evaluator<G> + Send,
{
    // Where several threads share a processor, polling takes it from threads with work.
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let place = Workplace {
        worker: Mutex::new(worker),
        offers: CachePadded::default(),
        idle: CachePadded::default(),
        wake: Condvar::new(),
        is_over: CachePadded::default(),
        polls: if evaluators.len() <= processors {
            POLLS
        } else {
            0
        },
    };
    let (own, others) = evaluators.split_first_mut().expect("a thread at least");
    thread::scope(|scope| {
        let _end = EndOfAnalysis(&place);
        for evaluator in others {
            let context = place.worker.lock().new_context(game.clone());
            let place = &place;
            let builder = thread::Builder::new()
                .name("worker".to_owned())
                .stack_size(STACK_BYTES);
            // A thread that cannot be started is one thread less.
            let _ = builder.spawn_scoped(scope, move || place.help(context, evaluator));
        }
        let context = place.worker.lock().new_context(game.clone());
        place.lead(context, own, listener);
    });
}

impl<'w, G: Game> Workplace<'w, G> {
    /// The first thread's loop until the analysis is over.
    fn lead<E: Evaluator<G>>(
        &self,
        mut context: ThreadContext<G>,
        evaluator: &mut E,
        listener: &mut dyn SearchListener<G::Move>,
    ) {
        loop {
            let (idle_since, view) = self.take_turn(&mut context, evaluator, |worker| PoolView {
                reports: worker.take_reports(),
                status: worker.status(),
                is_over: worker.is_done() || worker.halted().is_some(),
            });
            for report in &view.reports {
                listener.report(report);
            }
            if view.is_over || self.is_over() || !listener.proceed(&view.status) {
                return;
            }
            match idle_since {
                Some(seen) => self.wait(seen, Some(LISTENER_INTERVAL)),
                None => {
                    context.evaluate(evaluator);
                }
            }
        }
    }

    /// Every other thread's loop until the analysis is over.
    fn help<E: Evaluator<G>>(&self, mut context: ThreadContext<G>, evaluator: &mut E) {
        // If this thread panics, no other may wait for it.
        let _end = EndOfAnalysis(self);
        while !self.is_over() {
            let (idle_since, ()) = self.take_turn(&mut context, evaluator, |_| ());
            match idle_since {
                Some(seen) => self.wait(seen, None),
                None => {
                    context.evaluate(evaluator);
                }
            }
        }
    }

    /// Lets a thread advance the worker, and then `view` examine it. Returns the number of offers so far if the
    /// thread has no work.
    fn take_turn<E: Evaluator<G>, T>(
        &self,
        context: &mut ThreadContext<G>,
        evaluator: &mut E,
        view: impl FnOnce(&mut Worker<G>) -> T,
    ) -> (Option<u64>, T) {
        let mut worker = self.turn();
        let seen = self.offers.load(Ordering::Relaxed);
        let is_busy = worker.advance(context, evaluator);
        self.offer(&worker);
        ((!is_busy).then_some(seen), view(&mut worker))
    }

    /// Locks the worker. It is never held for long, and sleeping would take longer. So would yielding the
    /// processor, as `crossbeam::utils::Backoff` does after some rounds: where all cores search, the next turn is
    /// milliseconds away.
    fn turn(&self) -> MutexGuard<'_, &'w mut Worker<G>> {
        let tries = (0..self.polls).find_map(|_| {
            let worker = self.worker.try_lock();
            if worker.is_none() {
                hint::spin_loop();
            }
            worker
        });
        tries.unwrap_or_else(|| self.worker.lock())
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Wakes an idle thread if there is work, or if there will be none.
    fn offer(&self, worker: &Worker<G>) {
        if self.idle.load(Ordering::Relaxed) == 0 {
            return;
        }
        if worker.has_stealable_work() || worker.is_done() {
            self.offers.fetch_add(1, Ordering::Relaxed);
            self.wake.notify_one();
        }
    }

    /// Waits until work is offered that was not seen before, for at most `longest`.
    fn wait(&self, seen: u64, longest: Option<Duration>) {
        let is_offered = || self.offers.load(Ordering::Relaxed) != seen || self.is_over();
        self.idle.fetch_add(1, Ordering::Relaxed);
        let is_soon = (0..self.polls).any(|_| {
            (0..SPINS).for_each(|_| hint::spin_loop());
            is_offered()
        });
        if !is_soon {
            let mut worker = self.worker.lock();
            match longest {
                _ if is_offered() => {}
                Some(longest) => {
                    self.wake.wait_for(&mut worker, longest);
                }
                None => self.wake.wait(&mut worker),
            }
        }
        self.idle.fetch_sub(1, Ordering::Relaxed);
    }
}
