//! Input features of the network: men on squares, from the view of each side, and the weight sets they choose.

use shakmaty::{Bitboard, Board, Color, Piece, Square};

/// Inputs of one side with one king bucket: two colours of six roles on 64 squares.
pub const FEATURES: usize = 768;

/// Sets of output weights, chosen by the number of men.
pub const OUTPUT_BUCKETS: usize = 8;

/// The king buckets of the shapes there are, by the king's square as its side sees it: on files a to d, home rank
/// first.
const KING_BUCKETS: [(usize, [[u8; 4]; 8]); 2] = [
    (1, [[0; 4]; 8]),
    (4, {
        let mut buckets = [[3; 4]; 8];
        buckets[0] = [0, 0, 1, 1];
        buckets[1] = [2; 4];
        buckets
    }),
];

/// Whether there is a shape with so many king buckets.
pub fn is_king_bucket_count(count: usize) -> bool {
    KING_BUCKETS.iter().any(|(known, _)| *known == count)
}

/// The king bucket of a king on `king`, a square as [`View`] turns it, of a network with `count` of them.
pub fn king_bucket(count: usize, king: Square) -> usize {
    let (_, buckets) = KING_BUCKETS
        .iter()
        .find(|(known, _)| *known == count)
        .expect("the shape was checked when the network was read");
    usize::from(buckets[king.rank() as usize][king.file() as usize])
}

/// The output weights for a board with so many men, kings included (2 to 32).
pub fn output_bucket(men: usize) -> usize {
    (men - 2) / 4
}

/// One side's view of the board: its own home rank below, its own king on files a to d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The side.
    pub perspective: Color,
    /// The mask that turns a square into the one seen, by exclusive or.
    turn: u8,
    /// The king bucket.
    bucket: u8,
}

impl View {
    /// The view of `perspective` with its king on `king`, in a network with so many king buckets.
    pub fn new(king_buckets: usize, perspective: Color, king: Square) -> Self {
        let flip = perspective.fold_wb(0, 56);
        let mirror = if king.file() as u8 >= 4 { 7 } else { 0 };
        let turn = flip ^ mirror;
        let bucket = king_bucket(king_buckets, turned(king, turn)) as u8;
        Self {
            perspective,
            turn,
            bucket,
        }
    }

    /// The input that stands for `piece` on `square`: bucket, own before other colour, role, square as seen.
    pub fn feature(self, piece: Piece, square: Square) -> usize {
        let is_other = usize::from(piece.color != self.perspective);
        self.input(is_other, piece.role as usize - 1, square)
    }

    /// The input that stands for the man on `square`, which is not empty. Which man that is cannot be foreseen, so it
    /// is computed without branches.
    #[inline]
    pub fn feature_on(self, board: &Board, square: Square) -> usize {
        let on = |men: Bitboard| (u64::from(men) >> square as u32 & 1) as usize;
        let officers = [
            board.knights(),
            board.bishops(),
            board.rooks(),
            board.queens(),
            board.kings(),
        ];
        let role: usize = officers
            .into_iter()
            .zip(1..)
            .map(|(men, role)| role * on(men))
            .sum();
        self.input(on(board.by_color(!self.perspective)), role, square)
    }

    #[inline]
    fn input(self, is_other: usize, role: usize, square: Square) -> usize {
        let seen = turned(square, self.turn) as usize;
        usize::from(self.bucket) * FEATURES + is_other * (FEATURES / 2) + role * 64 + seen
    }

    /// Its number among all views of a network with `king_buckets`; below [`View::count`].
    pub fn index(self, king_buckets: usize) -> usize {
        let side = self.perspective.fold_wb(0, 2) + usize::from(self.turn & 7 != 0);
        side * king_buckets + usize::from(self.bucket)
    }

    /// Number of views: of two sides, mirrored or not, for each king bucket.
    pub const fn count(king_buckets: usize) -> usize {
        4 * king_buckets
    }
}

/// The square with its file or rank or both reversed.
fn turned(square: Square, turn: u8) -> Square {
    Square::new(square as u32 ^ u32::from(turn))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Role;
    use std::collections::BTreeSet;

    #[test]
    fn the_king_is_seen_on_the_left_of_its_home() {
        let pawn = Role::Pawn.of(Color::White);
        let king = |square, color| View::new(4, color, square);
        assert_eq!(king(Square::A1, Color::White).feature(pawn, Square::B2), 9);
        let mirrored = king(Square::H1, Color::White);
        assert_eq!(mirrored.feature(pawn, Square::G2), 9);
        assert_eq!(
            mirrored.feature(Role::King.of(Color::Black), Square::H8),
            384 + 5 * 64 + 56
        );
        let black = king(Square::H8, Color::Black);
        assert_eq!(black.feature(Role::Pawn.of(Color::Black), Square::G7), 9);
        let far = king(Square::E5, Color::Black);
        assert_eq!(far.feature(pawn, Square::E5), 3 * 768 + 384 + 27);
    }

    #[test]
    fn buckets_are_by_the_kings_home() {
        let bucket = |square| king_bucket(4, square);
        let squares = [Square::B1, Square::C1, Square::A2, Square::D3];
        assert_eq!(squares.map(bucket), [0, 1, 2, 3]);
        assert_eq!(king_bucket(1, Square::D8), 0);
        assert_eq!([2, 5, 6, 32].map(output_bucket), [0, 0, 1, 7]);
    }

    #[test]
    fn no_two_men_or_views_are_taken_for_each_other() {
        for count in [1, 4] {
            let views = |color| Square::ALL.map(|king| View::new(count, color, king));
            let all = [Color::White, Color::Black].map(views).concat();
            let indices: BTreeSet<usize> = all.iter().map(|view| view.index(count)).collect();
            assert!(indices.into_iter().eq(0..View::count(count)));
            let features = all[0..1].iter().flat_map(|view| {
                let pieces = Color::ALL
                    .into_iter()
                    .flat_map(|color| Role::ALL.map(|role| role.of(color)));
                pieces.flat_map(|piece| Square::ALL.map(|square| view.feature(piece, square)))
            });
            assert_eq!(features.collect::<BTreeSet<_>>().len(), FEATURES);
        }
    }
}
