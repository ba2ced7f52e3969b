//! Events of a running search for the front end, as plain records.

use std::time::Duration;

use crossbeam::channel::Sender;

use crate::chess::Move;
use crate::endgame::probe::{Source, TableAnswer};
use crate::engine::search::{BestMove, RootUpdate};
use crate::time::StopReason;

/// A report with the time it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedReport {
    /// A report of the search; its variation is legal and ends where the game does.
    pub report: RootUpdate,
    /// Since the search was asked for.
    pub elapsed: Duration,
}

/// The end of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOutcome {
    /// The move to play.
    pub answer: BestMove,
    /// The last words, still to be shown: on that move, and on the next best where several are wanted; nodes and time
    /// are those of the whole search. Empty where all of it was shown already.
    pub lines: Vec<TimedReport>,
    /// Why the search was ended; `None` where it came to its end by itself.
    pub reason: Option<StopReason>,
}

/// The answer of endgame tables for the position to move in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableNews {
    /// The result against best play, and its distance.
    pub answer: TableAnswer,
    /// Which tables.
    pub source: Source,
    /// Number of moves left to choose from.
    pub moves: usize,
}

/// News from a running job. [`SearchEvent::Decided`], [`SearchEvent::Counted`] and [`SearchEvent::Failed`] are its
/// last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchEvent {
    /// The answer of endgame tables for the position, before the search begins.
    Known(TableNews),
    /// A table or a folder of tables that cannot be used, in words.
    TableTrouble(String),
    /// Something is wrong with other ranks, in words; the search goes on.
    RankTrouble(String),
    /// Something to show; at most some ten a second.
    Report(TimedReport),
    /// The line shown last stands; what it says of its safety may have changed.
    Secured(RootUpdate),
    /// A sign of life, where there was nothing else to show for a second.
    Pulse {
        /// Tree and leaf nodes so far.
        nodes: u64,
        /// Since the search was asked for.
        elapsed: Duration,
    },
    /// The search has ended.
    Decided(Box<SearchOutcome>),
    /// One root move of a count of move sequences.
    Part {
        /// The root move.
        mv: Move,
        /// Sequences that begin with it.
        nodes: u64,
    },
    /// A count of move sequences has ended.
    Counted {
        /// All sequences.
        nodes: u64,
        /// Since it was asked for.
        elapsed: Duration,
        /// Whether it was stopped before its end.
        is_stopped: bool,
    },
    /// A broken invariant ended the job: a fault of the program. The engine must make a new search.
    Failed {
        /// The best move known until then; `None` for a count.
        best: Option<Move>,
    },
}

/// Sends an event. Nobody listening is no reason to fail: the engine is being shut down, and controls will say so.
pub(super) fn send(events: &Sender<SearchEvent>, event: SearchEvent) {
    let _ = events.send(event);
}
