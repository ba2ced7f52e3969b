//! Tunable numbers of the delegating search.

crate::parameters! {
    /// Parameters of delegation and counting.
    pub struct DelegationParams {
        delegate: bool = true, 0..=1, "", "docs/experiments.md#cc2s-with-delegation-against-pvs", "Delegate targets with one strategy to alpha-beta; off: every target is handed down to the leaves as in the thesis.";
        aspiration_cp: i32 = 12, 1..=1_000, "centipawns", "docs/experiments.md#cc2s-with-delegation-against-pvs", "Half the width of the first window around the expected score at the root.";
        proof_permille: i32 = 50, 0..=1_000, "thousandths", "docs/experiments.md#cc2s-with-delegation-against-pvs", "Maximum share of the work for mate proofs, if a mate may be near.";
        conspiracy: i32 = 2, 1..=2, "strategies", "docs/experiments.md#cc2s-with-delegation-against-pvs", "Number of strategies to count, at deep cut nodes and at the root; 1 turns counting off.";
        strategy_margin_cp: i32 = 2, 0..=50, "centipawns", "docs/experiments.md#cc2s-with-delegation-against-pvs", "Other moves are searched against the hash score minus this, per ply of depth.";
        secure_lag: i32 = 3, 0..=20, "plies", "not measured", "Plies by which the depth required of two strategies lags behind the search depth.";
        secure_permille: i32 = 50, 0..=1_000, "thousandths", "not measured", "Maximum share of the work for second strategies in play.";
        secure_analysis_permille: i32 = 500, 0..=1_000, "thousandths", "not measured", "Maximum share of the work for second strategies in analysis.";
    }
}
