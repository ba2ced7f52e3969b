//! Requests as plain data: to another worker by message, to a thread in shared memory (thesis 3.4).
//!
//! | file | figure | subject |
//! |---|---|---|
//! | `message` | 3.11 | messages between workers |
//! | `waste_risk`, `tree_order`, `priority` | | the order of work |
//! | `batch`, `subtree_job`, `job_size` | | batches of questions; jobs of small problems, and their size |

pub(crate) mod batch;
pub(crate) mod job_size;
pub(crate) mod message;
pub(crate) mod priority;
pub(crate) mod subtree_job;
pub(crate) mod tree_order;
pub(crate) mod waste_risk;
