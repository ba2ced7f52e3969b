//! Conspiracy numbers in alpha-beta: tests whether one strategy or two prove the bound of a cut node.
//!
//! The thesis divides a target with conspiracy number 2 between two successors. If only one successor holds, it gets
//! the whole target, and its subtree grows until it branches. So depth follows the number of strategies. Here the same
//! is done at every cut node of sufficient depth. All moves except the hash move are searched at reduced depth against
//! a slightly lower bound:
//!
//! ```text
//! none holds it      one strategy: the hash move is extended by a ply, by two if the others fall far short
//! another meets beta two strategies, at reduced depth: the node is cut off
//! others hold it     almost two strategies: if the hash move meets beta, it is reduced by a ply
//! ```
//!
//! Alpha-beta programs call the first a singular extension (Anantharaman, Campbell, Hsu 1988) and the second multi-cut
//! (Björnsson, Marsland 1998).

use super::node::{Node, NodeInfo};
use super::scores::{from_table, is_decisive};
use super::searcher::{LeafSearcher, Walk};
use crate::game::Bound;

/// Minimum remaining depth of a node whose strategies are counted, in plies.
const DEPTH_MIN: i32 = 7;
/// Maximum number of plies by which the stored bound may be shallower than the node.
const STORED_LAG: i32 = 3;
/// Maximum number of second plies on one path.
const SECOND_PLIES_MAX: i32 = 6;

/// The result of a count of strategies.
pub(super) enum Strategies {
    /// Nothing was counted, or others hold the lowered bound but not beta.
    Unknown,
    /// Only the hash move holds the bound: its extension in plies.
    One(i32),
    /// The hash move meets beta, and others hold the lowered bound: it may be reduced by a ply.
    Several,
    /// Another move meets beta too, at reduced depth: the value of the node.
    Two(i32),
}

/// A stored lower bound, and the slightly lower bound for the other moves, in centipawns.
struct Lowered {
    score: i32,
    bound: i32,
}

impl LeafSearcher {
    /// Counts the strategies of a node whose hash move has a lower bound.
    pub(super) fn count_strategies(
        &mut self,
        walk: &mut Walk<'_>,
        node: &Node,
        known: &NodeInfo,
    ) -> Strategies {
        let Some(Lowered { score, bound }) = self.lowered_bound(node, known) else {
            return Strategies::Unknown;
        };
        let question = Node {
            depth: (node.depth - 1) / 2,
            alpha: bound - 1,
            beta: bound,
            excluded: known.stored_move(),
            ..*node
        };
        let frame = &self.frames[node.ply];
        let (killers, evaluation) = (frame.killers, frame.evaluation);
        let value = self.search_node(walk, question);
        let frame = &mut self.frames[node.ply];
        (frame.killers, frame.evaluation) = (killers, evaluation);
        if self.is_unwinding() {
            Strategies::Unknown
        } else if value < bound {
            let is_far = !node.is_pv()
                && value < bound - self.params.far_cp
                && self.frames[node.ply].extensions < SECOND_PLIES_MAX;
            Strategies::One(1 + i32::from(is_far))
        } else if value >= node.beta && !node.is_pv() && !is_decisive(value) {
            Strategies::Two(value)
        } else if score >= node.beta && !node.is_pv() {
            Strategies::Several
        } else {
            Strategies::Unknown
        }
    }

    /// The bound for the other moves; `None` if nothing is counted.
    fn lowered_bound(&self, node: &Node, known: &NodeInfo) -> Option<Lowered> {
        let (margin, entry) = (self.params.strategy_margin_cp?, known.stored?);
        let score = from_table(entry.score, node.ply);
        let counts = self.is_deep
            && node.depth >= DEPTH_MIN
            && node.ply > 0
            && node.ply < self.ply_extended_max
            && entry.best.is_some()
            && entry.bound != Bound::Upper
            && i32::from(entry.depth) >= node.depth - STORED_LAG
            && !is_decisive(score);
        counts.then(|| Lowered {
            score,
            bound: score - margin * node.depth,
        })
    }
}
