//! Books of unbalanced openings: random moves from the initial position to where one side is slightly better.
//!
//! From balanced openings two engines of nearly equal strength draw most games, which says little about their
//! strength. An unbalanced opening that is not lost, played with colours reversed, decides more games.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::node_limit::NodeLimit;
use crate::chess::{Line, Position};
use crate::game::{Game as _, SplitMix64};
use crate::search::{LeafParams, LeafSearcher};
use crate::tools::ToolError;

/// Hash size of the search, in MiB.
const MEBIBYTES: usize = 8;

/// So many random lines in a row without a new opening mean that there are no more.
const ATTEMPTS_MAX: usize = 10_000;

/// Settings of an opening book.
#[derive(Clone, Debug)]
pub struct BookSettings {
    /// Random plies from the initial position.
    pub plies: u32,
    /// Nodes of the search that scores an opening.
    pub nodes: u64,
    /// Advantage of the better side, in centipawns.
    pub advantage_cp: RangeInclusive<i32>,
    /// Equal seeds give equal books.
    pub seed: u64,
}

/// Generates openings without repeated positions.
pub struct BookMaker {
    settings: BookSettings,
    searcher: LeafSearcher,
    rng: SplitMix64,
    seen: BTreeSet<u64>,
}

impl BookMaker {
    /// Creates a generator of openings with these settings.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn new(settings: BookSettings) -> Result<Self, ToolError> {
        let searcher = LeafSearcher::new(LeafParams::default(), MEBIBYTES);
        Ok(Self {
            searcher: searcher.map_err(ToolError::refused)?,
            rng: SplitMix64::new(settings.seed),
            settings,
            seen: BTreeSet::new(),
        })
    }

    /// Returns the next opening and its score in centipawns, from the side to move's view; `None` if there seem to be no
    /// more.
    pub fn next_opening(&mut self) -> Option<(Position, i32)> {
        for _ in 0..ATTEMPTS_MAX {
            let Some(mut line) = self.random_line() else {
                continue;
            };
            if !self.seen.insert(line.key()) {
                continue;
            }
            let score = self.judge(&mut line);
            if self.settings.advantage_cp.contains(&score.abs()) {
                return Some((line.position().clone(), score));
            }
        }
        None
    }

    /// Plays random moves from the initial position; `None` if they end the game or leave the side to move in
    /// check.
    fn random_line(&mut self) -> Option<Line> {
        let mut line = Line::new(Position::initial());
        let mut moves = Vec::new();
        for _ in 0..self.settings.plies {
            moves.clear();
            line.legal_moves(&mut moves);
            let at = self.rng.below(moves.len().max(1) as u64) as usize;
            line.play(*moves.get(at)?);
        }
        (line.end_score().is_none() && !line.position().is_check()).then_some(line)
    }

    fn judge(&mut self, line: &mut Line) -> i32 {
        let nodes = self.settings.nodes;
        self.searcher.clear();
        let (_, score) = NodeLimit::new(nodes, nodes).search(&mut self.searcher, line);
        i32::from(score.raw())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(seed: u64, count: usize) -> Vec<(u64, i32)> {
        let settings = BookSettings {
            plies: 6,
            nodes: 500,
            advantage_cp: 40..=150,
            seed,
        };
        let mut maker = BookMaker::new(settings).unwrap();
        let opening = |_| maker.next_opening().unwrap();
        let openings = (0..count).map(opening);
        openings
            .map(|(position, cp)| (position.key(), cp))
            .collect()
    }

    #[test]
    fn openings_are_distinct_unbalanced_and_the_same_for_a_seed() {
        let openings = book(1, 20);
        let keys: BTreeSet<u64> = openings.iter().map(|&(key, _)| key).collect();
        assert_eq!(keys.len(), 20);
        assert!(
            openings
                .iter()
                .all(|&(_, cp)| (40..=150).contains(&cp.abs()))
        );
        assert_eq!(book(1, 20), openings);
        assert_ne!(book(2, 20), openings);
    }
}
