//! Judging the last move by its result: the change of the evaluation and the score of the node it led to.

use super::history::QuietEntries;
use super::node::{Node, NodeInfo};
use super::searcher::{LeafSearcher, PlyState};

/// Usual drop of the evaluation when the turn passes to the other side, in centipawns: having the move is worth as
/// much.
const TEMPO_CP: i32 = 25;
/// Points of history for each centipawn that a move gains...
const GAIN_WEIGHT: i32 = 8;
/// ... and at most.
const GAIN_MAX: i32 = 550;
/// Least reductions, in plies, that are taken back or added to once the evaluation of the node is known.
const TAKEN_BACK_MIN: i32 = 3;
const ADDED_TO_MIN: i32 = 2;
/// A move that loses more than this, in centipawns, is reduced by one more ply.
const LOSS_CP: i32 = 60;

impl LeafSearcher {
    /// Updates the history of the last move by what it gained in the static evaluation.
    pub(super) fn judge_last_move(&mut self, node: &Node, known: &NodeInfo) {
        if let Some(lost) = self.lost_by_last_move(node, known)
            && let Some(entries) = self.last_quiet_move(node)
        {
            let bonus = GAIN_WEIGHT * (TEMPO_CP - lost);
            self.history
                .update_by_squares(&entries, bonus.clamp(-GAIN_MAX, GAIN_MAX));
        }
    }

    /// Rewards the last move where no answer beats its bound.
    pub(super) fn reward_last_move(&mut self, node: &Node) {
        if let Some(entries) = self.last_quiet_move(node) {
            self.history
                .update(&entries, (150 * node.depth - 60).min(1_000));
        }
    }

    /// Correction of the node's depth, in plies: a reduced move that did not lose by the evaluation gets a ply back, one
    /// that lost clearly is reduced further.
    pub(super) fn hindsight(&self, node: &Node, known: &NodeInfo) -> i32 {
        let Some(lost) = self.lost_by_last_move(node, known) else {
            return 0;
        };
        let reduction = self.frames[node.ply - 1].reduction;
        if reduction >= TAKEN_BACK_MIN && lost <= 0 {
            1
        } else if reduction >= ADDED_TO_MIN && node.depth >= 2 && lost > LOSS_CP {
            -1
        } else {
            0
        }
    }

    fn before(&self, node: &Node) -> Option<&PlyState> {
        node.ply.checked_sub(1).map(|ply| &self.frames[ply])
    }

    /// The last move if it is quiet and there is a history of such moves.
    fn last_quiet_move(&self, node: &Node) -> Option<QuietEntries> {
        let before = self.before(node).filter(|_| self.params.history)?;
        before.played_quiet
    }

    /// Centipawns by which the static evaluation of the side that moved last fell; `None` where one of them was in
    /// check, and in valuations of leaves.
    fn lost_by_last_move(&self, node: &Node, known: &NodeInfo) -> Option<i32> {
        let before = self.before(node).filter(|_| self.is_deep)?;
        Some(before.evaluation? + known.evaluation?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::chess::notation::parse_uci_move;
    use crate::search::LeafParams;
    use crate::search::history::{Context, History};

    #[test]
    fn the_last_move_is_judged_only_where_there_is_a_history() {
        let position = Position::initial();
        let mv = parse_uci_move(&position, "g1f3").unwrap();
        let entries = History::entries_of(&position, mv, &Context::default());
        let node = Node {
            ply: 1,
            ..Node::root(5, 0, 1)
        };
        for history in [true, false] {
            let params = LeafParams {
                history,
                ..LeafParams::default()
            };
            let mut searcher = LeafSearcher::new(params, 1).unwrap();
            searcher.frames[0].played_quiet = Some(entries);
            searcher.reward_last_move(&node);
            assert_eq!(searcher.history.score(&entries) > 0, history);
        }
    }

    #[test]
    fn a_reduced_move_is_searched_deeper_where_it_lost_nothing_and_less_deep_where_it_lost_much() {
        let mut searcher = LeafSearcher::new(LeafParams::default(), 1).unwrap();
        let node = Node {
            ply: 1,
            ..Node::root(5, 0, 1)
        };
        let correction = |searcher: &mut LeafSearcher, reduction, before, now: Option<i32>| {
            searcher.frames[0].reduction = reduction;
            searcher.frames[0].evaluation = before;
            let known = NodeInfo {
                stored: None,
                raw_evaluation: now,
                evaluation: now,
                refined_eval: 0,
                was_pv: false,
                is_improving: false,
                is_stored_noisy: false,
                extension: 0,
            };
            searcher.hindsight(&node, &known)
        };
        searcher.is_deep = true;
        assert_eq!(correction(&mut searcher, 3, Some(40), Some(-50)), 1);
        assert_eq!(correction(&mut searcher, 2, Some(40), Some(-50)), 0);
        assert_eq!(correction(&mut searcher, 2, Some(40), Some(30)), -1);
        assert_eq!(correction(&mut searcher, 1, Some(40), Some(30)), 0);
        assert_eq!(
            correction(&mut searcher, 3, None, Some(30)),
            0,
            "in check before"
        );
        assert_eq!(
            correction(&mut searcher, 3, Some(40), None),
            0,
            "in check now"
        );
        searcher.is_deep = false;
        assert_eq!(correction(&mut searcher, 3, Some(40), Some(-50)), 0);
    }
}
