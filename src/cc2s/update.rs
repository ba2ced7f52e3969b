//! Values repaired from the successors upwards (Fig. 2.8).

use super::tree::{NodeId, Tree};
use super::value::{Attribute, Value};

/// What the valued successors say together, seen by their parent.
struct Successors {
    /// Greatest score over all of them.
    greatest: Option<crate::game::Score>,
    /// Greatest score over those that bound from below.
    greatest_below: Option<crate::game::Score>,
    /// Greatest score over the point values.
    greatest_exact: Option<crate::game::Score>,
    /// Greatest score over those that only bound from above.
    greatest_above: Option<crate::game::Score>,
    /// Whether one of them is open upwards (`AtLeast`).
    any_at_least: bool,
}

impl<M: Copy + Eq> Tree<M> {
    /// Makes the value of `v` agree with its successors as far as it contradicts them (Fig. 2.8). O(successors).
    ///
    /// Values are heuristic helpers that steer the search; the rule keeps Theorem 2.1-2: each value is backed by hulls.
    pub fn update_value(&mut self, v: NodeId) {
        if self[v].is_end() {
            return;
        }
        let successors = self.successors(v);
        let Some(greatest) = successors.greatest else {
            return;
        };
        let Value {
            mut attribute,
            mut score,
        } = self[v].value();
        let unsettled = !self[v].is_fully_known()
            || successors.any_at_least
            || successors
                .greatest_above
                .is_some_and(|above| above >= score);
        if unsettled {
            if attribute == Attribute::AtMost
                && successors
                    .greatest_below
                    .is_some_and(|below| below >= score)
            {
                attribute = Attribute::Exact;
            }
            score = successors
                .greatest_below
                .map_or(score, |below| below.max(score));
        } else {
            if attribute == Attribute::AtLeast
                || attribute == Attribute::AtMost
                    && successors
                        .greatest_exact
                        .is_some_and(|exact| exact >= score)
            {
                attribute = Attribute::Exact;
            }
            score = greatest;
        }
        self[v].set_value(Value { attribute, score });
    }

    fn successors(&self, v: NodeId) -> Successors {
        let mut all = Successors {
            greatest: None,
            greatest_below: None,
            greatest_exact: None,
            greatest_above: None,
            any_at_least: false,
        };
        for kid in self.kids(v) {
            let Value { attribute, score } = kid.value().to_parent();
            let score = Some(score);
            all.greatest = all.greatest.max(score);
            match attribute {
                Attribute::AtMost => all.greatest_above = all.greatest_above.max(score),
                Attribute::AtLeast => {
                    all.any_at_least = true;
                    all.greatest_below = all.greatest_below.max(score);
                }
                Attribute::Exact => {
                    all.greatest_exact = all.greatest_exact.max(score);
                    all.greatest_below = all.greatest_below.max(score);
                }
            }
        }
        all
    }
}
