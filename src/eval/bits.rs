//! Directions of a side and fills along them.

use shakmaty::{Bitboard, Color, Rank, Square};

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// One rank ahead, as `color` sees it.
pub fn ahead(color: Color, squares: Bitboard) -> Bitboard {
    if color == Color::White {
        Bitboard(squares.0 << 8)
    } else {
        Bitboard(squares.0 >> 8)
    }
}

/// The files left and right of `squares`, same rank.
pub fn beside(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & !FILE_H) << 1 | (squares.0 & !FILE_A) >> 1)
}

/// All squares attacked by pawns of `color`.
pub fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    beside(ahead(color, pawns))
}

/// Squares attacked by two pawns of `color`.
pub fn pawn_attacks_twice(color: Color, pawns: Bitboard) -> Bitboard {
    let step = ahead(color, pawns).0;
    Bitboard((step & !FILE_H) << 1 & (step & !FILE_A) >> 1)
}

/// `squares` and everything ahead of them on their files.
pub fn fill_ahead(color: Color, squares: Bitboard) -> Bitboard {
    let mut fill = squares.0;
    if color == Color::White {
        fill |= fill << 8;
        fill |= fill << 16;
        fill |= fill << 32;
    } else {
        fill |= fill >> 8;
        fill |= fill >> 16;
        fill |= fill >> 32;
    }
    Bitboard(fill)
}

/// The whole files of `squares`.
pub fn fill_files(squares: Bitboard) -> Bitboard {
    fill_ahead(Color::White, squares) | fill_ahead(Color::Black, squares)
}

/// The rank of `square` counted from `color`'s own first rank, 0 to 7.
pub fn rank_of(color: Color, square: Square) -> usize {
    let rank = square.rank() as usize;
    if color == Color::White {
        rank
    } else {
        7 - rank
    }
}

/// The rank that `color` counts as `rank`.
pub fn rank(color: Color, rank: Rank) -> Bitboard {
    Bitboard::from_rank(color.relative_rank(rank))
}
