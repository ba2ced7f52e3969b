//! Tunable numbers of the leaf evaluator and of the alpha-beta search it shares with its full-strength form.

use crate::eval::EvaluationKind;

crate::parameters! {
    /// Depth, limits and techniques of alpha-beta; each technique is a switch.
    pub struct LeafParams {
        eval_depth: i32 = 2, 0..=8, "plies", "thesis 2.3: depth 2", "Depth of the alpha-beta search that values a leaf.";
        node_cap: i32 = 20_000, 100..=10_000_000, "nodes", "docs/experiments.md#parallel-search-simulated", "Nodes after which a valuation becomes a plain quiescence search.";
        transposition_table: bool = true, 0..=1, "", "thesis 2.4, transposition tables", "Remember valued positions in a transposition table.";
        history: bool = true, 0..=1, "", "thesis 2.4, killers", "Order quiet moves by killers and history.";
        null_move: bool = true, 0..=1, "", "thesis 2.3, Donninger 1993", "Let the side to move pass: if that is good enough, a move is too.";
        verified_null_move: bool = true, 0..=1, "", "Tabibi, Netanyahu 2002", "Verify a null move that cuts off by a search without null moves, at high depth or where the side to move has hardly a piece.";
        fail_high_reduction: bool = false, 0..=1, "", "thesis 2.3, Feldmann 1996", "Search an expected cut node one ply less where evaluation minus threat meets the bound.";
        check_extension: bool = true, 0..=1, "", "thesis 2.3", "Search one ply deeper where the side to move is in check.";
        recapture_extension: bool = true, 0..=1, "", "thesis 2.3", "Search one ply deeper after a recapture on the principal variation.";
        late_move_reduction: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Search late quiet moves less deep.";
        late_move_pruning: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Leave out late quiet moves near the leaves.";
        futility: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Leave out quiet moves that cannot lift the evaluation to the bound.";
        reverse_futility: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Accept an evaluation far above the bound near the leaves.";
        razoring: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Ask quiescence alone where the evaluation is far below the bound.";
        exchange_pruning: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Leave out moves near the leaves that lose material by exchange.";
        delta_pruning: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Leave out captures in quiescence that cannot lift the score to the bound.";
        quiescence_table: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Use the transposition table at all plies of quiescence, not only the first.";
        internal_reduction: bool = true, 0..=1, "", "docs/experiments.md#classical-techniques-of-pvs", "Search a node without a stored move one ply less deep.";
        prob_cut: bool = true, 0..=1, "", "Buro 1995", "Accept a capture that a shallow search shows to be worth far more than the bound.";
        history_pruning: bool = true, 0..=1, "", "docs/experiments.md#classical-techniques-of-pvs", "Leave out quiet moves near the leaves that seldom cut off.";
        correction_history: bool = true, 0..=1, "", "docs/experiments.md#classical-techniques-of-pvs", "Correct the static evaluation by how far it was off in positions of the same kind.";
        quiescence_checks: bool = true, 0..=1, "", "docs/experiments.md#evaluation-and-leaf-search", "Try quiet checks at the first ply of quiescence.";
        follow_up_history: bool = true, 0..=1, "", "docs/experiments.md#classical-techniques-of-pvs", "Order quiet moves by the own move before, too.";
        futility_cp: i32 = 90, 20..=400, "centipawns", "docs/experiments.md#evaluation-and-leaf-search", "Margin of futility per ply.";
        reverse_futility_cp: i32 = 80, 20..=400, "centipawns", "docs/experiments.md#evaluation-and-leaf-search", "Margin of reverse futility per ply.";
        evaluation_error_cp: i32 = 0, 0..=2_000, "centipawns", "docs/experiments.md#settings-in-general", "Standard deviation of the errors by which positions are misjudged on purpose; the same position always by the same.";
    } and {
        /// Where strategies are counted, how far below the stored bound other moves are asked to hold, in centipawns
        /// for each ply of depth; `None`: they are not counted.
        strategy_margin_cp: Option<i32>,
        /// The static evaluation.
        evaluation: EvaluationKind,
    }
}
