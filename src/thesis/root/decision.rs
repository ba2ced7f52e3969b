use crate::game::{Requirement, Value};

/// The decision of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision<M> {
    /// The principal variation, with at least the best move.
    pub pv: Vec<M>,
    /// The best move's value, in the root's view.
    pub value: Value,
    /// The requirement that was met; (0, 0) if none.
    pub met: Requirement,
    /// Whether nothing is left to search: a single move, or a mate within the secured depth.
    pub exhausted: bool,
}
