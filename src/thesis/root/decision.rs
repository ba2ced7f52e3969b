//! The decision of a search.

use crate::game::{Requirement, Value};

/// The search's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision<M> {
    /// The best move and what is expected to follow; at least one move.
    pub pv: Vec<M>,
    /// The best move's value, root's view.
    pub value: Value,
    /// The requirement that was met; (0, 0) if none.
    pub met: Requirement,
    /// Whether nothing is left to find out: a single move, or a mate within the depth that was secured.
    pub exhausted: bool,
}
