//! Cc2s with delegation: a target with one strategy is a null-window search, so it is delegated to one; the stored tree
//! grows only where more than one strategy is demanded.
//!
//! The planner owns the tree and searches nothing itself. It gives out jobs, takes in answers, and draws conclusions,
//! so one worker, many threads or machines that exchange messages can do the work.
//!
//! | file | what |
//! |---|---|
//! | `bounds` | bounds of a value, each with the depth it was found at |
//! | `thin_tree` | the thin tree: bounds and strategies of the positions that a decision hangs on |
//! | `aspiration` | the search at the root with one strategy: hypothesis, targets, what is open |
//! | `safety_goal` | two strategies demanded of what decides: what is shown, what is open |
//! | `safety_check` | one goal after another: the safe value of the decision |
//! | `job_board` | jobs that are open and jobs that workers are at |
//! | `planner` | all of it together: jobs out, answers in, news of the root |

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
