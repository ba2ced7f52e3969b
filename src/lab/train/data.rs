//! The positions to learn from, and those kept back to judge by.

use std::path::Path;

use crate::lab::LabError;
use crate::lab::selfplay::{GameReader, Record};

/// One game of so many is kept back: whole games, because positions of one game resemble each other.
const HELD_OUT_EVERY: u64 = 40;

/// All positions, in memory as they are in the files.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// To learn from.
    pub training: Vec<Record>,
    /// To judge by.
    pub held_out: Vec<Record>,
    /// Games they come from.
    pub games: u64,
}

impl Dataset {
    /// Adds the games of a file.
    ///
    /// # Errors
    /// The file cannot be read, is no file of games, or holds what is no position.
    pub fn read(&mut self, path: &Path) -> Result<(), LabError> {
        let mut reader = GameReader::open(path)?;
        while let Some(game) = reader.next_game()? {
            if let Some(at) = game.records.iter().position(|record| !record.is_sound()) {
                return Err(LabError::Games {
                    path: path.to_owned(),
                    reason: format!("game {}, record {at}: no position", game.number),
                });
            }
            self.games += 1;
            if game.number.is_multiple_of(HELD_OUT_EVERY) {
                self.held_out.extend(game.records);
            } else {
                self.training.extend(game.records);
            }
        }
        Ok(())
    }
}
