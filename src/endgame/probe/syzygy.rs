//! Syzygy tables, asked through `shakmaty-syzygy`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fs, io};

use shakmaty::{Chess, Position as _};
use shakmaty_syzygy::{AmbiguousWdl, SyzygyError, Tablebase, Wdl};
use thiserror::Error;

use super::answer::{Distance, TableAnswer, TableOutcome};
use super::read_files::ReadFiles;

/// Kept for the user to see; more of the same tell nothing new.
const TROUBLES_MAX: usize = 8;

/// A fault of a folder or a file of Syzygy tables. The others are used all the same.
#[derive(Debug, Error)]
pub enum SyzygyTrouble {
    /// A folder cannot be read.
    #[error("SyzygyPath: {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file cannot be used.
    #[error("SyzygyPath: {}: {source}; file skipped", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// There are folders, but no tables in them.
    #[error("SyzygyPath: no tables in {0}")]
    Empty(String),
}

/// All tables of a list of folders.
pub struct Syzygy {
    tables: Tablebase<Chess>,
    files: usize,
    /// Faults met while asking, each kind once.
    troubles: Mutex<Vec<String>>,
}

impl fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("Syzygy");
        text.field("files", &self.files).finish_non_exhaustive()
    }
}

impl Syzygy {
    /// The tables in the folders of `list`, separated by `:` or `;`; an empty list is no folder. Whatever is wrong
    /// hides only itself.
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
                // Some other file.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
                Err(source) => troubles.push(SyzygyTrouble::File { path, source }),
            }
        }
        Ok(())
    }

    /// Number of files.
    pub fn files(&self) -> usize {
        self.files
    }

    /// The most men a table speaks about; 0 without any.
    pub fn men_max(&self) -> usize {
        self.tables.max_pieces()
    }

    /// Takes what went wrong since the last time it was taken.
    pub fn take_troubles(&self) -> Vec<String> {
        let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut troubles)
    }

    /// The result of a position, without its distance; `None` where no table tells. Under `counts_moves` the moves made
    /// since the last capture or pawn move count.
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

    /// The result of a position and its distance to the next capture or pawn move.
    pub fn answer(&self, chess: &Chess, counts_moves: bool) -> Option<TableAnswer> {
        let outcome = self.outcome(chess, counts_moves)?;
        let distance = self.told(self.tables.probe_dtz(chess))?.ignore_rounding();
        Some(TableAnswer {
            outcome,
            distance: Distance::Zeroing(distance.0.unsigned_abs().min(1_000) as u16),
        })
    }

    /// A failure tells nothing about the position. A missing table is none; all else is remembered.
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

/// The folders of a list. Blanks belong to names, except at the ends.
fn folders(list: &str) -> Vec<PathBuf> {
    list.split([':', ';'])
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
        assert_eq!(names("/a b/c:/d;/e "), ["/a b/c", "/d", "/e"]);
        assert!(names("").is_empty());
        assert!(names(" ;: ").is_empty());
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
