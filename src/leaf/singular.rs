//! Singular extensions (Anantharaman, Campbell, Hsu 1988), as a search with a table asks for them: is any move as good as
//! the table's?

use super::node::{Knowledge, Node};
use super::scores::{from_table, is_decisive};
use super::searcher::{Searcher, Walk};
use super::table::{BoundType, Entry};
use crate::chess::Move;

/// Least depth at which the question is worth its search, in plies.
const DEPTH_MIN: i32 = 6;

/// What the other moves say of the table's move.
pub(super) enum Singularity {
    /// It is to be searched so many plies deeper.
    Extend(i32),
    /// Another move meets the bound, too: this is the node's score.
    Many(i32),
}

impl Searcher {
    /// Searches all moves but the table's, less deep, against its score less a margin of two centipawns a ply.
    pub(super) fn singularity(
        &mut self,
        walk: &mut Walk<'_>,
        node: &Node,
        known: &Knowledge,
    ) -> Singularity {
        let Some((mv, score)) = self.candidate(walk, node, known) else {
            return Singularity::Extend(0);
        };
        let bound = score - 2 * node.depth;
        let others = Node {
            depth: (node.depth - 1) / 2,
            alpha: bound - 1,
            beta: bound,
            excluded: Some(mv),
            ..*node
        };
        let best_other = self.alpha_beta(walk, others);
        if best_other < bound {
            Singularity::Extend(1)
        } else if bound >= node.beta && !node.is_pv() && !self.is_stopped {
            Singularity::Many(bound)
        } else {
            Singularity::Extend(-i32::from(score >= node.beta && !node.is_pv()))
        }
    }

    /// The table's move and score, where it may be singular and the line is not extended too far already.
    fn candidate(&self, walk: &Walk<'_>, node: &Node, known: &Knowledge) -> Option<(Move, i32)> {
        let is_asked = self.params.singular_extension
            && node.depth >= DEPTH_MIN
            && node.ply < 2 * self.root_depth
            && !known.in_check;
        if !is_asked {
            return None;
        }
        let Entry {
            best,
            score,
            depth,
            bound,
            ..
        } = known.stored?;
        let (mv, score) = (best?, from_table(score, node.ply));
        let is_candidate = bound != BoundType::Upper
            && i32::from(depth) >= node.depth - 3
            && !is_decisive(score)
            && walk.line.position().is_legal(mv);
        is_candidate.then_some((mv, score))
    }
}
