//! Which tables to ask, and when.

crate::parameters! {
    /// Own and Syzygy tables. Where both know a position, the own ones are believed: they know the distance to mate.
    pub struct TableParams {
        own_tables: bool = true, 0..=1, "", "docs/endgames.md#games", "Play endings with up to four men by own tables; missing ones are made in the background and kept.";
        syzygy_probe_depth: i32 = 1, 1..=100, "plies", "custom", "Least remaining depth at which the largest Syzygy tables are probed.";
        syzygy_probe_limit: i32 = 7, 0..=7, "men", "custom", "Probe Syzygy tables up to this number of men; 0 never.";
        syzygy_50_move_rule: bool = true, 0..=1, "", "custom", "Count positions that the 50-move rule draws as draws.";
    }
}
