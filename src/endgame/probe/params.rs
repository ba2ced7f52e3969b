//! Parameters of table probing.

crate::parameters! {
    /// Own and Syzygy tables. Own tables take precedence, since they store the distance to mate.
    pub struct TableParams {
        own_tables: bool = true, 0..=1, "", "docs/endgames.md#games", "Play endings with up to four men from own tables; missing tables are generated in the background and stored.";
        syzygy_probe_depth: i32 = 1, 1..=100, "plies", "custom", "Minimum remaining depth for probing the largest Syzygy tables.";
        syzygy_probe_limit: i32 = 7, 0..=7, "men", "custom", "Maximum number of men for Syzygy probes; 0 turns them off.";
        syzygy_50_move_rule: bool = true, 0..=1, "", "custom", "Score positions drawn by the 50-move rule as draws.";
    }
}
