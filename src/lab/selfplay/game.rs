//! Self-play of one game.

use std::sync::Arc;

use super::file::{SelfPlayGame, SelfPlaySettings};
use super::judge::{Judge, half_points};
use super::opening::Openings;
use super::record::PackedPosition;
use crate::chess::{Line, Move, Position};
use crate::game::{Game as _, Score, SplitMix64, Tablebase};
use crate::lab::node_limit::NodeLimit;
use crate::search::{LeafParams, LeafSearcher};
use crate::tools::ToolError;

/// Hash size of the search, in MiB: enough for some thousand nodes a move, and small enough for the processor's
/// cache.
const MEBIBYTES: usize = 2;
/// Maximum nodes of a move, as a multiple of the nodes after which no iteration starts.
const HARD_LIMIT: u64 = 4;
/// Maximum absolute score of a starting position, in centipawns.
const START_MAX_CP: i32 = 400;
/// Maximum absolute score of a training position, in centipawns.
const SCORE_MAX_CP: i32 = 2_000;

/// Plays both sides of a game.
pub struct SelfPlayer {
    searcher: LeafSearcher,
    openings: Openings,
    tablebase: Arc<dyn Tablebase<Position>>,
    settings: SelfPlaySettings,
}

impl SelfPlayer {
    /// Creates a player that uses a tablebase.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn new(
        settings: SelfPlaySettings,
        tablebase: Arc<dyn Tablebase<Position>>,
    ) -> Result<Self, ToolError> {
        let mut searcher =
            LeafSearcher::new(LeafParams::default(), MEBIBYTES).map_err(ToolError::refused)?;
        searcher.set_tablebase(Some(tablebase.clone()));
        Ok(Self {
            searcher,
            openings: Openings::new(),
            tablebase,
            settings,
        })
    }

    /// Plays game `number`. Games are reproducible for equal settings, numbers and tablebases.
    pub fn play(&mut self, number: u64) -> SelfPlayGame {
        let mut rng = SplitMix64::new(SplitMix64::mix(number) ^ self.settings.seed);
        self.searcher.clear();
        loop {
            if let Some(line) = self.openings.draw(&mut rng)
                && let Some(records) = self.play_from(line)
            {
                return SelfPlayGame { number, records };
            }
        }
    }

    /// Plays from a position to the end of the game; `None` if one side is already much better.
    fn play_from(&mut self, mut line: Line) -> Option<Vec<PackedPosition>> {
        let mut records = Vec::new();
        let mut judge = Judge::default();
        let start = line.moves().len();
        let points = loop {
            if let Some(score) = line.end_score() {
                break half_points(white_view(&line, score));
            }
            if let Some(points) = Judge::known(line.position(), &*self.tablebase) {
                break points;
            }
            let (best, score) = self.think(&mut line);
            let white = white_view(&line, score);
            if line.moves().len() == start && white.abs() > START_MAX_CP {
                return None;
            }
            if let Some(points) = judge.hears(white, line.moves().len()) {
                break points;
            }
            let position = line.position();
            let is_quiet = !position.is_check() && !position.is_noisy(best);
            if is_quiet && white.abs() <= SCORE_MAX_CP {
                records.push(PackedPosition::new(position, white as i16));
            }
            line.play(best);
        };
        for record in &mut records {
            record.set_result(points);
        }
        Some(records)
    }

    /// Returns the best move and its score from the side to move's view.
    fn think(&mut self, line: &mut Line) -> (Move, Score) {
        let soft = self.settings.nodes;
        NodeLimit::new(soft, HARD_LIMIT * soft).search(&mut self.searcher, line)
    }
}

/// Converts a score of the side to move to White's view.
fn white_view(line: &Line, score: Score) -> i32 {
    let own = i32::from(score.raw());
    line.turn().fold_wb(own, -own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::probe::{Own, TableParams, Tables};

    fn player(seed: u64) -> SelfPlayer {
        let own = Arc::new(Own::built_in());
        let tables = Tables::new(Some(own), None, TableParams::default());
        SelfPlayer::new(SelfPlaySettings { nodes: 200, seed }, Arc::new(tables)).unwrap()
    }

    #[test]
    fn seed_and_number_name_a_game() {
        let mut first = player(1);
        let game = first.play(7);
        assert_ne!(game.records, first.play(8).records);
        assert_eq!(game, first.play(7), "whatever was played between");
        assert_ne!(game.records, player(2).play(7).records);
        assert!(game.records.len() > 10);
        for record in &game.records {
            let sample = record.sample().unwrap();
            assert!(!sample.position.is_check());
            assert!(sample.score_cp.abs() <= SCORE_MAX_CP);
            assert_eq!(record.bytes()[29], game.records[0].bytes()[29]);
        }
    }
}
