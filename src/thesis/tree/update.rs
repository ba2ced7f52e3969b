//! The update of values from the successors upwards (Fig. 2.8).

use super::search_tree::{NodeId, Tree};
use crate::game::{Bound, Value};

/// The values of all evaluated successors together, in their parent's view.
struct SuccessorBounds {
    /// The greatest score of all.
    greatest: Option<crate::game::Score>,
    /// The greatest score of those that bound from below.
    greatest_below: Option<crate::game::Score>,
    /// The greatest score of the point values.
    greatest_exact: Option<crate::game::Score>,
    /// The greatest score of those that only bound from above.
    greatest_above: Option<crate::game::Score>,
    /// Whether one of them is only a lower bound (`AtLeast`).
    any_at_least: bool,
}

impl SuccessorBounds {
    /// Returns their parent's value by Fig. 2.8; `None` if there are none.
    fn update(&self, value: Value, is_fully_known: bool) -> Option<Value> {
        let greatest = self.greatest?;
        let Value {
            mut bound,
            mut score,
        } = value;
        let unsettled = !is_fully_known
            || self.any_at_least
            || self.greatest_above.is_some_and(|above| above >= score);
        if unsettled {
            if bound == Bound::Upper && self.greatest_below.is_some_and(|below| below >= score) {
                bound = Bound::Exact;
            }
            score = self.greatest_below.map_or(score, |below| below.max(score));
        } else {
            if bound == Bound::Lower
                || bound == Bound::Upper && self.greatest_exact.is_some_and(|exact| exact >= score)
            {
                bound = Bound::Exact;
            }
            score = greatest;
        }
        Some(Value { bound, score })
    }
}

impl<M: Copy + Eq> Tree<M> {
    /// Makes the value of `v` consistent with its successors (Fig. 2.8). O(successors).
    ///
    /// Values are heuristics that steer the search; the rule keeps Theorem 2.1-2: each value is backed by hulls.
    /// It depends on the previous score, so it is repeated until the value is stable. The thesis repeats it at the
    /// next visit of the node, and until then has a bound in place of a point value.
    pub fn update_value(&mut self, v: NodeId) {
        if self[v].is_end() {
            return;
        }
        let bounds = self.successor_bounds(v);
        let is_fully_known = self[v].is_fully_known();
        let mut value = self[v].value();
        while let Some(updated) = bounds.update(value, is_fully_known)
            && updated != value
        {
            value = updated;
        }
        self[v].set_value(value);
    }

    fn successor_bounds(&self, v: NodeId) -> SuccessorBounds {
        let mut all = SuccessorBounds {
            greatest: None,
            greatest_below: None,
            greatest_exact: None,
            greatest_above: None,
            any_at_least: false,
        };
        for successor in self.successors(v) {
            let Value { bound, score } = successor.value().to_parent();
            let score = Some(score);
            all.greatest = all.greatest.max(score);
            match bound {
                Bound::Upper => all.greatest_above = all.greatest_above.max(score),
                Bound::Lower => {
                    all.any_at_least = true;
                    all.greatest_below = all.greatest_below.max(score);
                }
                Bound::Exact => {
                    all.greatest_exact = all.greatest_exact.max(score);
                    all.greatest_below = all.greatest_below.max(score);
                }
            }
        }
        all
    }
}
