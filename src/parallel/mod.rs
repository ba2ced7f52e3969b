//! Cc2s on many processors, after chapter 3 of the thesis: the core search ([`crate::cc2s`]) as tasks of workers.
//!
//! A worker takes messages in, does one step and hands messages out; who calls it when, and carries the messages, is
//! a driver's business ([`crate::driver`]).
//!
//! | folder, file | figure | what |
//! |---|---|---|
//! | `request` | | **what is asked of others, as plain data** |
//! | `message` | 3.11 | what workers say to each other |
//! | `waste_risk`, `tree_order`, `priority` | | what comes first |
//! | `batch`, `subtree_job`, `job_size` | | questions asked together, small problems solved apart, and how small |
//! | `task` | | **the recursion as data, put aside while it waits** |
//! | `frame` | 3.9 | a problem and its current variation |
//! | `task_list`, `in_progress` | 3.7, 3.8 | the tasks of a worker, and which of them wait |
//! | `step` | 3.9, 3.10 | what is done with a task next |
//! | `external_work` | | what a step leaves to a thread that does not hold the worker |
//! | `share_out` | 3.4.1 | which worker a successor goes to |
//! | `prefetch` | 3.4.2 | valuations asked for ahead of time |
//! | `pending`, `sharing` | 3.11 | what is waited for, and all else that a step needs to deal with others |
//! | `cursor` | | a game handle led from node to node |
//! | `cluster` | | **workers that send each other problems** |
//! | `worker`, `worker_search` | 3.4.1 | the state of a worker, and its step; what it searches with |
//! | `handle` | 3.11 | what becomes of a message |
//! | `inconsistency` | 3.12 | two workers' values of one node made to agree |
//! | `admission` | | whether a problem waits for another about the same position |
//! | `collect` | | all trees put together |
//! | `shared_tree` | | **several threads at work on the tree of one worker** |
//! | `thread_context`, `local_search` | | what a thread has of its own; where it solves small problems |
//! | `work_stealing` | | what a thread without work takes up |
//!
//! Each folder knows those above it in this list alone.

mod cluster;
mod params;
mod request;
mod shared_tree;
mod task;

pub use cluster::collect::union;
pub use cluster::worker::{Progress, Work, Worker};
pub use params::TeamParams;
pub use request::message::{
    Answer, Envelope, EvaluationRequest, Message, Problem, ProblemCode, Step,
};
pub use request::priority::Priority;
pub use request::tree_order::TreeOrder;
pub use request::waste_risk::WasteRisk;
pub use shared_tree::thread_context::ThreadContext;
