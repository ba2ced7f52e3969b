//! One search by several processes, the ranks of MPI: the first holds the planner, the others do jobs for it.
//!
//! [`Lead`] and [`Follower`] are state machines, without a thread or a clock: they take messages in and leave messages to
//! be sent. A [`Link`] carries them.
//!
//! ```text
//! planner -- jobs --> Lead -- ToRank --> Link -- ToRank --> Follower -- jobs --> Executor
//!         <- replies-      <- ToLead ---      <- ToLead ---        <- replies-
//! ```
//!
//! | file | subject |
//! |---|---|
//! | `message` | messages between ranks, as bytes |
//! | `packed` | many hints as bytes |
//! | `link` | the carrier of bytes between ranks, and messages that wait to be sent |
//! | `pace` | how often a rank looks for messages and sends hints |
//! | `batch` | hints to be sent, without outdated ones |
//! | `post` | hints exchanged during a search |
//! | `lead` | the first rank: the jobs of the others, and which of them are lost |
//! | `timeline` | the jobs of all ranks, with their times |
//! | `follower` | each other rank: jobs in, answers out |
//! | `pump` | from threads to a link that one thread alone may touch |
//! | `simulated` | ranks and links in virtual time, for tests and measurements |
//! | `mpi` | the link that MPI provides |
//! | `sending` | a message that MPI has yet to read: the only `unsafe` |
//! | `jobs` | jobs done by alpha-beta, here and on other ranks |
//! | `executor` | the threads of a rank other than the first |
//! | `world` | the other ranks, as a search of the first one uses them |

mod batch;
mod executor;
mod follower;
pub mod jobs;
mod lead;
mod link;
mod message;
mod pace;
mod packed;
mod post;
mod pump;
mod timeline;
pub mod world;

#[cfg(feature = "mpi")]
pub mod mpi;
#[cfg(feature = "mpi")]
mod sending;
pub mod simulated;

pub use executor::RankExecutor;
pub use follower::{Executor, Follower};
pub use lead::{Giving, Lead};
pub use link::{Full, Link, Outbox};
pub use message::{
    Entry, Hint, Identity, MessageError, Root, TablePaths, ToLead, ToRank, decode, decode_all,
    encode,
};
pub use pace::Pace;
pub use post::Post;
pub use pump::{ChannelLink, PumpEnds, Rest, channel_link, pump};
pub use timeline::{Heard, Span, Timeline};
