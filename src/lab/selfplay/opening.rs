//! Starting positions of games: a few random moves from a standard position.

use shakmaty::{Board, CastlingMode, Setup};

use crate::chess::{Line, Position, epd};
use crate::game::{Game as _, SplitMix64};

const SUITES: [&str; 2] = [
    include_str!("../../../positions/openings.epd"),
    include_str!("../../../positions/openings8.epd"),
];

/// Denominator of the shares of starting positions.
const SHARES: u64 = 16;
/// Games out of [`SHARES`] that start in Chess960.
const CHESS960: u64 = 2;
/// Games out of [`SHARES`] that start from a position of the suites; the rest start from the initial position.
const SUITE: u64 = 4;
/// Random plies from the initial position and in Chess960; one more in half the games.
const RANDOM_PLIES: u64 = 8;
/// Random plies from a position of the suites, which already contains some plies; one more in half the games.
const RANDOM_PLIES_SUITE: u64 = 4;

/// The positions of the suites.
pub(super) struct Openings(Vec<Position>);

impl Openings {
    pub(super) fn new() -> Self {
        let read = |text| epd::parse(text).expect("suites that the tests have read");
        let records = SUITES.into_iter().flat_map(read);
        Self(records.map(|(_, record)| record.position).collect())
    }

    /// Draws a starting position and plays its random moves; `None` if they end the game.
    pub(super) fn draw(&self, rng: &mut SplitMix64) -> Option<Line> {
        let share = rng.below(SHARES);
        let (start, plies) = if share < CHESS960 {
            (chess960(rng.below(960)), RANDOM_PLIES)
        } else if share < CHESS960 + SUITE {
            let at = rng.below(self.0.len() as u64) as usize;
            (self.0[at].clone(), RANDOM_PLIES_SUITE)
        } else {
            (Position::initial(), RANDOM_PLIES)
        };
        let mut line = Line::new(start);
        let mut moves = Vec::new();
        for _ in 0..plies + rng.below(2) {
            moves.clear();
            line.legal_moves(&mut moves);
            line.play(moves[rng.below(moves.len() as u64) as usize]);
            if line.end_score().is_some() {
                return None;
            }
        }
        Some(line)
    }
}

/// The initial position number `number` of Chess960, 0 to 959.
fn chess960(number: u64) -> Position {
    let board = Board::chess960(number as u32);
    let setup = Setup {
        castling_rights: board.rooks(),
        board,
        ..Setup::initial()
    };
    let mode = CastlingMode::detect(&setup);
    Position::new(setup.position(mode).expect("an initial position"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_of_chess960_may_castle() {
        let keys: BTreeSet<u64> = (0..960).map(|number| chess960(number).key()).collect();
        assert_eq!(keys.len(), 960);
        assert_eq!(chess960(518).key(), Position::initial().key());
    }

    #[test]
    fn openings_differ_and_are_a_few_plies_deep() {
        let openings = Openings::new();
        let mut rng = SplitMix64::new(3);
        let mut keys = BTreeSet::new();
        for _ in 0..200 {
            let Some(line) = openings.draw(&mut rng) else {
                continue;
            };
            assert!((4..10).contains(&line.moves().len()));
            keys.insert(line.key());
        }
        assert!(keys.len() > 180);
    }
}
