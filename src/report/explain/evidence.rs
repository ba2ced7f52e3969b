//! The part of the stored tree that proves a decision.

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
    pub(super) fn of(position: &Position) -> Self {
        position.chess().turn().fold_wb(Self::White, Self::Black)
    }
}

/// The bound on a move that the decision requires: a lower bound for the chosen move, an upper bound for every
/// other.
#[derive(Clone, Debug, Serialize)]
pub struct MoveEvidence {
    /// The move in UCI notation.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The men after the move: the first field of the position's FEN.
    pub men: String,
    /// Whether it is the chosen move.
    pub is_best: bool,
    /// The bound, from the view of the side to move at the root.
    pub bound: i16,
    /// The proof, starting at the position after the move.
    pub tree: EvidenceNode,
    /// Leaf-disjoint strategies that prove the bound: 0 if the stored tree does not, `None` if the rules of the
    /// game do.
    pub strategies: Option<u64>,
    /// The smallest set of leaves whose change refutes the bound; `None` if no change does.
    pub conspirators: Option<Conspiracy>,
}

/// A node of the proof of a claim.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum EvidenceNode {
    /// The proving side is to move: one branch suffices.
    Any {
        /// The moves that prove the claim.
        branches: Vec<Branch>,
    },
    /// The other side is to move: every legal move needs an answer.
    Every {
        /// All legal moves.
        branches: Vec<Branch>,
    },
    /// A possibly wrong answer of an alpha-beta search to a limited depth.
    Leaf {
        /// Index in the list of leaves.
        leaf: usize,
    },
    /// The end of the game, or a proven mate.
    End {
        /// The value, from the view of the side to move at the root.
        value: i16,
        /// Whether the value satisfies the claim.
        holds: bool,
    },
    /// The stored tree does not prove the claim.
    Unknown,
}

/// A move and its subtree.
#[derive(Clone, Debug, Serialize)]
pub struct Branch {
    /// The move in UCI notation, castling as king takes rook.
    pub uci: String,
    /// The move in SAN with its number.
    pub text: String,
    /// The men after the move: the first field of the position's FEN.
    pub men: String,
    /// The subtree after the move.
    pub node: EvidenceNode,
}

/// An answer of alpha-beta that a claim rests on: a bound at a depth.
#[derive(Clone, Debug, Serialize)]
pub struct Leaf {
    /// The moves from the root to the leaf, in UCI notation.
    pub path: Vec<String>,
    /// A lower bound below the chosen move, an upper bound below the others, from the view of the side to move at
    /// the root.
    pub value: i16,
    /// The bound in pawns.
    pub text: String,
    /// Search depth in plies, including the last move of the path.
    pub depth: u16,
    /// Plies from the root that the search reached.
    pub horizon: u16,
    /// The bound that the claim requires.
    pub needed: i16,
    /// Minimum error in centipawns that would refute the claim; `None` if it would have to be a wrong mate score.
    pub room_cp: Option<u32>,
    /// Number of the strategy that contains the leaf, from 1; 0 for none.
    pub strategy: usize,
    /// The path in SAN.
    pub line: String,
    /// The men at the leaf: the first field of the position's FEN.
    pub men: String,
    /// The static evaluation of the leaf in centipawns, from the view of the side to move at the root.
    pub static_cp: i32,
    /// The largest terms of the static evaluation.
    pub terms: Vec<Term>,
}

/// A set of leaves whose joint change refutes a claim. No smaller set does; among sets of this size it needs the
/// least change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Conspiracy {
    /// Indices in the list of leaves; empty if the claim is not proven in the first place.
    pub leaves: Vec<usize>,
    /// Minimum sum of the errors of these leaves, in centipawns; a wrong mate score counts as 30000.
    pub change_cp: u32,
}
