//! Workers that share no memory: what they say to each other, and what they do about it.

pub(crate) mod admission;
pub(crate) mod collect;
pub(crate) mod handle;
pub(crate) mod inconsistency;
pub(crate) mod internal_deepening;
pub(crate) mod message;
pub(crate) mod pending;
pub(crate) mod preemption;
pub(crate) mod reusable_subtrees;
pub(crate) mod root_speculation;
pub(crate) mod subtree_reuse;
pub(crate) mod work_stealing;
pub(crate) mod worker;
pub(crate) mod worker_search;
