//! The jobs of ranks for a question and their times, to be drawn.

/// A job as the first rank sees it: from when it was given until it was answered, the time of both messages included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The rank that had it.
    pub rank: usize,
    /// When it was given out.
    pub from_us: u64,
    /// When the answer came.
    pub to_us: u64,
    /// Nodes searched for it.
    pub nodes: u64,
    /// Nobody needed the answer any more, or the rank was lost.
    pub is_broken_off: bool,
}

/// Hints that have reached the first rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received {
    /// When.
    pub at_us: u64,
    /// Their number.
    pub updates: usize,
}

/// All of it for one question, in the order in which it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// The jobs.
    pub spans: Vec<Span>,
    /// The updates.
    pub received: Vec<Received>,
}
