//! The arithmetic of the layers: for the hidden units loops of fixed length over aligned vectors, which compilers turn
//! into vector code; for the small layers above vectors of the crate `wide`.

use std::array::from_fn;

use bytemuck::cast;
use wide::{i16x16, i32x8};

use super::file::HIDDEN_ONE;

/// Numbers in a vector.
pub(super) const LANES: usize = 32;

/// A cache line of 16-bit numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Lanes(pub(super) [i16; LANES]);

/// These numbers in vectors; the last one is filled with zeros, which change no sum.
pub(super) fn vectors(numbers: &[i16]) -> impl Iterator<Item = Lanes> {
    numbers.chunks(LANES).map(|chunk| {
        let mut lanes = [0; LANES];
        lanes[..chunk.len()].copy_from_slice(chunk);
        Lanes(lanes)
    })
}

/// `target` becomes `source` with some rows added and some taken away, in one pass.
///
/// Sums wrap on the way and are right at the end, for the last one fits: [`super::file::NetworkParameters::check`].
#[inline]
pub(super) fn fused<const ADDED: usize, const REMOVED: usize>(
    target: &mut [Lanes],
    source: &[Lanes],
    added: [&[Lanes]; ADDED],
    removed: [&[Lanes]; REMOVED],
) {
    let length = target.len();
    let source = &source[..length];
    let added = added.map(|row| &row[..length]);
    let removed = removed.map(|row| &row[..length]);
    for at in 0..length {
        let mut sum = source[at].0;
        for row in added {
            sum = add(sum, &row[at].0);
        }
        for row in removed {
            sum = subtract(sum, &row[at].0);
        }
        target[at].0 = sum;
    }
}

/// The sum as a number of its own: where it stands among others compilers make it without vectors.
#[inline]
fn add(mut sum: [i16; LANES], row: &[i16; LANES]) -> [i16; LANES] {
    for (sum, weight) in sum.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
    sum
}

/// The same for the difference.
#[inline]
fn subtract(mut sum: [i16; LANES], row: &[i16; LANES]) -> [i16; LANES] {
    for (sum, weight) in sum.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(*weight);
    }
    sum
}

/// Adds and takes away rows where they stand, any number of them.
pub(super) fn adjust<'a>(
    target: &mut [Lanes],
    added: impl Iterator<Item = &'a [Lanes]>,
    removed: impl Iterator<Item = &'a [Lanes]>,
) {
    for row in added {
        for (sum, row) in target.iter_mut().zip(row) {
            sum.0 = add(sum.0, &row.0);
        }
    }
    for row in removed {
        for (sum, row) in target.iter_mut().zip(row) {
            sum.0 = subtract(sum.0, &row.0);
        }
    }
}

/// Two neighbours, which the processor multiplies and adds in one go.
pub(super) type Pair = [i16; 2];

/// Hidden units, each clipped to 0..=[`HIDDEN_ONE`] and squared, the upper 8 bits of the 16 kept.
#[inline]
pub(super) fn square(squares: &mut [Pair], units: &[Lanes]) {
    let squares = squares.as_flattened_mut().chunks_mut(LANES);
    for (squares, units) in squares.zip(units) {
        for (square, &unit) in squares.iter_mut().zip(&units.0) {
            let clipped = unit.clamp(0, HIDDEN_ONE as i16) as u16;
            *square = ((clipped * clipped) >> 8) as i16;
        }
    }
}

/// A small layer, `8 * EIGHTS` units, laid out for the instruction that multiplies and adds pairs: no sum over a
/// vector is needed.
#[derive(Debug)]
pub(super) struct Dense<const EIGHTS: usize> {
    /// For each pair of units below, the weights of both in each unit.
    weights: Vec<[i16x16; EIGHTS]>,
    biases: [i32x8; EIGHTS],
}

impl<const EIGHTS: usize> Dense<EIGHTS> {
    /// From a row of weights for each unit, one after the other, and a bias for each.
    pub(super) fn new(weights: &[i16], biases: &[i32]) -> Self {
        let below = weights.len() / biases.len();
        let pairs = (0..below).step_by(2).map(|pair| {
            from_fn(|eight| {
                let weight = |at: usize| weights[(8 * eight + at / 2) * below + pair + at % 2];
                i16x16::new(from_fn(weight))
            })
        });
        Self {
            weights: pairs.collect(),
            biases: from_fn(|eight| i32x8::new(from_fn(|at| biases[8 * eight + at]))),
        }
    }

    /// The sums of the units over these below. They fit: [`super::file::WEIGHT_MAX`].
    #[inline]
    pub(super) fn sums(&self, below: &[Pair]) -> [[i32; 8]; EIGHTS] {
        let mut sums = self.biases;
        for (&pair, weights) in below.iter().zip(&self.weights) {
            let pair: i16x16 = cast(i32x8::splat(cast(pair)));
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum += weights.dot(pair);
            }
        }
        sums.map(i32x8::to_array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::file::{BIAS_MAX, WEIGHT_MAX};
    use crate::game::SplitMix64;

    #[test]
    fn sums_are_exact_at_their_limits() {
        let mut rng = SplitMix64::new(3);
        let mut unit = || [i16::MIN, -1, 0, 1, 254, 255, 256, i16::MAX][rng.below(8) as usize];
        let units: Vec<i16> = (0..2_048).map(|_| unit()).collect();
        let mut squares = vec![[7, 7]; 1_024];
        square(&mut squares, &vectors(&units).collect::<Vec<_>>());
        let exact = |&unit: &i16| i32::from(unit.clamp(0, 255)).pow(2) / 256;
        for weight in [-WEIGHT_MAX, WEIGHT_MAX] {
            let layer = Dense::<1>::new(&vec![weight; 8 * 2_048], &[-BIAS_MAX; 8]);
            let sum = units.iter().map(exact).sum::<i32>() * i32::from(weight) - BIAS_MAX;
            assert_eq!(layer.sums(&squares), [[sum; 8]]);
            let most = 2_048 * 254 * i32::from(weight) - BIAS_MAX;
            assert_eq!(layer.sums(&[[254; 2]; 1_024]), [[most; 8]]);
        }
    }

    #[test]
    fn each_unit_has_its_own_weights() {
        let below = [3, 0, -1, 7];
        let weights: Vec<i16> = (0..16 * 4).map(|at| at * at % 23 - 9).collect();
        let biases: Vec<i32> = (100..116).collect();
        let sums = Dense::<2>::new(&weights, &biases).sums(below.as_chunks().0);
        let rows = weights.chunks_exact(4).zip(&biases);
        let exact = rows.map(|(row, bias)| {
            let products = row.iter().zip(below).map(|(weight, unit)| weight * unit);
            bias + i32::from(products.sum::<i16>())
        });
        assert!(exact.eq(sums.into_iter().flatten()));
    }

    #[test]
    fn rows_can_be_added_in_one_pass_or_one_by_one() {
        let row = |number: i16| vectors(&[number; 48]).collect::<Vec<Lanes>>();
        let (source, one, two, four) = (row(30_000), row(2_000), row(1_000), row(400));
        let mut target = row(0);
        fused(&mut target, &source, [&one, &two], [&four]);
        assert_eq!(target[0].0[0], 32_600, "it wraps on the way");
        let mut other = source.clone();
        adjust(
            &mut other,
            [&one[..], &two].into_iter(),
            [&four[..]].into_iter(),
        );
        assert_eq!(other, target);
        assert_eq!(target[1].0[16..], [0; 16], "the rest stays empty");
    }
}
