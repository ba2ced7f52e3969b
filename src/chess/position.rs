//! One chess position, validated at birth, with its key.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position as _};

use super::{Move, MoveKind};
use crate::game::Score;

/// A legal position. Nothing behind this type can be illegal.
#[derive(Clone, Debug)]
pub struct Position {
    chess: Chess,
    key: u64,
}

impl Position {
    /// A position from the rules library, which has validated it.
    pub fn new(chess: Chess) -> Self {
        let key = chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        Self { chess, key }
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
        self.key
    }

    /// The position after a legal move.
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut chess = self.chess.clone();
        chess.play_unchecked(self.unpack(mv));
        Self::new(chess)
    }

    /// The position with the other side to move, or `None` in check.
    pub fn after_pass(&self) -> Option<Self> {
        if self.chess.is_check() {
            return None;
        }
        self.chess.clone().swap_turn().ok().map(Self::new)
    }

    /// Appends all legal moves.
    pub fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.extend(self.chess.legal_moves().into_iter().map(Move::from));
    }

    /// Whether the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        !self.chess.legal_moves().is_empty()
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.chess.is_check()
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
        (self.chess.halfmoves() >= 100 || self.chess.is_insufficient_material())
            .then_some(Score::DRAW)
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
