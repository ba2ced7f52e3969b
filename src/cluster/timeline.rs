//! The jobs of all ranks in one search and their times, to be drawn.

/// A job as seen by the first rank: from its dispatch to its answer, including the time of both messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The rank that had the job.
    pub rank: usize,
    /// The time of dispatch.
    pub from_us: u64,
    /// The time of the answer.
    pub to_us: u64,
    /// The nodes searched.
    pub nodes: u64,
    /// Whether the answer was no longer needed or the rank was lost.
    pub is_broken_off: bool,
}

/// Updates that reached the first rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received {
    /// The time of arrival.
    pub at_us: u64,
    /// The number of updates.
    pub updates: usize,
}

/// The timeline of one search, in the order in which things ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// The jobs.
    pub spans: Vec<Span>,
    /// The updates.
    pub received: Vec<Received>,
}
