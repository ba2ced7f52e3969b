//! Cc2s with delegation: a target with one strategy is a null-window search, so it is delegated to one; the stored tree grows
//! only where more than one strategy is demanded.
//!
//! The planner owns the tree and searches nothing itself. It gives out jobs, takes in answers, and draws conclusions, so
//! one worker, many threads or machines that exchange messages can do the work.
//!
//! | file | what |
//! |---|---|
//! | `job` | what is asked of a worker, and what it answers |
//! | `fact` | bounds of a value, each with the depth it was found at |
//! | `thin_tree` | the thin tree: facts and strategies of the positions that a decision hangs on |
//! | `iteration` | one depth at the root with one strategy: hypothesis, targets, what is open |
//! | `demand` | two strategies demanded of what decides: what is shown, what is open |
//! | `securing` | one demand after another: the safe value of the decision |
//! | `planner` | all of it together: jobs out, answers in, news of the root |

mod demand;
mod fact;
mod iteration;
mod job;
mod params;
mod planner;
mod securing;
mod thin_tree;

pub use demand::{Demand, MARGINS};
pub use fact::{Fact, Facts};
pub use job::{Ask, Found, Job, Reply};
pub use params::DelegationParams;
pub use planner::{Commission, News, PlanStatus, Planner, Scope, Ticket};
pub use thin_tree::{Rest, Strategy, ThinNode, ThinNodeId, ThinTree};
