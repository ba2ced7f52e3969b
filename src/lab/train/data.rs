//! The training data, split into a training set and a held-out set.

use std::path::Path;

use crate::lab::selfplay::{GameReader, PackedPosition};
use crate::tools::ToolError;

/// One game in this many is held out: whole games, because positions of one game resemble each other.
const HELD_OUT_EVERY: u64 = 40;

/// All positions, packed as in the files.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// The training set.
    pub training: Vec<PackedPosition>,
    /// The held-out set.
    pub held_out: Vec<PackedPosition>,
    /// Number of games.
    pub games: u64,
}

impl Dataset {
    /// Adds the games of a file in the order of their numbers, so that the network does not depend on the threads
    /// that played them.
    ///
    /// # Errors
    /// The file cannot be read, is not a file of games, or contains an invalid position.
    pub fn read(&mut self, path: &Path) -> Result<(), ToolError> {
        let mut reader = GameReader::open(path)?;
        let mut games = Vec::new();
        while let Some(game) = reader.next_game()? {
            if let Some(at) = game.records.iter().position(|record| !record.is_sound()) {
                return Err(ToolError::Games {
                    path: path.to_owned(),
                    reason: format!("game {}, record {at}: no position", game.number),
                });
            }
            games.push(game);
        }
        games.sort_by_key(|game| game.number);
        self.games += games.len() as u64;
        for game in games {
            if game.number.is_multiple_of(HELD_OUT_EVERY) {
                self.held_out.extend(game.records);
            } else {
                self.training.extend(game.records);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::lab::selfplay::{GameWriter, SelfPlayGame, SelfPlaySettings};

    #[test]
    fn the_order_in_the_file_does_not_matter() {
        let folder = std::env::temp_dir().join(format!("cc2s-data-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let data = [[3, 40, 1], [1, 3, 40]].map(|numbers| {
            let path = folder.join(numbers[0].to_string());
            let settings = SelfPlaySettings { nodes: 1, seed: 1 };
            let (mut writer, _) = GameWriter::open(&path, settings).unwrap();
            for number in numbers {
                let record = PackedPosition::new(&Position::initial(), number as i16);
                let records = vec![record; 2];
                writer.append(&SelfPlayGame { number, records }).unwrap();
            }
            let mut data = Dataset::default();
            data.read(&path).unwrap();
            data
        });
        let scores = |records: &[PackedPosition]| {
            records
                .iter()
                .map(PackedPosition::score_cp)
                .collect::<Vec<_>>()
        };
        for data in &data {
            assert_eq!(data.games, 3);
            assert_eq!(scores(&data.training), [1, 1, 3, 3]);
            assert_eq!(scores(&data.held_out), [40, 40]);
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
