//! The part of the stored tree that shows a decision.

use serde::Serialize;
use shakmaty::Position as _;

use super::terms::Term;
use crate::chess::Position;

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl Side {
    /// Side to move.
    pub(super) fn of(position: &Position) -> Self {
        position.chess().turn().fold_wb(Self::White, Self::Black)
    }
}

/// The bound that the decision needs of a move: the chosen one is worth at least, every other at most, so much.
#[derive(Clone, Debug, Serialize)]
pub struct MoveEvidence {
    /// The move, as UCI writes it.
    pub uci: String,
    /// As people write it.
    pub san: String,
    /// The men after it: the first field of the position's FEN.
    pub men: String,
    /// Whether it is the chosen one.
    pub is_best: bool,
    /// The bound, seen by the side to move at the root.
    pub bound: i16,
    /// The evidence, from the position after the move on.
    pub tree: EvidenceNode,
    /// Leaf-disjoint strategies that show it: 0 if the stored tree does not, `None` if the rules of the game do.
    pub strategies: Option<u64>,
    /// The least set of leaves whose change breaks it; `None` where none does.
    pub conspirators: Option<Conspiracy>,
}

/// A node of what shows a claim.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum EvidenceNode {
    /// The side that has something to show is to move: one branch that holds is enough.
    Any {
        /// The moves that show it.
        branches: Vec<Branch>,
    },
    /// The other side is to move: every legal move must be met.
    Every {
        /// All legal moves.
        branches: Vec<Branch>,
    },
    /// An answer of alpha-beta, to that depth; it may be wrong.
    Leaf {
        /// Its place in the list of leaves.
        leaf: usize,
    },
    /// The game ends here, or a mate was proved.
    End {
        /// The value, seen by the side to move at the root.
        value: i16,
        /// Whether that holds the claim.
        holds: bool,
    },
    /// Nothing in the stored tree shows it.
    Unknown,
}

/// A move and what follows it.
#[derive(Clone, Debug, Serialize)]
pub struct Branch {
    /// The move, as UCI writes it, the king taking the rook to castle.
    pub uci: String,
    /// As people write it, with its number.
    pub text: String,
    /// The men after it: the first field of the position's FEN.
    pub men: String,
    /// The following moves.
    pub node: EvidenceNode,
}

/// An answer of alpha-beta that a claim rests on: a bound, to a depth.
#[derive(Clone, Debug, Serialize)]
pub struct Leaf {
    /// The moves from the root to it, as UCI writes them.
    pub path: Vec<String>,
    /// The bound that was found, seen by the side to move at the root: at least so much below the chosen move, at most
    /// so much below the others.
    pub value: i16,
    /// The same in pawns.
    pub text: String,
    /// Plies that alpha-beta looked ahead, the last move of the path included.
    pub depth: u16,
    /// Plies from the root that this reaches.
    pub horizon: u16,
    /// The bound that the claim needs of it.
    pub needed: i16,
    /// Centipawns by which it would have to be wrong, at least; `None` where a mate would have to be none.
    pub room_cp: Option<u32>,
    /// Which of the strategies shown it belongs to, from 1; 0: none.
    pub strategy: usize,
    /// The path as people write it.
    pub line: String,
    /// The men at its end: the first field of the position's FEN.
    pub men: String,
    /// A static look at that position, seen by the side to move at the root, in centipawns.
    pub static_cp: i32,
    /// The largest parts of that.
    pub terms: Vec<Term>,
}

/// Leaves whose change together breaks a claim. No smaller set does, and of those as small this one needs the least
/// change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Conspiracy {
    /// Their places in the list of leaves; none where the claim is not shown anyway.
    pub leaves: Vec<usize>,
    /// Centipawns by which all of them together would have to be wrong, at least; a mate that would have to be none
    /// counts as 30000.
    pub change_cp: u32,
}
