//! One search by several processes, the ranks of MPI: the first holds the planner, the others do jobs for it.
//!
//! Nothing here owns a thread or a clock: [`Lead`] and [`Follower`] are state machines that take messages in and leave
//! messages to be sent. What carries them is a [`Link`].
//!
//! ```text
//! planner -- jobs --> Lead -- ToRank --> Link -- ToRank --> Follower -- jobs --> Executor
//!         <- replies-      <- ToLead ---      <- ToLead ---        <- replies-
//! ```
//!
//! | file | what |
//! |---|---|
//! | `message` | what ranks tell each other, as bytes |
//! | `packed` | many hints as bytes |
//! | `link` | what carries bytes between ranks, and what waits to be sent |
//! | `pace` | how often a rank looks for messages and sends mail |
//! | `batch` | what a rank has to tell, without what is outdated before it is sent |
//! | `post` | what ranks let each other know while they search |
//! | `lead` | the first rank: who does what, who is lost |
//! | `timeline` | who did what when |
//! | `follower` | each other rank: jobs in, answers out |
//! | `pump` | from threads to a link that one thread alone may touch |
//! | `simulated` | ranks and links in virtual time, for tests and measurements |
//! | `mpi` | the link that MPI provides |
//! | `sending` | a message that MPI has yet to read: the only `unsafe` |

mod batch;
mod follower;
mod lead;
mod link;
mod message;
mod pace;
mod packed;
mod post;
mod pump;
mod timeline;

#[cfg(feature = "mpi")]
pub mod mpi;
#[cfg(feature = "mpi")]
mod sending;
pub mod simulated;

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
