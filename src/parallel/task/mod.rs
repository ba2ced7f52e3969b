//! The recursion as data: problems that can be put aside while they wait, and what a step of one does.

pub(crate) mod assignment;
pub(crate) mod cursor;
pub(crate) mod external_work;
pub(crate) mod frame;
pub(crate) mod in_progress;
pub(crate) mod pending;
pub(crate) mod prefetch;
pub(crate) mod prefetched;
pub(crate) mod problem;
pub(crate) mod share_out;
pub(crate) mod sharing;
pub(crate) mod step;
pub(crate) mod task_list;
