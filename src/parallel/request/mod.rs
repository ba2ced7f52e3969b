//! What is asked of others, as plain data: of another worker by message, of a thread in the same memory.

pub(crate) mod batch;
pub(crate) mod job_size;
pub(crate) mod message;
pub(crate) mod priority;
pub(crate) mod subtree_job;
pub(crate) mod tree_order;
pub(crate) mod waste_risk;
