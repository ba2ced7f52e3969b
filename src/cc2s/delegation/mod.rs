//! Cc2s with delegation: a target with conspiracy 1 is a null-window search, so it is delegated to one; the stored tree
//! grows only where more than one strategy is demanded.

mod demand;
mod fact;
mod iteration;
mod job;
mod params;
mod planner;
mod tree;

pub use demand::Demand;
pub use fact::{Fact, Facts};
pub use job::{Ask, Found, Job, Reply};
pub use params::DelegationParams;
pub use planner::{Commission, News, Planner, Scope, Status, Ticket};
pub use tree::{Node, NodeId, Rest, Strategy, Tree};
