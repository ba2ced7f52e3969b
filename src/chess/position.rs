//! One chess position, validated at birth, with its key.

use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, FromSetup as _, Position as _, Role,
    Setup, Square,
};

use super::key::Keys;
use super::{Move, MoveKind};
use crate::game::{Score, SplitMix64};

/// Plies without capture or pawn move after which a draw can be claimed...
const CLAIM_PLIES: u32 = 100;
/// ... and so many more after which the game is drawn.
pub(super) const DRAW_PLIES: u32 = 50;

/// A legal position. Nothing behind this type can be illegal.
#[derive(Clone, Debug)]
pub struct Position {
    chess: Chess,
    keys: Keys,
    /// Men that give check; nearly everybody asks for them.
    checkers: Bitboard,
}

impl Position {
    /// A position from the rules library, which has validated it.
    pub fn new(chess: Chess) -> Self {
        let (keys, checkers) = (Keys::of(&chess), chess.checkers());
        Self {
            chess,
            keys,
            checkers,
        }
    }

    /// The initial position.
    pub fn initial() -> Self {
        Self::new(Chess::new())
    }

    /// The board, side to move and rights as the rules library holds them.
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// Key of board, side to move, castling rights and legal en passant capture.
    pub fn key(&self) -> u64 {
        self.keys.all
    }

    /// Key of the pawns and kings alone.
    pub fn pawn_key(&self) -> u64 {
        self.keys.pawns
    }

    /// Key of the men of a colour without its pawns.
    pub fn piece_key(&self, color: Color) -> u64 {
        self.keys.pieces[color as usize]
    }

    /// The men that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Square of the king of the side to move.
    pub fn king(&self) -> Square {
        self.chess
            .board()
            .king_of(self.chess.turn())
            .expect("each side has a king")
    }

    /// Role of the man that `mv`, legal here, captures.
    pub fn captured(&self, mv: Move) -> Option<Role> {
        match mv.kind() {
            MoveKind::EnPassant => Some(Role::Pawn),
            MoveKind::Castle => None,
            _ => self.chess.board().role_at(mv.destination()),
        }
    }

    /// The position after a legal move.
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut chess = self.chess.clone();
        let played = self.unpack(mv);
        chess.play_unchecked(played);
        let captured = if mv.kind() == MoveKind::EnPassant {
            None
        } else {
            played.capture()
        };
        let keys = self
            .keys
            .after(&self.chess, &chess, mv, played.role(), captured);
        let checkers = chess.checkers();
        Self {
            chess,
            keys,
            checkers,
        }
    }

    /// The key after a legal move in nearly all cases, found before the move is made: enough to fetch what a hash table
    /// holds of it.
    pub fn likely_key_after(&self, mv: Move) -> u64 {
        let board = self.chess.board();
        let role = board.role_at(mv.origin()).unwrap_or(Role::Pawn);
        let captured = board.role_at(mv.destination());
        self.keys
            .likely_after(self.chess.turn(), mv, role, captured)
    }

    /// The position after a null move: the other side is to move, and the number counts on. `None` in check.
    pub fn after_pass(&self) -> Option<Self> {
        if self.is_check() {
            return None;
        }
        let mut setup = self.chess.to_setup(EnPassantMode::Always);
        if setup.turn.is_black() {
            setup.fullmoves = setup.fullmoves.saturating_add(1);
        }
        setup.swap_turn();
        let chess = Chess::from_setup(setup, self.chess.castles().mode()).ok()?;
        Some(Self {
            keys: self.keys.after_pass(&self.chess),
            checkers: chess.checkers(),
            chess,
        })
    }

    /// The same position with colours exchanged: as good for the side to move, and other moves come first.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let setup = self.chess.to_setup(EnPassantMode::Legal).into_mirrored();
        let mode = CastlingMode::detect(&setup);
        Self::new(setup.position(mode).expect("as legal as the position"))
    }

    /// The same position with so many plies fewer since the last capture or pawn move. Its key is another, too: what
    /// is known of a position under one count, draws above all, need not hold under the other.
    #[must_use]
    pub(super) fn without_plies(&self, plies: u32) -> Self {
        let setup = self.chess.to_setup(EnPassantMode::Legal);
        let setup = Setup {
            halfmoves: setup.halfmoves.saturating_sub(plies),
            ..setup
        };
        let chess = Chess::from_setup(setup, self.chess.castles().mode());
        let mut position = Self::new(chess.expect("as legal as the position"));
        position.keys.all ^= SplitMix64::mix(plies.into());
        position
    }

    /// Whether a castling right belongs to a king or rook that stands elsewhere than in ordinary chess.
    pub fn is_chess960(&self) -> bool {
        CastlingMode::detect(&self.chess.to_setup(EnPassantMode::Legal)).is_chess960()
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// The score if the rules end the game here whatever happened before: mate, stalemate, 50 moves without capture or
    /// pawn move, too little material to mate. Mate comes before the 50-move rule.
    pub fn end_score(&self) -> Option<Score> {
        if !self.has_legal_move() {
            return Some(if self.is_check() {
                Score::MATED
            } else {
                Score::DRAW
            });
        }
        (self.is_claimable() || self.is_insufficient_material()).then_some(Score::DRAW)
    }

    /// Whether a draw can be claimed: 50 moves were played without capture or pawn move.
    pub fn is_claimable(&self) -> bool {
        self.chess.halfmoves() >= CLAIM_PLIES
    }

    /// Whether it can be claimed for the first time, or the game is drawn by 75 moves.
    pub fn is_draw_due(&self) -> bool {
        self.is_claimable() && self.chess.halfmoves().is_multiple_of(DRAW_PLIES)
    }

    /// Whether no sequence of moves leads to mate.
    pub fn is_insufficient_material(&self) -> bool {
        let board = self.chess.board();
        (board.pawns() | board.rooks_and_queens()).is_empty()
            && self.chess.is_insufficient_material()
    }

    /// The rules library's form of a legal move of this position.
    pub fn unpack(&self, mv: Move) -> shakmaty::Move {
        let (from, to) = (mv.origin(), mv.destination());
        match mv.kind() {
            MoveKind::EnPassant => shakmaty::Move::EnPassant { from, to },
            MoveKind::Castle => shakmaty::Move::Castle {
                king: from,
                rook: to,
            },
            kind => {
                let board = self.chess.board();
                shakmaty::Move::Normal {
                    role: board.role_at(from).expect("a legal move starts on a man"),
                    from,
                    capture: board.role_at(to),
                    to,
                    promotion: if let MoveKind::Promotion(role) = kind {
                        Some(role)
                    } else {
                        None
                    },
                }
            }
        }
    }
}
