//! Which worker a node belongs to (thesis 3.4.1).

use super::message::WorkerId;

/// Spreads nodes over the workers by their keys, so that equal positions meet at one worker and its target tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub workers: u16,
}

impl Placement {
    /// The owner of a position.
    pub(super) fn owner(self, key: u64) -> WorkerId {
        WorkerId((key % u64::from(self.workers)) as u16)
    }
}

/// What lies in one worker's memory of tables that all have in common: the entries of the positions it owns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub placement: Placement,
    pub owner: WorkerId,
}

impl Part {
    pub(super) fn holds(self, key: u64) -> bool {
        self.placement.owner(key) == self.owner
    }
}
