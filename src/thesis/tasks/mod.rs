//! The recursion as data: problems that can be suspended while they wait, and their steps (thesis 3.4).
//!
//! | file | figure | subject |
//! |---|---|---|
//! | `problem`, `frame` | 3.9 | a problem and its current variation |
//! | `task_list`, `in_progress` | 3.7, 3.8 | the tasks of a worker, and those that wait |
//! | `step` | 3.9, 3.10 | the next step of a task |
//! | `external_work` | | work for a thread that does not hold the worker |
//! | `assignment`, `share_out` | 3.4.1 | the worker of a successor |
//! | `prefetch`, `prefetched` | 3.4.2 | evaluations requested ahead of time |
//! | `pending`, `sharing` | 3.11 | pending answers, and everything else that a step needs to cooperate |
//! | `cursor` | | a game handle that moves from node to node |

pub(crate) mod assignment;
pub(crate) mod cursor;
pub(crate) mod external_work;
pub(crate) mod frame;
pub(crate) mod in_progress;
pub(crate) mod pending;
pub(crate) mod prefetch;
pub(crate) mod prefetched;
pub(crate) mod problem;
pub(crate) mod share_out;
pub(crate) mod sharing;
pub(crate) mod step;
pub(crate) mod task_list;
