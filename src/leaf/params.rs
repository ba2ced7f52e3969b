//! Tunable numbers of the leaf evaluator and of the alpha-beta search it shares with its full-strength form.

crate::parameters! {
    /// Depth, limits and techniques of alpha-beta; each technique is a switch.
    pub struct LeafParams {
        eval_depth: i32 = 2, 0..=8, "plies", "thesis 2.3: depth 2", "Depth of the alpha-beta search that values a leaf.";
        node_cap: i32 = 20_000, 100..=10_000_000, "nodes", "bounds one valuation", "Nodes after which a valuation becomes a plain quiescence search.";
        leaf_table: bool = true, 0..=1, "", "thesis 2.4, transposition tables", "Remember valued positions in a transposition table.";
        leaf_history: bool = true, 0..=1, "", "thesis 2.4, killers", "Order quiet moves by killers and history.";
        leaf_null_move: bool = true, 0..=1, "", "thesis 2.3, Donninger 93", "Let the side to move pass: if that is good enough, a move is too.";
        leaf_fail_high_reduction: bool = true, 0..=1, "", "thesis 2.3, Feldmann 96", "Search an expected cut node one ply less where evaluation minus threat meets the bound.";
        leaf_check_extension: bool = true, 0..=1, "", "thesis 2.3", "Search one ply deeper where the side to move is in check.";
        leaf_recapture_extension: bool = true, 0..=1, "", "thesis 2.3", "Search one ply deeper after a recapture on the principal variation.";
        leaf_late_move_reduction: bool = true, 0..=1, "", "docs/experiments.md", "Search late quiet moves less deep.";
        leaf_late_move_pruning: bool = true, 0..=1, "", "docs/experiments.md", "Leave out late quiet moves near the leaves.";
        leaf_futility: bool = true, 0..=1, "", "docs/experiments.md", "Leave out quiet moves that cannot lift the evaluation to the bound.";
        leaf_reverse_futility: bool = true, 0..=1, "", "docs/experiments.md", "Accept an evaluation far above the bound near the leaves.";
        leaf_razoring: bool = true, 0..=1, "", "docs/experiments.md", "Ask quiescence alone where the evaluation is far below the bound.";
        leaf_exchange_pruning: bool = true, 0..=1, "", "docs/experiments.md", "Leave out moves near the leaves that lose material by exchange.";
        leaf_internal_reduction: bool = true, 0..=1, "", "docs/experiments.md", "Search one ply less where no hash move is known.";
        leaf_delta_pruning: bool = true, 0..=1, "", "docs/experiments.md", "Leave out captures in quiescence that cannot lift the score to the bound.";
        leaf_quiescence_checks: bool = true, 0..=1, "", "docs/experiments.md", "Try quiet checks at the first ply of quiescence.";
        leaf_futility_cp: i32 = 90, 20..=400, "centipawns", "docs/experiments.md", "Margin of futility per ply.";
        leaf_reverse_futility_cp: i32 = 80, 20..=400, "centipawns", "docs/experiments.md", "Margin of reverse futility per ply.";
    }
}
