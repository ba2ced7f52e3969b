//! One bit per position.

/// A set of positions, by number.
pub struct Bitmap(Vec<u64>);

impl Bitmap {
    /// The empty set, with room for `len` numbers.
    pub fn new(len: u32) -> Self {
        Self(vec![0; (len as usize).div_ceil(64)])
    }

    /// Empties the set.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds a number.
    #[inline]
    pub fn insert(&mut self, number: u32) {
        self.0[number as usize / 64] |= 1 << (number % 64);
    }

    /// Whether a number is in the set.
    #[inline]
    pub fn contains(&self, number: u32) -> bool {
        self.0[number as usize / 64] >> (number % 64) & 1 > 0
    }
}
