//! The other ranks of this program, where several processes search together. There is one set of them, as there is
//! one MPI; one search at a time holds it.

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

/// The silence after which a rank with work is left out.
const TIMEOUT: Duration = Duration::from_secs(1);
/// The time within which ranks must report to have started.
const HELLO_WITHIN: Duration = Duration::from_mins(1);
/// The time that ranks have for their tables; slower ones get their jobs later than the others.
const READY_WITHIN: Duration = Duration::from_secs(5);

static JOINED: Mutex<Option<Ranks>> = Mutex::new(None);

/// An error of ranks that cannot work together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RanksError {
    /// Versions or builds differ, so hash tables and parameters would differ in meaning.
    #[error("{rank} runs {program}, rank 0 on {host} runs {own}", rank = .0, program = .1, host = .2, own = .3)]
    Different(String, String, String, String),
    /// A rank's messages cannot be read.
    #[error("rank {0} runs another program")]
    Strange(usize),
    /// A rank has not reported.
    #[error("rank {0} has not started within {1} s")]
    Absent(usize, u64),
}

/// The number of ranks, including the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankCount {
    /// The total.
    pub all: usize,
    /// The number on this machine.
    pub on_machine: usize,
}

impl RankCount {
    pub(crate) fn poll_policy(self, threads: usize) -> PollPolicy {
        // A machine that does not report its number of processors is assumed to have enough.
        let cores = thread::available_parallelism().map_or(usize::MAX, NonZero::get);
        PollPolicy::of(self.on_machine, threads, cores)
    }

    /// Returns the thresholds for updates to other ranks, with `threads` threads per rank.
    pub(crate) fn thresholds(self, threads: usize) -> ShareThresholds {
        thresholds(self.all * threads, self.poll_policy(threads))
    }
}

/// Returns the thresholds for updates to other ranks among `searchers` searchers.
pub fn thresholds(searchers: usize, poll_policy: PollPolicy) -> ShareThresholds {
    let usual = ShareThresholds::among(searchers);
    match poll_policy {
        PollPolicy::Busy => usual,
        PollPolicy::Sparse => usual.sparse(),
    }
}

/// The other ranks, as seen by the first.
pub struct Ranks {
    pub(crate) coordinator: Coordinator<Move>,
    link: ChannelLink,
    start: Instant,
    tables: TablePaths,
    count: RankCount,
    poll_policy: PollPolicy,
    thresholds: ShareThresholds,
    /// The requests sent when the ranks were last waited for.
    waited_for: u64,
}

/// A job done by a thread of this process.
pub(crate) struct JobTiming {
    pub(crate) from: Instant,
    pub(crate) to: Instant,
    pub(crate) nodes: u64,
    pub(crate) is_broken_off: bool,
}

/// The ranks, locked for one search.
pub(crate) type RanksGuard = MappedMutexGuard<'static, Ranks>;

/// Waits for the other ranks to report and makes them available to searches.
///
/// # Errors
/// A rank does not report, or runs another program.
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

/// Terminates the other ranks; returns those that are lost.
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

/// Returns the number of ranks, including this one.
pub fn count() -> usize {
    JOINED
        .lock()
        .as_ref()
        .map_or(1, |ranks| ranks.coordinator.ranks())
}

/// Records the jobs of each search from now on.
pub fn keep_timeline() {
    if let Some(ranks) = JOINED.lock().as_mut() {
        ranks.coordinator.keep_timeline();
    }
}

/// Returns the jobs of all ranks in the last search; empty if they are not recorded.
pub fn timeline() -> Timeline {
    let joined = JOINED.lock();
    let ranks = joined.as_ref();
    ranks.map_or_else(Timeline::default, |ranks| ranks.coordinator.timeline())
}

/// Locks the other ranks for one search; `None` if there are none, or if another search holds them.
pub(crate) fn turn() -> Option<RanksGuard> {
    MutexGuard::try_map(JOINED.try_lock()?, Option::as_mut).ok()
}

/// Changes the endgame tables of the other ranks, if there are any.
pub(crate) fn use_tables(change: impl FnOnce(&mut TablePaths)) {
    if let Some(mut ranks) = turn() {
        change(&mut ranks.tables);
    }
}

impl Ranks {
    pub(crate) fn new_game(&mut self) {
        self.coordinator.new_game();
    }

    /// Sends these parameters to all ranks and waits until their tables are ready. A very slow rank is not waited
    /// for again.
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
        // Only the first rank uses the clock.
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

    /// Sends the position of the next jobs to all ranks.
    pub(crate) fn begin(&mut self, params: &EngineParams, line: &Line, with_tables: bool) {
        self.configure(params);
        self.coordinator.begin(root_of(line), with_tables);
        self.coordinator.flush(&mut self.link);
    }

    /// Returns the thresholds for updates of this process to the other ranks.
    pub(crate) const fn thresholds(&self) -> ShareThresholds {
        self.thresholds
    }

    /// Returns the event that wakes the thread in [`Ranks::exchange`].
    pub(crate) fn event(&self) -> Arc<Event> {
        Arc::clone(self.link.event())
    }

    /// Sends queued messages, waits for a message or the event, and handles what has arrived.
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
            // All ranks run the same program, so every message can be read.
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

    pub(crate) fn stop(&mut self) {
        self.coordinator.stop();
        self.coordinator.flush(&mut self.link);
    }
}

/// Converts a game to a message.
pub fn root_of(line: &Line) -> Root<Move> {
    Root {
        start: fen(line.first()),
        moves: line.moves().to_vec(),
    }
}

/// Converts a message to a game.
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
