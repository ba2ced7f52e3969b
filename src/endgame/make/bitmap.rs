//! One bit per position.

/// A set of positions, by number.
pub struct Bitmap(Vec<u64>);

impl Bitmap {
    /// Creates an empty set for `len` numbers.
    pub fn new(len: u32) -> Self {
        Self(vec![0; (len as usize).div_ceil(64)])
    }

    /// The inverse of [`Bitmap::to_bytes`]; `None` if the length is not that of `len` numbers.
    pub fn from_bytes(len: u32, bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.as_chunks();
        let fits = rest.is_empty() && words.len() == (len as usize).div_ceil(64);
        fits.then(|| Self(words.iter().map(|&word| u64::from_le_bytes(word)).collect()))
    }

    /// The set as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Appends the numbers in the set to `list` in ascending order, and empties the set.
    pub fn drain_into(&mut self, list: &mut Vec<u32>) {
        for (at, word) in self.0.iter_mut().enumerate() {
            let mut left = std::mem::take(word);
            while left != 0 {
                list.push(at as u32 * 64 + left.trailing_zeros());
                left &= left - 1;
            }
        }
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
