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
    /// The last reports to show: of that move, and of the next best moves if several are wanted. Nodes and time are
    /// those of the whole search. Empty if everything was shown.
    pub lines: Vec<TimedReport>,
    /// Why the search was stopped; `None` if it ended by itself.
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

/// Events of a running job. [`SearchEvent::Decided`], [`SearchEvent::Counted`] and [`SearchEvent::Failed`] are its
/// last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchEvent {
    /// The answer of endgame tables for the position, before the search begins.
    Known(TableNews),
    /// A message about a table or table folder that cannot be used.
    TableTrouble(String),
    /// A message about a problem with other ranks; the search continues.
    RankTrouble(String),
    /// A report to show; at most about ten per second.
    Report(TimedReport),
    /// The last line stays valid; its safety may have changed.
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

/// Sends an event. A missing receiver is not an error: the engine is shutting down.
pub(super) fn send(events: &Sender<SearchEvent>, event: SearchEvent) {
    let _ = events.send(event);
}
