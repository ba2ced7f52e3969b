//! The limits of `go`.

/// The limits of one search; the first one reached ends it. Without limits, the search runs until `stop`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Depth of the requirement to meet, in plies; the first one of that depth is enough.
    pub depth: Option<u16>,
    /// Nodes (tree and leaf).
    pub nodes: Option<u64>,
    /// A fixed time for this move, in milliseconds.
    pub move_time_ms: Option<u64>,
    /// Search for a mate in this number of moves.
    pub mate: Option<u16>,
    /// Remaining time on the own clock, in milliseconds; may be negative.
    pub clock_ms: Option<i64>,
    /// Increment per move on the own clock, in milliseconds.
    pub increment_ms: u64,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Answer only after `stop` (`go infinite`).
    pub infinite: bool,
    /// The opponent's clock is running: answer only after `ponderhit` or `stop`.
    pub ponder: bool,
}
