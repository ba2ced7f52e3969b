//! Controlled Conspiracy Number Search with conspiracy n, after U. Lorenz's thesis (Paderborn 2000), chapter 2.
//!
//! The search keeps its tree in memory and asks of every node to *meet a target*: to show that its value respects a
//! bound, with all leaves at least `depth` plies away, and by `conspiracy` leaf-disjoint strategies. The code follows
//! the figures of the thesis, turned into negamax form: every value is seen by the side to move at its node, a node with
//! an [`Bound::AtLeast`] target is a cut node, one with an [`Bound::AtMost`] target an all node. Generic over the game
//! and its evaluator: nothing here knows chess.
//!
//! | file | figure | what |
//! |---|---|---|
//! | `value` | 1.8-9, 2.16 | values, bounds, how they relate |
//! | `target` | 2.11, 2.17 | targets, requirements, the schedule of requirements |
//! | `node`, `tree`, `arena` | | the stored tree |
//! | `update` | 2.8 | values repaired upwards |
//! | `expand` | 2.14, 2.15 | partial expansion: which successors are valued, and how exactly |
//! | `split` | 2.13 | a target handed down to the successors |
//! | `recursive` | 2.7 | the search procedure |
//! | `shortcut` | 2.3 | null move, fail-high reduction |
//! | `table` | 2.22-2.25 | fulfilled targets, remembered by position |
//! | `root` | 2.6 | hypotheses and decisions at the root, schedule, principal variation |
//! | `forget` | | what is given up when memory is full |
//! | `invariants` | 1.8-8 | checks over the whole stored tree |

mod arena;
mod expand;
mod forget;
pub mod invariants;
mod node;
mod params;
mod recursive;
mod root;
mod shortcut;
mod split;
mod table;
mod target;
mod tree;
mod update;
mod value;

pub use node::Node;
pub use params::Cc2sParams;
pub use recursive::{Counters, Searcher, Stopped};
pub use root::{Decision, Monitor, RootReport, Status};
pub use table::TargetTables;
pub use target::{NodeKind, Requirement, Schedule, Target, Verdict};
pub use tree::{NodeId, Tree, TreeFull};
pub use value::{Attribute, Bound, Relation, Value};
