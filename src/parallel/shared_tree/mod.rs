//! Several threads at work on the tree of one worker.

pub(crate) mod local_search;
pub(crate) mod thread_context;
mod work_stealing;
