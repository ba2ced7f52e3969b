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
//! | `valuation` | 2.15, 2.16 | questions to the evaluator and what becomes of the answers |
//! | `split` | 2.13 | a target handed down to the successors |
//! | `visit` | 2.7 | what every visit of a node begins and ends with |
//! | `recursive` | 2.7 | the search procedure |
//! | `shortcut` | 2.3 | null move, fail-high reduction |
//! | `table` | 2.22-2.25 | fulfilled targets, remembered by position |
//! | `decide` | 2.6 | hypotheses and decisions at the root, schedule, principal variation |
//! | `root` | | what a search tells of its root |
//! | `ahead` | | what moves at the root are asked for before it is their turn |
//! | `worker` | 3.4 | a worker of the parallel search: messages in, one step, messages out |
//! | `task`, `step` | 3.7-10 | the recursion as data, put aside while it waits |
//! | `begun` | | the same position worked on twice at the same time |
//! | `grown` | | what has grown at a position moves to where the position is asked about next |
//! | `interruption` | | valuations put aside for more urgent tasks |
//! | `hands`, `looks`, `bundle`, `sizes` | | several hands at work on the tree of one worker |
//! | `message`, `reception`, `office` | 3.11 | what workers say to each other, and what they do about it |
//! | `inconsistency` | 3.12 | two workers' values of one node made to agree |
//! | `union` | | the one tree that all workers together have grown |
//! | `placement`, `walker` | | which worker a node belongs to; a game handle led from node to node |
//! | `forget` | | what is given up when memory is full |
//! | `invariants` | 1.8-8 | checks over the whole stored tree |

mod ahead;
mod arena;
mod begun;
mod belief;
mod bundle;
mod decide;
pub mod delegation;
mod demand;
mod doubt;
mod expand;
mod forget;
mod grown;
mod hands;
mod inconsistency;
mod interruption;
pub mod invariants;
mod looks;
mod message;
mod node;
mod office;
mod params;
mod placement;
mod reception;
mod recursive;
mod root;
mod shortcut;
mod sizes;
mod split;
mod stages;
mod step;
mod table;
mod target;
mod task;
mod tree;
mod turn;
mod union;
mod update;
mod urgency;
mod valuation;
mod value;
mod visit;
mod walker;
mod worker;

pub use doubt::Doubt;
pub use hands::Hand;
pub use interruption::{Interrupted, Standing};
pub use message::{
    Answer, Envelope, Finding, Message, NodeAddress, Packet, Problem, ProblemCode, Step, WorkerId,
};
pub use node::Node;
pub use params::{Cc2sParams, TeamParams};
pub use recursive::{Counters, Searcher, Stopped};
pub use root::{Decision, Monitor, RootReport, Status};
pub use table::TargetTables;
pub use target::{NodeKind, Requirement, Schedule, Target, Verdict};
pub use tree::{NodeId, Tree, TreeFull};
pub use turn::Turn;
pub use union::union;
pub use urgency::Urgency;
pub use value::{Attribute, Bound, Relation, Value};
pub use worker::{Progress, Work, Worker};
