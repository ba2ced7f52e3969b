//! Which of several problems a worker turns to.

use std::cmp::Ordering;

use super::doubt::Doubt;
use super::turn::Turn;

/// The lesser one comes first: that for the earlier requirement, of these that which is less in doubt, else that which a
/// single worker would come to first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Urgency {
    /// Which requirement on the decision it is about, counted from the first.
    pub requirement: u16,
    /// How likely it is that the problem is not needed.
    pub doubt: Doubt,
    /// When a single worker would come to it.
    pub turn: Turn,
}

impl Urgency {
    /// Whether the problem comes first in either respect, and so before the other in any order.
    pub(crate) fn precedes(&self, other: &Self) -> bool {
        self.requirement <= other.requirement
            && self.doubt.class() <= other.doubt.class()
            && self.turn < other.turn
    }
}

impl Ord for Urgency {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_requirement = self.requirement.cmp(&other.requirement);
        by_requirement
            .then_with(|| self.doubt.class().cmp(&other.doubt.class()))
            .then_with(|| self.turn.cmp(&other.turn))
            .then_with(|| self.doubt.cmp(&other.doubt))
    }
}

impl PartialOrd for Urgency {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::task::doubt::Risk;

    #[test]
    fn less_doubt_before_left_before_right() {
        let urgency = |place, doubt| Urgency {
            requirement: 1,
            doubt,
            turn: Turn::default().below([place].into_iter()),
        };
        let none = Doubt::default();
        let (sure, left) = (urgency(9, none), urgency(1, none.of_alternative()));
        let right = urgency(2, none.of_alternative());
        assert!(sure < left && left < right);
        assert!(left.precedes(&right) && !sure.precedes(&left) && !left.precedes(&sure));
        let other_move = urgency(9, none.of_successor(1, Risk::ROOT));
        assert!(sure < other_move && other_move < left);
    }
}
