//! A class of any game, to be solved, written and checked.

use std::path::Path;

use anyhow::{Result, bail};

use crate::endgame::make::awari::Awari;
use crate::endgame::make::bal_allis::BalAllis;
use crate::endgame::make::check::{Contradiction, check, check_values};
use crate::endgame::make::endgame::Endgame;
use crate::endgame::make::file::{self, TableFile};
use crate::endgame::make::{Algorithm, Class, Metric, Solver, Subject, TableError, TableValue};

/// A class with the tables it depends on.
pub(super) enum Solvable {
    Chess(Endgame),
    Awari(Awari),
}

impl Solvable {
    /// The number of indices for both sides to move, including illegal positions.
    pub(super) fn size(&self) -> u32 {
        match self {
            Self::Chess(class) => class.size(),
            Self::Awari(class) => class.size(),
        }
    }

    /// The number of bounds an analysis goes through.
    pub(super) fn bounds(&self) -> u8 {
        match self {
            Self::Chess(class) => class.amount_max(),
            Self::Awari(class) => class.amount_max(),
        }
    }

    /// Starts an analysis, as [`Algorithm::start`] does. The algorithm must satisfy [`fits`].
    pub(super) fn start(
        &self,
        algorithm: Algorithm,
        threads: u32,
        work: Option<&Path>,
    ) -> Box<dyn Solver + '_> {
        match self {
            Self::Chess(class) => algorithm.start(class, threads, work),
            Self::Awari(class) => Box::new(BalAllis::new(class, threads)),
        }
    }

    /// Resumes a saved analysis; `None` if it belongs to another class.
    pub(super) fn resume(
        &self,
        algorithm: Algorithm,
        threads: u32,
        work: Option<&Path>,
        saved: &[u8],
    ) -> Option<Box<dyn Solver + '_>> {
        match self {
            Self::Chess(class) => algorithm.resume(class, threads, work, saved),
            Self::Awari(class) => Some(Box::new(BalAllis::restore(class, threads, saved)?)),
        }
    }

    /// Writes the table of a finished analysis and returns its size in bytes.
    pub(super) fn write(
        &self,
        subject: Subject,
        mut finished: Box<dyn Solver + '_>,
        directory: &Path,
        level: i32,
    ) -> Result<u64, TableError> {
        if let Some(analysis) = finished.in_files() {
            return file::write_from_files(subject, analysis, directory, level);
        }
        self.write_values(subject, &finished.finish(), directory, level)
    }

    /// Writes a table with these values of all indices and returns its size in bytes.
    pub(super) fn write_values(
        &self,
        subject: Subject,
        values: &[TableValue],
        directory: &Path,
        level: i32,
    ) -> Result<u64, TableError> {
        match self {
            Self::Chess(class) => file::write(&class.table(values), directory, level),
            Self::Awari(_) => file::write_values(subject, values, directory, level),
        }
    }

    /// Compares every entry of a file with its best move, and returns the number of positions.
    pub(super) fn check(&self, file: &TableFile) -> Result<u64> {
        let checked: Result<u64, Contradiction> = match self {
            Self::Chess(class) => check(class, &file.load()?),
            Self::Awari(class) => check_values(class, &file.load_side(0)?, 0..class.size()),
        };
        match checked {
            Ok(positions) => Ok(positions),
            Err(wrong) => bail!("{}: {wrong:?}", file.path().display()),
        }
    }
}

/// Whether the algorithm supports the subject. Values other than distances need the algorithm of Bal and Allis.
pub(super) fn fits(algorithm: Algorithm, subject: Subject) -> bool {
    algorithm == Algorithm::BalAllis || subject.metric() == Metric::Distance
}
