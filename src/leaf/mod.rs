//! The leaf evaluator: a shallow alpha-beta search with quiescence that turns a position into a stable score.

mod alphabeta;
mod evaluator;
mod params;
mod quiescence;
mod table;

pub use evaluator::LeafEvaluator;
pub use params::LeafParams;
pub use table::TableError;
