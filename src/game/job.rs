//! Jobs that a planner delegates to workers, and their answers. Both are plain records; nothing else passes between
//! them.

use super::{Score, Window};

/// A request about the position that `path` leads to from the root.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Job<M> {
    /// Moves from the root.
    pub path: Vec<M>,
    /// The request.
    pub request: Request<M>,
}

/// A request about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Request<M> {
    /// Its value: a target with conspiracy 1, whose depth and bound are those of an alpha-beta search.
    Search {
        /// Plies to look ahead.
        depth: u16,
        /// Side to move's view.
        window: Window,
        /// Expected to reach beta by one of the first moves.
        is_cut: bool,
    },
    /// A move that shows the bound, another one than `excluded`: one strategy more.
    SearchExcluding {
        /// Plies to look ahead.
        depth: u16,
        /// Side to move's view.
        at_least: Score,
        /// The strategy known already.
        excluded: Option<M>,
    },
    /// Its legal moves, the most promising first.
    Expand,
}

impl<M> Request<M> {
    /// Plies to look ahead; `None` where nothing is searched.
    pub const fn depth(&self) -> Option<u16> {
        match *self {
            Self::Search { depth, .. } | Self::SearchExcluding { depth, .. } => Some(depth),
            Self::Expand => None,
        }
    }
}

impl<M: Copy + Eq> Job<M> {
    /// Whether the answer to this job probably answers the other too: the same position, to at least the same depth. If
    /// the windows differ, the result decides whether to search again.
    pub fn serves(&self, other: &Self) -> bool {
        self.path == other.path
            && match (self.request, other.request) {
                (
                    Request::Search { depth, window, .. },
                    Request::Search {
                        depth: wanted,
                        window: narrow,
                        ..
                    },
                ) => depth >= wanted && window.is_null() == narrow.is_null(),
                (request, wanted) => request == wanted,
            }
    }
}

/// A worker's answer.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Response<M> {
    /// To [`Request::Search`] and [`Request::SearchExcluding`].
    Searched(SearchResult<M>),
    /// To [`Request::Expand`]: moves, and whether they are quiet; none where the game ends here.
    Expanded(Vec<(M, bool)>),
    /// The job was cancelled after this number of nodes.
    Aborted(u64),
}

impl<M> Response<M> {
    /// Nodes searched for it.
    pub fn nodes(&self) -> u64 {
        match self {
            Self::Searched(found) => found.nodes,
            Self::Aborted(nodes) => *nodes,
            Self::Expanded(_) => 0,
        }
    }
}

/// The outcome of a search of one position.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SearchResult<M> {
    /// Side to move's view, fail-soft.
    pub score: Score,
    /// The best move; for [`Request::SearchExcluding`] only, and `None` if the game ends here.
    pub best: Option<M>,
    /// The expected continuation, where the window was open.
    pub pv: Vec<M>,
    /// Nodes searched.
    pub nodes: u64,
    /// Deepest ply reached, from the root.
    pub level: u16,
}
