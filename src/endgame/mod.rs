//! Endgame tables: generation by retrograde analysis, and probing.

pub mod make;
pub mod probe;
