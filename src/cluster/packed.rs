//! Encoding of many updates for `serde(with)`. There are hundreds of thousands a second, and one thread of a rank
//! encodes and decodes them all. Encoding them field by field takes twice the time.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserializer, Serializer};

use crate::game::HashUpdate;

const FOUND: u8 = 0;
const BEGUN: u8 = 1;
const ENDED: u8 = 2;

const WORD: usize = 8;

pub(super) fn serialize<S: Serializer>(
    updates: &[HashUpdate],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut bytes = Vec::with_capacity(updates.len() * (1 + 2 * WORD));
    for update in updates {
        bytes.push(match update {
            HashUpdate::Found { .. } => FOUND,
            HashUpdate::Begun(_) => BEGUN,
            HashUpdate::Ended(_) => ENDED,
        });
        bytes.extend_from_slice(&update.subject().to_le_bytes());
        if let HashUpdate::Found { content, .. } = update {
            bytes.extend_from_slice(&content.to_le_bytes());
        }
    }
    serializer.serialize_bytes(&bytes)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<HashUpdate>, D::Error> {
    deserializer.deserialize_bytes(Updates)
}

struct Updates;

impl Visitor<'_> for Updates {
    type Value = Vec<HashUpdate>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("updates")
    }

    fn visit_bytes<E: Error>(self, mut bytes: &[u8]) -> Result<Vec<HashUpdate>, E> {
        let mut updates = Vec::with_capacity(bytes.len() / (1 + WORD));
        while !bytes.is_empty() {
            updates.push(take(&mut bytes).ok_or_else(|| E::custom("an update that is none"))?);
        }
        Ok(updates)
    }
}

/// Takes the first update from `bytes`; `None` if they do not start with one.
fn take(bytes: &mut &[u8]) -> Option<HashUpdate> {
    let (&kind, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(match kind {
        FOUND => HashUpdate::Found {
            key: take_word(bytes)?,
            content: take_word(bytes)?,
        },
        BEGUN => HashUpdate::Begun(take_word(bytes)?),
        ENDED => HashUpdate::Ended(take_word(bytes)?),
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
    use crate::cluster::{ToCoordinator, ToRank, decode, encode};

    #[test]
    fn updates_come_back_as_they_were() {
        let updates = vec![
            HashUpdate::Begun(u64::MAX),
            HashUpdate::Found {
                key: 1 << 63,
                content: 0x0102_0304_0506_0708,
            },
            HashUpdate::Ended(0),
        ];
        let there = ToRank::<u16>::Updates(updates.clone());
        let bytes = encode(&there);
        assert_eq!(bytes.len(), 2 + 9 + 17 + 9);
        assert_eq!(decode(&bytes), Ok(there));
        let back = ToCoordinator::<u16>::Updates(updates);
        assert_eq!(decode(&encode(&back)), Ok(back));
        let none = ToRank::<u16>::Updates(Vec::new());
        assert_eq!(decode(&encode(&none)), Ok(none));
    }

    #[test]
    fn what_is_no_update_is_refused() {
        let whole = encode(&ToRank::<u16>::Updates(vec![HashUpdate::Begun(7)]));
        let (mut strange, mut short) = (whole.clone(), whole.clone());
        strange[2] = ENDED + 1;
        // One byte less, with a matching length.
        short[1] -= 1;
        short.pop();
        for bytes in [strange, short] {
            assert!(decode::<ToRank<u16>>(&bytes).is_err(), "{bytes:?}");
        }
        assert!(decode::<ToRank<u16>>(&whole).is_ok());
    }
}
