//! Where alpha-beta looks less: null move, fail-high reductions, futility, late moves.

use super::exchange::wins_at_least;
use super::mobility::{NoPass, has_safe_piece_move, is_zugzwang_likely};
use super::node::{Knowledge, Node};
use super::ordering::Picker;
use super::scores::{is_decisive, is_lost};
use super::searcher::{LeafSearcher, Walk};
use crate::chess::{Line, Move};
use crate::eval;
use crate::game::{Game, late_move_reduction};

/// Plies of depth below which the evaluation may stand for a search.
const SHALLOW: i32 = 7;
/// Depth from which a null move that cuts off is verified by a search without null moves...
const VERIFIED_DEPTH: i32 = 15;
/// ... and where the side to move has few pieces.
const VERIFIED_DEPTH_LIKELY: i32 = 8;

impl LeafSearcher {
    /// A value for the node without trying its moves, where that is safe enough.
    pub(super) fn prune(
        &mut self,
        walk: &mut Walk<'_>,
        node: &Node,
        known: &Knowledge,
    ) -> Option<i32> {
        if node.is_pv() || known.in_check {
            return None;
        }
        // Of mates the evaluation says nothing; but who is not even mated after a pass has a way out.
        if !is_decisive(node.beta) && !is_decisive(node.alpha) {
            let judged = self.reverse_futility(node, known);
            let judged = judged.or_else(|| self.razor(walk, node, known));
            if judged.is_some() {
                return judged;
            }
        } else if !is_lost(node.beta) {
            return None;
        }
        self.null_move(walk, node, known)
    }

    /// So far above the bound that the opponent's best move will not bring it down.
    fn reverse_futility(&self, node: &Node, known: &Knowledge) -> Option<i32> {
        let plies = node.depth - i32::from(known.is_improving);
        let margin = self.params.reverse_futility_cp * plies;
        (self.params.reverse_futility
            && node.depth < SHALLOW
            && known.estimate - margin >= node.beta)
            .then_some(known.estimate - margin.max(0))
    }

    /// So far below the bound that only captures can help: ask quiescence.
    fn razor(&mut self, walk: &mut Walk<'_>, node: &Node, known: &Knowledge) -> Option<i32> {
        if !self.params.razoring
            || node.depth > 3
            || known.estimate + 150 + 200 * node.depth > node.alpha
        {
            return None;
        }
        let score = self.quiescence(walk, node.ply, 0, node.alpha, node.alpha + 1);
        (score <= node.alpha).then_some(score)
    }

    /// Passing is nearly always the worst choice: if it meets the bound, a move will.
    fn null_move(&mut self, walk: &mut Walk<'_>, node: &Node, known: &Knowledge) -> Option<i32> {
        let is_promising =
            known.estimate >= node.beta && known.evaluation? >= node.beta - 20 * node.depth;
        if !self.params.null_move
            || node.passed
            || node.depth < 2
            || !is_promising
            || !self.may_pass(walk.line, node)
            || !walk.line.pass()
        {
            return None;
        }
        self.frames[node.ply].played = None;
        let reduction = 3 + node.depth / 4 + ((known.estimate - node.beta) / 200).min(3);
        let child = Node {
            passed: true,
            ..node.child(
                node.depth - reduction,
                node.beta - 1,
                node.beta,
                !node.is_cut,
            )
        };
        let score = -self.alpha_beta(walk, child);
        walk.line.undo();
        if score < node.beta
            || self.is_stopped
            || !self.is_pass_verified(walk, node, node.depth - reduction)
        {
            return None;
        }
        // A mate found after a pass is not proven.
        Some(if is_decisive(score) { node.beta } else { score })
    }

    /// Whether the side to move may pass here.
    fn may_pass(&self, line: &Line, node: &Node) -> bool {
        let is_forbidden = self
            .no_pass
            .is_some_and(|no_pass| no_pass.holds(line.turn(), node.ply));
        !is_forbidden && has_safe_piece_move(line.position())
    }

    /// Whether a side that met its bound by passing meets it by moving, too, where zugzwang is likely or much depends on it: a
    /// search to the depth that the pass was judged by, in which this side does not pass for most of the way.
    fn is_pass_verified(&mut self, walk: &mut Walk<'_>, node: &Node, depth: i32) -> bool {
        let position = walk.line.position();
        let depth_min = if is_zugzwang_likely(position) {
            VERIFIED_DEPTH_LIKELY
        } else {
            VERIFIED_DEPTH
        };
        if !self.params.verified_null_move || node.depth < depth_min || self.no_pass.is_some() {
            return true;
        }
        self.no_pass = Some(NoPass {
            side: walk.line.turn(),
            below_ply: node.ply + (3 * depth.max(1) / 4) as usize + 1,
        });
        let question = Node {
            depth: depth.max(1),
            alpha: node.beta - 1,
            passed: true,
            ..*node
        };
        let score = self.alpha_beta(walk, question);
        self.no_pass = None;
        score >= node.beta && !self.is_stopped
    }

    /// Fail-high reduction: one ply less at expected cut nodes whose evaluation, all threats carried out, meets the bound.
    pub(super) fn fail_high_reduction(&self, line: &Line, node: &Node, known: &Knowledge) -> i32 {
        let Some(evaluation) = known.evaluation else {
            return 0;
        };
        let reduces = self.params.fail_high_reduction
            && node.is_cut
            && node.depth >= 2
            && evaluation >= node.beta
            && evaluation - eval::threat(line.position()) >= node.beta;
        i32::from(reduces)
    }

    /// Whether a late move may be left out: there are enough better ones, or it cannot reach the bound.
    pub(super) fn is_hopeless(
        &self,
        line: &Line,
        node: &Node,
        known: &Knowledge,
        picker: &mut Picker,
        (mv, is_quiet, count): (Move, bool, i32),
        floor: i32,
    ) -> bool {
        if node.is_pv() || known.in_check || node.depth > SHALLOW {
            return false;
        }
        let position = line.position();
        let depth = node.depth;
        if !is_quiet {
            return self.params.exchange_pruning && !wins_at_least(position, mv, -100 * depth);
        }
        let enough = (4 + depth * depth) / if known.is_improving { 1 } else { 2 };
        if self.params.late_move_pruning && count > enough {
            picker.skip_quiet();
        }
        if position.gives_check(mv) {
            return false;
        }
        let reach = known.estimate + 60 + self.params.futility_cp * depth;
        (self.params.late_move_pruning && count > enough)
            || (self.params.futility && reach <= floor)
            || (self.params.exchange_pruning && !wins_at_least(position, mv, -60 * depth))
    }

    /// Plies by which the first look at a late move is shortened.
    pub(super) fn late_move_reduction(
        &self,
        line: &Line,
        node: &Node,
        known: &Knowledge,
        (mv, is_quiet, count): (Move, bool, i32),
    ) -> i32 {
        let first = if node.is_pv() { 3 } else { 2 };
        if !self.params.late_move_reduction || node.depth < 3 || count <= first || !is_quiet {
            return 0;
        }
        let mut plies = late_move_reduction(node.depth, count);
        plies += i32::from(node.is_cut) + i32::from(!known.is_improving) - i32::from(node.is_pv());
        plies -= i32::from(known.in_check || line.position().gives_check(mv));
        plies -= self
            .history
            .promise(line.position(), mv, self.context(node.ply))
            / 5_000;
        plies.clamp(0, node.depth - 2)
    }
}
