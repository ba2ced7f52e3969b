//! Cc2s on many processors, after chapter 3 of the thesis: the core search ([`crate::cc2s`]) as tasks of workers.
//!
//! A worker takes messages in, does one step and hands messages out; who calls it when, and carries the messages, is
//! a driver's business ([`crate::driver`]).
//!
//! | folder, file | figure | what |
//! |---|---|---|
//! | `task` | | **the recursion as data, put aside while it waits** |
//! | `frame` | 3.9 | a problem and its current variation |
//! | `task_list`, `in_progress`, `valuations` | 3.7, 3.8 | the tasks of a worker, and which of them wait |
//! | `step` | 3.9, 3.10 | what is done with a task next |
//! | `external_work` | | what a step leaves to a thread that does not hold the worker |
//! | `share_out` | 3.4.1 | which worker a successor goes to |
//! | `prefetch` | 3.4.2 | valuations asked for ahead of time |
//! | `waste_risk`, `tree_order`, `priority` | | which task comes first |
//! | `sharing` | | what is under way between a worker and others |
//! | `speculation` | | what moves at the root are asked for before their turn |
//! | `cursor` | | a game handle led from node to node |
//! | `shared_tree` | | **several threads at work on the tree of one worker** |
//! | `thread_context` | | what a thread has of its own |
//! | `batch`, `subtree_job`, `job_size` | | questions asked together, small problems solved apart, and how small |
//! | `cluster` | | **workers that send each other problems** |
//! | `worker`, `worker_search` | 3.4 | the state of a worker, and its step; what it searches with |
//! | `message`, `handle`, `pending` | 3.11 | what is said, what becomes of it, what is waited for |
//! | `inconsistency` | 3.12 | two workers' values of one node made to agree |
//! | `admission`, `work_stealing`, `root_speculation`, `preemption`, `subtree_reuse`, `reusable_subtrees`, `internal_deepening` | | accelerations |
//! | `collect` | | all trees put together |

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
