//! Moves of one man from many squares at once; sets of squares are bitboards with a1 as the lowest bit.

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const FILES_AB: u64 = FILE_A | FILE_A << 1;
const FILES_GH: u64 = FILE_H | FILE_H >> 1;

/// A step to higher squares if positive, to lower ones if negative, and the squares it reaches only by crossing
/// the edge.
#[derive(Clone, Copy)]
struct RayStep(i32, u64);

const STRAIGHT: [RayStep; 4] = [
    RayStep(8, 0),
    RayStep(-8, 0),
    RayStep(1, FILE_A),
    RayStep(-1, FILE_H),
];
const DIAGONAL: [RayStep; 4] = [
    RayStep(9, FILE_A),
    RayStep(7, FILE_H),
    RayStep(-7, FILE_A),
    RayStep(-9, FILE_H),
];
const JUMPS: [RayStep; 8] = [
    RayStep(17, FILE_A),
    RayStep(15, FILE_H),
    RayStep(10, FILES_AB),
    RayStep(6, FILES_GH),
    RayStep(-6, FILES_AB),
    RayStep(-10, FILES_GH),
    RayStep(-15, FILE_A),
    RayStep(-17, FILE_H),
];

#[inline]
const fn shift(set: u64, by: i32) -> u64 {
    if by > 0 { set << by } else { set >> -by }
}

/// Returns the squares reached by sliding from `from` over empty squares. Each line doubles the distance covered
/// (Kogge-Stone fill).
#[inline]
fn slide(from: u64, empty: u64, RayStep(by, lost): RayStep) -> u64 {
    let free = empty & !lost;
    let (mut passed, mut way) = (from, free);
    passed |= way & shift(passed, by);
    way &= shift(way, by);
    passed |= way & shift(passed, 2 * by);
    way &= shift(way, 2 * by);
    passed |= way & shift(passed, 4 * by);
    shift(passed, by) & free
}

#[inline]
fn slides(from: u64, empty: u64, steps: [RayStep; 4]) -> u64 {
    steps
        .into_iter()
        .fold(0, |to, step| to | slide(from, empty, step))
}

/// Returns the empty squares that a rook reaches from `from`.
#[inline]
pub fn rook(from: u64, empty: u64) -> u64 {
    slides(from, empty, STRAIGHT)
}

/// Returns the empty squares that a bishop reaches from `from`.
#[inline]
pub fn bishop(from: u64, empty: u64) -> u64 {
    slides(from, empty, DIAGONAL)
}

/// Returns the empty squares that a queen reaches from `from`.
#[inline]
pub fn queen(from: u64, empty: u64) -> u64 {
    rook(from, empty) | bishop(from, empty)
}

/// Returns the empty squares that a knight reaches from `from`.
#[inline]
pub fn knight(from: u64, empty: u64) -> u64 {
    let jump = |to, RayStep(by, lost): RayStep| to | shift(from, by) & !lost;
    JUMPS.into_iter().fold(0, jump) & empty
}

/// Returns the origins of pawns on `from`, where `forward` is a step of their colour, 8 or -8. Pawns on squares of
/// `single` made no double step.
#[inline]
pub fn pawn_origins(from: u64, empty: u64, single: u64, forward: i32) -> u64 {
    let middle = if forward > 0 { 0xFF << 16 } else { 0xFF << 40 };
    let back = shift(from, -forward) & empty;
    let double = shift(from & !single, -forward) & empty & middle;
    back | shift(double, -forward) & empty
}

/// Returns the squares to the left and right of `square`.
#[inline]
pub const fn beside(square: u64) -> u64 {
    (square << 1 & !FILE_A) | (square >> 1 & !FILE_H)
}

/// Exchanges rows and columns: bit c of word r becomes bit r of word c. Blocks of bits off the diagonal change
/// places, the largest first.
pub fn transpose(rows: &mut [u64; 64]) {
    let (mut half, mut low) = (32, u64::MAX >> 32);
    while half > 0 {
        for row in (0..64).filter(|row| row & half == 0) {
            let moved = (rows[row] >> half ^ rows[row + half]) & low;
            rows[row] ^= moved << half;
            rows[row + half] ^= moved;
        }
        half /= 2;
        low ^= low << half;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::SplitMix64;
    use shakmaty::{Bitboard, Color, Role, Square, attacks};

    type ReachFunction = fn(u64, u64) -> u64;

    #[test]
    fn many_squares_reach_what_each_of_them_reaches() {
        let pieces: [(Role, ReachFunction); 4] = [
            (Role::Rook, rook),
            (Role::Bishop, bishop),
            (Role::Queen, queen),
            (Role::Knight, knight),
        ];
        let mut rng = SplitMix64::new(1);
        for _ in 0..2_000 {
            let others = rng.next_u64() & rng.next_u64() & rng.next_u64();
            let from = rng.next_u64() & rng.next_u64() & !others;
            for (role, reach) in pieces {
                let each = Bitboard(from).into_iter().map(|square| {
                    attacks::attacks(square, role.of(Color::White), Bitboard(others))
                });
                let expected = each.fold(Bitboard::EMPTY, |all, one| all | one) & !Bitboard(others);
                assert_eq!(reach(from, !others), expected.0, "{role:?}");
            }
        }
    }

    #[test]
    fn pawns_go_back_one_or_two_steps() {
        let (e2, e3, e4) = (1 << 12, 1 << 20, 1 << 28);
        assert_eq!(pawn_origins(e4, !0, 0, 8), e2 | e3);
        assert_eq!(pawn_origins(e4, !0, e4, 8), e3);
        assert_eq!(pawn_origins(e4, !e3, 0, 8), 0);
        assert_eq!(pawn_origins(e4, !e2, 0, 8), e3);
        assert_eq!(pawn_origins(e3, !0, 0, 8), e2);
        let (e7, e6, e5) = (1 << 52, 1 << 44, 1 << 36);
        assert_eq!(pawn_origins(e5 | e3, !0, 0, -8), e7 | e6 | e4);
    }

    #[test]
    fn rows_become_columns() {
        let mut rng = SplitMix64::new(2);
        let rows: [u64; 64] = std::array::from_fn(|_| rng.next_u64());
        let mut turned = rows;
        transpose(&mut turned);
        for square in 0..64 * 64 {
            let (row, column) = (square / 64, square % 64);
            assert_eq!(turned[column] >> row & 1, rows[row] >> column & 1);
        }
        assert_eq!(beside(1 | 1 << 63), 2 | 1 << 62);
        assert_eq!(Square::B1.to_u32(), 1);
    }
}
