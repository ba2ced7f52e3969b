//! Tunable numbers of the time manager.

crate::parameters! {
    /// The shares of the clock for the moves of a game.
    pub struct TimeParams {
        move_overhead_ms: i32 = 30, 0..=5_000, "milliseconds", "not measured", "Time reserved per move for GUI and network delays.";
        horizon_moves: i32 = 9, 5..=200, "moves", "games at 3+0.03, 768296a", "Number of moves among which the remaining time is divided, with an increment and no further time control.";
        horizon_moves_no_increment: i32 = 14, 5..=200, "moves", "docs/experiments.md#settings-in-general", "Number of moves among which the remaining time is divided without an increment; also the maximum before a time control.";
        increment_permille: i32 = 800, 0..=1_000, "thousandths", "not measured", "Share of the increment that is spent at once.";
        planned_max_permille: i32 = 140, 5..=500, "thousandths", "games at 3+0.03, 768296a", "Maximum share of the remaining time planned for one move; with little time and an increment, this keeps a reserve.";
        share_max_permille: i32 = 250, 10..=900, "thousandths", "games at 1+0.01, c1bdb09", "Maximum share of the remaining time for one move; more just before a time control.";
        extension_max_permille: i32 = 4_000, 1_000..=20_000, "thousandths", "not measured", "Maximum multiple of the planned time if the decision is in doubt.";
        doubt_permille: i32 = 350, 0..=5_000, "thousandths", "docs/experiments.md#settings-in-general", "Extra time for each overturned hypothesis.";
        fall_permille: i32 = 10, 0..=500, "thousandths per centipawn", "docs/experiments.md#settings-in-general", "Extra time for each centipawn that the score has fallen since the last requirement was met.";
        stability_permille: i32 = 60, 0..=500, "thousandths", "docs/experiments.md#settings-in-general", "Time saved for each requirement met in a row with the same move.";
        stable_min_permille: i32 = 500, 100..=1_000, "thousandths", "not measured", "Minimum share of the planned time for a stable decision.";
        effort_even_permille: i32 = 600, 0..=1_000, "thousandths", "not measured", "Share of the work for the best move at which the planned time does not change.";
        effort_weight_permille: i32 = 1_200, 0..=5_000, "thousandths", "docs/experiments.md#settings-in-general", "Growth of the planned time if the other moves took a larger share, and reduction if they took a smaller one.";
        margin_even_cp: i32 = 100, 1..=1_000, "centipawns", "not measured", "Safety margin at which the planned time does not change.";
        margin_weight_permille: i32 = 60, 0..=1_000, "thousandths", "not measured", "Growth of the planned time for a margin twice as wide, and reduction for one half as wide.";
        start_max_permille: i32 = 550, 100..=1_000, "thousandths", "docs/experiments.md#settings-in-general", "No new depth is started after this share of the planned time, because it would not be finished.";
    }
}
