//! The reconciliation of two workers' values of one node (Fig. 3.12).

use crate::game::{Relation, TargetBound, Value};

/// The reaction of a node's owner to a target that it receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    /// The value supports the target: work can begin.
    Consistent,
    /// The value excludes the target: the employer is answered at once.
    Refused,
    /// The node gets this value, which is then made consistent with its successors.
    TakeOver(Value),
    /// The node is to be evaluated with an open window.
    Revalue,
}

/// Compares the owner's value of a node with the received target and the sender's value (Fig. 3.12).
///
/// Departs from Fig. 3.12, which infers the sender's value from the target. Here the sender includes it, which
/// makes the result a function of three plain values. The sender's value is from an older answer of the owner or
/// from a direct evaluation, and only the latter can be news.
pub(crate) fn resolve_inconsistency(own: Value, sent: Value, bound: TargetBound) -> Resolution {
    match own.relation_to(bound) {
        Relation::Supports => Resolution::Consistent,
        Relation::Contradicts => Resolution::Refused,
        Relation::Undecided if sent.supports(bound) && sent != own => Resolution::TakeOver(sent),
        Relation::Undecided => Resolution::Revalue,
    }
}

/// Returns the value of a node that contradicts a target met by its employer's value. If that is from a direct
/// evaluation, it shows the other side of the owner's bound, so together they give a point value.
pub(crate) fn refusal(own: Value, sent: Value) -> Value {
    if sent.is_exact() {
        Value::exact(own.score)
    } else {
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Score;

    const BOUND: TargetBound = TargetBound::AtLeast(Score::centipawns(50));

    fn at_most(score: i32) -> Value {
        Value::at_most(Score::centipawns(score))
    }

    fn at_least(score: i32) -> Value {
        Value::at_least(Score::centipawns(score))
    }

    fn exact(score: i32) -> Value {
        Value::exact(Score::centipawns(score))
    }

    #[test]
    fn figure_3_12_what_the_owner_knows_decides_first() {
        for sent in [at_least(60), exact(70), at_most(90)] {
            let resolved = |own| resolve_inconsistency(own, sent, BOUND);
            assert_eq!(resolved(at_least(50)), Resolution::Consistent);
            assert_eq!(resolved(exact(80)), Resolution::Consistent);
            assert_eq!(resolved(at_most(49)), Resolution::Refused);
            assert_eq!(resolved(exact(10)), Resolution::Refused);
        }
    }

    #[test]
    fn figure_3_12_an_undecided_owner_believes_what_supports_the_target() {
        for own in [at_most(60), at_least(40)] {
            let resolved = |sent| resolve_inconsistency(own, sent, BOUND);
            assert_eq!(resolved(exact(55)), Resolution::TakeOver(exact(55)));
            assert_eq!(resolved(at_least(50)), Resolution::TakeOver(at_least(50)));
            assert_eq!(resolved(at_most(70)), Resolution::Revalue);
            assert_eq!(resolved(own), Resolution::Revalue);
        }
    }

    /// The same holds at an all node, with the view reversed.
    #[test]
    fn figure_3_12_is_symmetric() {
        let turned = BOUND.to_successor();
        for own in [at_most(60), at_least(60), exact(60), at_most(40), exact(40)] {
            for sent in [at_most(70), at_least(50), exact(55), exact(20)] {
                let there = match resolve_inconsistency(own, sent, BOUND) {
                    Resolution::TakeOver(value) => Resolution::TakeOver(value.to_parent()),
                    other => other,
                };
                let here = resolve_inconsistency(own.to_parent(), sent.to_parent(), turned);
                assert_eq!(here, there, "{own:?} {sent:?}");
            }
        }
    }

    #[test]
    fn a_refused_value_is_exact_where_both_sides_are_known() {
        assert_eq!(refusal(at_most(40), exact(60)), exact(40));
        assert_eq!(refusal(at_most(40), at_least(60)), at_most(40));
    }
}
