//! A class of positions as the analysis of 64 positions at a time sees it.

use super::TableValue;

/// The positions of one side to move, by *place*: a number of its own besides the index. Several places may stand for
/// one position and some for none; what is said of one place of a position is said of all of them.
pub struct Placed {
    /// The positions.
    pub legal: Vec<u64>,
    /// Those mated.
    pub mated: Vec<u64>,
    /// Those without a move, the mated ones included.
    pub ended: Vec<u64>,
}

/// A class on the distance scale whose positions can be worked on many at a time.
pub trait InWords: Sync {
    /// Looks at all positions, first of the one side to move, then of the other. Tells `way_out` for each that can
    /// leave the class its side, its place and the best value outside, lifted.
    fn look(&self, way_out: &mut dyn FnMut(usize, u32, TableValue)) -> [Placed; 2];

    /// Adds to `movers` the places of `side` with a move inside the class to one of `targets`, places of the other
    /// side. Only what is said of the places in `wanted` counts.
    fn movers(&self, side: usize, targets: &[u64], wanted: &[u64], movers: &mut [u64]);

    /// The index that stands for the position at `place`, which must be one.
    fn index(&self, side: usize, place: u32) -> u32;

    /// Writes `value` at the indices of the positions in `set`.
    fn note(&self, side: usize, set: &[u64], value: TableValue, values: &mut [TableValue]) {
        for_each(set, |place| {
            values[self.index(side, place) as usize] = value;
        });
    }
}

/// Shows each member of a set, ascending.
pub fn for_each(set: &[u64], mut show: impl FnMut(u32)) {
    for (at, &word) in set.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            show(at as u32 * 64 + left.trailing_zeros());
            left &= left - 1;
        }
    }
}
