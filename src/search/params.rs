//! Tunable numbers of the leaf evaluator and of the alpha-beta search it shares with its full-strength form.

use crate::eval::EvaluationKind;

crate::parameters! {
    /// Depth, limits and techniques of alpha-beta; each technique is a switch.
    pub struct LeafParams {
        eval_depth: i32 = 2, 0..=8, "plies", "thesis 2.3: depth 2", "Depth of the alpha-beta search that evaluates a leaf.";
        node_cap: i32 = 20_000, 100..=10_000_000, "nodes", "docs/experiments.md#parallel-search-simulated", "Nodes after which an evaluation becomes a plain quiescence search.";
        transposition_table: bool = true, 0..=1, "", "thesis 2.4, transposition tables", "Store evaluated positions in a transposition table.";
        history: bool = true, 0..=1, "", "thesis 2.4, killers", "Order quiet moves by killers and history.";
        null_move: bool = true, 0..=1, "", "thesis 2.3, Donninger 1993", "Let the side to move pass; cut off if the score still meets the bound.";
        verified_null_move: bool = true, 0..=1, "", "Tabibi, Netanyahu 2002", "Verify a null-move cutoff by a search without null moves, at high depth or if the side to move has few pieces.";
        fail_high_reduction: bool = false, 0..=1, "", "thesis 2.3, Feldmann 1996", "Reduce an expected cut node by one ply if evaluation minus threat meets the bound.";
        check_extension: bool = true, 0..=1, "", "thesis 2.3", "Extend by one ply if the side to move is in check.";
        recapture_extension: bool = true, 0..=1, "", "thesis 2.3", "Extend a recapture on the principal variation by one ply.";
        late_move_reduction: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Reduce the depth of late quiet moves.";
        late_move_pruning: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Skip late quiet moves near the leaves.";
        futility: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Skip quiet moves that cannot raise the evaluation to the bound.";
        reverse_futility: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Cut off near the leaves if the evaluation is far above the bound.";
        razoring: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Use only quiescence search if the evaluation is far below the bound.";
        exchange_pruning: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Skip moves near the leaves that lose material by static exchange.";
        delta_pruning: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Skip captures in quiescence that cannot raise the score to the bound.";
        quiescence_table: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Use the transposition table at all plies of quiescence, not only the first.";
        internal_reduction: bool = true, 0..=1, "", "docs/experiments.md#classical-techniques-of-pvs", "Reduce a node without a hash move by one ply.";
        prob_cut: bool = true, 0..=1, "", "Buro 1995", "Cut off if a shallow search shows that a capture is worth far more than the bound.";
        history_pruning: bool = true, 0..=1, "", "docs/experiments.md#classical-techniques-of-pvs", "Skip quiet moves near the leaves that rarely cause a cutoff.";
        correction_history: bool = true, 0..=1, "", "docs/experiments.md#classical-techniques-of-pvs", "Correct the static evaluation by its past errors in similar positions.";
        quiescence_checks: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Try quiet checks at the first ply of quiescence.";
        follow_up_history: bool = true, 0..=1, "", "docs/experiments.md#classical-techniques-of-pvs", "Order quiet moves by the side's own previous move too.";
        futility_cp: i32 = 90, 20..=400, "centipawns", "docs/experiments.md#evaluation-and-leaf-search", "Futility margin per ply.";
        reverse_futility_cp: i32 = 80, 20..=400, "centipawns", "docs/experiments.md#evaluation-and-leaf-search", "Reverse futility margin per ply.";
        evaluation_error_cp: i32 = 0, 0..=2_000, "centipawns", "docs/experiments.md#settings-in-general", "Standard deviation of deliberate evaluation errors; a position always gets the same error.";
    } and {
        /// Margin below the stored bound for the search of other moves when strategies are counted, in centipawns per
        /// ply of depth; `None`: no counting.
        strategy_margin_cp: Option<i32>,
        /// The static evaluation.
        evaluation: EvaluationKind,
    }
}
