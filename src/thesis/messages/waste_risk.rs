//! The risk that a problem turns out not to be needed; the least risky problems come first.
//!
//! An all node hands out all its successors. When one of them misses its target, the work on the others was
//! wasted: a single worker would not have come to those after it. The frequency depends on the remaining depth,
//! and on whether the node replaces one that has failed (`docs/experiments.md`).

use crate::thesis::tree::target::{NodeKind, Target};

/// Bits of waste risk, in sixteenths: a problem with `n` bits is needed with probability 2^-n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct WasteRisk(u16);

/// The risk that one of several successors, all needed, misses its target.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FailureRisk {
    /// The probability that any of them does.
    any: f64,
    /// The share of these cases in which it is the first.
    first: f64,
}

impl WasteRisk {
    /// Returns the waste risk of a problem that an event of this probability makes superfluous as well.
    #[must_use]
    fn unless(self, probability: f64) -> Self {
        let bits = -(1.0 - probability).log2();
        Self(self.0.saturating_add((16.0 * bits).round() as u16))
    }

    /// Returns the waste risk of the successor in this place of those that are needed.
    #[must_use]
    pub(crate) fn of_successor(self, place: usize, risk: FailureRisk) -> Self {
        let others = 1.0 - risk.first;
        let failed_before = match place {
            0 => 0.0,
            1 => risk.first,
            2..12 => risk.first + 0.3 * others,
            _ => risk.first + 0.5 * others,
        };
        self.unless(risk.any * failed_before)
    }

    /// Returns the class of risks between which the order of a single worker decides: half a bit wide.
    pub(crate) fn class(self) -> u16 {
        self.0 / 8
    }
}

impl FailureRisk {
    /// The risk of the root moves: the best one turns out worse than believed. An estimate.
    pub(crate) const ROOT: Self = Self {
        any: 0.4,
        first: 1.0,
    };

    /// Returns the risk of the successors of a node with this target, which may replace one that has failed. A cut
    /// node needs only one.
    ///
    /// The greatest depths were counted on one position; all 30 of BT2630 have 0.22 there, which was not tried.
    pub(crate) fn of(target: Target, is_replacement: bool) -> Self {
        let any = match (target.kind(), target.depth) {
            (NodeKind::Cut, _) => 0.0,
            (NodeKind::All, _) if is_replacement => 0.5,
            (NodeKind::All, 0) => 0.09,
            (NodeKind::All, 1..=4) => 0.03,
            (NodeKind::All, 5..=9) => 0.1,
            (NodeKind::All, _) => 0.4,
        };
        Self { any, first: 0.5 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Score, TargetBound};

    fn risk(bound: TargetBound, is_replacement: bool) -> FailureRisk {
        let target = Target {
            bound,
            depth: 3,
            conspiracy: 1,
        };
        FailureRisk::of(target, is_replacement)
    }

    #[test]
    fn later_successors_of_replacements_are_more_likely_to_be_wasted() {
        let bound = TargetBound::AtMost(Score::centipawns(50));
        let (safe, likely) = (risk(bound, false), risk(bound, true));
        let none = WasteRisk::default();
        assert_eq!(none.of_successor(0, likely), none);
        let risks = [1, 2, 12].map(|place| none.of_successor(place, likely));
        assert!(risks.is_sorted() && risks[0] < risks[2]);
        assert!(none.of_successor(12, safe) < risks[0]);
        assert!(none.of_successor(1, FailureRisk::ROOT) > risks[2]);
    }

    #[test]
    fn a_cut_node_adds_no_waste_risk_to_its_successor() {
        let risk = risk(TargetBound::AtLeast(Score::centipawns(50)), true);
        let none = WasteRisk::default();
        assert_eq!(none.of_successor(1, risk), none);
    }
}
