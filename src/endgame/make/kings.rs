//! Symmetries of the board, and the placements of two kings with mirror images counted once.

use shakmaty::{Square, attacks};
use std::sync::OnceLock;

/// One of the eight symmetries of the board: bit 0 exchanges left and right, bit 1 top and bottom, bit 2 then
/// mirrors at the diagonal a1-h8.
pub type Symmetry = u8;

/// The mirror at the diagonal a1-h8; combines with others by XOR.
pub const DIAGONAL: Symmetry = 4;

const IMAGES: [[u8; 64]; 8] = images();

const fn images() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut square = 0;
        while square < 64 {
            let flipped = square
                ^ (if symmetry & 1 > 0 { 7 } else { 0 })
                ^ (if symmetry & 2 > 0 { 56 } else { 0 });
            table[symmetry][square] = if symmetry & 4 > 0 {
                flipped % 8 * 8 + flipped / 8
            } else {
                flipped
            } as u8;
            square += 1;
        }
        symmetry += 1;
    }
    table
}

/// Returns the inverse: a flip after the diagonal mirror is the other flip before it.
const fn inverse(symmetry: Symmetry) -> Symmetry {
    if symmetry & DIAGONAL > 0 {
        DIAGONAL | (symmetry & 1) << 1 | (symmetry & 2) >> 1
    } else {
        symmetry
    }
}

/// Returns the image of `square` under `symmetry`.
#[inline]
pub fn image(symmetry: Symmetry, square: Square) -> Square {
    Square::new(u32::from(
        IMAGES[usize::from(symmetry & 7)][square.to_usize()],
    ))
}

/// Whether `square` lies on the diagonal a1-h8.
#[inline]
pub fn on_diagonal(square: Square) -> bool {
    square.to_u32().is_multiple_of(9)
}

/// The placements of two kings that do not touch, White's first, one for each set of mirror images.
pub struct Kings {
    /// The number of the placement and the symmetry that leads to it, by 64 times White's square plus Black's.
    numbers: Vec<(u16, Symmetry)>,
    placements: Vec<[Square; 2]>,
}

/// The placement number of kings that touch or share a square.
const TOUCHING: u16 = u16::MAX;

impl Kings {
    /// Without pawns: all eight symmetries, 462 placements. White's king is in the triangle a1-d1-d4 and, if on
    /// the diagonal, Black's is not above it. With both on the diagonal its mirror stays undecided.
    pub fn without_pawns() -> &'static Self {
        static KINGS: OnceLock<Kings> = OnceLock::new();
        KINGS.get_or_init(|| Self::build(8))
    }

    /// With pawns: only left and right, 1806 placements, the white king on the files a to d.
    pub fn with_pawns() -> &'static Self {
        static KINGS: OnceLock<Kings> = OnceLock::new();
        KINGS.get_or_init(|| Self::build(2))
    }

    fn build(symmetries: Symmetry) -> Self {
        let mut kings = Self {
            numbers: vec![(TOUCHING, 0); 64 * 64],
            placements: Vec::new(),
        };
        for white in Square::ALL {
            for black in Square::ALL {
                let touching = white == black || attacks::king_attacks(white).contains(black);
                if !touching && is_first(symmetries, white, black) {
                    kings.placements.push([white, black]);
                }
            }
        }
        for (number, &[white, black]) in kings.placements.iter().enumerate() {
            for symmetry in (0..symmetries).rev() {
                let at = image(symmetry, white).to_usize() * 64 + image(symmetry, black).to_usize();
                kings.numbers[at] = (number as u16, inverse(symmetry));
            }
        }
        kings
    }

    /// The number of placements.
    pub fn count(&self) -> u32 {
        self.placements.len() as u32
    }

    /// The placement with this number.
    #[inline]
    pub fn placement(&self, number: u32) -> [Square; 2] {
        self.placements[number as usize]
    }

    /// Returns the number of the canonical placement of two kings, and its symmetry; the kings must not touch.
    #[inline]
    pub fn number(&self, white: Square, black: Square) -> (u32, Symmetry) {
        let (number, symmetry) = self.numbers[white.to_usize() * 64 + black.to_usize()];
        debug_assert!(number != TOUCHING, "kings touch");
        (u32::from(number), symmetry)
    }
}

/// Whether the placement is the canonical one of its mirror images.
fn is_first(symmetries: Symmetry, white: Square, black: Square) -> bool {
    let (file, rank) = (white.file().to_u32(), white.rank().to_u32());
    let above = |square: Square| square.rank().to_u32() > square.file().to_u32();
    if symmetries == 2 {
        return file < 4;
    }
    file < 4 && rank < 4 && !above(white) && !(on_diagonal(white) && above(black))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_kings_reaches_its_placement() {
        for (kings, count) in [(Kings::without_pawns(), 462), (Kings::with_pawns(), 1806)] {
            assert_eq!(kings.count(), count);
            for white in Square::ALL {
                for black in Square::ALL {
                    if kings.numbers[white.to_usize() * 64 + black.to_usize()].0 == TOUCHING {
                        assert!(white.distance(black) <= 1);
                        continue;
                    }
                    let (number, symmetry) = kings.number(white, black);
                    assert_eq!(
                        kings.placement(number),
                        [image(symmetry, white), image(symmetry, black)]
                    );
                }
            }
        }
    }
}
