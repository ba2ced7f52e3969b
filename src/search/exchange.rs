//! Static exchange evaluation: the gain of a series of captures on one square, if each side may stop.

use shakmaty::{Bitboard, Board, Color, Position as _, Role, Square, attacks};

use crate::chess::{Move, MoveKind, Position};

/// Centipawns of a man for exchanges: pawn, knight, bishop, rook, queen, king.
pub(super) const fn man_value(role: Role) -> i32 {
    [100, 320, 330, 500, 950, 20_000][role as usize - 1]
}

/// Whether `mv`, legal in `position`, wins at least `threshold` centipawns by exchanges on its target square.
pub(super) fn wins_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    if mv.kind() == MoveKind::Castle {
        return threshold <= 0;
    }
    let board = position.chess().board();
    let (from, to) = (mv.origin(), mv.destination());
    let captured = position.captured(mv).map_or(0, man_value);
    let (arriving, promoted) = match mv.kind() {
        MoveKind::Promotion(role) => (role, man_value(role) - man_value(Role::Pawn)),
        _ => (
            board.role_at(from).expect("a legal move starts on a man"),
            0,
        ),
    };
    // What the mover is above the threshold if the exchange stopped now; then, if the arriving man were lost.
    let mut balance = captured + promoted - threshold;
    if balance < 0 {
        return false;
    }
    balance -= man_value(arriving);
    if balance >= 0 {
        return true;
    }
    let mut occupied = board.occupied().without(from).with(to);
    if mv.kind() == MoveKind::EnPassant {
        occupied.discard(Square::from_coords(to.file(), from.rank()));
    }
    exchange(board, position.chess().turn(), to, occupied, balance)
}

/// Lets both sides capture on `to` with their least valuable man while that pays. Returns whether `mover` ends at or
/// above the threshold.
fn exchange(
    board: &Board,
    mover: Color,
    to: Square,
    mut occupied: Bitboard,
    mut balance: i32,
) -> bool {
    let mut attackers = attackers(board, to, occupied);
    let mut side = !mover;
    loop {
        attackers &= occupied;
        let own = attackers & board.by_color(side);
        let Some((role, square)) = least(board, own) else {
            break;
        };
        occupied.discard(square);
        attackers |= uncovered(board, to, occupied);
        side = !side;
        balance = -balance - 1 - man_value(role);
        if balance >= 0 {
            // A king cannot capture where it would be captured.
            if role == Role::King && (attackers & occupied & board.by_color(side)).any() {
                side = !side;
            }
            break;
        }
    }
    side != mover
}

fn attackers(board: &Board, to: Square, occupied: Bitboard) -> Bitboard {
    (attacks::pawn_attacks(Color::White, to) & board.pawns() & board.black())
        | (attacks::pawn_attacks(Color::Black, to) & board.pawns() & board.white())
        | (attacks::knight_attacks(to) & board.knights())
        | (attacks::king_attacks(to) & board.kings())
        | uncovered(board, to, occupied)
}

/// Sliders that reach `to` through `occupied`.
fn uncovered(board: &Board, to: Square, occupied: Bitboard) -> Bitboard {
    (attacks::rook_attacks(to, occupied) & board.rooks_and_queens())
        | (attacks::bishop_attacks(to, occupied) & board.bishops_and_queens())
}

fn least(board: &Board, men: Bitboard) -> Option<(Role, Square)> {
    Role::ALL.into_iter().find_map(|role| {
        (men & board.by_role(role))
            .first()
            .map(|square| (role, square))
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess};

    use super::*;

    /// The exact gain of a move, found by bisection.
    fn gain(fen: &str, uci: &str) -> i32 {
        let chess: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        let mv = uci
            .parse::<shakmaty::uci::UciMove>()
            .unwrap()
            .to_move(&chess)
            .unwrap();
        let position = Position::new(chess);
        (-2_000..2_000)
            .rev()
            .find(|&threshold| wins_at_least(&position, mv.into(), threshold))
            .unwrap()
    }

    #[test]
    fn examples_by_hand() {
        // A free pawn; a protected pawn taken by a rook; a pawn taken by a pawn that is retaken.
        assert_eq!(
            gain("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"),
            100
        );
        assert_eq!(
            gain("4k3/8/3p4/4p3/8/8/8/4R1K1 w - - 0 1", "e1e5"),
            100 - 500
        );
        assert_eq!(gain("4k3/8/3p4/4p3/3P4/8/8/6K1 w - - 0 1", "d4e5"), 0);
        // Knight takes pawn, behind it queens and rooks of both sides wait on the file and the diagonal.
        assert_eq!(
            gain(
                "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
                "d3e5"
            ),
            100 - 320
        );
        // En passant, a quiet move onto an attacked square, castling.
        assert_eq!(gain("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), 100);
        assert_eq!(gain("6k1/8/3p4/8/8/8/8/4R1K1 w - - 0 1", "e1e5"), -500);
        assert_eq!(gain("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), 0);
    }

    #[test]
    fn kings_take_only_what_is_unprotected() {
        assert_eq!(gain("8/3k4/8/8/8/8/4R3/4K3 w - - 0 1", "e2e6"), -500);
        assert_eq!(gain("8/3k4/8/8/8/4R3/4R3/4K3 w - - 0 1", "e3e6"), 0);
    }

    #[test]
    fn promotions_count_the_new_piece() {
        assert_eq!(gain("8/P7/8/8/8/8/8/K1k5 w - - 0 1", "a7a8q"), 850);
        assert_eq!(gain("7r/P7/8/8/8/8/8/K1k5 w - - 0 1", "a7a8q"), -100);
    }
}
