//! `ProbCut` (Buro 1995), by captures: what a capture holds by a margin in a shallow search, a deep one will hold.

use super::exchange::wins_at_least;
use super::node::{Knowledge, Node};
use super::ordering::Picker;
use super::scores::{from_table, is_decisive};
use super::searcher::{Searcher, Walk};
use crate::game::Game;

/// Least depth predicted, in plies.
const DEPTH_MIN: i32 = 5;
/// So many plies shallower is the search that predicts.
const REDUCTION: i32 = 4;

impl Searcher {
    /// A lower bound of the node predicted from a shallow search of its good captures.
    pub(super) fn prob_cut(
        &mut self,
        walk: &mut Walk<'_>,
        node: &Node,
        known: &Knowledge,
    ) -> Option<i32> {
        let target = node.beta + self.params.prob_cut_cp;
        if !self.params.prob_cut
            || node.depth < DEPTH_MIN
            || is_decisive(target)
            || is_denied(node, known, target)
        {
            return None;
        }
        let (evaluation, hash) = (known.evaluation?, known.stored.and_then(|entry| entry.best));
        let mut picker = Picker::winning_noisy(&self.list, hash);
        let mut score = None;
        while let Some(mv) = picker.next(walk.line.position(), &self.history, &mut self.list) {
            if !wins_at_least(walk.line.position(), mv, target - evaluation) {
                continue;
            }
            self.play(walk, mv, node.ply);
            let mut found = -self.quiescence(walk, node.ply + 1, 0, -target, 1 - target);
            if found >= target {
                let child = node.child(node.depth - REDUCTION, target - 1, target, !node.is_cut);
                found = -self.alpha_beta(walk, child);
            }
            walk.line.undo();
            if self.is_stopped {
                break;
            }
            if found >= target {
                score = Some((mv, found));
                break;
            }
        }
        picker.finish(&mut self.list);
        let (mv, found) = score?;
        let depth = node.depth - REDUCTION + 1;
        let key = walk.line.key();
        let window = (target - 1, target);
        self.store(
            key,
            Some(mv),
            found,
            known.evaluation,
            depth,
            node.ply,
            window,
        );
        Some(if is_decisive(found) { node.beta } else { found })
    }
}

/// Whether the table knows already that the shallow search will not reach the target.
fn is_denied(node: &Node, known: &Knowledge, target: i32) -> bool {
    known.stored.is_some_and(|entry| {
        i32::from(entry.depth) > node.depth - REDUCTION
            && from_table(entry.score, node.ply) < target
    })
}
