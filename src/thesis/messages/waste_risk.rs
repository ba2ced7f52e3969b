//! How likely a problem is to turn out not to be needed, so that what is least likely to be wasted is worked on first.
//!
//! An all node hands out all its successors. When one of them misses its target, the work on the others was in vain: a
//! single worker would not have come to those after it. How often that happens depends on the remaining depth, and on
//! whether the node takes the place of one that has failed (`docs/experiments.md`).

use crate::thesis::tree::target::{NodeKind, Target};

/// Bits of waste risk, in sixteenths: what has `n` bits is needed with probability 2^-n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct WasteRisk(u16);

/// That one of several successors which are all needed misses its target.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FailureRisk {
    /// The probability of that.
    any: f64,
    /// In which part of these cases it is the first.
    first: f64,
}

impl WasteRisk {
    /// The waste risk of what is superfluous, too, if something else happens.
    #[must_use]
    fn unless(self, probability: f64) -> Self {
        let bits = -(1.0 - probability).log2();
        Self(self.0.saturating_add((16.0 * bits).round() as u16))
    }

    /// That about the successor in that place of those which are needed.
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

    /// The same for all between which the order of a single worker decides: half a bit wide.
    pub(crate) fn class(self) -> u16 {
        self.0 / 8
    }
}

impl FailureRisk {
    /// That of the moves at the root: the best one turns out to be worth less than believed. An estimate.
    pub(crate) const ROOT: Self = Self {
        any: 0.4,
        first: 1.0,
    };

    /// That of the successors of a node with this target, which takes the place of one that has failed, or does not. A
    /// cut node needs but one.
    ///
    /// The greatest depths were counted on one position; all 30 of BT2630 have 0.22 there, with which nothing was
    /// tried.
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
