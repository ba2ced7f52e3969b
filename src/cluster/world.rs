//! The other ranks of this program, where several processes search together. There is one set of them, as there is one
//! MPI: a search has it for one question at a time.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{MappedMutexGuard, Mutex, MutexGuard};
use thiserror::Error;

use crate::chess::notation::{fen, parse_fen};
use crate::chess::{Line, Move};
use crate::cluster::{
    ChannelLink, Coordinator, Identity, Link as _, PollPolicy, Root, Span, TablePaths, Timeline,
    ToCoordinator, decode, decode_all,
};
use crate::game::Game as _;
use crate::search::ShareThresholds;
use crate::settings::EngineParams;
use crate::sync::Event;
use crate::time::TimeParams;

/// A rank that has work and is silent for longer is left out.
const TIMEOUT: Duration = Duration::from_secs(1);
/// Ranks that do not report within this have not started.
const HELLO_WITHIN: Duration = Duration::from_mins(1);
/// Ranks that take longer for their tables get their jobs later than the others.
const READY_WITHIN: Duration = Duration::from_secs(5);

static JOINED: Mutex<Option<Ranks>> = Mutex::new(None);

/// Ranks that cannot work together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RanksError {
    /// Versions or builds differ: their hash tables and parameters would not mean the same.
    #[error("{rank} runs {program}, rank 0 on {host} runs {own}", rank = .0, program = .1, host = .2, own = .3)]
    Different(String, String, String, String),
    /// Its messages cannot be read.
    #[error("rank {0} runs another program")]
    Strange(usize),
    /// It has not reported.
    #[error("rank {0} has not started within {1} s")]
    Absent(usize, u64),
}

/// Number of ranks, the first included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankCount {
    /// In all.
    pub all: usize,
    /// On this machine.
    pub on_machine: usize,
}

impl RankCount {
    /// The poll policy of a rank where each has so many threads.
    pub(crate) fn poll_policy(self, threads: usize) -> PollPolicy {
        // A machine that does not tell how many processors it has is taken to have enough.
        let cores = thread::available_parallelism().map_or(usize::MAX, NonZero::get);
        PollPolicy::of(self.on_machine, threads, cores)
    }

    /// The thresholds for updates to other ranks where each rank has so many threads.
    pub(crate) fn thresholds(self, threads: usize) -> ShareThresholds {
        thresholds(self.all * threads, self.poll_policy(threads))
    }
}

/// The thresholds for updates to other ranks among so many searchers.
pub fn thresholds(searchers: usize, poll_policy: PollPolicy) -> ShareThresholds {
    let usual = ShareThresholds::among(searchers);
    match poll_policy {
        PollPolicy::Busy => usual,
        PollPolicy::Sparse => usual.sparse(),
    }
}

/// The other ranks, as the first sees them.
pub struct Ranks {
    pub(crate) coordinator: Coordinator<Move>,
    link: ChannelLink,
    start: Instant,
    tables: TablePaths,
    count: RankCount,
    poll_policy: PollPolicy,
    thresholds: ShareThresholds,
    /// The requests that the ranks were last waited for.
    waited_for: u64,
}

/// A job that a thread of this process has done.
pub(crate) struct JobTiming {
    pub(crate) from: Instant,
    pub(crate) to: Instant,
    pub(crate) nodes: u64,
    pub(crate) is_broken_off: bool,
}

/// The ranks for the time of one question.
pub(crate) type RanksGuard = MappedMutexGuard<'static, Ranks>;

/// Waits for the other ranks to report, and has them ready for searches from then on.
///
/// # Errors
/// One does not report, or runs another program.
pub fn join(link: ChannelLink, count: RankCount, own: &Identity) -> Result<(), RanksError> {
    greet(&link, count.all, own)?;
    *JOINED.lock() = Some(Ranks {
        coordinator: Coordinator::new(count.all, TIMEOUT.as_micros() as u64),
        link,
        start: Instant::now(),
        tables: TablePaths::default(),
        count,
        poll_policy: PollPolicy::default(),
        thresholds: ShareThresholds::among(count.all),
        waited_for: 0,
    });
    Ok(())
}

fn greet(link: &ChannelLink, ranks: usize, own: &Identity) -> Result<(), RanksError> {
    let deadline = Instant::now() + HELLO_WITHIN;
    let mut missing: Vec<usize> = (1..ranks).collect();
    while let Some(&first) = missing.first() {
        let letter = link.incoming().recv_deadline(deadline);
        let (rank, bytes) =
            letter.map_err(|_| RanksError::Absent(first, HELLO_WITHIN.as_secs()))?;
        let Ok(ToCoordinator::<Move>::Hello(theirs)) = decode(&bytes) else {
            return Err(RanksError::Strange(rank));
        };
        if (&theirs.version, theirs.build) != (&own.version, own.build) {
            return Err(RanksError::Different(
                format!("rank {rank} on {}", theirs.host),
                program(&theirs),
                own.host.clone(),
                program(own),
            ));
        }
        missing.retain(|&other| other != rank);
    }
    Ok(())
}

fn program(identity: &Identity) -> String {
    format!("cc2s {} (build {:016x})", identity.version, identity.build)
}

/// Ends the other ranks; returns those that are lost.
pub fn leave() -> Vec<usize> {
    let Some(mut ranks) = JOINED.lock().take() else {
        return Vec::new();
    };
    ranks.coordinator.quit();
    ranks.coordinator.flush(&mut ranks.link);
    ranks.coordinator.lost()
}

/// Whether there are other ranks.
pub fn are_joined() -> bool {
    JOINED.try_lock().is_none_or(|ranks| ranks.is_some())
}

/// Number of ranks, this one included.
pub fn count() -> usize {
    JOINED
        .lock()
        .as_ref()
        .map_or(1, |ranks| ranks.coordinator.ranks())
}

/// Records the jobs of each question from now on.
pub fn keep_timeline() {
    if let Some(ranks) = JOINED.lock().as_mut() {
        ranks.coordinator.keep_timeline();
    }
}

/// The jobs of all ranks for the last question; empty if they are not recorded.
pub fn timeline() -> Timeline {
    let joined = JOINED.lock();
    let ranks = joined.as_ref();
    ranks.map_or_else(Timeline::default, |ranks| ranks.coordinator.timeline())
}

/// The other ranks for one question; `None` where there are none, or where another search has them.
pub(crate) fn turn() -> Option<RanksGuard> {
    MutexGuard::try_map(JOINED.try_lock()?, Option::as_mut).ok()
}

/// Changes which endgame tables the other ranks use, where there are any.
pub(crate) fn use_tables(change: impl FnOnce(&mut TablePaths)) {
    if let Some(mut ranks) = turn() {
        change(&mut ranks.tables);
    }
}

impl Ranks {
    /// The next question belongs to another game.
    pub(crate) fn new_game(&mut self) {
        self.coordinator.new_game();
    }

    /// Has all ranks follow these parameters, and waits until they have their tables ready. One that needs very long
    /// is not waited for again.
    pub(crate) fn prepare(&mut self, params: &EngineParams) {
        self.configure(params);
        if std::mem::replace(&mut self.waited_for, self.coordinator.asks())
            == self.coordinator.asks()
        {
            return;
        }
        let deadline = Instant::now() + READY_WITHIN;
        while !self.coordinator.are_ready() && Instant::now() < deadline {
            self.exchange();
        }
    }

    fn configure(&mut self, params: &EngineParams) {
        // The clock is the first rank's alone.
        let params = EngineParams {
            time: TimeParams::default(),
            ..params.clone()
        };
        self.take_in();
        let threads = params.engine.threads as usize;
        self.poll_policy = self.count.poll_policy(threads);
        self.thresholds = self.count.thresholds(threads);
        self.coordinator.set_poll_policy(self.poll_policy);
        self.link.set_poll_policy(self.poll_policy);
        self.coordinator.configure(&params.values());
        self.coordinator.use_tables(&self.tables);
    }

    /// Sends all ranks the position of the next jobs.
    pub(crate) fn begin(&mut self, params: &EngineParams, line: &Line, with_tables: bool) {
        self.configure(params);
        self.coordinator.begin(root_of(line), with_tables);
        self.coordinator.flush(&mut self.link);
    }

    /// The thresholds for updates of this process to the other ranks.
    pub(crate) const fn thresholds(&self) -> ShareThresholds {
        self.thresholds
    }

    /// Wakes the thread that is in [`Ranks::exchange`].
    pub(crate) fn event(&self) -> Arc<Event> {
        Arc::clone(self.link.event())
    }

    /// Sends what there is to send, waits for a message or the event, and takes in what has arrived.
    pub(crate) fn exchange(&mut self) {
        self.coordinator.flush(&mut self.link);
        let now_us = self.start.elapsed().as_micros() as u64;
        let until_due = self
            .coordinator
            .due_us()
            .map(|us| us.saturating_sub(now_us));
        let poll_us = self.poll_policy.updates_every_us(self.coordinator.ranks());
        let timeout_us = until_due.map_or(poll_us, |us| us.min(poll_us));
        self.link.event().wait(Duration::from_micros(timeout_us));
        self.take_in();
    }

    fn take_in(&mut self) {
        self.coordinator
            .tick(self.start.elapsed().as_micros() as u64);
        while let Some((rank, bytes)) = self.link.receive() {
            // All ranks run the same program, so there is nothing that cannot be read.
            for message in decode_all(&bytes).flatten() {
                self.coordinator.receive(rank, message);
            }
        }
        // Silence is known only after all messages are read.
        self.coordinator.give_up();
    }

    /// Records jobs of this process.
    pub(crate) fn note_own(&mut self, done: Vec<JobTiming>) {
        let us = |at: Instant| at.saturating_duration_since(self.start).as_micros() as u64;
        let spans = done.into_iter().map(|done| Span {
            rank: 0,
            from_us: us(done.from),
            to_us: us(done.to),
            nodes: done.nodes,
            is_broken_off: done.is_broken_off,
        });
        self.coordinator.note_own(spans);
    }

    /// Ends all work of the other ranks.
    pub(crate) fn stop(&mut self) {
        self.coordinator.stop();
        self.coordinator.flush(&mut self.link);
    }
}

/// A game as a message.
pub fn root_of(line: &Line) -> Root<Move> {
    Root {
        start: fen(line.first()),
        moves: line.moves().to_vec(),
    }
}

/// The game of a message.
///
/// # Errors
/// The first position is illegal, or so is a pass.
pub fn line_of(root: &Root<Move>) -> Result<Line, String> {
    let first = parse_fen(&root.start).map_err(|error| error.to_string())?;
    let mut line = Line::new(first);
    for mv in &root.moves {
        match mv {
            Some(mv) => line.play(*mv),
            None if line.pass() => {}
            None => return Err("a pass where none is possible".to_owned()),
        }
    }
    Ok(line)
}
