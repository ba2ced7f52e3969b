//! Direct and discovered checks.

use shakmaty::{Bitboard, CastlingSide, Color, File, Position as _, Role, Square, attacks};

use super::{Move, MoveKind, Position};

/// The squares from which the side to move gives check, computed once for many moves.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    /// The opponent's king.
    king: Square,
    /// Squares from which a man of each role attacks the king, pawn first.
    direct: [Bitboard; 5],
    /// Own men that give a discovered check by leaving the line to the king.
    shields: Bitboard,
}

impl Position {
    /// Returns the men of either colour that are the only blocker between `king` and a slider of `attacker`.
    pub fn shields(&self, king: Square, attacker: Color) -> Bitboard {
        let board = self.chess().board();
        let sliders = (attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens())
            | (attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens());
        let mut shields = Bitboard::EMPTY;
        for slider in sliders & board.by_color(attacker) {
            let between = attacks::between(king, slider) & board.occupied();
            if !between.more_than_one() {
                shields |= between;
            }
        }
        shields
    }

    /// Returns the squares that the opponent attacks.
    pub fn attacked_by_opponent(&self) -> Bitboard {
        let (board, them) = (self.chess().board(), !self.chess().turn());
        let (men, occupied) = (board.by_color(them), board.occupied());
        let pawns = men & board.pawns();
        let (east, west) = them.fold_wb((9, 7), (-7, -9));
        let mut attacked = pawns.shift(east).without(File::A) | pawns.shift(west).without(File::H);
        for from in men & board.knights() {
            attacked |= attacks::knight_attacks(from);
        }
        for from in men & board.bishops_and_queens() {
            attacked |= attacks::bishop_attacks(from, occupied);
        }
        for from in men & board.rooks_and_queens() {
            attacked |= attacks::rook_attacks(from, occupied);
        }
        for from in men & board.kings() {
            attacked |= attacks::king_attacks(from);
        }
        attacked
    }

    /// Returns the squares from which the side to move gives check.
    pub fn check_squares(&self) -> CheckSquares {
        let (board, turn) = (self.chess().board(), self.chess().turn());
        let king = board.king_of(!turn).expect("each side has a king");
        let rook = attacks::rook_attacks(king, board.occupied());
        let bishop = attacks::bishop_attacks(king, board.occupied());
        CheckSquares {
            king,
            direct: [
                attacks::pawn_attacks(!turn, king),
                attacks::knight_attacks(king),
                bishop,
                rook,
                rook | bishop,
            ],
            shields: self.shields(king, turn) & board.by_color(turn),
        }
    }

    /// Whether the legal move `mv` gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        self.gives_check_from(mv, &self.check_squares())
    }

    /// Like [`Position::gives_check`], with precomputed [`CheckSquares`] of this position.
    pub fn gives_check_from(&self, mv: Move, squares: &CheckSquares) -> bool {
        let (from, to) = (mv.origin(), mv.destination());
        match mv.kind() {
            MoveKind::Normal => {
                let role = self
                    .chess()
                    .board()
                    .role_at(from)
                    .expect("a legal move starts on a man");
                let is_direct =
                    role != Role::King && squares.direct[role as usize - 1].contains(to);
                is_direct || squares.uncovers(from, to)
            }
            MoveKind::Promotion(role) => {
                // The pawn may have blocked the line of the new piece.
                let occupied = self.chess().board().occupied().without(from).with(to);
                let reach = attacks::attacks(to, role.of(self.chess().turn()), occupied);
                reach.contains(squares.king) || squares.uncovers(from, to)
            }
            MoveKind::EnPassant => {
                let victim = Square::from_coords(to.file(), from.rank());
                let occupied = self
                    .chess()
                    .board()
                    .occupied()
                    .without(from)
                    .without(victim)
                    .with(to);
                squares.direct[0].contains(to) || self.attacked_by_slider(squares.king, occupied)
            }
            MoveKind::Castle => {
                let side = CastlingSide::from_queen_side(to < from);
                let turn = self.chess().turn();
                let rook_to = side.rook_to(turn);
                let occupied = self.chess().board().occupied().without(from).without(to);
                let occupied = occupied.with(rook_to).with(side.king_to(turn));
                attacks::rook_attacks(rook_to, occupied).contains(squares.king)
            }
        }
    }

    /// Whether a slider of the side to move attacks `king`, given the occupied squares.
    fn attacked_by_slider(&self, king: Square, occupied: Bitboard) -> bool {
        let board = self.chess().board();
        let sliders = (attacks::rook_attacks(king, occupied) & board.rooks_and_queens())
            | (attacks::bishop_attacks(king, occupied) & board.bishops_and_queens());
        (sliders & board.by_color(self.chess().turn())).any()
    }
}

impl CheckSquares {
    fn uncovers(&self, from: Square, to: Square) -> bool {
        self.shields.contains(from) && !attacks::ray(self.king, from).contains(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    #[test]
    fn attacked_squares_are_those_that_have_attackers() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/P6p/k6P/p7/1p5p/K7/8/7r w - - 0 1",
        ] {
            let position = parse_fen(fen).unwrap();
            let board = position.chess().board();
            let them = !position.chess().turn();
            let has_attackers =
                |&square: &Square| board.attacks_to(square, them, board.occupied()).any();
            let attacked: Bitboard = Square::ALL.into_iter().filter(has_attackers).collect();
            assert_eq!(position.attacked_by_opponent(), attacked, "{fen}");
        }
    }
}
