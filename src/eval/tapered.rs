//! A weight in two game phases at once.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an ending score in centipawns, both in one word so that sums cost one addition.
///
/// The ending part is in the upper half; borrow from the lower half is undone when the halves are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tapered(i32);

impl Tapered {
    /// Nothing in either phase.
    pub const ZERO: Self = Self(0);

    /// A middlegame and an ending part; every sum must stay within 16 bits each.
    pub const fn new(middlegame: i32, ending: i32) -> Self {
        Self((ending << 16).wrapping_add(middlegame))
    }

    /// The middlegame part.
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The ending part.
    pub const fn ending(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }

    /// Blends the parts: `phase` of `phase_max` counts as middlegame.
    pub const fn blend(self, phase: i32, phase_max: i32) -> i32 {
        (self.middlegame() * phase + self.ending() * (phase_max - phase)) / phase_max
    }
}

impl Add for Tapered {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for Tapered {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Tapered {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;
    fn mul(self, factor: i32) -> Self {
        Self(self.0.wrapping_mul(factor))
    }
}

#[cfg(test)]
mod tests {
    use super::Tapered;

    #[test]
    fn halves_do_not_disturb_each_other() {
        for (a, b, c, d) in [(5, -7, -3, 2), (-1, -1, 1, 1), (300, -400, -301, 399)] {
            let sum = Tapered::new(a, b) + Tapered::new(c, d) * 3 - Tapered::new(d, a);
            assert_eq!(
                (sum.middlegame(), sum.ending()),
                (a + 3 * c - d, b + 3 * d - a)
            );
            assert_eq!(
                ((-sum).middlegame(), (-sum).ending()),
                (-sum.middlegame(), -sum.ending())
            );
        }
        assert_eq!(Tapered::new(100, -20).blend(6, 24), 10);
    }
}
