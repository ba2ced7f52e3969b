//! The classical searches in their textbook form (thesis 1.1 to 1.5; `conspiracy`: 1.3), generic over the game:
//! the references for testing every other search.
//!
//! Each is a method of [`Explorer`] in a file of its own, and searches the current position to a given depth in
//! plies. They are short rather than fast.

mod alphabeta;
mod aspiration;
mod conspiracy;
mod etc;
mod explorer;
mod minimax;
mod mtdf;
mod negamax;
mod probcut;
mod pvs;
mod quiescence;
mod singular;
mod table;

pub use conspiracy::{ConspiracyReport, Scale};
pub use explorer::{Explorer, NodeCounts};
pub use probcut::Prediction;
pub use singular::Singularity;
pub use table::{BoundsTable, ValueBounds};
