//! Messages between ranks: plain records, encoded as bytes between processes.

use std::iter;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::packed;
use crate::game::{HashUpdate, Job, Response};

/// The program that a rank runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The version of this program.
    pub version: String,
    /// A checksum of the executable: equal versions may have been built from different sources.
    pub build: u64,
    /// The host name.
    pub host: String,
}

/// The paths of endgame tables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablePaths {
    /// Folders of Syzygy tables, as in the option `SyzygyPath`; empty for none.
    pub syzygy: String,
    /// The folder of own tables; `None` for those built in.
    pub own: Option<String>,
}

/// A game up to the position that is searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root<M> {
    /// The first position of the game.
    pub start: String,
    /// The moves since then, for repetitions; `None` is a pass.
    pub moves: Vec<Option<M>>,
}

/// Messages from the coordinator to another rank; updates come from any rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToRank<M> {
    /// All parameters, in the order of their declaration. Answered by [`ToCoordinator::Ready`] or
    /// [`ToCoordinator::Refused`].
    Options(Vec<i32>),
    /// The endgame tables to use from now on.
    Tables(TablePaths),
    /// The next search belongs to another game. Answered by [`ToCoordinator::Ready`].
    NewGame,
    /// The start of a search.
    Begin {
        /// The number of the search.
        epoch: u32,
        /// The root position and its history.
        root: Root<M>,
        /// Whether endgame tables may be probed.
        with_tables: bool,
    },
    /// A job.
    Job {
        /// The search it belongs to.
        epoch: u32,
        /// Its number, repeated in the answer.
        id: u64,
        /// The job.
        job: Job<M>,
    },
    /// The answer to a job is no longer needed.
    Cancel {
        /// The job.
        id: u64,
    },
    /// The end of a search: its jobs in progress are abandoned.
    Stop {
        /// The search.
        epoch: u32,
    },
    /// Table entries and busy moves of another rank.
    Updates(#[serde(with = "packed")] Vec<HashUpdate>),
    /// The rank is to terminate.
    Quit,
}

/// Messages from another rank to the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToCoordinator<M> {
    /// The first message of each rank. It stays the first variant, so that other versions can read it.
    Hello(Identity),
    /// The options are in force, or the last game is forgotten.
    Ready {
        /// The number of jobs done at the same time; 0 without options.
        threads: u16,
    },
    /// The options cannot be applied; the rank does no jobs.
    Refused(String),
    /// The answer to a job.
    Answer {
        /// The job.
        id: u64,
        /// The result.
        response: Response<M>,
    },
    /// A sign of life while there is work.
    Heartbeat {
        /// The current search.
        epoch: u32,
        /// Nodes of the jobs in progress.
        nodes: u64,
    },
    /// Table entries and busy moves.
    Updates(#[serde(with = "packed")] Vec<HashUpdate>),
}

/// Bytes that are not a message of this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{bytes} bytes that are not a message")]
pub struct MessageError {
    /// The number of bytes.
    pub bytes: usize,
}

/// Encodes a message.
pub fn encode(message: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(message).expect("plain records can be written")
}

/// Decodes one message.
///
/// # Errors
/// The bytes are not exactly one message.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, MessageError> {
    let mut messages = decode_all(bytes);
    match (messages.next(), messages.next()) {
        (Some(message), None) => message,
        _ => Err(MessageError { bytes: bytes.len() }),
    }
}

/// Decodes a sequence of messages. An invalid one is the last item.
pub fn decode_all<T: DeserializeOwned>(
    mut bytes: &[u8],
) -> impl Iterator<Item = Result<T, MessageError>> {
    iter::from_fn(move || {
        let length = bytes.len();
        if length == 0 {
            return None;
        }
        let taken = postcard::take_from_bytes(bytes);
        bytes = taken.as_ref().map_or(&[], |&(_, rest)| rest);
        Some(
            taken
                .map(|(message, _)| message)
                .map_err(|_| MessageError { bytes: length }),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Request, Score, SearchResult, Window};

    #[test]
    fn messages_come_back_as_they_were() {
        let job = Job {
            path: vec![7_u16, 300],
            request: Request::Search {
                depth: 9,
                window: Window::null_below(Score::centipawns(-31)),
                is_cut: true,
            },
        };
        let there = ToRank::Job {
            epoch: 3,
            id: 1 << 40,
            job,
        };
        assert_eq!(decode(&encode(&there)), Ok(there));
        let back = ToCoordinator::Answer {
            id: 1 << 40,
            response: Response::Searched(SearchResult {
                score: Score::mate_in(5),
                best: Some(9_u16),
                pv: vec![1, 2, 3],
                nodes: 1 << 33,
                level: 40,
            }),
        };
        assert_eq!(decode(&encode(&back)), Ok(back));
    }

    #[test]
    fn messages_that_travel_together_come_one_after_the_other() {
        let sent = [ToRank::Cancel { id: 5 }, ToRank::<u16>::Quit];
        let mut bytes = sent.each_ref().map(encode).concat();
        let got: Result<Vec<_>, _> = decode_all::<ToRank<u16>>(&bytes).collect();
        assert_eq!(got.as_deref(), Ok(&sent[..]));
        bytes.push(250);
        let got: Vec<_> = decode_all::<ToRank<u16>>(&bytes).collect();
        assert_eq!(got[2..], [Err(MessageError { bytes: 1 })]);
        assert_eq!(decode_all::<ToRank<u16>>(&[]).count(), 0);
    }

    #[test]
    fn what_is_no_message_is_refused() {
        let whole = encode(&ToRank::<u16>::Options(vec![1, -2, 70_000]));
        for length in 0..whole.len() {
            let cut = decode::<ToRank<u16>>(&whole[..length]);
            assert_eq!(cut, Err(MessageError { bytes: length }));
        }
        let longer = [&whole[..], &[0]].concat();
        assert!(decode::<ToRank<u16>>(&longer).is_err());
        assert!(decode::<ToRank<u16>>(&[250]).is_err());
    }
}
