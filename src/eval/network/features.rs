//! Input features of the network: men on squares, from the point of view of each side, and the output buckets.

use shakmaty::{Bitboard, Board, Color, Piece, Square};

/// Inputs of one side: two colours of six roles on 64 squares.
pub const FEATURES: usize = 768;

/// Number of output buckets, chosen by the number of men.
pub const OUTPUT_BUCKETS: usize = 8;

/// The output bucket for a board with this number of men, kings included (2 to 32).
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
}

impl View {
    /// Number of views: of two sides, mirrored or not.
    pub const COUNT: usize = 4;

    /// The view of `perspective` with its king on `king`.
    pub fn new(perspective: Color, king: Square) -> Self {
        let flip = perspective.fold_wb(0, 56);
        let mirror = if king.file() as u8 >= 4 { 7 } else { 0 };
        Self {
            perspective,
            turn: flip ^ mirror,
        }
    }

    /// The input that stands for `piece` on `square`: own before other colour, role, square as seen.
    pub fn feature(self, piece: Piece, square: Square) -> usize {
        let is_other = usize::from(piece.color != self.perspective);
        self.input(is_other, piece.role as usize - 1, square)
    }

    /// The input for the man on `square`, which is not empty. The man is unpredictable, so it is computed without
    /// branches.
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
        let seen = square as usize ^ usize::from(self.turn);
        is_other * (FEATURES / 2) + role * 64 + seen
    }

    /// Its number among all views; below [`View::COUNT`].
    pub fn index(self) -> usize {
        self.perspective.fold_wb(0, 2) + usize::from(self.turn & 7 != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Role;
    use std::collections::BTreeSet;

    #[test]
    fn the_king_is_seen_on_the_left_of_its_home() {
        let pawn = Role::Pawn.of(Color::White);
        let king = |square, color| View::new(color, square);
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
        assert_eq!(far.feature(pawn, Square::E5), 384 + 27);
    }

    #[test]
    fn output_buckets_are_by_the_number_of_men() {
        assert_eq!([2, 5, 6, 32].map(output_bucket), [0, 0, 1, 7]);
    }

    #[test]
    fn no_two_men_or_views_are_taken_for_each_other() {
        let views = |color| Square::ALL.map(|king| View::new(color, king));
        let all = [Color::White, Color::Black].map(views).concat();
        let indices: BTreeSet<usize> = all.iter().map(|view| view.index()).collect();
        assert!(indices.into_iter().eq(0..View::COUNT));
        let pieces = Color::ALL
            .into_iter()
            .flat_map(|color| Role::ALL.map(|role| role.of(color)));
        let features =
            pieces.flat_map(|piece| Square::ALL.map(|square| all[0].feature(piece, square)));
        assert!(
            features
                .collect::<BTreeSet<_>>()
                .into_iter()
                .eq(0..FEATURES)
        );
    }
}
