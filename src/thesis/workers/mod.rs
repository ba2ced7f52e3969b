//! Workers that share no memory and send each other problems (thesis 3.4).
//!
//! | file | figure | subject |
//! |---|---|---|
//! | `worker`, `worker_search` | 3.4.1 | the state of a worker, and its step; its searcher |
//! | `handle` | 3.11 | messages taken in |
//! | `inconsistency` | 3.12 | two workers' values of one node made to agree |
//! | `admission` | | a problem that waits for another about the same position |
//! | `collect` | | all trees put together |

pub(crate) mod admission;
pub(crate) mod collect;
pub(crate) mod handle;
pub(crate) mod inconsistency;
pub(crate) mod worker;
pub(crate) mod worker_search;
