//! The standing between two players.

use std::collections::BTreeMap;
use std::fmt;

use super::game::Ending;
use super::record::GameRecord;
use crate::tools::stats::{Counts, Estimate, Pentanomial, Trinomial};

/// The games between two players, from the first one's view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// All games: lost, drawn, won.
    pub games: Trinomial,
    /// Games with White.
    pub as_white: Trinomial,
    /// Complete pairs of games, by points.
    pub pairs: Pentanomial,
}

impl Standing {
    const EMPTY: Self = Self {
        games: Counts([0; 3]),
        as_white: Counts([0; 3]),
        pairs: Counts([0; 5]),
    };

    /// Counts the games between `first` and `second` in all records.
    pub fn between(first: usize, second: usize, records: &[GameRecord]) -> Self {
        let is_theirs = |record: &&GameRecord| {
            [(first, second), (second, first)].contains(&(record.white, record.black))
        };
        let mut standing = Self::EMPTY;
        let mut open_pairs: BTreeMap<usize, usize> = BTreeMap::new();
        for record in records.iter().filter(is_theirs) {
            let points = half_points(record, first);
            standing.games.0[points] += 1;
            standing.as_white.0[points] += u64::from(record.white == first);
            match open_pairs.remove(&record.pair) {
                Some(other) => standing.pairs.0[points + other] += 1,
                None => drop(open_pairs.insert(record.pair, points)),
            }
        }
        standing
    }

    /// Returns the Elo of the first player relative to the second, by pairs, or by games if there are no pairs.
    pub fn elo(&self) -> Estimate {
        if self.pairs.total() > 0 {
            self.pairs.elo()
        } else {
            self.games.elo()
        }
    }
}

/// The half points of a player: 0, 1 or 2.
fn half_points(record: &GameRecord, player: usize) -> usize {
    match record.winner {
        None => 1,
        Some(winner) if winner == player => 2,
        Some(_) => 0,
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts([lost, drawn, won]) = self.games;
        let share = 100.0 * self.games.score();
        let elo = self.elo();
        write!(f, "+{won} ={drawn} -{lost} ({share:.1} %), Elo {elo}")
    }
}

/// The errors of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Games lost on time.
    pub time_losses: usize,
    /// Games lost by an illegal move.
    pub illegal_moves: usize,
    /// Games lost because the program terminated or did not answer.
    pub crashes: usize,
}

impl Faults {
    /// Counts the errors of one player.
    pub fn of(player: usize, records: &[GameRecord]) -> Self {
        let lost = |record: &&GameRecord| {
            let took_part = record.white == player || record.black == player;
            took_part && record.winner.is_some_and(|winner| winner != player)
        };
        let count = |ending: Ending| {
            let games = records.iter().filter(lost);
            games.filter(|record| record.ending == ending).count()
        };
        Self {
            time_losses: count(Ending::TimeLoss),
            illegal_moves: count(Ending::IllegalMove),
            crashes: count(Ending::Crash),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: usize, winner: Option<usize>, ending: Ending) -> GameRecord {
        let white = number % 2;
        GameRecord {
            number,
            pair: number / 2,
            white,
            black: 1 - white,
            winner,
            ending,
            fault: None,
            plies: 10,
            pgn: String::new(),
        }
    }

    #[test]
    fn games_pairs_and_faults_are_counted() {
        let records = [
            record(0, Some(0), Ending::Checkmate),
            record(1, Some(0), Ending::TimeLoss),
            record(3, None, Ending::Repetition),
            record(2, Some(1), Ending::IllegalMove),
            record(4, Some(1), Ending::Crash),
        ];
        let standing = Standing::between(0, 1, &records);
        assert_eq!(standing.games, Counts([2, 1, 2]));
        assert_eq!(standing.as_white, Counts([2, 0, 1]));
        assert_eq!(standing.pairs, Counts([0, 1, 0, 0, 1]));
        let beside = GameRecord {
            black: 2,
            ..record(0, Some(0), Ending::Checkmate)
        };
        let more = [&records[..], &[beside]].concat();
        assert_eq!(Standing::between(0, 1, &more), standing, "a third player's");
        let mirrored = Standing::between(1, 0, &records);
        assert_eq!(mirrored.pairs, Counts([1, 0, 0, 1, 0]));
        let faults = Faults::of(0, &records);
        assert_eq!(
            (faults.time_losses, faults.illegal_moves, faults.crashes),
            (0, 1, 1)
        );
        assert_eq!(Faults::of(1, &records).time_losses, 1);
    }
}
