//! Zobrist keys of positions, updated incrementally.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, Chess, Color, EnPassantMode, Piece, Position as _, Role, Square};

use super::{Move, MoveKind};

/// The keys of one position, all XORs of the same Zobrist numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keys {
    /// All men, side to move, castling rights and legal en passant capture.
    pub(super) all: u64,
    /// Pawns and kings.
    pub(super) pawns: u64,
    /// Pieces of each colour, kings included, Black first.
    pub(super) pieces: [u64; 2],
}

impl Keys {
    pub(super) fn of(chess: &Chess) -> Self {
        let mut keys = Self {
            all: 0,
            pawns: 0,
            pieces: [0; 2],
        };
        for (square, man) in chess.board() {
            keys.toggle(man, square);
        }
        keys.all = chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        keys
    }

    /// Returns the keys after `mv`, which leads from `before` to `after`. A man of `role` moves; `captured` is the
    /// role on the target square.
    pub(super) fn after(
        self,
        before: &Chess,
        after: &Chess,
        mv: Move,
        role: Role,
        captured: Option<Role>,
    ) -> Self {
        let mut keys = Self {
            all: self.all ^ Zobrist64::zobrist_for_white_turn().0,
            ..self
        };
        let (color, from, to) = (before.turn(), mv.origin(), mv.destination());
        if mv.kind() == MoveKind::Castle {
            keys.castle(color, from, to);
        } else {
            keys.toggle(role.of(color), from);
            let arrived = if let MoveKind::Promotion(promoted) = mv.kind() {
                promoted
            } else {
                role
            };
            keys.toggle(arrived.of(color), to);
            if let Some(captured) = captured {
                keys.toggle(captured.of(!color), to);
            } else if mv.kind() == MoveKind::EnPassant {
                keys.toggle(
                    Role::Pawn.of(!color),
                    Square::from_coords(to.file(), from.rank()),
                );
            }
        }
        keys.all ^= rights(before, after) ^ en_passant(before) ^ en_passant(after);
        keys
    }

    /// Returns [`Keys::all`] after `mv`. Wrong for castling, promotion, en passant, and where castling or en
    /// passant rights change.
    pub(super) fn likely_after(
        self,
        turn: Color,
        mv: Move,
        role: Role,
        captured: Option<Role>,
    ) -> u64 {
        let (man, to) = (role.of(turn), mv.destination());
        let moved = number(man, mv.origin()) ^ number(man, to);
        let captured = captured.map_or(0, |role| number(role.of(!turn), to));
        self.all ^ Zobrist64::zobrist_for_white_turn().0 ^ moved ^ captured
    }

    /// Returns the keys after a null move, which cancels the right to capture en passant.
    pub(super) fn after_pass(self, before: &Chess) -> Self {
        let all = self.all ^ Zobrist64::zobrist_for_white_turn().0 ^ en_passant(before);
        Self { all, ..self }
    }

    fn toggle(&mut self, man: Piece, square: Square) {
        let number = number(man, square);
        self.all ^= number;
        if matches!(man.role, Role::Pawn | Role::King) {
            self.pawns ^= number;
        }
        if man.role != Role::Pawn {
            self.pieces[man.color as usize] ^= number;
        }
    }

    fn castle(&mut self, color: Color, king: Square, rook: Square) {
        let side = CastlingSide::from_queen_side(rook < king);
        self.toggle(Role::King.of(color), king);
        self.toggle(Role::Rook.of(color), rook);
        self.toggle(Role::King.of(color), side.king_to(color));
        self.toggle(Role::Rook.of(color), side.rook_to(color));
    }
}

fn number(man: Piece, square: Square) -> u64 {
    Zobrist64::zobrist_for_piece(square, man).0
}

/// Returns the XOR of the numbers of the castling rights lost between two positions.
fn rights(before: &Chess, after: &Chess) -> u64 {
    let (before, after) = (before.castles(), after.castles());
    if before.castling_rights() == after.castling_rights() {
        return 0;
    }
    let mut key = 0;
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if before.has(color, side) != after.has(color, side) {
                key ^= Zobrist64::zobrist_for_castling_right(color, side).0;
            }
        }
    }
    key
}

/// The number of a legal en passant file, or 0. Adjacent pawns are tested first, since few double steps have any.
fn en_passant(chess: &Chess) -> u64 {
    let Some(square) = chess.maybe_ep_square() else {
        return 0;
    };
    let board = chess.board();
    let takers = shakmaty::attacks::pawn_attacks(!chess.turn(), square)
        & board.pawns()
        & board.by_color(chess.turn());
    if takers.is_empty() || chess.legal_ep_square().is_none() {
        return 0;
    }
    Zobrist64::zobrist_for_en_passant_file(square.file()).0
}

#[cfg(test)]
mod tests {
    use crate::chess::Position;
    use crate::chess::notation::parse_fen;

    #[test]
    fn the_likely_key_is_the_key_after_all_but_special_moves() {
        let fens = [
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9",
            "2r2rk1/pp3ppp/2n1bn2/q7/3P4/2PB1N2/P2B1PPP/R2Q1RK1 b - - 0 1",
        ];
        for fen in fens {
            let position: Position = parse_fen(fen).unwrap();
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            for mv in moves {
                // A double step may allow en passant.
                let likely = position.likely_key_after(mv);
                assert_eq!(likely, position.after(mv).key(), "{fen}: {mv:?}");
            }
        }
    }
}
