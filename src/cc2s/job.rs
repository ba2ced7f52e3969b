//! Jobs: what a planner delegates to workers, and what they answer. Both are plain records, which is all that passes
//! between them.

use crate::game::{Score, Window};

/// A question about the position that `path` leads to from the root.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Job<M> {
    /// Moves from the root.
    pub path: Vec<M>,
    /// What is asked.
    pub ask: Ask<M>,
}

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Ask<M> {
    /// Its value: a target with conspiracy 1, whose depth and bound are those of an alpha-beta search.
    Value {
        /// Plies to look ahead.
        depth: u16,
        /// Side to move's view.
        window: Window,
        /// Expected to reach beta by one of the first moves.
        is_cut: bool,
    },
    /// A move that shows the bound, another one than `excluded`: one strategy more.
    Strategy {
        /// Plies to look ahead.
        depth: u16,
        /// Side to move's view.
        at_least: Score,
        /// The strategy known already.
        excluded: Option<M>,
    },
    /// Its legal moves, the most promising first.
    Successors,
}

impl<M: Copy + Eq> Job<M> {
    /// Whether the answer to this job is one to the other as well, or nearly so: the same position, as deep at least. Where
    /// the windows differ, what is found decides whether to ask again.
    pub fn serves(&self, other: &Self) -> bool {
        self.path == other.path
            && match (self.ask, other.ask) {
                (
                    Ask::Value { depth, window, .. },
                    Ask::Value {
                        depth: wanted,
                        window: narrow,
                        ..
                    },
                ) => depth >= wanted && window.is_null() == narrow.is_null(),
                (ask, wanted) => ask == wanted,
            }
    }
}

/// What a worker found.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Reply<M> {
    /// To [`Ask::Value`] and [`Ask::Strategy`].
    Score(Found<M>),
    /// To [`Ask::Successors`]: moves, and whether they are quiet; none where the game ends here.
    Successors(Vec<(M, bool)>),
    /// The worker was told to break off, after so many nodes.
    BrokenOff(u64),
}

impl<M> Reply<M> {
    /// Nodes searched for it.
    pub fn nodes(&self) -> u64 {
        match self {
            Self::Score(found) => found.nodes,
            Self::BrokenOff(nodes) => *nodes,
            Self::Successors(_) => 0,
        }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Found<M> {
    /// Side to move's view, fail-soft.
    pub score: Score,
    /// The move that shows it; asked for with [`Ask::Strategy`] only, and `None` where the game ends here.
    pub best: Option<M>,
    /// What is expected to follow, where the window was open.
    pub line: Vec<M>,
    /// Nodes searched.
    pub nodes: u64,
    /// Deepest ply reached, from the root.
    pub level: u16,
}
