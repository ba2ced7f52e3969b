//! Statistics of a table.

use super::TableValue;
use super::table::Table;
use shakmaty::Color;

/// The longest win or loss of one side to move, with the number of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Longest {
    /// Plies to mate; `None` if there is no such position.
    pub plies: Option<u16>,
    /// The number of placements, mirror images counted separately.
    pub full: u64,
    /// The number of placements, mirror images counted once.
    pub orbits: u64,
}

/// The number of positions by result, for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultCounts {
    /// The number of wins.
    pub wins: u64,
    /// The number of draws.
    pub draws: u64,
    /// The number of losses.
    pub losses: u64,
}

impl ResultCounts {
    /// The number of positions.
    pub const fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    fn add(&mut self, value: TableValue, count: u64) {
        match value.sign() {
            1 => self.wins += count,
            0 => self.draws += count,
            _ => self.losses += count,
        }
    }
}

/// The legal positions of one side to move, without en passant states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideStatistics {
    /// Mirror images counted separately, equal men unordered.
    pub full: ResultCounts,
    /// Mirror images counted once.
    pub orbits: ResultCounts,
    /// The longest win.
    pub win: Longest,
    /// The longest loss.
    pub loss: Longest,
    /// The number of positions by value plus 128, mirror images counted once.
    pub histogram: Vec<u64>,
}

impl SideStatistics {
    /// Counts the positions of `table` with `turn` to move.
    pub fn of(table: &Table, turn: Color) -> Self {
        let mut full = [0; 256];
        let mut orbits = [0; 256];
        for index in 0..table.size() {
            if let Some(squares) = table.position(index, turn) {
                let bin =
                    (i16::from(table.values()[turn.is_black() as usize][index as usize].raw())
                        + 128) as usize;
                orbits[bin] += 1;
                full[bin] += table.images(squares);
            }
        }
        Self::summed(&full, &orbits)
    }

    fn summed(full: &[u64; 256], orbits: &[u64; 256]) -> Self {
        let value = |bin: usize| TableValue::points((bin as i16 - 128) as i8);
        let mut results = [ResultCounts::default(); 2];
        for bin in 0..256 {
            results[0].add(value(bin), full[bin]);
            results[1].add(value(bin), orbits[bin]);
        }
        let longest = |bin: Option<usize>| {
            bin.map_or(Longest::default(), |bin| Longest {
                plies: value(bin).plies(),
                full: full[bin],
                orbits: orbits[bin],
            })
        };
        Self {
            full: results[0],
            orbits: results[1],
            win: longest((129..256).find(|&bin| orbits[bin] > 0)),
            loss: longest((0..128).rev().find(|&bin| orbits[bin] > 0)),
            histogram: orbits.to_vec(),
        }
    }
}
