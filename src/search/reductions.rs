//! Reductions: late moves, nodes without a hash move, and nodes that meet the bound even after all threats.

use super::move_loop::Candidate;
use super::node::{Node, NodeInfo};
use super::searcher::LeafSearcher;
use crate::chess::Line;
use crate::eval;

/// A ply in the unit in which reductions are added up.
const PLY: i32 = 1_024;
/// Cutoffs among the successors beyond which a node is not expected to be of interest.
const CUTOFFS_MANY: i32 = 3;
/// Minimum depth of internal iterative reduction.
const INTERNAL_DEPTH_MIN: i32 = 4;

/// Greatest depth and move number told apart.
const SIZE: usize = 64;
/// For each depth and number of a move, `ln(depth) * ln(number)` in [`PLY`].
static LOGARITHMS: [[i16; SIZE]; SIZE] = logarithms();

const fn logarithms() -> [[i16; SIZE]; SIZE] {
    let mut table = [[0; SIZE]; SIZE];
    let mut depth = 1;
    while depth < SIZE {
        let mut number = 1;
        while number < SIZE {
            let product = log2_eighths(depth as i32) * log2_eighths(number as i32);
            // (ln 2)^2 = 0.4805
            table[depth][number] = (product * 4_805 / 64 * PLY / 10_000) as i16;
            number += 1;
        }
        depth += 1;
    }
    table
}

/// Logarithm to base 2 in eighths, linear between powers of two.
const fn log2_eighths(number: i32) -> i32 {
    let exponent = number.ilog2() as i32;
    8 * exponent + ((8 * number) >> exponent) - 8
}

impl LeafSearcher {
    /// Reduction of the first search of a move, in plies.
    pub(super) fn reduction(&self, node: &Node, known: &NodeInfo, candidate: &Candidate) -> i32 {
        let early = if node.is_pv() { 2 } else { 1 };
        let shallow = if node.is_pv() { 4 } else { 3 };
        let params = &self.params;
        if !params.late_move_reduction || node.depth < shallow || candidate.number <= early {
            return 0;
        }
        let (depth, number) = (node.depth as usize, candidate.number as usize);
        let logarithm = i32::from(LOGARITHMS[depth.min(SIZE - 1)][number.min(SIZE - 1)]);
        let mut reduction = if candidate.is_quiet {
            params.quiet_reduction
                + logarithm * params.quiet_reduction_slope / PLY
                + params.noisy_hash_reduction * i32::from(known.is_stored_noisy)
        } else {
            logarithm * params.noisy_reduction_slope / PLY
        };
        reduction += params.cut_node_reduction * i32::from(node.is_cut);
        reduction += params.not_improving_reduction * i32::from(!known.is_improving);
        reduction -= params.pv_reduction * i32::from(node.is_pv());
        reduction -= params.was_pv_reduction * i32::from(known.was_pv && !node.is_pv());
        reduction -= params.check_reduction * i32::from(known.in_check() || candidate.gives_check);
        let is_killer = self.frames[node.ply].killers.contains(&Some(candidate.mv));
        reduction -= params.killer_reduction * i32::from(is_killer);
        reduction +=
            params.cutoffs_reduction * i32::from(self.frames[node.ply + 1].cutoffs > CUTOFFS_MANY);
        reduction -= candidate.history * PLY / params.history_reduction_score;
        (reduction / PLY).clamp(0, node.depth - 2)
    }

    /// Internal iterative reduction: without a hash move the move order is poor, and the next iteration will have a
    /// better one.
    pub(super) fn internal_reduction(&self, node: &Node, known: &NodeInfo) -> i32 {
        let reduces = self.params.internal_reduction
            && self.is_deep
            && node.depth >= INTERNAL_DEPTH_MIN
            && (node.is_pv() || node.is_cut)
            && known.stored_move().is_none();
        i32::from(reduces)
    }

    /// Fail-high reduction: one ply less at expected cut nodes whose evaluation, all threats carried out, meets the
    /// bound.
    pub(super) fn fail_high_reduction(&self, line: &Line, node: &Node, known: &NodeInfo) -> i32 {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_near_the_true_ones() {
        for (depth, number) in [(3, 4), (8, 8), (16, 32), (63, 63), (20, 5)] {
            let exact = f64::from(depth).ln() * f64::from(number).ln() * f64::from(PLY);
            let known = f64::from(LOGARITHMS[depth as usize][number as usize]);
            assert!(
                (known / exact - 1.0).abs() < 0.07,
                "{depth}, {number}: {known}, {exact}"
            );
        }
    }
}
