//! Which tables to ask, and when.

crate::parameters! {
    /// Own and Syzygy tables. Where both know a position, the own ones are believed: they know the distance to mate.
    pub struct TableParams {
        own_tables: bool = true, 0..=1, "", "docs/endgames.md#games", "Play endings with up to four men by own tables; missing ones are made in the background and kept.";
        syzygy_probe_depth: i32 = 1, 1..=100, "plies", "custom", "Ask Syzygy tables of the greatest number of men only with so much depth left.";
        syzygy_probe_limit: i32 = 7, 0..=7, "men", "custom", "Ask Syzygy tables about positions with at most so many men; 0 never asks.";
        syzygy_50_move_rule: bool = true, 0..=1, "", "custom", "Count as drawn what 50 moves without capture or pawn move would draw.";
    }
}
