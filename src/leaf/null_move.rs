//! Null move: if passing is good enough, a move is too. That fails in zugzwang, so where it may be one the cutoff is verified.

use shakmaty::{Color, Position as _, attacks};

use super::alphabeta::{Knowledge, Node};
use super::scores::is_decisive;
use super::searcher::{Searcher, Walk};
use crate::chess::Position;
use crate::game::Game;

/// Cutoffs of this depth on are verified whatever the pieces.
const VERIFIED_DEPTH: i32 = 14;
/// The same for a side with a single piece: its zugzwang is common, and a look at it cheap.
const SINGLE_PIECE_DEPTH: i32 = 5;

impl Searcher {
    /// Passing is nearly always the worst choice: if it meets the bound, a move will.
    pub(super) fn null_move(
        &mut self,
        walk: &mut Walk<'_>,
        node: &Node,
        known: &Knowledge,
    ) -> Option<i32> {
        let is_promising =
            known.estimate >= node.beta && known.evaluation? >= node.beta - 20 * node.depth;
        if !self.params.null_move || node.passed || node.depth < 2 || !is_promising {
            return None;
        }
        let turn = walk.line.position().chess().turn();
        if node.ply < self.passes_from[turn as usize] {
            return None;
        }
        let pieces = mobile_pieces(walk.line.position());
        if pieces == 0 || !walk.line.pass() {
            return None;
        }
        let reduction = 3 + node.depth / 4 + ((known.estimate - node.beta) / 200).min(3);
        let score = self.value_of_pass(walk, node, reduction);
        if score < node.beta || self.is_stopped {
            return None;
        }
        let threshold = if pieces == 1 {
            SINGLE_PIECE_DEPTH
        } else {
            VERIFIED_DEPTH
        };
        if node.depth >= threshold && !self.is_verified(walk, node, reduction, turn) {
            return None;
        }
        // A mate found after a pass is not proven.
        Some(if is_decisive(score) { node.beta } else { score })
    }

    /// What the node is worth if the side to move passes, which it has just done; takes the pass back.
    fn value_of_pass(&mut self, walk: &mut Walk<'_>, node: &Node, reduction: i32) -> i32 {
        self.frames[node.ply].played = None;
        let (alpha, beta) = (node.beta - 1, node.beta);
        let child = Node {
            passed: true,
            ..node.child(node.depth - reduction, alpha, beta, !node.is_cut)
        };
        let score = -self.alpha_beta(walk, child);
        walk.line.undo();
        score
    }

    /// Whether the bound holds, too, in a search as deep as that of the pass in which the side to move never passes.
    fn is_verified(
        &mut self,
        walk: &mut Walk<'_>,
        node: &Node,
        reduction: i32,
        turn: Color,
    ) -> bool {
        let depth = (node.depth - reduction).max(1);
        let before = self.passes_from[turn as usize];
        self.passes_from[turn as usize] = node.ply + depth as usize;
        let question = Node {
            depth,
            alpha: node.beta - 1,
            beta: node.beta,
            ..*node
        };
        let score = self.alpha_beta(walk, question);
        self.passes_from[turn as usize] = before;
        score >= node.beta && !self.is_stopped
    }
}

/// How many pieces of the side to move can move at all, pins and the safety of the squares apart.
fn mobile_pieces(position: &Position) -> usize {
    let chess = position.chess();
    let (board, turn) = (chess.board(), chess.turn());
    let own = board.by_color(turn);
    let enemy_pawns = board.pawns() & board.by_color(!turn);
    let covered = enemy_pawns
        .into_iter()
        .map(|pawn| attacks::pawn_attacks(!turn, pawn))
        .fold(shakmaty::Bitboard::EMPTY, |all, each| all | each);
    (own & !board.pawns() & !board.kings())
        .into_iter()
        .filter(|&square| (board.attacks_from(square) & !own & !covered).any())
        .count()
}
