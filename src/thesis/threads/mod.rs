//! Several threads on the tree of one worker.
//!
//! | file | subject |
//! |---|---|
//! | `thread_context`, `local_search` | a thread's own state, and its search of small problems |
//! | `work_stealing` | the next work of an idle thread |
//! | `pool` | threads of the system, beside a listener |

pub(crate) mod local_search;
mod pool;
pub(crate) mod thread_context;
mod work_stealing;

pub use pool::run;
