//! Drawish endings: drawn material, fortresses, opposite-coloured bishops.

use shakmaty::{Bitboard, Board, Color, File, Rank, Square, attacks};

use super::exits::exits;

/// Scale of a normal ending; draws have 0.
pub(super) const SCALE_MAX: i32 = 64;

/// Pieces of a side in pawn units (3, 3, 5, 9).
fn pieces(board: &Board, color: Color) -> i32 {
    let own = board.by_color(color);
    let minors = (board.knights() | board.bishops()) & own;
    (3 * minors.count() + 5 * (board.rooks() & own).count() + 9 * (board.queens() & own).count())
        as i32
}

/// Scale factor for an advantage of `strong` in the ending, up to [`SCALE_MAX`].
pub(super) fn scale(board: &Board, strong: Color) -> i32 {
    let pawns = board.pawns() & board.by_color(strong);
    let (ours, theirs) = (pieces(board, strong), pieces(board, !strong));
    if pawns.is_empty() {
        return without_pawns(board, strong, ours, theirs);
    }
    if theirs == 0
        && (is_cornered_fortress(board, strong, pawns)
            || is_blocked_fortress(board, strong, pawns)
            || is_blocked_rook_pawn(board, strong, pawns))
    {
        return 0;
    }
    if (ours, theirs) == (5, 5) && is_rook_shut_in(board, strong, pawns) {
        return 28;
    }
    if is_desperado(board, !strong) {
        return 12;
    }
    if are_opposite_bishops(board) {
        return if ours == 3 && theirs == 3 { 28 } else { 52 };
    }
    // The defender gives a piece for the last pawn.
    if pawns.count() == 1 && ours - theirs <= 3 && theirs >= 3 && ours < 9 {
        return 40;
    }
    SCALE_MAX
}

fn without_pawns(board: &Board, strong: Color, ours: i32, theirs: i32) -> i32 {
    let own = board.by_color(strong);
    let only_knights = (own & !board.knights() & !board.kings()).is_empty();
    if ours < 5 || (ours == 6 && only_knights) || bishops_alone(board, strong).is_some() {
        return 0;
    }
    if is_desperado(board, !strong) {
        return 12;
    }
    if (own & board.queens()).any() && (ours, theirs) == (9, 5) && is_guarded_rook(board, strong) {
        return 8;
    }
    if ours - theirs <= 3 {
        return if theirs == 0 { SCALE_MAX } else { 8 };
    }
    SCALE_MAX
}

/// The colour of the squares (true: light) of a side's bishops, where it has no other pieces and they are all alike.
fn bishops_alone(board: &Board, color: Color) -> Option<bool> {
    let own = board.by_color(color);
    let pieces = own & !board.pawns() & !board.kings();
    let is_alike = !pieces.is_empty()
        && pieces.is_subset(board.bishops())
        && (pieces.is_subset(Bitboard::LIGHT_SQUARES) || pieces.is_subset(Bitboard::DARK_SQUARES));
    is_alike.then(|| (pieces & Bitboard::LIGHT_SQUARES).any())
}

/// Pawns of one rook file, alone or with bishops that do not control the promotion square, against a king without
/// pieces that stands in that corner or beside it. Nothing drives it out: only the other king could attack the corner,
/// and that would have to stand beside this one; from the corner all moves stay beside it, and having none is
/// stalemate.
fn is_cornered_fortress(board: &Board, strong: Color, pawns: Bitboard) -> bool {
    let on_file = |file: File| pawns.is_subset(Bitboard::from_file(file));
    if !(on_file(File::A) || on_file(File::H)) {
        return false;
    }
    let file = pawns.first().expect("there are pawns").file();
    let corner = Square::from_coords(file, (!strong).backrank());
    let king = board.king_of(!strong).expect("each side has a king");
    is_out_of_reach(board, strong, corner) && king.distance(corner) <= 1
}

/// Whether a side has no pieces that can ever go to a square: none, or bishops of the other colour alone.
fn is_out_of_reach(board: &Board, color: Color, square: Square) -> bool {
    match bishops_alone(board, color) {
        Some(light) => light != square.is_light(),
        None => (board.by_color(color) & !board.pawns() & !board.kings()).is_empty(),
    }
}

/// Pawns of one knight file, alone or with bishops that cannot touch the pawn which blocks them on its first square,
/// against a king without pieces. Only the king can take that pawn, and must be beside it before the other one is
/// near; from the corner the defender is never driven out. Counted out for one pawn and one bishop or none.
fn is_blocked_fortress(board: &Board, strong: Color, pawns: Bitboard) -> bool {
    let file = pawns.first().expect("there are pawns").file();
    if !matches!(file, File::B | File::G) || !pawns.is_subset(Bitboard::from_file(file)) {
        return false;
    }
    let at = |rank| seen_by(strong, file, rank);
    let (stopped, blocker) = (at(Rank::Sixth), at(Rank::Seventh));
    let others = board.pawns() & board.by_color(!strong);
    let beside = attacks::king_attacks(stopped) & !Bitboard::from_file(file);
    let is_blocked =
        pawns.contains(stopped) && others.contains(blocker) && (others & beside).is_empty();
    if !is_blocked || !is_out_of_reach(board, strong, blocker) {
        return false;
    }
    let king = |color| board.king_of(color).expect("each side has a king");
    let corner = Square::from_coords(
        if file == File::B { File::A } else { File::H },
        (!strong).backrank(),
    );
    let defender = king(!strong);
    let last_ranks = [corner.rank(), blocker.rank()];
    defender.distance(corner) <= 1
        || (defender.distance(blocker) <= 2
            && last_ranks.contains(&defender.rank())
            && king(strong).distance(blocker) > 1)
}

/// A rook pawn on the sixth rank in front of a pawn on the seventh, with bishops that control the corner, against a king
/// without pieces. Where the king is shut in behind its pawn, it is stalemate; only the other king could take the pawn,
/// and it has no way round. Counted out for one bishop and one pawn each: of the positions in which the king is no more
/// than two squares from the corner, 1 in 40 with the defender to move is lost.
fn is_blocked_rook_pawn(board: &Board, strong: Color, pawns: Bitboard) -> bool {
    let file = pawns.first().expect("there are pawns").file();
    if !matches!(file, File::A | File::H) || !pawns.is_subset(Bitboard::from_file(file)) {
        return false;
    }
    let at = |rank| seen_by(strong, file, rank);
    let (blocker, corner) = (at(Rank::Seventh), at(Rank::Eighth));
    let others = board.pawns() & board.by_color(!strong);
    let is_beside = |pawn: Square| pawn != blocker && pawn.file().distance(file) <= 2;
    pawns.contains(at(Rank::Sixth))
        && others.contains(blocker)
        && !others.into_iter().any(is_beside)
        && bishops_alone(board, strong) == Some(corner.is_light())
        && board
            .king_of(!strong)
            .expect("each side has a king")
            .distance(corner)
            <= 2
}

/// Of two rooks alone, the stronger side's on the last rank in front of its own rook pawn, the other one behind that
/// pawn, and the defender's king on the seventh rank on the knight's or rook's file of the other wing: from anywhere else
/// a check frees the rook.
fn is_rook_shut_in(board: &Board, strong: Color, pawns: Bitboard) -> bool {
    let rook = |color| (board.rooks() & board.by_color(color)).first();
    let (Some(shut_in), Some(behind)) = (rook(strong), rook(!strong)) else {
        return false;
    };
    let file = shut_in.file();
    let at = |rank| seen_by(strong, file, rank);
    let king = board.king_of(!strong).expect("each side has a king");
    matches!(file, File::A | File::H)
        && shut_in == at(Rank::Eighth)
        && pawns.contains(at(Rank::Seventh))
        && behind.file() == file
        && king.rank() == at(Rank::Seventh).rank()
        && king.file().distance(file) >= 6
}

/// A rook on its third rank, guarded by a pawn that the king stands beside, while the other king is shut out behind that
/// rank: the queen alone breaks nothing.
fn is_guarded_rook(board: &Board, strong: Color) -> bool {
    let weak = board.by_color(!strong);
    let Some(rook) = (weak & board.rooks()).first() else {
        return false;
    };
    let king = |color| board.king_of(color).expect("each side has a king");
    let rank = |square: Square| strong.fold_wb(square.rank(), square.rank().flip_vertical());
    let guards = attacks::pawn_attacks(strong, rook) & board.pawns() & weak;
    rank(rook) == Rank::Sixth
        && rank(king(strong)) < Rank::Sixth
        && guards
            .into_iter()
            .any(|pawn| pawn.distance(king(!strong)) <= 1)
}

/// The square on this file and on this rank as a side counts ranks.
fn seen_by(color: Color, file: File, rank: Rank) -> Square {
    Square::from_coords(file, color.fold_wb(rank, rank.flip_vertical()))
}

/// A side whose only piece is a rook or a queen and all of whose other men are frozen: taking the piece is stalemate,
/// so it gives check for ever.
fn is_desperado(board: &Board, weak: Color) -> bool {
    let own = board.by_color(weak);
    let pieces = own & !board.pawns() & !board.kings();
    if pieces.more_than_one() || (pieces & board.rooks_and_queens()).is_empty() {
        return false;
    }
    are_pawns_frozen(board, weak) && exits(board, weak).is_empty()
}

/// No pawn can step or take; en passant apart, which lasts one move.
fn are_pawns_frozen(board: &Board, color: Color) -> bool {
    let (own, other) = (board.by_color(color), board.by_color(!color));
    let pawns = board.pawns() & own;
    pawns.into_iter().all(|pawn| {
        let step = pawn.offset(color.fold_wb(8, -8));
        let is_blocked = step.is_none_or(|square| board.occupied().contains(square));
        is_blocked && (attacks::pawn_attacks(color, pawn) & other).is_empty()
    })
}

fn are_opposite_bishops(board: &Board) -> bool {
    let white = (board.bishops() & board.white()).single_square();
    let black = (board.bishops() & board.black()).single_square();
    matches!((white, black), (Some(white), Some(black)) if white.is_light() != black.is_light())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(placement: &str) -> Board {
        Board::from_ascii_board_fen(placement.as_bytes()).unwrap()
    }

    fn scale_of(placement: &str, strong: Color) -> i32 {
        scale(&board(placement), strong)
    }

    #[test]
    fn bishops_of_one_colour_win_nothing_without_pawns() {
        assert_eq!(scale_of("8/8/3k4/8/8/7K/7P/4b1b1", Color::Black), 0);
        assert_eq!(scale_of("8/8/2BkB3/3B4/8/7K/8/8", Color::White), 0);
        let pair = scale_of("8/8/2BBk3/8/8/7K/8/8", Color::White);
        assert_eq!(pair, SCALE_MAX, "a pair wins");
    }

    #[test]
    fn rook_pawns_with_wrong_bishops_do_not_drive_the_king_out() {
        assert_eq!(scale_of("1b6/8/5b2/8/8/6kp/8/7K", Color::Black), 0);
        assert_eq!(scale_of("k7/8/P7/P7/8/3K4/3B1B2/8", Color::White), 0);
        assert_eq!(
            scale_of("7k/8/7P/7P/8/8/8/K7", Color::White),
            0,
            "no bishop"
        );
        let right = scale_of("k7/8/P7/8/8/3K4/3B4/3B4", Color::White);
        assert_eq!(right, SCALE_MAX, "one bishop of each colour");
        let far = scale_of("8/8/P2k4/8/8/3K4/3B4/8", Color::White);
        assert_eq!(far, SCALE_MAX, "the king is not there");
        let beside = scale_of("8/1k6/P7/8/3K4/8/8/8", Color::White);
        assert_eq!(beside, 0, "it can always step into the corner");
        let out = scale_of("8/2k5/P7/1K6/8/8/8/8", Color::White);
        assert_eq!(out, SCALE_MAX, "it may be kept out");
    }

    #[test]
    fn bishops_that_cannot_touch_the_pawn_in_the_way_do_not_win() {
        for placement in [
            "2k5/1p6/1P6/2B5/1P4K1/8/8/8",
            "2k5/1p6/1P6/2B5/6K1/8/8/8",
            "k7/1p1K4/1P6/2B5/3B4/8/8/8",
            "k7/1p6/KP6/2B5/8/8/8/8",
            "2k5/1p6/1P6/3K4/1P6/8/8/8",
        ] {
            assert_eq!(scale_of(placement, Color::White), 0, "{placement}");
        }
        assert_eq!(
            scale_of("8/8/8/8/2b5/6p1/6P1/1k4K1", Color::Black),
            SCALE_MAX,
            "touches"
        );
        assert_eq!(scale_of("8/8/8/8/3b4/6p1/6P1/1k4K1", Color::Black), 0);
        for (placement, why) in [
            ("2k5/1p6/KP6/2B5/8/8/8/8", "the king takes the pawn"),
            ("8/1p6/1P6/2B5/6K1/5k2/8/8", "the defender is far away"),
            ("2k5/1p6/1P6/2B5/6KP/8/8/8", "another pawn"),
            ("2k5/1p6/1P6/1B6/6K1/8/8/8", "the bishop takes the pawn"),
            ("2k5/pp6/1P6/2B5/6K1/8/8/8", "it takes the other pawn"),
        ] {
            assert_eq!(scale_of(placement, Color::White), SCALE_MAX, "{why}");
        }
    }

    #[test]
    fn a_rook_pawn_that_is_blocked_does_not_win_with_a_bishop() {
        for placement in [
            "8/5kBp/7P/3K4/8/8/8/8",
            "6k1/7p/4KB1P/8/8/8/8/8",
            "1k6/pB2K3/P7/P7/8/8/8/8",
        ] {
            assert_eq!(scale_of(placement, Color::White), 0, "{placement}");
        }
        for (placement, why) in [
            ("8/p2K4/P7/8/4B3/4k3/8/8", "the defender is far away"),
            ("2k5/p7/P3K3/8/4BP2/8/8/8", "another pawn"),
            ("2k5/p7/P3K3/8/4B3/8/2N5/8", "another piece"),
            ("2k5/p1p5/P3K3/8/4B3/8/8/8", "another pawn has to move"),
            ("2k5/p7/4K3/P7/4B3/8/8/8", "a pawn that is not blocked"),
        ] {
            assert_eq!(scale_of(placement, Color::White), SCALE_MAX, "{why}");
        }
        assert_eq!(scale_of("8/1b6/8/2k5/8/7p/7P/6K1", Color::Black), 0);
    }

    #[test]
    fn a_rook_in_front_of_its_pawn_is_shut_in() {
        let shut = scale_of("R7/P5k1/6p1/5p1p/7P/r5P1/5PK1/8", Color::White);
        assert!(shut < SCALE_MAX);
        let on_rook_file = scale_of("R7/P5pk/r4p1p/5P1P/4K1P1/8/8/8", Color::White);
        assert_eq!(on_rook_file, shut);
        for (placement, why) in [
            ("R7/P3k3/6p1/5p1p/7P/r5P1/5PK1/8", "a check frees it"),
            ("R7/P4k2/6p1/5p1p/7P/r5P1/5PK1/8", "so it does here"),
            ("8/P5k1/R5p1/5p1p/7P/r5P1/5PK1/8", "it does not stand there"),
            (
                "R7/P5k1/6p1/5p1p/7P/1r4P1/5PK1/8",
                "the other is not behind",
            ),
        ] {
            assert_eq!(scale_of(placement, Color::White), SCALE_MAX, "{why}");
        }
    }

    #[test]
    fn a_guarded_rook_holds_against_a_queen() {
        assert!(scale_of("8/4kp2/6r1/8/4K3/8/7Q/8", Color::White) <= 8);
        assert!(scale_of("8/7q/8/4k3/8/1R6/P7/1K6", Color::Black) <= 8);
        for (placement, why) in [
            ("8/4kp2/4K1r1/8/8/8/7Q/8", "the king is not shut out"),
            ("4k3/5p2/8/6r1/4K3/8/7Q/8", "no guard"),
            ("1k6/5p2/6r1/8/4K3/8/7Q/8", "the king is not there"),
            ("8/4kp2/6r1/8/4K3/8/5BNB/8", "no queen"),
        ] {
            let score = scale_of(placement, Color::White);
            assert!(score > 8, "{why}");
        }
    }

    #[test]
    fn a_rook_that_must_not_be_taken_holds_a_draw() {
        assert!(scale_of("8/8/8/8/8/R1k2pq1/8/7K", Color::Black) < SCALE_MAX);
        let free = scale_of("8/8/8/8/8/R1k2p2/7q/K7", Color::Black);
        assert_eq!(free, SCALE_MAX, "the king has moves");
        let two = scale_of("8/8/8/8/8/R1k2pq1/R7/7K", Color::Black);
        assert_eq!(two, SCALE_MAX, "so has the other rook");
        let pawn = scale_of("8/8/8/P7/8/R1k2pq1/8/7K", Color::Black);
        assert_eq!(pawn, SCALE_MAX, "so has the pawn");
    }
}
