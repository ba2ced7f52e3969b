//! Tunable numbers of the delegating search.

crate::parameters! {
    /// How targets are delegated and demands exchanged.
    pub struct DelegationParams {
        delegate: bool = true, 0..=1, "", "docs/experiments.md#cc2s-with-delegation-against-pvs", "Delegate targets with one strategy to alpha-beta; off, every target is handed down to the leaves as in the thesis.";
        aspiration_cp: i32 = 12, 1..=1_000, "centipawns", "docs/experiments.md#cc2s-with-delegation-against-pvs", "Half the first window around the hypothesis at the root.";
        proof_permille: i32 = 50, 0..=1_000, "thousandths", "docs/experiments.md#cc2s-with-delegation-against-pvs", "Work for proving a mate where one may be near, of all work at most.";
        conspiracy: i32 = 2, 1..=2, "strategies", "docs/experiments.md#cc2s-with-delegation-against-pvs", "Strategies counted: with 2, at every deep cut node, where a move that stands alone is searched deeper and two that hold the bound end the search, and behind what decides at the root; with 1 nowhere.";
        strategy_margin_cp: i32 = 5, 0..=50, "centipawns", "docs/experiments.md#cc2s-with-delegation-against-pvs", "How far below the stored bound other moves are asked to hold, for each ply of depth.";
        secure_lag: i32 = 3, 0..=20, "plies", "not measured", "How far behind the requirement with one strategy the one with two is made.";
        secure_permille: i32 = 50, 0..=1_000, "thousandths", "not measured", "Work for second strategies in play, of all work at most.";
        secure_analysis_permille: i32 = 500, 0..=1_000, "thousandths", "not measured", "Work for second strategies in analysis, of all work at most.";
    }
}
