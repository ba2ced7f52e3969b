//! Tunable numbers of the delegating search.

crate::parameters! {
    /// How targets are delegated and demands exchanged.
    pub struct DelegationParams {
        delegate: bool = true, 0..=1, "", "docs/experiments.md#cc2s-with-delegation-against-pvs", "Delegate targets with one strategy to alpha-beta; off, every target is handed down to the leaves as in the thesis.";
        aspiration_cp: i32 = 20, 1..=1_000, "centipawns", "docs/experiments.md#cc2s-with-delegation-against-pvs", "Half the first window around the hypothesis at the root.";
        proof_permille: i32 = 50, 0..=1_000, "thousandths", "docs/experiments.md#cc2s-with-delegation-against-pvs", "Work for proving a mate where one may be near, of all work at most.";
        secure: bool = true, 0..=1, "", "docs/experiments.md#cc2s-with-delegation-against-pvs", "Demand two strategies of what decides at the root.";
        secure_lag: i32 = 2, 0..=20, "plies", "docs/experiments.md#cc2s-with-delegation-against-pvs", "How far behind the requirement with one strategy the one with two is made.";
        secure_permille: i32 = 150, 0..=1_000, "thousandths", "docs/experiments.md#cc2s-with-delegation-against-pvs", "Work for second strategies, of all work at most.";
        secure_margin_cp: i32 = 10, 0..=200, "centipawns", "docs/experiments.md#cc2s-with-delegation-against-pvs", "How much worse than the hypothesis the best move, and how much better another, may be shown to be.";
        strategy_reduction: i32 = 3, 0..=10, "plies", "docs/experiments.md#cc2s-with-delegation-against-pvs", "How much less deep each of two strategies may be than a single one.";
    }
}
