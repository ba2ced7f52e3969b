//! Several threads at work on the tree of one worker.

pub(crate) mod batch;
pub(crate) mod job_size;
pub(crate) mod subtree_job;
pub(crate) mod thread_context;
