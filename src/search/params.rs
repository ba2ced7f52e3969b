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
        razor_cp: i32 = 150, 0..=600, "centipawns", "docs/experiments.md#classical-techniques-of-pvs", "Razoring margin below alpha...";
        razor_ply_cp: i32 = 200, 0..=600, "centipawns", "docs/experiments.md#classical-techniques-of-pvs", "... and its growth per ply.";
        null_move_eval_cp: i32 = 150, 50..=500, "centipawns", "docs/experiments.md#classical-techniques-of-pvs", "Evaluation above beta that reduces a null move by another ply.";
        prob_cut_cp: i32 = 170, 50..=500, "centipawns", "docs/experiments.md#classical-techniques-of-pvs", "Margin of `ProbCut` above beta.";
        late_moves: i32 = 4, 1..=12, "moves", "docs/experiments.md#classical-techniques-of-pvs", "Late move pruning starts after this many moves, plus the square of the depth.";
        history_pruning_score: i32 = 4_500, 1_000..=12_000, "history points", "docs/experiments.md#classical-techniques-of-pvs", "History pruning: malus per ply.";
        futility_base_cp: i32 = 90, 0..=400, "centipawns", "docs/experiments.md#evaluation-and-leaf-search", "Futility margin at depth 0.";
        quiet_exchange_cp: i32 = 25, 5..=100, "centipawns", "docs/experiments.md#classical-techniques-of-pvs", "Loss by static exchange at which a quiet move is skipped, times the square of the depth.";
        noisy_exchange_cp: i32 = 100, 20..=300, "centipawns", "docs/experiments.md#classical-techniques-of-pvs", "Loss by static exchange at which a capture is skipped, per ply.";
        delta_cp: i32 = 150, 20..=500, "centipawns", "docs/experiments.md#evaluation-and-leaf-search", "Delta pruning margin.";
        quiet_reduction: i32 = 500, -1_024..=2_048, "1/1024 plies", "docs/experiments.md#classical-techniques-of-pvs", "Late move reduction of a quiet move, its constant part...";
        quiet_reduction_slope: i32 = 465, 100..=1_024, "1/1024", "docs/experiments.md#classical-techniques-of-pvs", "... and its factor of ln depth times ln move number.";
        noisy_reduction_slope: i32 = 284, 50..=1_024, "1/1024", "docs/experiments.md#classical-techniques-of-pvs", "The same factor for captures.";
        cut_node_reduction: i32 = 1_024, 0..=3_072, "1/1024 plies", "docs/experiments.md#classical-techniques-of-pvs", "Further reduction at expected cut nodes.";
        not_improving_reduction: i32 = 768, 0..=2_048, "1/1024 plies", "docs/experiments.md#classical-techniques-of-pvs", "Further reduction if the evaluation has not risen since two plies ago.";
        noisy_hash_reduction: i32 = 768, 0..=2_048, "1/1024 plies", "docs/experiments.md#classical-techniques-of-pvs", "Further reduction if the hash move is a capture.";
        cutoffs_reduction: i32 = 768, 0..=2_048, "1/1024 plies", "docs/experiments.md#classical-techniques-of-pvs", "Further reduction if many successors were cut off.";
        pv_reduction: i32 = 1_024, 0..=3_072, "1/1024 plies", "docs/experiments.md#classical-techniques-of-pvs", "Lower reduction on the principal variation.";
        was_pv_reduction: i32 = 768, 0..=2_048, "1/1024 plies", "docs/experiments.md#classical-techniques-of-pvs", "Lower reduction of nodes that were on a principal variation before.";
        check_reduction: i32 = 1_024, 0..=3_072, "1/1024 plies", "docs/experiments.md#classical-techniques-of-pvs", "Lower reduction in check and of checking moves.";
        killer_reduction: i32 = 768, 0..=2_048, "1/1024 plies", "docs/experiments.md#classical-techniques-of-pvs", "Lower reduction of killers.";
        history_reduction_score: i32 = 9_000, 2_000..=30_000, "history points", "docs/experiments.md#classical-techniques-of-pvs", "History score that lowers the reduction by a ply.";
        deeper_cp: i32 = 50, 5..=200, "centipawns", "docs/experiments.md#classical-techniques-of-pvs", "A reduced move that beats its bound by more than this is searched a ply deeper.";
        far_cp: i32 = 25, 0..=150, "centipawns", "docs/experiments.md#cc2s-with-delegation-against-pvs", "Shortfall of all other moves that extends the hash move by two plies.";
        history_bonus: i32 = 280, 50..=800, "history points", "docs/experiments.md#classical-techniques-of-pvs", "History bonus of a cutoff, per ply of depth.";
        history_malus: i32 = 260, 50..=800, "history points", "docs/experiments.md#classical-techniques-of-pvs", "History malus of the moves before it, per ply of depth.";
        evaluation_error_cp: i32 = 0, 0..=2_000, "centipawns", "docs/experiments.md#settings-in-general", "Standard deviation of deliberate evaluation errors; a position always gets the same error.";
    } and {
        /// Margin below the stored bound for the search of other moves when strategies are counted, in centipawns per
        /// ply of depth; `None`: no counting.
        strategy_margin_cp: Option<i32>,
        /// The static evaluation.
        evaluation: EvaluationKind,
    }
}
