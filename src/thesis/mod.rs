//! Controlled Conspiracy Number Search with conspiracy n, as in U. Lorenz's thesis (Paderborn 2000).
//!
//! The search stores its tree and requires every node to *meet a target*: to show that its value respects a bound.
//! The proof needs `conspiracy` leaf-disjoint strategies with all leaves at least `depth` plies away. The code
//! follows the figures of the thesis in negamax form: every value is in the view of the side to move at its node.
//! A node with an `AtLeast` target is a cut node, one with an `AtMost` target an all node. The code is generic
//! over the game and its evaluator, and independent of chess.
//!
//! | folder | thesis | subject |
//! |---|---|---|
//! | `baseline` | 1.1 to 1.5 | textbook searches, classical conspiracy numbers |
//! | `tree` | 1.8, 2.2, 2.3 | the stored tree, targets, target tables |
//! | `search` | 2.2, 2.3 | fulfilling a target at a node |
//! | `root` | 2.2 | the move to play |
//! | `messages` | 3.4 | requests to other workers, as plain data |
//! | `tasks` | 3.4 | the recursion as data, suspended while it waits |
//! | `workers` | 3.4 | workers that send each other problems |
//! | `threads` | | several threads on the tree of one worker |
//! | `simulator` | 3.5 | workers in virtual time |
//! | `quality` | 4 | error propagation |
//!
//! Each folder's own page names its figures. Of `tree` to `threads`, each uses only those above it in this list. A
//! worker takes messages, does one step and produces messages; `threads` and `simulator` call it and carry the
//! messages. The default search is [`crate::cc2s`].

pub mod baseline;
mod messages;
mod params;
pub mod quality;
mod root;
mod search;
pub mod simulator;
mod tasks;
mod team_params;
pub mod threads;
mod tree;
mod workers;

pub use messages::message::{
    Answer, Envelope, EvaluationRequest, Message, Problem, ProblemCode, Step,
};
pub use messages::priority::Priority;
pub use messages::tree_order::TreeOrder;
pub use messages::waste_risk::WasteRisk;
pub use params::Cc2sParams;
pub use root::decision::Decision;
pub use search::counters::Counters;
pub use search::searcher::{SearchState, Searcher, Stopped};
pub use search::valuation::SurveyResult;
pub use team_params::TeamParams;
pub use threads::thread_context::ThreadContext;
pub use tree::invariants;
pub use tree::node::TreeNode;
pub use tree::placement::{NodeAddress, WorkerId};
pub use tree::search_tree::{NodeId, Tree, TreeFull};
pub use tree::table::TargetTables;
pub use tree::target::{NodeKind, Schedule, Target, Verdict};
pub use workers::collect::union;
pub use workers::worker::{Activity, StepWork, Worker};
