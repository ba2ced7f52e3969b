//! The parameters of the search.

use crate::game::Window;
use crate::thesis::tree::target::Schedule;

crate::parameters! {
    /// Parameters of Cc2s. The defaults are those of the profile `safe`; the profile `thesis` of `engine.toml`
    /// restores the settings of the thesis where they differ.
    pub struct Cc2sParams {
        conspiracy_max: i32 = 2, 1..=9, "strategies", "thesis 2.3 (A9)", "Maximum number of leaf-disjoint strategies required in the middlegame; 1 makes Cc1s.";
        rise_depth: i32 = 4, 1..=64, "plies", "thesis 2.3 (A9)", "Depth at which the required conspiracy number first rises above 1.";
        scheduled: bool = true, 0..=1, "", "thesis 2.3 (A9)", "Follow the schedule of requirements; off requires the full conspiracy number from depth 1 on.";
        elementary_schedule: bool = true, 0..=1, "", "thesis 2.3 (A9)", "Require up to three more strategies in elementary endings (pawns and at most one minor piece per side).";
        root_margin_cp: i32 = 7, 0..=500, "centipawns", "thesis 2.3 (A3)", "The best move must be worth at least the hypothesis minus this, every other at most the hypothesis plus this.";
        revaluation_window_cp: i32 = 80, 0..=2000, "centipawns", "thesis 2.3 (A1)", "Width of the first window when a bound is evaluated again; 0 opens the window at once.";
        sparing_revaluation: bool = true, 0..=1, "", "docs/experiments.md#fewer-nodes-for-exact-values", "Evaluate a bound again only as exactly as needed: with a null window if only the comparison with a bound matters, with the first window if a successor has put an all node off target.";
        presort: bool = true, 0..=1, "", "thesis 2.3 (A2)", "Order newly generated moves by the evaluator.";
        split_depth_max: i32 = 2, 1..=128, "plies", "thesis 2.3 (A7)", "Divide a conspiracy number among successors only below this remaining depth.";
        target_tables: bool = true, 0..=1, "", "thesis 2.3 (A5)", "Store met targets by position.";
        principal_variation: bool = true, 0..=1, "", "thesis 2.3 (A4)", "Bound the best move's value from above too, which gives the reply to ponder on.";
        principal_variation_reduction: i32 = 3, 0..=64, "plies", "docs/thesis.md#accelerations-thesis-23", "Depth reduction of the best move's upper bound compared with its lower bound.";
        null_move: bool = true, 0..=1, "", "thesis 2.3 (A8)", "A cut node that holds its bound after a null move, at reduced depth, has met its target.";
        null_move_reduction: i32 = 2, 0..=8, "plies", "Donninger 1993", "Depth reduction of a null move, beyond its own ply.";
        fail_high_reduction: bool = true, 0..=1, "", "thesis 2.3 (A8), Feldmann 1996", "Reduce a cut node by one ply if its value meets the bound and nothing is threatened.";
        exact_on_failure: bool = false, 0..=1, "", "thesis Fig. 2.14", "A failed cut node evaluates all successors with open windows; off: only the best value is exact.";
        exact_root: bool = false, 0..=1, "", "thesis Fig. 2.6", "All root moves start with exact values; off: all but the best start with bounds.";
        open_windows: bool = false, 0..=1, "", "thesis 2.4.1 (V2)", "Every evaluation uses an open window: for the experiment of Fig. 2.27 only.";
        value_all: bool = false, 0..=1, "", "thesis 2.4.1 (V3)", "Every expansion evaluates all successors with open windows: for the experiment of Fig. 2.27 only.";
        ply_margin: i32 = 32, 4..=200, "plies", "technical bound", "Plies beyond the required depth at which a target counts as met, so that every search terminates.";
    }
}

impl Cc2sParams {
    /// Returns the schedule of requirements outside elementary endings.
    pub const fn middle_game_schedule(&self) -> Schedule {
        Schedule {
            conspiracy_max: self.conspiracy_max as u16,
            rise_depth: self.rise_depth as u16,
            elementary: false,
        }
    }

    /// Returns the window of an evaluation.
    pub(crate) fn window(&self, wanted: Window) -> Window {
        if self.open_windows {
            Window::FULL
        } else {
            wanted
        }
    }
}
