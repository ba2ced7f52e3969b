//! The indices of positions with three and four men in Gaviota tables.
//!
//! ```text
//! no pawns           kings mirrored by the black one (462), then each man's square, or the number of a pair
//! a pawn             its square on the files a to d (24), then the kings, then the other man
//! two white pawns    the number of their placement (576), then the kings
//! a pawn each        the white one's square (24), the black one's (48), then the kings
//! ```

use shakmaty::{Color, Piece, Role, Square, attacks};

use crate::endgame::make::indexing::Squares;
use crate::endgame::make::kings::{DIAGONAL, Symmetry, image};

/// The symmetry that exchanges left and right.
const SIDEWAYS: Symmetry = 1;
const PAIRS: usize = 64 * 63 / 2;

/// The kinds of endgames, by the men other than kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EndingKind {
    One,
    Twins,
    Two,
    Pawn,
    PawnPair,
    PawnEach,
    /// A piece, and a pawn of this colour in the second slot.
    PieceAndPawn(Color),
}

/// The index scheme of one table.
pub struct GaviotaIndex {
    kind: EndingKind,
    /// Placement numbers after symmetry, by 64 times the black king's square plus the white one's.
    kings: Vec<usize>,
    /// The numbers of the pawn pairs, by 48 times the number of the outer pawn plus that of the other.
    pawn_pairs: Vec<usize>,
}

impl GaviotaIndex {
    /// Creates the scheme for one or two men besides the kings, White being stronger; `None` for any other number.
    pub fn new(men: &[Piece]) -> Option<Self> {
        let kind = match *men {
            [man] if man.role == Role::Pawn => EndingKind::Pawn,
            [_] => EndingKind::One,
            [first, second] => match (first.role, second.role) {
                (Role::Pawn, Role::Pawn) if second.color.is_white() => EndingKind::PawnPair,
                (Role::Pawn, Role::Pawn) => EndingKind::PawnEach,
                (_, Role::Pawn) => EndingKind::PieceAndPawn(second.color),
                _ if first == second => EndingKind::Twins,
                _ => EndingKind::Two,
            },
            _ => return None,
        };
        Some(Self {
            kind,
            kings: number_kings(),
            pawn_pairs: number_pawn_pairs(),
        })
    }

    /// Entries per side to move.
    pub const fn size(&self) -> usize {
        match self.kind {
            EndingKind::One => 462 * 64,
            EndingKind::Twins => 462 * PAIRS,
            EndingKind::Two => 462 * 64 * 64,
            EndingKind::Pawn => 24 * 64 * 64,
            EndingKind::PawnPair => 576 * 64 * 64,
            EndingKind::PawnEach => 24 * 48 * 64 * 64,
            EndingKind::PieceAndPawn(_) => 24 * 64 * 64 * 64,
        }
    }

    /// Returns the entry of a position.
    pub fn entry(&self, squares: Squares) -> usize {
        if matches!(
            self.kind,
            EndingKind::One | EndingKind::Twins | EndingKind::Two
        ) {
            return self.entry_without_pawns(squares);
        }
        let (pawn, other) = match self.kind {
            EndingKind::PieceAndPawn(_) => (squares[3], squares[2]),
            EndingKind::PawnPair => outer_first(squares[2], squares[3]),
            _ => (squares[2], squares[3]),
        };
        let symmetry = if pawn.file().to_u32() > 3 {
            SIDEWAYS
        } else {
            0
        };
        let at = |square| image(symmetry, square).to_usize();
        let (pawn, second) = (image(symmetry, pawn), image(symmetry, other));
        let other = second.to_usize();
        let kings = at(squares[0]) * 64 + at(squares[1]);
        match self.kind {
            EndingKind::PawnPair => {
                let pair = pawn_number(pawn) * 48 + from_the_seventh(second);
                self.pawn_pairs[pair] * 4096 + kings
            }
            EndingKind::PawnEach => (pawn_number(pawn) * 48 + other - 8) * 4096 + kings,
            EndingKind::PieceAndPawn(Color::White) => {
                (pawn_number(pawn) * 4096 + kings) * 64 + other
            }
            // A black pawn is counted from its own side of the board.
            EndingKind::PieceAndPawn(Color::Black) => {
                (pawn_number(pawn.flip_vertical()) * 4096 + kings) * 64 + other
            }
            _ => pawn_number(pawn) * 4096 + kings,
        }
    }

    fn entry_without_pawns(&self, squares: Squares) -> usize {
        let symmetry = king_symmetry(squares[1], squares[0]);
        let [white, black, first, second, _] =
            squares.map(|square| image(symmetry, square).to_usize());
        let kings = self.kings[black * 64 + white];
        match self.kind {
            EndingKind::One => kings * 64 + first,
            EndingKind::Twins => kings * PAIRS + pair_number(first.min(second), first.max(second)),
            _ => (kings * 64 + first) * 64 + second,
        }
    }
}

/// The number of a pair of squares, ordered by the lower square.
const fn pair_number(low: usize, high: usize) -> usize {
    low * (127 - low) / 2 + high - low - 1
}

/// Returns the symmetry that takes the black king into the triangle a1-d1-d4. If it is then on the diagonal, the
/// white king is not above it.
fn king_symmetry(black: Square, white: Square) -> Symmetry {
    let symmetry = u8::from(black.file().to_u32() > 3) | u8::from(black.rank().to_u32() > 3) << 1;
    // The distance above the diagonal.
    let above = |square| {
        let square = image(symmetry, square);
        square.rank().to_u32() as i32 - square.file().to_u32() as i32
    };
    if above(black) > 0 || (above(black) == 0 && above(white) > 0) {
        symmetry | DIAGONAL
    } else {
        symmetry
    }
}

/// Numbers king placements in order of first occurrence, by the black king's square, then the white one's.
fn number_kings() -> Vec<usize> {
    let mut numbers = vec![usize::MAX; 64 * 64];
    let mut next = 0;
    for black in Square::ALL {
        for white in Square::ALL {
            if white == black || attacks::king_attacks(black).contains(white) {
                continue;
            }
            let symmetry = king_symmetry(black, white);
            let [black, white] = [black, white].map(|square| image(symmetry, square).to_usize());
            if numbers[black * 64 + white] == usize::MAX {
                numbers[black * 64 + white] = next;
                next += 1;
            }
        }
    }
    numbers
}

/// The number of a pawn on the files a to d, from the seventh rank down.
fn pawn_number(pawn: Square) -> usize {
    let square = from_the_seventh(pawn);
    square / 8 * 4 + square % 8
}

/// The number of a pawn, from the seventh rank down.
fn from_the_seventh(pawn: Square) -> usize {
    pawn.flip_vertical().to_usize() - 8
}

/// Orders two pawns: the more advanced first, then the one nearer to the edge, then the lower square.
fn outer_first(first: Square, second: Square) -> (Square, Square) {
    let order = |pawn: Square| {
        let file = pawn.file().to_u32();
        (pawn.rank(), file.max(7 - file), 64 - pawn.to_u32())
    };
    if order(first) > order(second) {
        (first, second)
    } else {
        (second, first)
    }
}

/// Numbers the pawn pairs in order of first occurrence from h7 downwards, the first pawn on the files e to h.
fn number_pawn_pairs() -> Vec<usize> {
    let mut numbers = vec![usize::MAX; 24 * 48];
    let mut next = 0;
    let squares = || (8..56).rev().map(Square::new);
    for first in squares().filter(|first| first.file().to_u32() > 3) {
        for second in squares().filter(|&second| second < first) {
            let (outer, other) = outer_first(first, second);
            let symmetry = if outer.file().to_u32() > 3 {
                SIDEWAYS
            } else {
                0
            };
            let (outer, other) = (image(symmetry, outer), image(symmetry, other));
            let at = pawn_number(outer) * 48 + from_the_seventh(other);
            if numbers[at] == usize::MAX {
                numbers[at] = next;
                next += 1;
            }
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_placements_as_entries() {
        let numbered = |numbers: Vec<usize>| {
            let mut numbers: Vec<_> = numbers.into_iter().filter(|&n| n < usize::MAX).collect();
            numbers.sort_unstable();
            numbers
        };
        assert!(numbered(number_kings()).into_iter().eq(0..462));
        assert!(numbered(number_pawn_pairs()).into_iter().eq(0..576));
        let pairs = (0..64).flat_map(|low| (low + 1..64).map(move |high| pair_number(low, high)));
        assert!(pairs.eq(0..PAIRS));
    }
}
