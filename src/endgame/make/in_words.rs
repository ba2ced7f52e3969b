//! The interface of a class to the analysis of 64 positions at a time.

use super::TableValue;

/// The positions of one side to move by *place*, a number other than the index. A position may have several
/// places, which always agree, and a place may have no position.
pub struct Placed {
    /// The legal positions.
    pub legal: Vec<u64>,
    /// The positions with mate.
    pub mated: Vec<u64>,
    /// The positions without a move, including mate.
    pub ended: Vec<u64>,
}

/// A class on the distance scale that supports the analysis of many positions at a time.
pub trait InWords: Sync {
    /// Surveys all positions, first with one side to move, then with the other. For each position with an exit,
    /// `way_out` receives side, place and best lifted value outside.
    fn look(&self, way_out: &mut dyn FnMut(usize, u32, TableValue)) -> [Placed; 2];

    /// Adds to `movers` the places of `side` with a move inside the class to one of `targets`, places of the other
    /// side. Only the places in `wanted` need be correct.
    fn movers(&self, side: usize, targets: &[u64], wanted: &[u64], movers: &mut [u64]);

    /// Returns the index of the position at `place`, which must have one.
    fn index(&self, side: usize, place: u32) -> u32;

    /// Writes `value` at the index of each position in `set`.
    fn note(&self, side: usize, set: &[u64], value: TableValue, values: &mut [TableValue]) {
        for_each(set, |place| {
            values[self.index(side, place) as usize] = value;
        });
    }
}

/// Calls `show` with each member of a set in ascending order.
pub fn for_each(set: &[u64], mut show: impl FnMut(u32)) {
    for (at, &word) in set.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            show(at as u32 * 64 + left.trailing_zeros());
            left &= left - 1;
        }
    }
}
