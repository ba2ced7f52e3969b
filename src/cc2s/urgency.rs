//! Which of several problems a worker turns to.

use std::cmp::Ordering;

use super::doubt::Doubt;
use super::turn::Turn;

/// The lesser one comes first: that which is less in doubt, else that which a single worker would come to first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Urgency {
    /// How likely it is that the problem is not needed.
    pub doubt: Doubt,
    /// When a single worker would come to it.
    pub turn: Turn,
}

impl Urgency {
    /// Whether the problem comes first in either respect, and so before the other in any order.
    pub(super) fn precedes(&self, other: &Self) -> bool {
        self.doubt.class() <= other.doubt.class() && self.turn < other.turn
    }
}

impl Ord for Urgency {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_doubt = self.doubt.class().cmp(&other.doubt.class());
        by_doubt.then_with(|| self.turn.cmp(&other.turn))
    }
}

impl PartialOrd for Urgency {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
