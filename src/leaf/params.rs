//! Tunable numbers of the leaf evaluator.

crate::parameters! {
    /// Depth, limits and techniques of the leaf evaluator.
    pub struct LeafParams {
        eval_depth: i32 = 2, 0..=8, "plies", "thesis 2.3: depth 2", "Depth of the alpha-beta search that values a leaf.";
        node_cap: i32 = 20_000, 100..=10_000_000, "nodes", "a bound on one valuation", "Nodes after which a valuation becomes a plain quiescence search.";
        null_move: bool = true, 0..=1, "", "thesis 2.3, Donninger 93", "Let the side to move pass: if that is good enough, a move is too.";
        check_extension: bool = true, 0..=1, "", "thesis 2.3", "Search one ply deeper where the side to move is in check.";
    }
}
