//! Controlled Conspiracy Number Search with conspiracy n, after U. Lorenz's thesis (Paderborn 2000), chapter 2.
//!
//! The search keeps its tree in memory and asks of every node to *meet a target*: to show that its value respects a
//! bound, with all leaves at least `depth` plies away, and by `conspiracy` leaf-disjoint strategies. The code follows
//! the figures of the thesis, turned into negamax form: every value is seen by the side to move at its node, a node with
//! an [`Bound::AtLeast`] target is a cut node, one with an [`Bound::AtMost`] target an all node. Generic over the game
//! and its evaluator: nothing here knows chess.
//!
//! | folder | figure | what |
//! |---|---|---|
//! | `tree` | | **the stored tree** |
//! | `value` | 1.8-9, 2.16, 2.17 | values, bounds, how they relate |
//! | `target` | 2.11 | targets, requirements, the schedule of requirements |
//! | `node`, `search_tree`, `arena`, `unused_blocks` | | nodes, their tree, and the memory they lie in |
//! | `update` | 2.8 | values repaired upwards |
//! | `table`, `target_store` | 2.22-2.25 | fulfilled targets, remembered by position; the same as one search sees them |
//! | `forget` | | what is given up when memory is full |
//! | `placement` | 3.4.1 | which worker a node belongs to, where there are several |
//! | `invariants` | 1.8-8 | checks over the whole stored tree |
//! | `search` | | **fulfilling a target at a node** |
//! | `searcher`, `counters`, `monitor` | | the state of a search, what it counts, who watches it |
//! | `recursive` | 2.7 | the search procedure |
//! | `visit` | 2.7 | what every visit of a node begins and ends with |
//! | `expand`, `stop_rule` | 2.14, 2.15 | partial expansion: which successors are valued, and how exactly |
//! | `valuation` | 2.15, 2.16 | questions to the evaluator and what becomes of the answers |
//! | `split` | 2.13 | a target handed down to the successors |
//! | `null_move` | 2.3 | null move, fail-high reduction |
//! | `root` | | **which move to play** |
//! | `director`, `decision` | 2.6 | hypotheses and decisions at the root, schedule, principal variation |
//! | `analysis` | 2.6 | the loop at the root of a search that works alone |
//! | `delegation` | | **the search that plays**: targets with one strategy delegated, a thin tree where two are demanded |
//!
//! Each folder knows those above it in this list alone, and none knows the parallel search ([`crate::parallel`]).

pub mod delegation;
pub(crate) mod params;
pub(crate) mod root;
pub(crate) mod search;
pub(crate) mod tree;

pub use params::Cc2sParams;
pub use root::decision::Decision;
pub use search::counters::Counters;
pub use search::monitor::{Monitor, RootReport, Status};
pub use search::searcher::{SearchState, Searcher, Stopped};
pub use search::valuation::Finding;
pub use tree::invariants;
pub use tree::node::Node;
pub use tree::placement::{NodeAddress, WorkerId};
pub use tree::search_tree::{NodeId, Tree, TreeFull};
pub use tree::table::TargetTables;
pub use tree::target::{NodeKind, Requirement, Schedule, Target, Verdict};
pub use tree::value::{Attribute, Bound, Relation, Value};
