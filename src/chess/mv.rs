//! A chess move in two bytes.

use std::fmt;

use shakmaty::{Role, Square};

/// The kinds of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// An ordinary move, with or without capture.
    Normal,
    /// A promotion to the given role, with or without capture.
    Promotion(Role),
    /// An en passant capture.
    EnPassant,
    /// Castling; the destination is the square of the rook, as in Chess960.
    Castle,
}

/// A packed move: origin (6 bits), destination (6), promotion role (2), kind (2).
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Move(u16);

impl Move {
    const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

    /// Packs a move; the promotion role is knight, bishop, rook or queen.
    pub fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let (code, role) = match kind {
            MoveKind::Normal => (0, 0),
            MoveKind::Promotion(role) => (1, role as u16 - Role::Knight as u16),
            MoveKind::EnPassant => (2, 0),
            MoveKind::Castle => (3, 0),
        };
        debug_assert!(role < 4);
        Self(from as u16 | (to as u16) << 6 | role << 12 | code << 14)
    }

    /// The origin square.
    pub const fn origin(self) -> Square {
        Square::new((self.0 & 63) as u32)
    }

    /// The destination square; for castling, the square of the rook.
    pub const fn destination(self) -> Square {
        Square::new((self.0 >> 6 & 63) as u32)
    }

    /// The kind, with the role of a promotion.
    pub const fn kind(self) -> MoveKind {
        match self.0 >> 14 {
            0 => MoveKind::Normal,
            1 => MoveKind::Promotion(Self::PROMOTIONS[(self.0 >> 12 & 3) as usize]),
            2 => MoveKind::EnPassant,
            _ => MoveKind::Castle,
        }
    }

    /// The packed form.
    pub const fn raw(self) -> u16 {
        self.0
    }

    /// Creates a move from the result of [`Move::raw`].
    pub const fn from_raw(raw: u16) -> Self {
        Self(raw)
    }
}

impl From<shakmaty::Move> for Move {
    fn from(mv: shakmaty::Move) -> Self {
        match mv {
            shakmaty::Move::Normal {
                from,
                to,
                promotion: Some(role),
                ..
            } => Self::new(from, to, MoveKind::Promotion(role)),
            shakmaty::Move::Normal { from, to, .. } => Self::new(from, to, MoveKind::Normal),
            shakmaty::Move::EnPassant { from, to } => Self::new(from, to, MoveKind::EnPassant),
            shakmaty::Move::Castle { king, rook } => Self::new(king, rook, MoveKind::Castle),
            shakmaty::Move::Put { .. } => unreachable!("no drops in chess"),
        }
    }
}

/// Shows origin and destination, for debugging; `chess::notation` writes moves for users.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin(), self.destination())?;
        if let MoveKind::Promotion(role) = self.kind() {
            write!(f, "{}", role.char())?;
        }
        Ok(())
    }
}
