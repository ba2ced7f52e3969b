//! Indices of chess placements, with mirror images counted once.
//!
//! ```text
//! index = (number of the kings * white placements + white placement) * black placements + black placement
//! ```
//! Equal men form a group, whose squares are a combination, so that their order does not matter. Other men are
//! numbered by square, pawns without the first and last rank. The squares of Black, the weaker side, vary fastest.

use super::kings::{DIAGONAL, Kings, Symmetry, image, on_diagonal};
use super::material::{MEN_MAX, Material};
use shakmaty::{Bitboard, Color, Piece, Role, Square};

const DIAGONAL_SQUARES: Bitboard = Bitboard(0x8040_2010_0804_0201);
const OTHER_DIAGONAL_SQUARES: Bitboard = Bitboard(0x0102_0408_1020_4080);

/// The squares of all men: White's king, Black's king, then the others in the order of [`Material::men`]; the rest
/// is unused.
pub type Squares = [Square; MEN_MAX];

/// A divisor for division by one multiplication. The quotient is the upper half of the dividend times the
/// reciprocal in units of 2^-64, rounded up. This is exact for all 32-bit numbers (Lemire, Kaser, Kurz 2019).
#[derive(Clone, Copy, Debug)]
struct Divisor {
    by: u32,
    /// 0 for division by 1, whose reciprocal does not fit.
    reciprocal: u64,
}

impl Divisor {
    const fn new(by: u32) -> Self {
        Self {
            by,
            reciprocal: (u64::MAX / by as u64).wrapping_add(1),
        }
    }

    #[inline]
    const fn divide(self, number: u32) -> (u32, u32) {
        if self.reciprocal == 0 {
            return (number, 0);
        }
        let quotient = ((self.reciprocal as u128 * number as u128) >> 64) as u32;
        (quotient, number - quotient * self.by)
    }
}

#[derive(Clone, Debug)]
struct Group {
    /// The first of their slots in [`Squares`].
    slot: usize,
    count: usize,
    /// The offset subtracted from squares: 8 for pawns, whose first square is a2.
    first_square: u32,
    /// The index increment of one step of the group's number.
    stride: u32,
    by_stride: Divisor,
    /// All combinations in order, for groups of at least two men.
    combinations: Vec<[u8; 3]>,
}

impl Group {
    fn new(slot: usize, count: usize, man: Piece, stride: u32) -> Self {
        let pawn = man.role == Role::Pawn;
        let first_square = if pawn { 8 } else { 0 };
        let combinations = if count > 1 {
            combinations(if pawn { 48 } else { 64 }, count)
        } else {
            Vec::new()
        };
        Self {
            slot,
            count,
            first_square,
            stride,
            by_stride: Divisor::new(stride),
            combinations,
        }
    }

    fn numbers(&self) -> u32 {
        if self.count > 1 {
            self.combinations.len() as u32
        } else {
            64 - 2 * self.first_square
        }
    }

    /// The number of the group's squares after `symmetry`; the squares are in any order and different.
    #[inline]
    fn number(&self, squares: Squares, symmetry: Symmetry) -> u32 {
        let at =
            |man: usize| image(symmetry, squares[self.slot + man]).to_u32() - self.first_square;
        match self.count {
            1 => at(0),
            2 => pair_number(at(0), at(1)),
            _ => {
                let mut men = [at(0), at(1), at(2)];
                men.sort_unstable();
                let [a, b, c] = men;
                c * (c - 1) * (c - 2) / 6 + pair_number(a, b)
            }
        }
    }

    /// [`Group::number`] after the man in `slot`, one of several, has moved to `to`.
    #[inline]
    fn number_after(&self, squares: Squares, slot: usize, to: Square) -> u32 {
        if self.count == 2 {
            let other = squares[2 * self.slot + 1 - slot];
            return pair_number(
                to.to_u32() - self.first_square,
                other.to_u32() - self.first_square,
            );
        }
        let mut after = squares;
        after[slot] = to;
        self.number(after, 0)
    }

    #[inline]
    fn place(&self, number: u32, squares: &mut Squares) {
        if self.count == 1 {
            squares[self.slot] = Square::new(number + self.first_square);
            return;
        }
        for man in 0..self.count {
            let square = self.combinations[number as usize][man];
            squares[self.slot + man] = Square::new(u32::from(square) + self.first_square);
        }
    }
}

/// The number of a pair of different squares, in any order.
#[inline]
const fn pair_number(a: u32, b: u32) -> u32 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high * high.wrapping_sub(1) / 2 + low
}

/// Lists the ascending `count`-subsets of `0..squares`, ordered by their greatest member, then the next.
fn combinations(squares: u8, count: usize) -> Vec<[u8; 3]> {
    assert!((2..=3).contains(&count));
    let mut all = Vec::new();
    for c in 0..squares {
        for b in 0..c {
            if count == 2 {
                all.push([b, c, 0]);
                continue;
            }
            all.extend((0..b).map(|a| [a, b, c]));
        }
    }
    all
}

/// The index scheme of one class.
#[derive(Clone)]
pub struct Indexing {
    kings: &'static Kings,
    pawns: bool,
    groups: Vec<Group>,
    /// The group of each slot, without the kings.
    group_of: [usize; MEN_MAX],
    /// The index increment of one step of the kings' number.
    stride: u32,
    by_stride: Divisor,
    size: u32,
}

impl Indexing {
    /// Creates the scheme for `material`.
    pub fn new(material: Material) -> Self {
        let men = material.men();
        let pawns = material.has_pawns();
        let kings = if pawns {
            Kings::with_pawns()
        } else {
            Kings::without_pawns()
        };
        let mut groups: Vec<Group> = Vec::new();
        let mut group_of = [0; MEN_MAX];
        let mut stride = 1;
        for chunk in men.chunk_by(|a, b| a == b).rev() {
            let end = groups.last().map_or(men.len() + 2, |group| group.slot);
            let slot = end - chunk.len();
            let group = Group::new(slot, chunk.len(), chunk[0], stride);
            stride *= group.numbers();
            group_of[slot..end].fill(groups.len());
            groups.push(group);
        }
        Self {
            kings,
            pawns,
            groups,
            group_of,
            stride,
            by_stride: Divisor::new(stride),
            size: stride * kings.count(),
        }
    }

    /// The placements of the kings.
    pub const fn kings(&self) -> &'static Kings {
        self.kings
    }

    /// The number of indices, some of which are unused.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// Returns the placement of an index, which may be impossible (two men on a square).
    #[inline]
    pub fn place(&self, index: u32) -> Squares {
        let (kings, mut rest) = self.by_stride.divide(index);
        let [white, black] = self.kings.placement(kings);
        let mut squares = [white, black, Square::A1, Square::A1, Square::A1];
        for group in self.groups.iter().rev() {
            let (number, below) = group.by_stride.divide(rest);
            group.place(number, &mut squares);
            rest = below;
        }
        squares
    }

    /// Returns the index of a possible placement without touching kings, the same for all mirror images.
    #[inline]
    pub fn index(&self, squares: Squares) -> u32 {
        let (number, symmetry) = self.kings.number(squares[0], squares[1]);
        let index = number * self.stride + self.men_index(squares, symmetry);
        if self.is_ambiguous(image(symmetry, squares[0]), image(symmetry, squares[1])) {
            return index.min(number * self.stride + self.men_index(squares, symmetry ^ DIAGONAL));
        }
        index
    }

    /// Returns [`Indexing::index`], and the image of `square` in the canonical placement.
    pub fn index_and_image(&self, squares: Squares, square: Square) -> (u32, Square) {
        let (_, symmetry) = self.kings.number(squares[0], squares[1]);
        (self.index(squares), image(symmetry, square))
    }

    #[inline]
    fn men_index(&self, squares: Squares, symmetry: Symmetry) -> u32 {
        let mut index = 0;
        for group in &self.groups {
            index += group.number(squares, symmetry) * group.stride;
        }
        index
    }

    /// Whether mirroring at the diagonal leaves these kings, already in a numbered placement, in place.
    #[inline]
    pub fn is_ambiguous(&self, white: Square, black: Square) -> bool {
        !self.pawns && on_diagonal(white) && on_diagonal(black)
    }

    /// Whether two moves (or unmoves) from this placement might lead to mirror images of each other. The kings
    /// must be in a numbered placement; `men` is the number of men. This requires one of:
    /// - both kings on a diagonal: one man, or two equal ones, can go to two squares that are mirror images;
    /// - one king on the diagonal, the other beside it and free to cross, and at most one other man off it: the
    ///   king crosses, or that man goes to its own mirror image.
    #[inline]
    pub fn may_repeat(&self, squares: Squares, men: usize) -> bool {
        !self.pawns && may_repeat_without_pawns(squares, men)
    }

    /// Whether `index`, of the placement `squares`, is the canonical one among its mirror images.
    #[inline]
    pub fn is_canonical(&self, index: u32, squares: Squares) -> bool {
        !self.is_ambiguous(squares[0], squares[1]) || self.index(squares) == index
    }

    /// The number of different mirror images of a placement.
    pub fn images(&self, squares: Squares) -> u64 {
        if self.pawns {
            return 2;
        }
        let (_, symmetry) = self.kings.number(squares[0], squares[1]);
        let [white, black] = [squares[0], squares[1]].map(|square| image(symmetry, square));
        let alike =
            || self.men_index(squares, symmetry) == self.men_index(squares, symmetry ^ DIAGONAL);
        if self.is_ambiguous(white, black) && alike() {
            4
        } else {
            8
        }
    }

    /// Appends `start` plus the index after the man in `slot` moves, for each of `targets`. `index` is that of
    /// `squares`, whose kings are in a numbered placement.
    #[inline]
    pub fn extend_after(
        &self,
        index: u32,
        squares: Squares,
        slot: usize,
        targets: Bitboard,
        start: u32,
        list: &mut Vec<u32>,
    ) {
        if self.is_ambiguous(squares[0], squares[1]) {
            list.extend(targets.into_iter().map(|to| {
                let mut after = squares;
                after[slot] = to;
                start + self.index(after)
            }));
        } else if slot < 2 {
            let (_, men) = self.by_stride.divide(index);
            list.extend(
                targets
                    .into_iter()
                    .map(|to| start + self.index_after_king(men, squares, slot, to)),
            );
        } else {
            let group = &self.groups[self.group_of[slot]];
            if group.count == 1 {
                let base = (start + index).wrapping_sub(squares[slot].to_u32() * group.stride);
                let after = |to: Square| base.wrapping_add(to.to_u32() * group.stride);
                list.extend(targets.into_iter().map(after));
                return;
            }
            let base = start + index - group.number(squares, 0) * group.stride;
            list.extend(
                targets
                    .into_iter()
                    .map(|to| base + group.number_after(squares, slot, to) * group.stride),
            );
        }
    }

    /// Returns the index after a king move; `men` is the index of the other men.
    #[inline]
    fn index_after_king(&self, men: u32, squares: Squares, slot: usize, to: Square) -> u32 {
        let mut after = squares;
        after[slot] = to;
        let (number, symmetry) = self.kings.number(after[0], after[1]);
        // Most king moves leave the other men unchanged.
        if symmetry == 0 && !self.is_ambiguous(after[0], after[1]) {
            return number * self.stride + men;
        }
        self.index(after)
    }
}

fn may_repeat_without_pawns(squares: Squares, men: usize) -> bool {
    let [white, black, ..] = squares;
    let beside = |square: Square| square.file().distance(square.rank().flip_diagonal()) == 1;
    let axis = match (on_diagonal(white), on_diagonal(black)) {
        (true, true) => return true,
        (true, false) if beside(black) => DIAGONAL_SQUARES,
        (false, true) if beside(white) => DIAGONAL_SQUARES,
        // A numbered white king is never on the other diagonal, and beside it only on d4.
        _ if white == Square::D4 => OTHER_DIAGONAL_SQUARES,
        _ => return false,
    };
    let off = |square: Square| usize::from(!axis.contains(square));
    let kings_fit = axis == DIAGONAL_SQUARES || axis.contains(black);
    kings_fit
        && squares[2..men]
            .iter()
            .map(|&square| off(square))
            .sum::<usize>()
            <= 1
}

/// The side to move in the first or second half of a table.
pub const fn side_color(side: usize) -> Color {
    if side == 0 {
        Color::White
    } else {
        Color::Black
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indexing(name: &str) -> Indexing {
        Indexing::new(Material::parse(name).unwrap())
    }

    #[test]
    fn multiplying_divides() {
        let numbers = [
            0,
            1,
            2,
            47,
            48,
            63,
            64,
            2015,
            2016,
            4095,
            u32::MAX - 1,
            u32::MAX,
        ];
        for by in [
            1,
            2,
            3,
            48,
            64,
            1128,
            2016,
            3072,
            4096,
            129_024,
            41_664,
            u32::MAX,
        ] {
            let multiples = numbers.map(|number: u32| number.wrapping_mul(by));
            let below = multiples.map(|number| number.wrapping_sub(1));
            for number in [numbers, multiples, below].concat() {
                assert_eq!(Divisor::new(by).divide(number), (number / by, number % by));
            }
        }
    }

    #[test]
    fn sizes_are_as_computed_by_hand() {
        assert_eq!(indexing("KQvK").size(), 462 * 64);
        assert_eq!(indexing("KRvKN").size(), 462 * 64 * 64);
        assert_eq!(indexing("KBBvK").size(), 462 * 2016);
        assert_eq!(indexing("KPvKP").size(), 1806 * 48 * 48);
        assert_eq!(indexing("KPPvK").size(), 1806 * 1128);
        assert_eq!(indexing("KQQQvK").size(), 462 * 41664);
    }

    #[test]
    fn index_and_placement_are_inverse() {
        for name in [
            "KQvK", "KPvK", "KBBvK", "KRvKN", "KPPvK", "KPvKP", "KNNNvK", "KPPPvK", "KBBvKN",
        ] {
            let scheme = indexing(name);
            for index in (0..scheme.size()).step_by(1 + scheme.size() as usize / 200_000) {
                let squares = scheme.place(index);
                let other = scheme.index(squares);
                assert!(
                    other == index || (!scheme.is_canonical(index, squares) && other < index),
                    "{name} {index}"
                );
            }
        }
    }

    #[test]
    fn mirror_images_have_one_index() {
        for (name, symmetries) in [("KBBvK", 8), ("KRvKN", 8), ("KPvKP", 2)] {
            let scheme = indexing(name);
            for index in (0..scheme.size()).step_by(997) {
                let squares = scheme.place(index);
                let first = scheme.index(squares);
                for symmetry in 0..symmetries {
                    assert_eq!(
                        scheme.index(squares.map(|square| image(symmetry, square))),
                        first
                    );
                }
            }
        }
    }
}
