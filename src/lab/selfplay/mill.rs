//! Self-play by several threads into one file.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use crossbeam::channel;
use parking_lot::Mutex;

use super::file::{GameWriter, SelfPlayGame, SelfPlaySettings};
use super::game::SelfPlayer;
use crate::chess::Position;
use crate::game::Tablebase;
use crate::tools::ToolError;

/// Plays the games that are missing in a file.
pub struct Mill {
    writer: GameWriter,
    settings: SelfPlaySettings,
    present: BTreeSet<u64>,
}

impl Mill {
    /// Opens or creates a file of games.
    ///
    /// # Errors
    /// As for [`GameWriter::open`].
    pub fn open(path: &Path, settings: SelfPlaySettings) -> Result<Self, ToolError> {
        let (writer, present) = GameWriter::open(path, settings)?;
        Ok(Self {
            writer,
            settings,
            present: present.into_iter().collect(),
        })
    }

    /// Returns how many of the first `games` games the file holds.
    pub fn finished(&self, games: u64) -> usize {
        self.present.range(..games).count()
    }

    /// Plays those of the first `games` games that the file lacks, in `threads` threads that use a tablebase. The
    /// threads affect the order of the games in the file, but not the games. `done` is called with each game.
    ///
    /// # Errors
    /// The memory cannot be allocated or the file cannot be written.
    pub fn run(
        &mut self,
        games: u64,
        threads: usize,
        tablebase: &Arc<dyn Tablebase<Position>>,
        mut done: impl FnMut(&SelfPlayGame),
    ) -> Result<(), ToolError> {
        let players: Result<Vec<SelfPlayer>, ToolError> = (0..threads)
            .map(|_| SelfPlayer::new(self.settings, tablebase.clone()))
            .collect();
        let Self {
            writer, present, ..
        } = self;
        let missing = Mutex::new((0..games).filter(|number| !present.contains(number)));
        let (sender, finished) = channel::bounded(threads);
        thread::scope(|scope| {
            for mut player in players? {
                let (sender, missing) = (sender.clone(), &missing);
                scope.spawn(move || {
                    let next = || missing.lock().next();
                    while let Some(number) = next() {
                        // The receiver is closed after a write error.
                        if sender.send(player.play(number)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for game in finished {
                writer.append(&game)?;
                done(&game);
            }
            Ok(())
        })
    }
}
