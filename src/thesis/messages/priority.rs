//! Which of several problems a worker turns to.

use std::cmp::Ordering;

use super::tree_order::TreeOrder;
use super::waste_risk::WasteRisk;

/// The lesser one comes first: that for the earlier requirement, of these that which is less likely to be wasted, else
/// that which a single worker would come to first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Priority {
    /// Which requirement on the decision it is about, counted from the first.
    pub requirement: u16,
    /// Probability that the problem is not needed.
    pub waste_risk: WasteRisk,
    /// When a single worker would come to it.
    pub tree_order: TreeOrder,
}

impl Priority {
    /// Whether the problem comes first in either respect, and so before the other in any order.
    pub(crate) fn precedes(&self, other: &Self) -> bool {
        self.requirement <= other.requirement
            && self.waste_risk.class() <= other.waste_risk.class()
            && self.tree_order < other.tree_order
    }
}

impl Ord for Priority {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_requirement = self.requirement.cmp(&other.requirement);
        by_requirement
            .then_with(|| self.waste_risk.class().cmp(&other.waste_risk.class()))
            .then_with(|| self.tree_order.cmp(&other.tree_order))
            .then_with(|| self.waste_risk.cmp(&other.waste_risk))
    }
}

impl PartialOrd for Priority {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thesis::messages::waste_risk::FailureRisk;

    #[test]
    fn less_risk_before_left_before_right() {
        let priority = |place, waste_risk| Priority {
            requirement: 1,
            waste_risk,
            tree_order: TreeOrder::default().below([place].into_iter()),
        };
        let none = WasteRisk::default();
        let risky = none.of_successor(1, FailureRisk::ROOT);
        let (sure, left) = (priority(9, none), priority(1, risky));
        let right = priority(2, risky);
        assert!(sure < left && left < right);
        assert!(left.precedes(&right) && !sure.precedes(&left) && !left.precedes(&sure));
    }
}
