//! Several searchers on one question. They share a table and the set of moves being searched. A busy move is deferred;
//! when its turn comes, the table has its result.
//!
//! This is ABDADA (Weill 1996) in the simplified form of Kerrigan, with the busy moves beside the table. In addition, a
//! searcher leaves a node as soon as another has answered it.

use parking_lot::Mutex;

use super::table::{Entry, LeafTable};
use crate::game::HashUpdate;
use crate::sync::BusyMoves;

/// Minimum remaining depth of a node whose moves are divided, in plies.
pub const SHARED_DEPTH_MIN: i32 = 3;

/// Minimum remaining depths, in plies, of nodes shared with searchers that have other tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareThresholds {
    /// For moves being searched.
    pub moves_from: i32,
    /// For table entries.
    pub found_from: i32,
}

impl ShareThresholds {
    /// Thresholds for that number of searchers with several tables. Each table receives the updates of all others. So
    /// for twice as many searchers the thresholds are a ply deeper, with about half as many nodes.
    pub fn among(searchers: usize) -> Self {
        Self::from_depth((1 + searchers.max(1).ilog2() as i32).max(4))
    }

    /// Moves from this depth on, and entries from two plies less on.
    pub const fn from_depth(moves_from: i32) -> Self {
        Self {
            moves_from,
            found_from: moves_from - 2,
        }
    }

    /// Deep enough that receiving updates costs almost nothing.
    #[must_use]
    pub fn sparse(self) -> Self {
        Self::from_depth(self.moves_from.max(SPARSE_FROM))
    }
}

/// Minimum remaining depth of a node whose moves are shared sparsely, in plies.
const SPARSE_FROM: i32 = 8;

/// Nodes between two polls for a stop or for answers of others on the path.
pub const POLL_NODES: u64 = 1_024;

/// Sets of busy moves; a power of two.
const PLACES: usize = 1 << 12;
/// Number of update queues: many threads publish millions per second, rarely two in the same queue.
const UPDATE_QUEUES: usize = 32;

/// Updates whose table slots are fetched together.
const FETCHED: usize = 32;

/// Some of the updates, in a cache line of their own.
#[derive(Default)]
#[repr(align(64))]
struct UpdateQueue(Mutex<Vec<HashUpdate>>);

/// The moves being searched by all searchers that share a table, and the updates for searchers with other tables.
pub struct SharedSearch {
    depth_min: i32,
    busy: Vec<BusyMoves>,
    /// `None` without searchers that have other tables.
    thresholds: Option<ShareThresholds>,
    poll_nodes: u64,
    /// Not yet taken. Updates about one move or position are in one queue, in order.
    updates: Vec<UpdateQueue>,
}

/// The question of a node on the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) key: u64,
    pub(super) depth: i32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl SharedSearch {
    /// No move is being searched.
    pub fn new(depth_min: i32, thresholds: Option<ShareThresholds>) -> Self {
        let mut busy = Vec::new();
        busy.resize_with(PLACES, Default::default);
        Self {
            depth_min,
            busy,
            thresholds,
            poll_nodes: POLL_NODES,
            updates: (0..UPDATE_QUEUES).map(|_| UpdateQueue::default()).collect(),
        }
    }

    /// The same, but searchers poll at every node, so that virtual time can have them take turns, and none sees
    /// entries that another has yet to find.
    #[must_use]
    pub fn stepwise(self) -> Self {
        Self {
            poll_nodes: 1,
            ..self
        }
    }

    /// Updates for searchers with other tables since the last call.
    pub fn take_updates(&self) -> Vec<HashUpdate> {
        let queues = self.updates.iter();
        queues
            .flat_map(|queue| std::mem::take(&mut *queue.0.lock()))
            .collect()
    }

    /// Applies updates of searchers with another table.
    pub fn apply(&self, updates: &[HashUpdate], table: &LeafTable) {
        for updates in updates.chunks(FETCHED) {
            // Most of the time goes by in waiting for memory, and waiting for all is hardly longer than for one.
            for update in updates {
                if let HashUpdate::Found { key, .. } = update {
                    table.prefetch(*key);
                }
            }
            for &update in updates {
                self.apply_one(update, table);
            }
        }
    }

    fn apply_one(&self, update: HashUpdate, table: &LeafTable) {
        match update {
            HashUpdate::Begun(key) => self.begin(key),
            HashUpdate::Ended(key) => self.end(key),
            HashUpdate::Found { key, content } => {
                if let Some(entry) = Entry::from_word(content) {
                    table.store_unless_known(key, entry);
                }
            }
        }
    }

    /// No move is being searched any more, and no update waits.
    pub fn clear(&self) {
        self.updates.iter().for_each(|queue| queue.0.lock().clear());
        self.busy.iter().for_each(BusyMoves::clear);
    }

    /// Whether nodes of that depth are divided.
    pub(super) fn divides(&self, depth: i32) -> bool {
        depth >= self.depth_min
    }

    /// Whether busy moves of nodes of that depth are published.
    pub(super) fn shares_moves(&self, depth: i32) -> bool {
        self.thresholds
            .is_some_and(|thresholds| depth >= thresholds.moves_from)
    }

    /// Nodes between two polls.
    pub(super) fn poll_nodes(&self) -> u64 {
        self.poll_nodes
    }

    /// Publishes an update to searchers with other tables.
    pub(super) fn publish(&self, update: HashUpdate) {
        let queue = &self.updates[update.subject() as usize % UPDATE_QUEUES];
        queue.0.lock().push(update);
    }

    /// Whether entries of nodes of that depth are published.
    pub(super) fn shares_found(&self, depth: i32) -> bool {
        self.thresholds
            .is_some_and(|thresholds| depth >= thresholds.found_from)
    }

    fn place(&self, key: u64) -> &BusyMoves {
        // The high bits depend on all of the move, the low ones on its last few only.
        &self.busy[(key >> 48) as usize % PLACES]
    }

    pub(super) fn is_busy(&self, key: u64) -> bool {
        self.place(key).contains(key)
    }

    pub(super) fn begin(&self, key: u64) {
        self.place(key).begin(key);
    }

    pub(super) fn end(&self, key: u64) {
        self.place(key).end(key);
    }

    /// Whether no move is being searched.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.busy.iter().all(BusyMoves::is_empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_searchers_the_less_each_publishes() {
        let moves_from = |searchers| ShareThresholds::among(searchers).moves_from;
        assert_eq!([1, 2, 15, 16].map(moves_from), [4, 4, 4, 5]);
        assert_eq!([39, 256, 1_024].map(moves_from), [6, 9, 11]);
        let sparse = [2, 39, 1_024].map(|searchers| ShareThresholds::among(searchers).sparse());
        assert_eq!(sparse.map(|thresholds| thresholds.moves_from), [8, 8, 11]);
        assert_eq!(sparse.map(|thresholds| thresholds.found_from), [6, 6, 9]);
        let found = HashUpdate::Found {
            key: 39,
            content: 3 << 56,
        };
        let what = [HashUpdate::Begun(7), found, HashUpdate::Ended(7)];
        let shared = SharedSearch::new(3, Some(ShareThresholds::among(2)));
        for update in what {
            shared.publish(update);
        }
        assert_eq!(
            shared.take_updates(),
            what,
            "in order, where the place is one"
        );
    }
}
