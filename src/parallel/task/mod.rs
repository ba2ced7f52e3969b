//! The recursion as data: problems that can be put aside while they wait.

pub(crate) mod cursor;
pub(crate) mod external_work;
pub(crate) mod frame;
pub(crate) mod in_progress;
pub(crate) mod prefetch;
pub(crate) mod priority;
pub(crate) mod share_out;
pub(crate) mod sharing;
pub(crate) mod speculation;
pub(crate) mod step;
pub(crate) mod task_list;
pub(crate) mod tree_order;
pub(crate) mod valuations;
pub(crate) mod waste_risk;
