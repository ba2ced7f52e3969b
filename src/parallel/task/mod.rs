//! The recursion as data: problems that can be put aside while they wait.

pub(crate) mod cursor;
pub(crate) mod frame;
pub(crate) mod in_progress;
pub(crate) mod priority;
pub(crate) mod step;
pub(crate) mod tree_order;
pub(crate) mod waste_risk;
