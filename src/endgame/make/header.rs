//! The header of a table file: its first 128 bytes.

use super::Metric;
use super::error::TableError;
use super::subject::Subject;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// The length of the header in bytes.
pub const HEADER: usize = 128;
/// Entries per compressed block.
pub const BLOCK: u32 = 1 << 16;

const MAGIC: [u8; 8] = *b"CC2S-EGT";
const VERSION: u16 = 1;

/// Metric, rules, index scheme and codec (zstd). Distances: to mate without the 50-move rule, by 462 or 1806 king
/// pairs; results likewise, four per byte. Awari points: by rule, in lexicographic order.
const fn scheme(subject: Subject) -> [u8; 4] {
    match subject {
        Subject::Chess(_, Metric::Distance) => [1, 1, 1, 1],
        Subject::Chess(_, Metric::Points) => [2, 1, 1, 2],
        Subject::Awari(_, rule) => [3, 2 + rule as u8, 2, 1],
    }
}

/// Positions of one side to move by result (mirror images counted once), and the longest win and loss in moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideSummary {
    /// Wins, draws and losses of the side to move.
    pub results: [u32; 3],
    /// The longest win and loss in moves; `None` if there is none or the entries have no distances.
    pub longest: [Option<u8>; 2],
    /// XXH3 of the entries before compression.
    pub checksum: u64,
}

/// A table file header.
///
/// ```text
///   0 magic 8 | 8 version 2 | 10 class 16 | 26 metric, rules, index scheme, codec 1 each | 30 zero 2
///  32 entries a side 4 | 36 entries a block 4 | 40 results 2 x 3 x 4 | 64 longest 2 x 2 x 1, 255 for none
///  68 zero 4 | 72 checksums 2 x 8 | 88 offset of the directory 8 | 96 zero 24 | 120 XXH3 of all before 8
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The subject of the table.
    pub subject: Subject,
    /// Entries per side to move.
    pub entries: u32,
    /// Positions with White and with Black to move; all positions and an empty summary if there is only one side.
    pub sides: [SideSummary; 2],
    /// The offset of the directory.
    pub directory: u64,
}

impl Header {
    /// Blocks per side.
    pub const fn blocks_a_side(&self) -> u32 {
        self.entries.div_ceil(BLOCK)
    }

    /// The number of blocks.
    pub const fn blocks(&self) -> u32 {
        self.subject.sides() * self.blocks_a_side()
    }

    /// Positions of both sides, mirror images counted once.
    pub fn positions(&self) -> u64 {
        let results = self.sides.iter().flat_map(|side| side.results);
        results.map(u64::from).sum()
    }

    /// Returns the bytes in the layout above.
    pub fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let mut put = |at: usize, part: &[u8]| bytes[at..at + part.len()].copy_from_slice(part);
        put(0, &MAGIC);
        put(8, &VERSION.to_le_bytes());
        put(10, self.subject.to_string().as_bytes());
        put(26, &scheme(self.subject));
        put(32, &self.entries.to_le_bytes());
        put(36, &BLOCK.to_le_bytes());
        for (side, summary) in self.sides.iter().enumerate() {
            for (kind, count) in summary.results.iter().enumerate() {
                put(40 + 12 * side + 4 * kind, &count.to_le_bytes());
            }
            put(
                64 + 2 * side,
                &summary.longest.map(|moves| moves.unwrap_or(255)),
            );
            put(72 + 8 * side, &summary.checksum.to_le_bytes());
        }
        put(88, &self.directory.to_le_bytes());
        let sum = xxh3_64(&bytes[..120]);
        bytes[120..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads the header of the file at `path`.
    ///
    /// # Errors
    /// The magic, version or checksum is wrong, or the content fits no class.
    pub fn from_bytes(bytes: &[u8; HEADER], path: &Path) -> Result<Self, TableError> {
        if bytes[..8] != MAGIC {
            return Err(TableError::Magic(path.to_owned()));
        }
        let found = u16::from_le_bytes(array(bytes, 8));
        if found != VERSION {
            return Err(TableError::Version {
                path: path.to_owned(),
                found,
                expected: VERSION,
            });
        }
        if xxh3_64(&bytes[..120]) != u64::from_le_bytes(array(bytes, 120)) {
            return Err(TableError::checksum(path, "the header"));
        }
        let name = bytes[10..26]
            .split(|&byte| byte == 0)
            .next()
            .unwrap_or_default();
        let subject = std::str::from_utf8(name).ok().and_then(Subject::parse);
        let subject = subject.ok_or_else(|| TableError::content(path, "class name"))?;
        if bytes[26..30] != scheme(subject) || u32::from_le_bytes(array(bytes, 36)) != BLOCK {
            return Err(TableError::content(path, "index scheme or codec"));
        }
        let entries = u32::from_le_bytes(array(bytes, 32));
        if entries != subject.entries() {
            return Err(TableError::content(path, "number of entries"));
        }
        let sides = [0, 1].map(|side| SideSummary {
            results: [0, 1, 2]
                .map(|kind| u32::from_le_bytes(array(bytes, 40 + 12 * side + 4 * kind))),
            longest: [0, 1]
                .map(|kind| Some(bytes[64 + 2 * side + kind]).filter(|&moves| moves < 255)),
            checksum: u64::from_le_bytes(array(bytes, 72 + 8 * side)),
        });
        Ok(Self {
            subject,
            entries,
            sides,
            directory: u64::from_le_bytes(array(bytes, 88)),
        })
    }
}

/// Returns `N` bytes of `bytes` from `at` on, which must exist.
pub fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("the length asked for")
}
