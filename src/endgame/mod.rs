//! Endgame tables: made by retrograde analysis, and asked by the search.

pub mod make;
pub mod probe;
