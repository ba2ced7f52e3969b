//! Cc2s with delegation. A target with one strategy is delegated to a null-window search. The stored tree grows only
//! where more than one strategy is required.
//!
//! The planner owns the tree and searches nothing itself. It hands out jobs, receives answers, and draws conclusions.
//! So one worker, many threads or several machines can do the work.
//!
//! | file | content |
//! |---|---|
//! | `bounds` | bounds of a value, each with the depth it was found at |
//! | `thin_tree` | the thin tree: bounds and strategies of the positions that a decision depends on |
//! | `aspiration` | the search at the root with one strategy: hypothesis, targets, open jobs |
//! | `safety_goal` | two strategies required for the decision: proofs and open jobs |
//! | `safety_check` | one goal after another: the safe value of the decision |
//! | `job_board` | open jobs and jobs in progress |
//! | `planner` | all of these together: jobs out, answers in, updates of the root |

mod aspiration;
mod bounds;
mod job_board;
mod params;
mod planner;
mod safety_check;
mod safety_goal;
mod thin_tree;

pub use bounds::{Bounds, DepthBound};
pub use job_board::{JobId, Purpose, Reach, WorkerInfo};
pub use params::DelegationParams;
pub use planner::{Planner, Scope};
pub use safety_goal::{MARGINS, SafetyGoal};
pub use thin_tree::{FailedSearch, Strategy, ThinNode, ThinNodeId, ThinTree};
