//! Workers that share no memory and send each other problems (thesis 3.4).
//!
//! | file | figure | subject |
//! |---|---|---|
//! | `worker`, `worker_search` | 3.4.1 | the state of a worker, and its step; its searcher |
//! | `handle` | 3.11 | the handling of messages |
//! | `inconsistency` | 3.12 | the reconciliation of two workers' values of one node |
//! | `admission` | | a problem that waits for another at the same position |
//! | `collect` | | the union of all trees |

pub(crate) mod admission;
pub(crate) mod collect;
pub(crate) mod handle;
pub(crate) mod inconsistency;
pub(crate) mod worker;
pub(crate) mod worker_search;
