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
    ChannelLink, Identity, Lead, Link as _, Pace, Root, Span, TablePaths, Timeline, ToLead, decode,
    decode_all,
};
use crate::game::Game as _;
use crate::search::Telling;
use crate::settings::EngineParams;
use crate::sync::Event;
use crate::time::TimeParams;

/// A rank that has work and says nothing for so long is left out.
const SILENCE_MAX: Duration = Duration::from_secs(1);
/// Ranks that do not report within this have not started.
const HELLO_WITHIN: Duration = Duration::from_mins(1);
/// Ranks that take longer for their tables get their jobs later than the others.
const READY_WITHIN: Duration = Duration::from_secs(5);

static JOINED: Mutex<Option<Ranks>> = Mutex::new(None);

/// Why ranks cannot work together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RanksError {
    /// Versions or builds differ: their hash tables and parameters would not mean the same.
    #[error("{rank} runs {program}, rank 0 on {host} runs {own}", rank = .0, program = .1, host = .2, own = .3)]
    Different(String, String, String, String),
    /// What it says is not this program's language.
    #[error("rank {0} runs another program")]
    Strange(usize),
    /// It has not reported.
    #[error("rank {0} has not started within {1} s")]
    Absent(usize, u64),
}

/// How many ranks there are, the one that asks included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankCount {
    /// In all.
    pub all: usize,
    /// On this machine.
    pub on_machine: usize,
}

impl RankCount {
    /// How often a rank looks for messages where each has so many threads.
    pub(crate) fn pace(self, threads: usize) -> Pace {
        // A machine that does not tell how many processors it has is taken to have enough.
        let cores = thread::available_parallelism().map_or(usize::MAX, NonZero::get);
        Pace::of(self.on_machine, threads, cores)
    }

    /// What searchers tell those of other ranks where each rank has so many threads.
    pub(crate) fn telling(self, threads: usize) -> Telling {
        telling(self.all * threads, self.pace(threads))
    }
}

/// What so many searchers tell those of other ranks.
pub fn telling(searchers: usize, pace: Pace) -> Telling {
    let usual = Telling::among(searchers);
    match pace {
        Pace::Eager => usual,
        Pace::Sparing => usual.sparingly(),
    }
}

/// The other ranks, as the first sees them.
pub struct Ranks {
    pub(crate) lead: Lead<Move>,
    link: ChannelLink,
    start: Instant,
    tables: TablePaths,
    count: RankCount,
    pace: Pace,
    telling: Telling,
    /// What the ranks had been asked for when they were last waited for.
    waited_for: u64,
}

/// A job that a thread of this process has done.
pub(crate) struct Done {
    pub(crate) from: Instant,
    pub(crate) to: Instant,
    pub(crate) nodes: u64,
    pub(crate) is_broken_off: bool,
}

/// The ranks for the time of one question.
pub(crate) type Turn = MappedMutexGuard<'static, Ranks>;

/// Waits for the other ranks to report, and has them ready for searches from then on.
///
/// # Errors
/// One does not report, or runs another program.
pub fn join(link: ChannelLink, count: RankCount, own: &Identity) -> Result<(), RanksError> {
    greet(&link, count.all, own)?;
    *JOINED.lock() = Some(Ranks {
        lead: Lead::new(count.all, SILENCE_MAX.as_micros() as u64),
        link,
        start: Instant::now(),
        tables: TablePaths::default(),
        count,
        pace: Pace::default(),
        telling: Telling::among(count.all),
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
        let Ok(ToLead::<Move>::Hello(theirs)) = decode(&bytes) else {
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

/// Ends the other ranks; tells which of them are lost and do not hear it.
pub fn leave() -> Vec<usize> {
    let Some(mut ranks) = JOINED.lock().take() else {
        return Vec::new();
    };
    ranks.lead.quit();
    ranks.lead.flush(&mut ranks.link);
    ranks.lead.lost()
}

/// Whether there are other ranks.
pub fn are_joined() -> bool {
    JOINED.try_lock().is_none_or(|ranks| ranks.is_some())
}

/// How many ranks there are, this one included.
pub fn count() -> usize {
    JOINED.lock().as_ref().map_or(1, |ranks| ranks.lead.ranks())
}

/// Notes from now on what ranks do for each question.
pub fn keep_timeline() {
    if let Some(ranks) = JOINED.lock().as_mut() {
        ranks.lead.keep_timeline();
    }
}

/// What all ranks have done for the last question; empty where it is not noted.
pub fn timeline() -> Timeline {
    let joined = JOINED.lock();
    let ranks = joined.as_ref();
    ranks.map_or_else(Timeline::default, |ranks| ranks.lead.timeline())
}

/// The other ranks for one question; `None` where there are none, or where another search has them.
pub(crate) fn turn() -> Option<Turn> {
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
        self.lead.new_game();
    }

    /// Has all ranks follow these parameters, and waits until they have their tables ready. One that needs very long is not
    /// waited for again.
    pub(crate) fn prepare(&mut self, params: &EngineParams) {
        self.configure(params);
        if std::mem::replace(&mut self.waited_for, self.lead.asks()) == self.lead.asks() {
            return;
        }
        let deadline = Instant::now() + READY_WITHIN;
        while !self.lead.are_ready() && Instant::now() < deadline {
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
        self.pace = self.count.pace(threads);
        self.telling = self.count.telling(threads);
        self.lead.keep_pace(self.pace);
        self.link.keep_pace(self.pace);
        self.lead.configure(&params.values());
        self.lead.use_tables(&self.tables);
    }

    /// Tells all ranks what the next jobs are about.
    pub(crate) fn begin(&mut self, params: &EngineParams, line: &Line, with_tables: bool) {
        self.configure(params);
        self.lead.begin(root_of(line), with_tables);
        self.lead.flush(&mut self.link);
    }

    /// What the searchers of this process are to tell the others.
    pub(crate) const fn telling(&self) -> Telling {
        self.telling
    }

    /// Wakes the thread that is in [`Ranks::exchange`].
    pub(crate) fn event(&self) -> Arc<Event> {
        Arc::clone(self.link.event())
    }

    /// Sends what there is to send, waits until something arrives or the event says that something has changed here, and takes
    /// in what has arrived.
    pub(crate) fn exchange(&mut self) {
        self.lead.flush(&mut self.link);
        let now_us = self.start.elapsed().as_micros() as u64;
        let until_due = self.lead.due_us().map(|us| us.saturating_sub(now_us));
        let look_us = self.pace.mail_every_us(self.lead.ranks());
        let rest_us = until_due.map_or(look_us, |us| us.min(look_us));
        self.link.event().wait(Duration::from_micros(rest_us));
        self.take_in();
    }

    fn take_in(&mut self) {
        self.lead.tick(self.start.elapsed().as_micros() as u64);
        while let Some((rank, bytes)) = self.link.receive() {
            // All ranks run the same program, so there is nothing that cannot be read.
            for message in decode_all(&bytes).flatten() {
                self.lead.receive(rank, message);
            }
        }
        // Who has been silent is known only after all is read.
        self.lead.give_up();
    }

    /// Takes note of what was done here, where that is wanted.
    pub(crate) fn note_own(&mut self, done: Vec<Done>) {
        let us = |at: Instant| at.saturating_duration_since(self.start).as_micros() as u64;
        let spans = done.into_iter().map(|done| Span {
            rank: 0,
            from_us: us(done.from),
            to_us: us(done.to),
            nodes: done.nodes,
            is_broken_off: done.is_broken_off,
        });
        self.lead.note_own(spans);
    }

    /// Ends all work of the other ranks.
    pub(crate) fn stop(&mut self) {
        self.lead.stop();
        self.lead.flush(&mut self.link);
    }
}

/// A game as other ranks can read it.
pub fn root_of(line: &Line) -> Root<Move> {
    Root {
        start: fen(line.first()),
        moves: line.moves().to_vec(),
    }
}

/// The game that another rank has told of.
///
/// # Errors
/// Its first position is none, or one cannot pass where it is said that somebody did.
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
