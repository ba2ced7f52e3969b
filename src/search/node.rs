//! A node of the search: its question, the known facts, and the result of its moves.

use super::table::Entry;
use crate::chess::Move;

/// One node's question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Remaining plies.
    pub(super) depth: i32,
    /// Distance from the root of the search.
    pub(super) ply: usize,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// Expected to reach beta: the first moves decide.
    pub(super) is_cut: bool,
    /// The move before was a pass.
    pub(super) passed: bool,
    /// A move left out of the search (for singularity); the answer is not remembered.
    pub(super) excluded: Option<Move>,
}

impl Node {
    /// The root's question; a null window is expected to be met.
    pub(super) const fn root(depth: i32, alpha: i32, beta: i32) -> Self {
        Self {
            depth,
            ply: 0,
            alpha,
            beta,
            is_cut: beta - alpha == 1,
            passed: false,
            excluded: None,
        }
    }

    /// The window is open: the node may lie on the principal variation.
    pub(super) const fn is_pv(&self) -> bool {
        self.beta - self.alpha > 1
    }

    /// The question to a successor with the window `(alpha, beta)`, from this node's point of view.
    pub(super) const fn child(&self, depth: i32, alpha: i32, beta: i32, is_cut: bool) -> Self {
        Self {
            depth,
            ply: self.ply + 1,
            alpha: -beta,
            beta: -alpha,
            is_cut,
            passed: false,
            excluded: None,
        }
    }
}

/// The facts about a node before its moves are tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeInfo {
    pub(super) stored: Option<Entry>,
    /// Raw static evaluation, to be stored; `None` in check.
    pub(super) raw_evaluation: Option<i32>,
    /// Static evaluation with the correction history; `None` in check.
    pub(super) evaluation: Option<i32>,
    /// The evaluation corrected by a stored bound.
    pub(super) refined_eval: i32,
    /// The node is on the principal variation, or was when it was stored.
    pub(super) was_pv: bool,
    /// The evaluation has improved since the side's previous move.
    pub(super) is_improving: bool,
    /// The stored move is a capture or a promotion.
    pub(super) is_stored_noisy: bool,
    /// Extension of the hash move in plies; negative: reduction.
    pub(super) extension: i32,
}

impl NodeInfo {
    /// Whether the side to move is in check: only then there is no static evaluation.
    pub(super) const fn in_check(&self) -> bool {
        self.evaluation.is_none()
    }

    /// The stored best move, if any.
    pub(super) fn stored_move(&self) -> Option<Move> {
        self.stored?.best
    }
}

/// The result of a node's moves.
pub(super) struct MoveLoopResult {
    pub(super) best: i32,
    pub(super) best_move: Option<Move>,
}
