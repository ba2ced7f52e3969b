//! Endgame tables as the engine sees them: our own files and the Syzygy tables.

mod agreement;

pub use agreement::{Agreement, Disagreement};
