//! Enhanced transposition cutoffs (Plaat, Schaeffer, Pijls, de Bruin 1996).

use super::alphabeta::Node;
use super::scores::from_table;
use super::searcher::{Searcher, Walk, is_draw};
use super::table::{BoundType, Entry};
use crate::chess::Move;
use crate::game::Game;

/// Nodes with fewer plies left are cheaper to search than to ask about.
const DEPTH_MIN: i32 = 5;

impl Searcher {
    /// The score of a successor that the table knows to meet the bound.
    pub(super) fn enhanced_cutoff(&self, walk: &mut Walk<'_>, node: &Node) -> Option<i32> {
        if !self.params.enhanced_cutoffs || node.depth < DEPTH_MIN || self.root_depth == 0 {
            return None;
        }
        let mut moves = Vec::new();
        walk.line.legal_moves(&mut moves);
        moves
            .into_iter()
            .find_map(|mv| self.known_refutation(walk, node, mv))
    }

    /// The score of the successor behind `mv`, if the table knows it to meet the bound. A successor that repeats a
    /// position is a draw, whatever the table says.
    fn known_refutation(&self, walk: &mut Walk<'_>, node: &Node, mv: Move) -> Option<i32> {
        let Entry {
            score,
            depth,
            bound,
            ..
        } = self.probe(walk.line.position().after(mv).key())?;
        let score = -from_table(score, node.ply + 1);
        if bound == BoundType::Lower || i32::from(depth) < node.depth - 1 || score < node.beta {
            return None;
        }
        walk.line.play(mv);
        let is_draw = is_draw(walk.line);
        walk.line.undo();
        (!is_draw).then_some(score)
    }
}
