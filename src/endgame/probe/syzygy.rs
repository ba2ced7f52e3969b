//! Syzygy tables, probed through `shakmaty-syzygy`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fs, io};

use shakmaty::{Chess, Position as _};
use shakmaty_syzygy::{AmbiguousWdl, SyzygyError, Tablebase, Wdl};
use thiserror::Error;

use super::answer::{Distance, TableAnswer, TableOutcome};
use super::read_files::ReadFiles;

/// The maximum number of errors kept for the user.
const TROUBLES_MAX: usize = 8;

/// An error in a folder or file of Syzygy tables; the other files are still used.
#[derive(Debug, Error)]
pub enum SyzygyTrouble {
    /// A folder cannot be read.
    #[error("SyzygyPath: {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file cannot be used.
    #[error("SyzygyPath: {}: {source}; file skipped", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The folders contain no tables.
    #[error("SyzygyPath: no tables in {0}")]
    Empty(String),
}

/// The tables of a list of folders.
pub struct Syzygy {
    tables: Tablebase<Chess>,
    files: usize,
    /// Probe errors, without duplicates.
    troubles: Mutex<Vec<String>>,
}

impl fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("Syzygy");
        text.field("files", &self.files).finish_non_exhaustive()
    }
}

impl Syzygy {
    /// Opens the tables in the folders of `list`, separated by `:` or `;`; an empty list has no folder. Unreadable
    /// folders and files are skipped.
    pub fn open(list: &str) -> (Self, Vec<SyzygyTrouble>) {
        let mut found = Self {
            tables: Tablebase::with_filesystem(Arc::new(ReadFiles::default())),
            files: 0,
            troubles: Mutex::default(),
        };
        let mut troubles = Vec::new();
        for folder in folders(list) {
            if let Err(source) = found.add_folder(&folder, &mut troubles) {
                let path = folder.clone();
                troubles.push(SyzygyTrouble::Folder { path, source });
            }
        }
        if found.files == 0 && troubles.is_empty() && !list.trim().is_empty() {
            troubles.push(SyzygyTrouble::Empty(list.trim().to_owned()));
        }
        (found, troubles)
    }

    fn add_folder(&mut self, folder: &Path, troubles: &mut Vec<SyzygyTrouble>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            match self.tables.add_file(&path) {
                Ok(()) => self.files += 1,
                // Not a table file.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
                Err(source) => troubles.push(SyzygyTrouble::File { path, source }),
            }
        }
        Ok(())
    }

    /// The number of files.
    pub fn files(&self) -> usize {
        self.files
    }

    /// The largest number of men in a table; 0 without tables.
    pub fn men_max(&self) -> usize {
        self.tables.max_pieces()
    }

    /// Takes the errors since the last call.
    pub fn take_troubles(&self) -> Vec<String> {
        let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut troubles)
    }

    /// Returns the result of a position (WDL); `None` if no table has it. Under `counts_moves` the halfmove clock
    /// is taken into account.
    pub fn outcome(&self, chess: &Chess, counts_moves: bool) -> Option<TableOutcome> {
        let wdl = self.told(self.tables.probe_wdl_after_zeroing(chess))?;
        if !counts_moves {
            return Some(match wdl {
                Wdl::Loss | Wdl::BlessedLoss => TableOutcome::Loss,
                Wdl::Draw => TableOutcome::Draw,
                Wdl::CursedWin | Wdl::Win => TableOutcome::Win,
            });
        }
        match wdl {
            Wdl::BlessedLoss | Wdl::Draw | Wdl::CursedWin => Some(TableOutcome::Draw),
            Wdl::Win if chess.halfmoves() == 0 => Some(TableOutcome::Win),
            Wdl::Loss if chess.halfmoves() == 0 => Some(TableOutcome::Loss),
            Wdl::Win | Wdl::Loss => {
                let wdl = self.told(self.tables.probe_wdl(chess))?;
                Some(with_moves_counted(wdl))
            }
        }
    }

    /// Returns the result of a position and the distance to the next capture or pawn move (DTZ).
    pub fn answer(&self, chess: &Chess, counts_moves: bool) -> Option<TableAnswer> {
        let outcome = self.outcome(chess, counts_moves)?;
        let distance = self.told(self.tables.probe_dtz(chess))?.ignore_rounding();
        Some(TableAnswer {
            outcome,
            distance: Distance::Zeroing(distance.0.unsigned_abs().min(1_000) as u16),
        })
    }

    /// Returns the answer of a probe. Errors other than a missing table are kept for the user.
    fn told<T>(&self, probed: Result<T, SyzygyError>) -> Option<T> {
        let error = match probed {
            Ok(answer) => return Some(answer),
            Err(
                SyzygyError::MissingTable { .. }
                | SyzygyError::TooManyPieces
                | SyzygyError::Castling,
            ) => return None,
            Err(error) => format!("Syzygy: {error}"),
        };
        let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        if troubles.len() < TROUBLES_MAX && !troubles.contains(&error) {
            troubles.push(error);
        }
        None
    }
}

const fn with_moves_counted(wdl: AmbiguousWdl) -> TableOutcome {
    match wdl {
        AmbiguousWdl::Loss => TableOutcome::Loss,
        AmbiguousWdl::MaybeLoss => TableOutcome::DoubtfulLoss,
        AmbiguousWdl::BlessedLoss | AmbiguousWdl::Draw | AmbiguousWdl::CursedWin => {
            TableOutcome::Draw
        }
        AmbiguousWdl::MaybeWin => TableOutcome::DoubtfulWin,
        AmbiguousWdl::Win => TableOutcome::Win,
    }
}

/// Between folders; a colon is part of a path on Windows.
const SEPARATORS: &[char] = if cfg!(windows) { &[';'] } else { &[':', ';'] };

/// Splits a list of folders and trims spaces around their names.
fn folders(list: &str) -> Vec<PathBuf> {
    list.split(SEPARATORS)
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(PathBuf::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split_and_blanks_kept() {
        let names = |list| {
            folders(list)
                .iter()
                .map(|path| path.display().to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(names("/a b/c;/d; /e "), ["/a b/c", "/d", "/e"]);
        assert!(names("").is_empty());
        assert!(names(" ;; ").is_empty());
        let with_colon = names("c:/d");
        if cfg!(windows) {
            assert_eq!(with_colon, ["c:/d"]);
        } else {
            assert_eq!(with_colon, ["c", "/d"]);
        }
    }

    #[test]
    fn what_is_missing_is_told_and_nothing_else_suffers() {
        let (syzygy, troubles) = Syzygy::open("/no/such/folder;/nor/this");
        assert_eq!((syzygy.files(), syzygy.men_max()), (0, 0));
        assert_eq!(troubles.len(), 2);
        assert!(troubles[0].to_string().contains("/no/such/folder"));
        let (_, troubles) = Syzygy::open("");
        assert!(troubles.is_empty());
    }
}
