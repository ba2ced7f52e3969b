//! Principal variation search with quiescence, history, a transposition table and threads that share it. At a shallow
//! depth, it also serves as an evaluator of leaves ([`LeafEvaluator`]).

mod abdada;
mod alphabeta;
mod correction;
mod deepen;
mod evaluator;
mod exchange;
mod history;
mod iteration_reporter;
mod last_move;
mod mobility;
mod move_loop;
mod mtd;
mod node;
mod ordering;
mod params;
mod pruning;
mod question;
mod quiescence;
mod reductions;
mod scores;
mod searcher;
mod shared_search;
mod strategies;
mod table;

pub use deepen::{DeepenRequest, RootWindow};
pub use evaluator::LeafEvaluator;
pub use iteration_reporter::IterationReporter;
pub use params::LeafParams;
pub use searcher::LeafSearcher;
pub use shared_search::{POLL_NODES, SHARED_DEPTH_MIN, ShareThresholds, SharedSearch};
pub use table::{Entry, LeafTable};

/// Stack size for the deepest recursion of a search.
pub const STACK_BYTES: usize = 32 << 20;
