//! Many hints as bytes, for `serde(with)`: there are hundreds of thousands a second, and one thread of a rank writes and reads
//! them all. Field by field, to write one takes twice the time.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserializer, Serializer};

use super::message::{Entry, Hint};

const FOUND: u8 = 0;
const ENTERED: u8 = 1;
const LEFT: u8 = 2;

/// Bytes of a word.
const WORD: usize = 8;

pub(super) fn serialize<S: Serializer>(hints: &[Hint], serializer: S) -> Result<S::Ok, S::Error> {
    let mut bytes = Vec::with_capacity(hints.len() * (1 + 2 * WORD));
    for hint in hints {
        let (kind, word) = match hint {
            Hint::Found(entry) => (FOUND, entry.key),
            Hint::Entered(mark) => (ENTERED, *mark),
            Hint::Left(mark) => (LEFT, *mark),
        };
        bytes.push(kind);
        bytes.extend_from_slice(&word.to_le_bytes());
        if let Hint::Found(entry) = hint {
            bytes.extend_from_slice(&entry.content.to_le_bytes());
        }
    }
    serializer.serialize_bytes(&bytes)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Hint>, D::Error> {
    deserializer.deserialize_bytes(Hints)
}

struct Hints;

impl Visitor<'_> for Hints {
    type Value = Vec<Hint>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("hints")
    }

    fn visit_bytes<E: Error>(self, mut bytes: &[u8]) -> Result<Vec<Hint>, E> {
        let mut hints = Vec::with_capacity(bytes.len() / (1 + WORD));
        while !bytes.is_empty() {
            hints.push(take(&mut bytes).ok_or_else(|| E::custom("a hint that is none"))?);
        }
        Ok(hints)
    }
}

/// The first hint, which the rest is then without; `None` if there is none at the beginning.
fn take(bytes: &mut &[u8]) -> Option<Hint> {
    let (&kind, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(match kind {
        FOUND => Hint::Found(Entry {
            key: take_word(bytes)?,
            content: take_word(bytes)?,
        }),
        ENTERED => Hint::Entered(take_word(bytes)?),
        LEFT => Hint::Left(take_word(bytes)?),
        _ => return None,
    })
}

fn take_word(bytes: &mut &[u8]) -> Option<u64> {
    let (word, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::{ToLead, ToRank, decode, encode};

    #[test]
    fn hints_come_back_as_they_were() {
        let hints = vec![
            Hint::Entered(u64::MAX),
            Hint::Found(Entry {
                key: 1 << 63,
                content: 0x0102_0304_0506_0708,
            }),
            Hint::Left(0),
        ];
        let there = ToRank::<u16>::Mail(hints.clone());
        let bytes = encode(&there);
        assert_eq!(bytes.len(), 2 + 9 + 17 + 9);
        assert_eq!(decode(&bytes), Ok(there));
        let back = ToLead::<u16>::Mail(hints);
        assert_eq!(decode(&encode(&back)), Ok(back));
        let none = ToRank::<u16>::Mail(Vec::new());
        assert_eq!(decode(&encode(&none)), Ok(none));
    }

    #[test]
    fn what_is_no_hint_is_refused() {
        let whole = encode(&ToRank::<u16>::Mail(vec![Hint::Entered(7)]));
        let (mut strange, mut short) = (whole.clone(), whole.clone());
        strange[2] = LEFT + 1;
        // One byte less, and a length that says so.
        short[1] -= 1;
        short.pop();
        for bytes in [strange, short] {
            assert!(decode::<ToRank<u16>>(&bytes).is_err(), "{bytes:?}");
        }
        assert!(decode::<ToRank<u16>>(&whole).is_ok());
    }
}
