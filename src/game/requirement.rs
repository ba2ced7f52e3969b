//! Safety demanded of the decision at the root (thesis 1.8-8, Fig. 2.11).

/// A requirement on the decision at the root: safe at depth `depth` with `conspiracy` leaf-disjoint strategies on each
/// side (Definition 1.8-8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requirement {
    /// Plies from the root to any leaf, at least.
    pub depth: u16,
    /// Leaf-disjoint strategies.
    pub conspiracy: u16,
}
