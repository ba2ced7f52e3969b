//! Two workers' values of one node made to agree (Fig. 3.12).

use crate::cc2s::tree::value::{Bound, Relation, Value};

/// What the owner of a node does about a target it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    /// The value supports the target: work can begin.
    Consistent,
    /// The value excludes the target: the employer is told at once.
    Refused,
    /// The node takes this value over, to be made to agree with its successors.
    TakeOver(Value),
    /// The node is to be valued with an open window.
    Revalue,
}

/// Compares the owner's value of a node with the target it is sent and the value its sender knows (Fig. 3.12).
///
/// Departs from Fig. 3.12, which guesses from the target what the sender knows: the sender says so, which makes the result
/// a function of three plain values. The sender's value stems from an older answer of the owner or from a direct valuation,
/// and only the latter can be news.
pub(crate) fn resolve_inconsistency(own: Value, sent: Value, bound: Bound) -> Resolution {
    match own.relation_to(bound) {
        Relation::Supports => Resolution::Consistent,
        Relation::Contradicts => Resolution::Refused,
        Relation::Undecided if sent.supports(bound) && sent != own => Resolution::TakeOver(sent),
        Relation::Undecided => Resolution::Revalue,
    }
}

/// The value of a node that contradicts a target its employer believed met: where that rests on a direct valuation, this
/// shows the other side of the owner's bound, so together they make a point value.
pub(crate) fn refusal(own: Value, sent: Value) -> Value {
    if sent.is_exact() {
        Value::exact(own.score)
    } else {
        own
    }
}
