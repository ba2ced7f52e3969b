//! The leaf evaluator: a shallow alpha-beta search with quiescence that turns a position into a stable score; and the
//! same search at full strength, deepened step by step.

mod alphabeta;
mod deepen;
mod evaluator;
mod exchange;
mod history;
mod ordering;
mod params;
mod pruning;
mod quiescence;
mod scores;
mod searcher;
mod slot;
mod table;

pub use deepen::{Iteration, Observer, Plan, RootWindow};
pub use evaluator::LeafEvaluator;
pub use params::LeafParams;
pub use searcher::Searcher;
pub use table::{LeafTable, TableError};
