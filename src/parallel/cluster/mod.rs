//! Workers that share no memory: what they do about each other's messages.

pub(crate) mod admission;
pub(crate) mod collect;
pub(crate) mod handle;
pub(crate) mod inconsistency;
pub(crate) mod worker;
pub(crate) mod worker_search;
