//! Values as bytes of a table file.
//!
//! Distances: 0 is a draw, 1..=127 a win in that many moves, 128 + m a loss in m moves. Results: 0 is a draw, 1 a
//! win, 2 a loss, with four entries per byte, the first in the lowest bits. Points of awari: the value plus 128.

use super::header::SideSummary;
use super::subject::Subject;
use super::{Metric, TableValue};
use xxhash_rust::xxh3::xxh3_64;

/// Whether the table stores results only, four per byte.
const fn is_packed(subject: Subject) -> bool {
    matches!(subject, Subject::Chess(_, Metric::Points))
}

fn to_byte(subject: Subject, value: TableValue) -> u8 {
    match (subject, value.moves()) {
        (Subject::Chess(_, Metric::Distance), Some(moves)) if value.raw() > 0 => moves,
        (Subject::Chess(_, Metric::Distance), Some(moves)) => 128 + moves,
        (Subject::Chess(..), _) => value.sign().rem_euclid(3) as u8,
        (Subject::Awari(..), _) => (value.raw() as u8).wrapping_add(128),
    }
}

/// Returns the value of an entry; `None` if the byte is invalid.
pub const fn from_byte(subject: Subject, byte: u8) -> Option<TableValue> {
    Some(match (subject, byte) {
        (Subject::Chess(..), 0) => TableValue::DRAW,
        (Subject::Chess(_, Metric::Distance), 1..=127) => TableValue::win_in(byte),
        (Subject::Chess(_, Metric::Distance), _) => TableValue::loss_in(byte - 128),
        (Subject::Chess(_, Metric::Points), 1) => TableValue::points(1),
        (Subject::Chess(_, Metric::Points), 2) => TableValue::points(-1),
        (Subject::Chess(_, Metric::Points), _) => return None,
        (Subject::Awari(stones, _), _) => {
            let points = byte.wrapping_sub(128) as i8;
            if points.unsigned_abs() > stones {
                return None;
            }
            TableValue::points(points)
        }
    })
}

/// Encodes the entries of one side, one byte each, and counts the results.
pub struct Encoder {
    subject: Subject,
    entries: usize,
    bytes: Vec<u8>,
    last: u8,
    summary: SideSummary,
}

impl Encoder {
    /// Creates an empty encoder.
    pub fn new(subject: Subject) -> Self {
        let entries = subject.entries() as usize;
        Self {
            subject,
            entries,
            bytes: Vec::with_capacity(entries),
            last: to_byte(subject, TableValue::DRAW),
            summary: SideSummary::default(),
        }
    }

    /// Adds the next value; `None` for an unused index, which repeats the last byte and so compresses to almost
    /// nothing. En passant states follow the entries and are not stored.
    pub fn push(&mut self, value: Option<TableValue>) {
        if self.bytes.len() == self.entries {
            return;
        }
        if let Some(value) = value {
            self.last = to_byte(self.subject, value);
            count(self.subject, value, &mut self.summary);
        }
        self.bytes.push(self.last);
    }

    /// Returns the bytes and their summary.
    pub fn finish(mut self) -> (Vec<u8>, SideSummary) {
        assert_eq!(self.bytes.len(), self.entries);
        self.summary.checksum = xxh3_64(&self.bytes);
        (self.bytes, self.summary)
    }
}

/// Encodes all values of one side.
pub fn encode(
    subject: Subject,
    values: impl Iterator<Item = Option<TableValue>>,
) -> (Vec<u8>, SideSummary) {
    let mut encoder = Encoder::new(subject);
    values.for_each(|value| encoder.push(value));
    encoder.finish()
}

fn count(subject: Subject, value: TableValue, summary: &mut SideSummary) {
    summary.results[(1 - value.sign()) as usize] += 1;
    if let (Metric::Distance, Some(moves)) = (subject.metric(), value.moves()) {
        let longest = &mut summary.longest[usize::from(value.sign() < 0)];
        *longest = (*longest).max(Some(moves));
    }
}

/// Returns the bytes of a block for compression.
pub fn pack(subject: Subject, block: &[u8]) -> Vec<u8> {
    if !is_packed(subject) {
        return block.to_vec();
    }
    let four = |entries: &[u8]| {
        entries
            .iter()
            .rev()
            .fold(0, |byte, entry| byte << 2 | entry)
    };
    block.chunks(4).map(four).collect()
}

/// The number of bytes that [`pack`] makes of this many entries.
pub const fn packed_length(subject: Subject, entries: usize) -> usize {
    if is_packed(subject) {
        entries.div_ceil(4)
    } else {
        entries
    }
}

/// The inverse of [`pack`] for a block of this many entries.
pub fn unpack(subject: Subject, packed: Vec<u8>, entries: usize) -> Vec<u8> {
    if !is_packed(subject) {
        return packed;
    }
    let four = |byte: u8| [0, 2, 4, 6].map(|shift| byte >> shift & 3);
    let mut bytes: Vec<u8> = packed.into_iter().flat_map(four).collect();
    bytes.truncate(entries);
    bytes
}

/// Returns the values of entries; `None` if one of them is invalid.
pub fn decode(subject: Subject, bytes: &[u8]) -> Option<Vec<TableValue>> {
    bytes.iter().map(|&byte| from_byte(subject, byte)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::awari::GrandSlam;
    use super::super::material::Material;
    use super::*;

    #[test]
    fn every_value_comes_back() {
        let class = Material::parse("KRvK").expect("a class");
        let all: [(Subject, Vec<i8>); 3] = [
            (class.into(), (-128..=127).collect()),
            (
                Subject::Chess(class, Metric::Points),
                vec![-1, 0, 1, 1, 0, -1, -1],
            ),
            (
                Subject::Awari(20, GrandSlam::CapturesAll),
                (-20..=20).collect(),
            ),
        ];
        for (subject, raw) in all {
            let values: Vec<_> = raw.into_iter().map(TableValue::points).collect();
            let bytes: Vec<_> = values
                .iter()
                .map(|&value| to_byte(subject, value))
                .collect();
            let packed = pack(subject, &bytes);
            assert_eq!(packed.len(), packed_length(subject, bytes.len()));
            assert_eq!(unpack(subject, packed, bytes.len()), bytes);
            assert_eq!(decode(subject, &bytes), Some(values), "{subject}");
        }
    }

    /// One stone has twelve positions.
    #[test]
    fn what_stands_for_nothing_repeats_and_does_not_count() {
        let subject = Subject::Awari(1, GrandSlam::OnlyMove);
        let value = |number: i8| (number % 3 > 0).then(|| TableValue::points(number % 2));
        let (bytes, summary) = encode(subject, (0..14).map(value));
        assert_eq!(
            bytes,
            [128, 129, 128, 128, 128, 129, 129, 129, 128, 128, 128, 129]
        );
        assert_eq!(summary.results, [4, 4, 0]);
    }

    #[test]
    fn impossible_bytes_are_noticed() {
        let class = Material::parse("KRvK").expect("a class");
        assert_eq!(decode(Subject::Chess(class, Metric::Points), &[0, 3]), None);
        assert_eq!(
            decode(Subject::Awari(5, GrandSlam::OnlyMove), &[128 + 6]),
            None
        );
        assert_eq!(decode(Subject::Awari(5, GrandSlam::OnlyMove), &[0]), None);
    }
}
