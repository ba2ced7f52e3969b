//! The safety required of the decision at the root (thesis 1.8-8, Fig. 2.11).

/// A requirement on the decision at the root, or how safe it is: `conspiracy` leaf-disjoint strategies, all leaves at
/// least `depth` plies from the root, show that the best move is worth at least and every other move at most the
/// splitting value (Definition 1.8-8). For a classical search the conspiracy is 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requirement {
    /// Minimum number of plies from the root to any leaf.
    pub depth: u16,
    /// Leaf-disjoint strategies.
    pub conspiracy: u16,
}
