//! Tunable numbers of the time manager.

crate::parameters! {
    /// The shares of the clock for the moves of a game.
    pub struct TimeParams {
        move_overhead_ms: i32 = 30, 0..=5_000, "milliseconds", "not measured", "Time reserved per move for GUI and network delays.";
        horizon_moves: i32 = 9, 5..=200, "moves", "games at 3+0.03, 768296a", "Moves among which the remaining time is divided with an increment and no time control.";
        horizon_moves_no_increment: i32 = 14, 5..=200, "moves", "docs/experiments.md#settings-in-general", "Moves among which the remaining time is divided without an increment, and at most before a time control.";
        increment_permille: i32 = 800, 0..=1_000, "thousandths", "not measured", "Part of the increment that is spent at once.";
        planned_max_permille: i32 = 140, 5..=500, "thousandths", "games at 3+0.03, 768296a", "Greatest part of the remaining time planned for one move; with little time and an increment this keeps a reserve.";
        share_max_permille: i32 = 250, 10..=900, "thousandths", "games at 1+0.01, c1bdb09", "Greatest part of the remaining time that one move may take; more just before a time control.";
        extension_max_permille: i32 = 4_000, 1_000..=20_000, "thousandths", "not measured", "Greatest multiple of the planned time when the decision is in doubt.";
        doubt_permille: i32 = 350, 0..=5_000, "thousandths", "docs/experiments.md#settings-in-general", "More time for each overturned hypothesis.";
        fall_permille: i32 = 10, 0..=500, "thousandths per centipawn", "docs/experiments.md#settings-in-general", "More time for each centipawn the score has fallen since the last requirement was met.";
        stability_permille: i32 = 60, 0..=500, "thousandths", "docs/experiments.md#settings-in-general", "Less time for each requirement met in a row with the same move.";
        stable_min_permille: i32 = 500, 100..=1_000, "thousandths", "not measured", "Least part of the planned time for a stable decision.";
        effort_even_permille: i32 = 600, 0..=1_000, "thousandths", "not measured", "Share of the work spent on the best move at which the planned time stays as it is.";
        effort_weight_permille: i32 = 1_200, 0..=5_000, "thousandths", "docs/experiments.md#settings-in-general", "How much the planned time grows if the other moves took a greater share, and shrinks if a smaller one.";
        margin_even_cp: i32 = 100, 1..=1_000, "centipawns", "not measured", "Safety margin at which the planned time stays as it is.";
        margin_weight_permille: i32 = 60, 0..=1_000, "thousandths", "not measured", "How much the planned time grows for a margin twice as wide, and shrinks for one half as wide.";
        start_max_permille: i32 = 550, 100..=1_000, "thousandths", "docs/experiments.md#settings-in-general", "No new depth is begun after this part of the planned time: it would not be finished.";
    }
}
