//! The priority of a problem.

use std::cmp::Ordering;

use super::tree_order::TreeOrder;
use super::waste_risk::WasteRisk;

/// The priority of a problem; the lesser one comes first. The earlier requirement comes first, then the lower risk
/// of waste, then the place in the order of a single worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Priority {
    /// The number of the requirement on the decision, counted from the first.
    pub requirement: u16,
    /// The probability that the problem is not needed.
    pub waste_risk: WasteRisk,
    /// The place in the order of a single worker.
    pub tree_order: TreeOrder,
}

impl Priority {
    /// Whether the problem comes first in every respect, and so before the other in any order.
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
