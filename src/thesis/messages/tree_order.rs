//! The place of a problem in the order of a single worker, as far as it follows from its place in the tree.

use std::cmp::Ordering;

/// The places of the successors on the path from the root of the analysis to a problem. A place counts in the
/// order in which the parent visits its successors.
///
/// A lesser order comes first. A problem below another comes before it: the other waits for it, and works on later
/// successors meanwhile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeOrder(Vec<u8>);

impl TreeOrder {
    /// Returns the order of a problem some successors further down.
    #[must_use]
    pub(crate) fn below(&self, places: impl Iterator<Item = usize>) -> Self {
        let places = places.map(|place| place.min(usize::from(u8::MAX)) as u8);
        Self(self.0.iter().copied().chain(places).collect())
    }

    /// Whether the problem is the other one or a part of it.
    pub(crate) fn is_below(&self, other: &Self) -> bool {
        self.0.starts_with(&other.0)
    }

    /// Returns the length of a compact encoding, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.len()
    }
}

impl Ord for TreeOrder {
    fn cmp(&self, other: &Self) -> Ordering {
        let mut pairs = self.0.iter().zip(&other.0);
        let decided = pairs.find_map(|(one, two)| Some(one.cmp(two)).filter(|it| it.is_ne()));
        decided.unwrap_or_else(|| other.0.len().cmp(&self.0.len()))
    }
}

impl PartialOrd for TreeOrder {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_before_right_and_below_before_above() {
        let root = TreeOrder::default();
        let left = root.below([1].into_iter());
        let below_left = left.below([7, 3].into_iter());
        let right = root.below([2].into_iter());
        let mut orders = [
            root.clone(),
            right.clone(),
            left.clone(),
            below_left.clone(),
        ];
        orders.sort();
        assert!(below_left.is_below(&left) && below_left.is_below(&root));
        assert!(!left.is_below(&below_left) && !below_left.is_below(&right));
        assert_eq!(orders, [below_left, left.clone(), right.clone(), root]);
    }
}
