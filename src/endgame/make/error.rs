//! Errors of tables, their files and questions to them.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a table could not be made, read or asked. Messages name the file and what would help.
#[derive(Debug, Error)]
pub enum TableError {
    /// Not the name of a class.
    #[error(
        "unknown class {0:?}: expected 3 to 5 men, the stronger side first, such as KQvK, KRvKP or KBBvKN, with .wdl for results only, or \
         awari-07-only"
    )]
    UnknownName(String),
    /// A smaller class is needed first.
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
        /// The needs of each algorithm.
        needs: String,
    },
    /// The operating system refused.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why; part of the message and therefore not its source.
        reason: io::Error,
    },
    /// Not a file of this kind.
    #[error("{}: not a table file (its first bytes are wrong)", .0.display())]
    Magic(PathBuf),
    /// Written by another version of the program.
    #[error("{}: format version {found}, this program reads version {expected}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The file's content.
        found: u16,
        /// The form that this program reads.
        expected: u16,
    },
    /// Shorter than it says.
    #[error("{}: truncated: {found} bytes, should be {expected}", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Length found, in bytes.
        found: u64,
        /// Length the file claims, in bytes.
        expected: u64,
    },
    /// A checksum is wrong.
    #[error("{}: damaged: wrong checksum of {part}", path.display())]
    Checksum {
        /// The file.
        path: PathBuf,
        /// The checksum.
        part: String,
    },
    /// The checksums agree, the content makes no sense.
    #[error("{}: impossible {what}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The impossible part.
        what: String,
    },
    /// The file has been renamed.
    #[error("{}: holds the table of {inside}", path.display())]
    WrongName {
        /// The file.
        path: PathBuf,
        /// The class in the header.
        inside: String,
    },
    /// A saved analysis of another job.
    #[error("{}: not a saved analysis of this class by this algorithm", .0.display())]
    ForeignCheckpoint(PathBuf),
    /// The table asked for is not there.
    #[error("no table {}: make it with `cc2s tables generate {class}`", path.display())]
    Absent {
        /// Where it should be.
        path: PathBuf,
        /// Its class.
        class: String,
    },
    /// No table speaks about such a position.
    #[error("no table for {0}")]
    NoTable(String),
    /// Castling changes the game; tables know no castling.
    #[error("tables do not cover positions with castling rights")]
    Castling,
    /// The text is no legal position.
    #[error("illegal position: {0}")]
    Position(String),
}

impl TableError {
    /// An error of the operating system about `path`.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |reason| Self::Io { path, reason }
    }

    /// A wrong checksum in `path`.
    pub fn checksum(path: &Path, part: impl Into<String>) -> Self {
        Self::Checksum {
            path: path.to_owned(),
            part: part.into(),
        }
    }

    /// Impossible content in `path`.
    pub fn content(path: &Path, what: impl Into<String>) -> Self {
        Self::Content {
            path: path.to_owned(),
            what: what.into(),
        }
    }
}
