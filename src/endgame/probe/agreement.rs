//! Comparison of our tables with Syzygy tables, position by position.

use std::path::{Path, PathBuf};

use shakmaty::{CastlingMode, Chess, Color, FromSetup, Setup, fen::Fen};
use shakmaty_syzygy::{Tablebase, Wdl};
use thiserror::Error;

use crate::endgame::make::indexing::Squares;
use crate::endgame::make::table::Table;

/// An error or a difference in a comparison with Syzygy tables.
#[derive(Debug, Error)]
pub enum Disagreement {
    /// The directory cannot be read.
    #[error("{}: {source}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The Syzygy probe fails.
    #[error("{fen}: {source}")]
    Syzygy {
        /// The position.
        fen: Box<Fen>,
        /// The cause.
        source: shakmaty_syzygy::SyzygyError,
    },
    /// The results differ.
    #[error("{fen}: ours {ours}, Syzygy {syzygy:?}")]
    Result {
        /// The position.
        fen: Box<Fen>,
        /// Our result: 1, 0 or -1 for the side to move.
        ours: i8,
        /// The Syzygy result.
        syzygy: Wdl,
    },
}

/// The Syzygy tables of one directory.
pub struct Agreement {
    tables: Tablebase<Chess>,
}

impl Agreement {
    /// Opens the tables in `directory`.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn with(directory: &Path) -> Result<Self, Disagreement> {
        let mut tables = Tablebase::new();
        let unreadable = |source| Disagreement::Directory {
            path: directory.to_owned(),
            source,
        };
        tables.add_directory(directory).map_err(unreadable)?;
        Ok(Self { tables })
    }

    /// Compares the result of every position of `table`, without the 50-move rule, and returns the number of
    /// positions.
    ///
    /// # Errors
    /// The first difference, or a missing or damaged Syzygy table.
    pub fn check(&self, table: &Table) -> Result<u64, Disagreement> {
        each_position(table, |squares, turn| {
            self.check_position(table, squares, turn)
        })
    }

    fn check_position(
        &self,
        table: &Table,
        squares: Squares,
        turn: Color,
    ) -> Result<(), Disagreement> {
        let setup = table.setup(squares, turn);
        let position = Chess::from_setup(setup.clone(), CastlingMode::Standard)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .expect("legal positions are listed");
        let probed = self.tables.probe_wdl_after_zeroing(&position);
        let syzygy = probed.map_err(|source| Disagreement::Syzygy {
            fen: Box::new(fen_of(&setup)),
            source,
        })?;
        let ours = table.value(squares, turn).sign();
        let theirs = match syzygy {
            Wdl::Win | Wdl::CursedWin => 1,
            Wdl::Draw => 0,
            Wdl::Loss | Wdl::BlessedLoss => -1,
        };
        if ours == theirs {
            Ok(())
        } else {
            Err(Disagreement::Result {
                fen: Box::new(fen_of(&setup)),
                ours,
                syzygy,
            })
        }
    }
}

/// Calls `check` for every position of `table` until it fails; returns the number of positions.
pub(super) fn each_position<E>(
    table: &Table,
    mut check: impl FnMut(Squares, Color) -> Result<(), E>,
) -> Result<u64, E> {
    let mut count = 0;
    for turn in Color::ALL {
        for index in 0..table.size() {
            if let Some(squares) = table.position(index, turn) {
                check(squares, turn)?;
                count += 1;
            }
        }
    }
    Ok(count)
}

pub(super) fn fen_of(setup: &Setup) -> Fen {
    Fen::try_from_setup(setup.clone()).expect("a legal position has a FEN")
}
