//! Pruning: null move, fail-high reductions, futility, late moves.

use super::exchange::wins_at_least;
use super::mobility::{NoPass, has_safe_piece_move, is_zugzwang_likely};
use super::move_loop::{Candidate, MoveLoop};
use super::node::{Node, NodeInfo};
use super::ordering::Picker;
use super::scores::{from_table, is_decisive, is_lost};
use super::searcher::{LeafSearcher, Walk};
use crate::chess::{Line, Position};
use crate::game::{Bound, Game};

/// Depth below which the evaluation may replace a search, in plies.
const SHALLOW: i32 = 7;
/// Minimum depth for `ProbCut`, in plies.
const PROB_CUT_DEPTH_MIN: i32 = 6;
/// Minimum depth at which a null-move cutoff is verified by a search without null moves...
const VERIFIED_DEPTH: i32 = 15;
/// ... and the same if the side to move has few pieces.
const VERIFIED_DEPTH_LIKELY: i32 = 8;

impl LeafSearcher {
    /// A value for the node without searching its moves, if that is safe enough.
    pub(super) fn prune(
        &mut self,
        walk: &mut Walk<'_>,
        node: &Node,
        known: &NodeInfo,
    ) -> Option<i32> {
        if node.is_pv() || known.in_check() {
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
        let passed = self.null_move(walk, node, known);
        if passed.is_some() || is_decisive(node.beta) {
            return passed;
        }
        self.prob_cut(walk, node, known)
    }

    /// Reverse futility: the evaluation is so far above beta that the opponent will hardly bring it down.
    fn reverse_futility(&self, node: &Node, known: &NodeInfo) -> Option<i32> {
        let plies = node.depth - i32::from(known.is_improving);
        let margin = self.params.reverse_futility_cp * plies;
        (self.params.reverse_futility
            && node.depth < SHALLOW
            && !known.was_pv
            && known.refined_eval - margin >= node.beta)
            .then_some(node.beta + (known.refined_eval - node.beta) / 3)
    }

    /// Razoring: the evaluation is so far below the bound that only captures can help.
    fn razor(&mut self, walk: &mut Walk<'_>, node: &Node, known: &NodeInfo) -> Option<i32> {
        if !self.params.razoring
            || node.depth > 3
            || known.refined_eval + self.params.razor_cp + self.params.razor_ply_cp * node.depth
                > node.alpha
        {
            return None;
        }
        let score = self.quiescence(walk, node.ply, 0, node.alpha, node.alpha + 1);
        (score <= node.alpha).then_some(score)
    }

    /// Null move: passing is nearly always the worst choice, so if it meets the bound, a move will too.
    fn null_move(&mut self, walk: &mut Walk<'_>, node: &Node, known: &NodeInfo) -> Option<i32> {
        let is_promising =
            known.refined_eval >= node.beta && known.evaluation? >= node.beta - 20 * node.depth;
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
        self.frames[node.ply].played_quiet = None;
        let beyond = (known.refined_eval - node.beta) / self.params.null_move_eval_cp;
        let reduction = 4 + node.depth / 4 + beyond.min(4);
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
            || self.is_unwinding()
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

    /// Verifies a null-move cutoff if zugzwang is likely or the depth is high. The search has the depth of the
    /// null-move search, and this side does not pass for most of it.
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
        score >= node.beta && !self.is_unwinding()
    }

    /// `ProbCut` (Buro 1995): a capture that a shallow search shows to be far above the bound will meet it at full
    /// depth.
    fn prob_cut(&mut self, walk: &mut Walk<'_>, node: &Node, known: &NodeInfo) -> Option<i32> {
        if !self.params.prob_cut || node.depth < PROB_CUT_DEPTH_MIN {
            return None;
        }
        let bound = node.beta + self.params.prob_cut_cp - 40 * i32::from(known.is_improving);
        let is_refuted = known.stored.is_some_and(|entry| {
            i32::from(entry.depth) >= node.depth - 3 && from_table(entry.score, node.ply) < bound
        });
        if is_refuted || is_decisive(bound) {
            return None;
        }
        let needed = bound - known.evaluation?;
        let mut picker = Picker::winning_noisy(&self.list, known.stored_move());
        let mut found = None;
        while let Some(mv) = picker.next(walk.line.position(), &self.history, &mut self.list) {
            if !wins_at_least(walk.line.position(), mv, needed) {
                continue;
            }
            self.play(walk, mv, node.ply);
            let mut score = -self.quiescence(walk, node.ply + 1, 0, -bound, 1 - bound);
            if score >= bound {
                let child = node.child(node.depth - 4, bound - 1, bound, !node.is_cut);
                score = -self.alpha_beta(walk, child);
            }
            walk.line.undo();
            if self.is_unwinding() {
                break;
            }
            if score >= bound {
                found = Some((score, mv));
                break;
            }
        }
        picker.finish(&mut self.list);
        let (score, mv) = found?;
        let raw = known.raw_evaluation;
        let (key, depth) = (walk.line.key(), node.depth - 3);
        self.store(
            key,
            Some(mv),
            score,
            raw,
            depth,
            node.ply,
            Bound::Lower,
            known.was_pv,
        );
        Some(if is_decisive(score) { node.beta } else { score })
    }

    /// Whether a late move can be pruned: enough better moves were tried, or it cannot reach the bound.
    pub(super) fn is_hopeless(
        &self,
        position: &Position,
        moves: &mut MoveLoop<'_>,
        candidate: &Candidate,
        floor: i32,
    ) -> bool {
        let (node, known, params) = (moves.node, moves.known, &self.params);
        if (node.is_pv() && !(self.is_deep && node.ply > 0)) || known.in_check() {
            return false;
        }
        let (mv, depth) = (candidate.mv, node.depth);
        if !candidate.is_quiet {
            let margin = -params.noisy_exchange_cp * depth - candidate.history / 128;
            return params.exchange_pruning
                && depth <= SHALLOW
                && !wins_at_least(position, mv, margin.min(0));
        }
        let enough = (params.late_moves + depth * depth) / if known.is_improving { 1 } else { 2 };
        let is_late = params.late_move_pruning
            && !node.is_pv()
            && depth <= SHALLOW
            && candidate.number > enough;
        if is_late {
            moves.picker.skip_quiet();
        }
        if candidate.gives_check {
            return false;
        }
        // What is left where late moves are first searched less deep.
        let left = depth - 1 - self.reduction(node, known, candidate);
        let reach = known.refined_eval + params.futility_base_cp + params.futility_cp * left;
        is_late
            || (params.history_pruning
                && left <= 4
                && candidate.history < -params.history_pruning_score * (left + 1))
            || (params.futility && left < SHALLOW && reach <= floor && !is_decisive(floor))
            || (params.exchange_pruning
                && left <= SHALLOW
                && !wins_at_least(position, mv, -params.quiet_exchange_cp * (left + 1).pow(2)))
    }
}
