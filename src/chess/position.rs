//! A validated chess position with its keys.

use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, FromSetup as _, Position as _, Role,
    Setup, Square,
};

use super::key::Keys;
use super::{Move, MoveKind};
use crate::game::{Score, SplitMix64};

/// Plies without capture or pawn move after which a draw can be claimed.
const CLAIM_PLIES: u32 = 100;
/// Further plies after which the game is drawn.
pub(super) const DRAW_PLIES: u32 = 50;

/// A position that is always legal.
#[derive(Clone, Debug)]
pub struct Position {
    chess: Chess,
    keys: Keys,
    /// Cached, since most callers need them.
    checkers: Bitboard,
}

impl Position {
    /// Wraps a position validated by `shakmaty`.
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

    /// The position as held by `shakmaty`: board, side to move and rights.
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// The key of board, side to move, castling rights and legal en passant capture.
    pub fn key(&self) -> u64 {
        self.keys.all
    }

    /// The key of the pawns and kings.
    pub fn pawn_key(&self) -> u64 {
        self.keys.pawns
    }

    /// The key of the pieces of a colour, king included.
    pub fn piece_key(&self, color: Color) -> u64 {
        self.keys.pieces[color as usize]
    }

    /// The men that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// The king square of the side to move.
    pub fn king(&self) -> Square {
        self.chess
            .board()
            .king_of(self.chess.turn())
            .expect("each side has a king")
    }

    /// The role captured by the legal move `mv`.
    pub fn captured(&self, mv: Move) -> Option<Role> {
        match mv.kind() {
            MoveKind::EnPassant => Some(Role::Pawn),
            MoveKind::Castle => None,
            _ => self.chess.board().role_at(mv.destination()),
        }
    }

    /// Returns the position after a legal move.
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

    /// Predicts the key after a legal move without making it, correct in nearly all cases. Used to prefetch hash
    /// table entries.
    pub fn likely_key_after(&self, mv: Move) -> u64 {
        let board = self.chess.board();
        let role = board.role_at(mv.origin()).unwrap_or(Role::Pawn);
        let captured = board.role_at(mv.destination());
        self.keys
            .likely_after(self.chess.turn(), mv, role, captured)
    }

    /// Returns the position after a null move, with the move number advanced; `None` in check.
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

    /// Returns the position with colours exchanged: of equal value to the side to move, with another move order.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let setup = self.chess.to_setup(EnPassantMode::Legal).into_mirrored();
        let mode = CastlingMode::detect(&setup);
        Self::new(setup.position(mode).expect("as legal as the position"))
    }

    /// Returns the position with `plies` subtracted from the halfmove clock and with a different key. Scores under
    /// one clock, draws above all, need not hold under another.
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

    /// Whether a king or rook with castling rights is off its standard square.
    pub fn is_chess960(&self) -> bool {
        CastlingMode::detect(&self.chess.to_setup(EnPassantMode::Legal)).is_chess960()
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// Returns the score if the position alone ends the game: mate, stalemate, the 50-move rule or insufficient
    /// material. Mate takes precedence over the 50-move rule.
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

    /// Whether a draw can be claimed by the 50-move rule.
    pub fn is_claimable(&self) -> bool {
        self.chess.halfmoves() >= CLAIM_PLIES
    }

    /// Whether a draw becomes claimable with this ply, or the 75-move rule draws the game.
    pub fn is_draw_due(&self) -> bool {
        self.is_claimable() && self.chess.halfmoves().is_multiple_of(DRAW_PLIES)
    }

    /// Whether mate is impossible for lack of material.
    pub fn is_insufficient_material(&self) -> bool {
        let board = self.chess.board();
        (board.pawns() | board.rooks_and_queens()).is_empty()
            && self.chess.is_insufficient_material()
    }

    /// Converts a legal move of this position to its `shakmaty` form.
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
