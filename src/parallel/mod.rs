//! Cc2s on many processors, after chapter 3 of the thesis: the core search ([`crate::cc2s`]) as tasks of workers.
//!
//! A worker takes messages in, does one step and hands messages out; who calls it when, and carries the messages, is
//! a driver's business ([`crate::driver`]).
//!
//! | folder | figure | what |
//! |---|---|---|
//! | `task` | 3.7-10 | the recursion as data, put aside while it waits; which task comes first |
//! | `shared_tree` | | several threads at work on the tree of one worker |
//! | `cluster` | 3.4, 3.11, 3.12 | workers that send each other problems |
//!
//! In `task`: `frame` is a problem and its current variation, `step` what is done with it next, `in_progress` keeps two
//! tasks from the same position, `waste_risk`, `tree_order` and `priority` order the tasks, `cursor` leads a game handle from node
//! to node. In `shared_tree`: a thread (`thread_context`) asks a `batch` of questions or solves a `subtree_job` of a `job_size` that is worth
//! it. In `cluster`: `worker` is the state, `message` what is said, `handle` what becomes of it, `pending` what is waited
//! for, `inconsistency` (3.12) makes two workers' values of one node agree; `work_stealing`, `root_speculation`,
//! `preemption`, `subtree_reuse` and `internal_deepening` are accelerations; `collect` puts all trees together.

mod cluster;
mod params;
mod shared_tree;
mod task;

pub use cluster::collect::union;
pub use cluster::message::{Answer, Envelope, Message, Packet, Problem, ProblemCode, Step};
pub use cluster::worker::{Progress, Work, Worker};
pub use params::TeamParams;
pub use shared_tree::thread_context::ThreadContext;
pub use task::priority::Priority;
pub use task::tree_order::TreeOrder;
pub use task::valuations::{Preempted, PreemptionState};
pub use task::waste_risk::WasteRisk;
