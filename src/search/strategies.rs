//! Conspiracy numbers in alpha-beta: does a cut node's bound rest on one strategy, or do two show it?
//!
//! The thesis hands a target with conspiracy 2 to two successors with conspiracy 1 each, or whole to the only one that
//! holds, whose subtree then grows until it branches: depth follows the number of strategies. Here that is done at
//! every cut node with depth enough. All moves but the stored best one are asked, less deep, for a bound somewhat
//! lower:
//!
//! ```text
//! none holds it      one strategy: the stored move is searched a ply deeper, two where the others fall far short
//! another meets beta two strategies, each less deep: the target is met
//! others hold it     two strategies nearly: where the stored move meets beta it is searched a ply less deep
//! ```
//!
//! Alpha-beta programs know the first as singular extension (Anantharaman, Campbell, Hsu 1988) and the second as
//! multi-cut (Björnsson, Marsland 1998).

use super::node::{Node, NodeInfo};
use super::scores::{from_table, is_decisive};
use super::searcher::{LeafSearcher, Walk};
use crate::game::Bound;

/// Least remaining depth of a node whose strategies are counted, in plies.
const DEPTH_MIN: i32 = 7;
/// The stored bound may be less deep than the node by so many plies.
const STORED_LAG: i32 = 3;
/// Others that fall short of the lowered bound by more than this, in centipawns, do so by far.
const FAR: i32 = 25;
/// Second plies granted on one path at most.
const SECOND_PLIES_MAX: i32 = 6;

/// The result of a count of strategies.
pub(super) enum Strategies {
    /// Nothing was counted, or others hold the lowered bound but not beta.
    Unknown,
    /// The stored move stands alone and deserves so many plies more.
    One(i32),
    /// The stored move meets beta, and others hold nearly as much: it may be searched a ply less deep.
    Several,
    /// Another move meets beta as well, less deep: the node's value.
    Two(i32),
}

/// A stored lower bound, and the somewhat lower one that the other moves are asked for, in centipawns.
struct Lowered {
    score: i32,
    bound: i32,
}

impl LeafSearcher {
    /// Counts the strategies of a node whose stored move showed a lower bound.
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
                && value < bound - FAR
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

    /// The bound that the other moves are asked for; `None` where nothing is counted.
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
