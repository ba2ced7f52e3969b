//! Errors of tables, their files and their probes.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// An error in generating, reading or probing a table. Messages name the file and a remedy.
#[derive(Debug, Error)]
pub enum TableError {
    /// The name is not that of a class.
    #[error(
        "unknown class {0:?}: expected 3 to 5 men, the stronger side first, such as KQvK, KRvKP or KBBvKN, with .wdl for results only, or \
         awari-07-only"
    )]
    UnknownName(String),
    /// The table of a smaller class is missing.
    #[error("{class} needs the table of {missing}: make it with `cc2s tables generate {missing}`")]
    MissingTable {
        /// The class to be solved.
        class: String,
        /// The class whose table is missing.
        missing: String,
    },
    /// The memory limit is too low.
    #[error(
        "{class} does not fit into {limit_mib} MiB: {needs}; raise --memory or choose another --algorithm"
    )]
    Memory {
        /// The class to be solved.
        class: String,
        /// The limit, in MiB.
        limit_mib: u64,
        /// The needs of each algorithm, as text.
        needs: String,
    },
    /// An I/O error.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause; part of the message, hence not declared as the source.
        reason: io::Error,
    },
    /// The file is not a table file.
    #[error("{}: not a table file (its first bytes are wrong)", .0.display())]
    Magic(PathBuf),
    /// The file has another format version.
    #[error("{}: format version {found}, this program reads version {expected}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        found: u16,
        /// The version that this program reads.
        expected: u16,
    },
    /// The file is shorter than its header states.
    #[error("{}: truncated: {found} bytes, should be {expected}", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// The actual length in bytes.
        found: u64,
        /// The expected length in bytes.
        expected: u64,
    },
    /// A checksum is wrong.
    #[error("{}: damaged: wrong checksum of {part}", path.display())]
    Checksum {
        /// The file.
        path: PathBuf,
        /// The part with the wrong checksum.
        part: String,
    },
    /// The content is invalid, although the checksums are right.
    #[error("{}: impossible {what}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The invalid part.
        what: String,
    },
    /// The name of the file does not match its content.
    #[error("{}: holds the table of {inside}", path.display())]
    WrongName {
        /// The file.
        path: PathBuf,
        /// The class in the header.
        inside: String,
    },
    /// The saved analysis belongs to another job.
    #[error("{}: not a saved analysis of this class by this algorithm", .0.display())]
    ForeignCheckpoint(PathBuf),
    /// The requested table does not exist.
    #[error("no table {}: make it with `cc2s tables generate {class}`", path.display())]
    Absent {
        /// The expected path.
        path: PathBuf,
        /// The class.
        class: String,
    },
    /// No table covers such positions.
    #[error("no table for {0}")]
    NoTable(String),
    /// The position has castling rights, which tables do not cover.
    #[error("tables do not cover positions with castling rights")]
    Castling,
    /// The text is not a legal position.
    #[error("illegal position: {0}")]
    Position(String),
}

impl TableError {
    /// Returns a constructor of I/O errors for `path`.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |reason| Self::Io { path, reason }
    }

    /// Creates an error for a wrong checksum in `path`.
    pub fn checksum(path: &Path, part: impl Into<String>) -> Self {
        Self::Checksum {
            path: path.to_owned(),
            part: part.into(),
        }
    }

    /// Creates an error for invalid content in `path`.
    pub fn content(path: &Path, what: impl Into<String>) -> Self {
        Self::Content {
            path: path.to_owned(),
            what: what.into(),
        }
    }
}
