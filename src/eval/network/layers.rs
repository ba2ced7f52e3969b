//! The arithmetic of the layers, in loops of fixed length over aligned vectors, which compilers turn into vector code.

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
/// Sums wrap on the way and are right at the end, for the last one fits: [`super::file::Parameters::check`].
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
            add(&mut sum, &row[at].0);
        }
        for row in removed {
            subtract(&mut sum, &row[at].0);
        }
        target[at].0 = sum;
    }
}

#[inline]
fn add(sum: &mut [i16; LANES], row: &[i16; LANES]) {
    for (sum, weight) in sum.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

#[inline]
fn subtract(sum: &mut [i16; LANES], row: &[i16; LANES]) {
    for (sum, weight) in sum.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(*weight);
    }
}

/// Adds and takes away rows where they stand, any number of them.
pub(super) fn adjust<'a>(
    target: &mut [Lanes],
    added: impl Iterator<Item = &'a [Lanes]>,
    removed: impl Iterator<Item = &'a [Lanes]>,
) {
    for row in added {
        for (sum, row) in target.iter_mut().zip(row) {
            add(&mut sum.0, &row.0);
        }
    }
    for row in removed {
        for (sum, row) in target.iter_mut().zip(row) {
            subtract(&mut sum.0, &row.0);
        }
    }
}

/// The sum of the weighted units: each unit clipped to 0..=[`HIDDEN_ONE`] and squared.
pub(super) fn weighted(units: &[Lanes], weights: &[Lanes]) -> i64 {
    let sums = units.iter().zip(weights);
    sums.map(|(units, weights)| i64::from(weighted_lanes(units, weights)))
        .sum()
}

/// The part of one vector: 32 products of less than 2^23.
///
/// A weight has at most 7 bits, so it can be multiplied with the clipped unit in 16 bits. Written as a plain sum, and only so,
/// it becomes the instruction that multiplies and adds pairs.
#[inline]
fn weighted_lanes(units: &Lanes, weights: &Lanes) -> i32 {
    let pairs = units.0.iter().zip(&weights.0);
    let products = pairs.map(|(&unit, &weight)| {
        let clipped = unit.clamp(0, HIDDEN_ONE as i16);
        i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped)
    });
    products.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::SplitMix64;

    #[test]
    fn sums_are_exact_at_their_limits() {
        let mut rng = SplitMix64::new(3);
        let mut unit = || [i16::MIN, -1, 0, 1, 254, 255, 256, i16::MAX][rng.below(8) as usize];
        let units: Vec<i16> = (0..1_024).map(|_| unit()).collect();
        for weight in [-127, 127] {
            let row: Vec<Lanes> = vectors(&[weight; 1_024]).collect();
            let squares = units
                .iter()
                .map(|&unit| i64::from(unit.clamp(0, 255)).pow(2));
            let exact = squares.sum::<i64>() * i64::from(weight);
            let all: Vec<Lanes> = vectors(&units).collect();
            assert_eq!(weighted(&all, &row), exact);
            let full: Vec<Lanes> = vectors(&[i16::MAX; 1_024]).collect();
            assert_eq!(weighted(&full, &row), 1_024 * 255 * 255 * i64::from(weight));
        }
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
