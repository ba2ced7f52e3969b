//! One running search: its thread, its clock, its budget. The only reader of the clock.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam::channel::{self, Receiver, Sender};

use super::clock_watch::ClockWatch;
use super::count::count;
use super::event::SearchEvent;
use super::table_probe::TableProbe;
use crate::chess::Position;
use crate::endgame::probe::Tables;
use crate::engine::mate::go_mate;
use crate::engine::search::{Question, Search, Watch as _};
use crate::eval::EvaluationKind;
use crate::search::STACK_BYTES;
use crate::time::{Lag, Limits, TimeManager, TimeParams, TimedMove};

/// A point in time, taken when a line of input was read.
#[derive(Clone, Copy, Debug)]
pub struct Moment(Instant);

impl Moment {
    /// This moment.
    pub fn now() -> Self {
        Self(Instant::now())
    }

    /// The time that has passed since.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }

    /// The time from `earlier` to this moment; none if that is later.
    pub fn since(self, earlier: Self) -> Duration {
        self.0.saturating_duration_since(earlier.0)
    }
}

/// What a running search can be told.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    /// End at once.
    Stop,
    /// The clock has been running since then.
    PonderHit(Moment),
}

/// What a search may use.
pub struct Terms {
    /// Its limits, and how to share out the time.
    pub budget: (Limits, TimeParams),
    /// How late moves are.
    pub lag: Lag,
    /// Endgame tables.
    pub tables: Option<Arc<Tables>>,
    /// What a move that was not searched is judged by.
    pub evaluation: EvaluationKind,
}

/// A handle on one running job. Dropping it stops the job.
pub struct ActiveSearch {
    orders: Sender<Order>,
    thread: JoinHandle<Option<Finished>>,
}

/// What a search leaves.
pub struct Finished {
    /// Itself.
    pub search: Box<dyn Search>,
    /// Its move; `None` where it was not the clock that decided when to make it.
    pub made: Option<TimedMove>,
}

impl ActiveSearch {
    /// Starts a search whose clock has been running since `start`.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn think(
        mut search: Box<dyn Search>,
        mut question: Question,
        terms: Terms,
        start: Moment,
        events: Sender<SearchEvent>,
    ) -> io::Result<Self> {
        Self::spawn(move |orders| {
            let (limits, params) = terms.budget;
            let manager = TimeManager::new(limits, params, &terms.lag);
            let post = Post {
                start,
                orders,
                events,
            };
            let tables = TableProbe::new(&mut question, terms.tables, &post.events);
            let mut watch = ClockWatch::new(&question, manager, (tables, terms.evaluation), post);
            if watch.tables().is_doubtful() {
                search.new_game();
            }
            let answer = match watch.tables().solution(&question) {
                Some(reports) => watch.tell(&reports),
                None => go_mate::think(search.as_mut(), &question, &mut watch),
            };
            watch.answer(&answer);
            let made = watch.made();
            Some(Finished { search, made })
        })
    }

    /// Starts counting the move sequences of `depth` plies.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn count(
        position: Position,
        depth: u32,
        start: Moment,
        events: Sender<SearchEvent>,
    ) -> io::Result<Self> {
        Self::spawn(move |orders| {
            count(
                &position,
                depth,
                &Post {
                    start,
                    orders,
                    events,
                },
            );
            None
        })
    }

    fn spawn(
        job: impl FnOnce(Receiver<Order>) -> Option<Finished> + Send + 'static,
    ) -> io::Result<Self> {
        let (orders, inbox) = channel::unbounded();
        let builder = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES);
        let thread = builder.spawn(move || job(inbox))?;
        Ok(Self { orders, thread })
    }

    /// Tells the job to end. Its last event follows at once.
    pub fn stop(&self) {
        // A job that has ended hears nothing, which is right.
        let _ = self.orders.send(Order::Stop);
    }

    /// Tells a pondering search that its clock has been running since `moment`.
    pub fn ponder_hit(&self, moment: Moment) {
        let _ = self.orders.send(Order::PonderHit(moment));
    }

    /// Waits for the end and gives the search back; `None` after a count or a failure.
    pub fn join(self) -> Option<Finished> {
        self.thread.join().ok().flatten()
    }
}

/// Where a job gets its orders and leaves its news.
pub(crate) struct Post {
    /// When the job was asked for.
    pub(crate) start: Moment,
    /// What it is told.
    pub(crate) orders: Receiver<Order>,
    /// What it tells.
    pub(crate) events: Sender<SearchEvent>,
}

impl Post {
    /// Nobody listening is no reason to fail: the engine is being shut down, and orders will say so.
    pub(crate) fn send(&self, event: SearchEvent) {
        let _ = self.events.send(event);
    }

    /// Whether the only order a count understands has arrived, or its engine is gone.
    pub(crate) fn is_stopped(&self) -> bool {
        match self.orders.try_recv() {
            Ok(Order::Stop) | Err(channel::TryRecvError::Disconnected) => true,
            Ok(Order::PonderHit(_)) | Err(channel::TryRecvError::Empty) => false,
        }
    }
}
