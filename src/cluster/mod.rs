//! A search by several processes, the ranks of MPI: the first rank holds the planner, the others do jobs for it.
//!
//! [`Coordinator`] and [`RankWorker`] are state machines, without a thread or a clock: they take messages and
//! produce messages. A [`Link`] carries them.
//!
//! ```text
//! planner -- jobs --> Coordinator -- ToRank --> Link -- ToRank --> RankWorker -- jobs --> Executor
//!         <- replies-      <- ToCoordinator ---      <- ToCoordinator ---            <- replies-
//! ```
//!
//! | file | subject |
//! |---|---|
//! | `message` | messages between ranks, as bytes |
//! | `packed` | encoding of many updates |
//! | `link` | the carrier of bytes between ranks, and the queue of messages to be sent |
//! | `poll_policy` | how often a rank polls for messages and sends updates |
//! | `update_buffer` | updates to be sent, without outdated ones |
//! | `broadcast` | updates exchanged during a search |
//! | `coordinator` | the first rank: the jobs of the others, and lost ranks |
//! | `timeline` | the jobs of all ranks, with their times |
//! | `worker` | each other rank: jobs in, answers out |
//! | `pump` | the connection from threads to a link that only one thread may touch |
//! | `simulated` | ranks and links in virtual time, for tests and measurements |
//! | `mpi` | the link over MPI |
//! | `sending` | a message that MPI has yet to read: the only `unsafe` |
//! | `executor` | the threads of a rank other than the first |
//! | `world` | the other ranks, as used by a search on the first |

mod broadcast;
mod coordinator;
mod executor;
mod link;
mod message;
mod packed;
mod poll_policy;
mod pump;
mod timeline;
mod update_buffer;
mod worker;
pub mod world;

#[cfg(feature = "mpi")]
pub mod mpi;
#[cfg(feature = "mpi")]
mod sending;
pub mod simulated;

pub use broadcast::Broadcast;
pub use coordinator::{Coordinator, DispatchPolicy};
pub use executor::RankExecutor;
pub use link::{Full, Link, Outbox};
pub use message::{
    Identity, MessageError, Root, TablePaths, ToCoordinator, ToRank, decode, decode_all, encode,
};
pub use poll_policy::PollPolicy;
pub use pump::{Backoff, ChannelLink, PumpEnds, channel_link, pump};
pub use timeline::{Received, Span, Timeline};
pub use worker::{Executor, RankWorker};
