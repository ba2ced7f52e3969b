//! The assignment of successors: to their owner, or to this worker (thesis 3.4.1).

use super::assignment::AssignmentState;
use super::pending::{Handout, TaskFrame};
use super::problem::Task;
use super::step::StepContext;
use crate::game::{Evaluator, Game};
use crate::thesis::messages::message::ProblemCode;
use crate::thesis::search::searcher::Searcher;
use crate::thesis::search::split::SuccessorTarget;
use crate::thesis::tree::placement::WorkerId;
use crate::thesis::tree::search_tree::NodeId;
use crate::thesis::tree::target::Target;

impl<G: Game, E: Evaluator<G>> StepContext<'_, G, E> {
    /// Sends successors to their owners, if these are other workers.
    pub(super) fn hand_out(&mut self, task: &mut Task<G::Move>) {
        let mut from = 0;
        while let Some(place) = task.tip().next_open(from) {
            let share = task.tip().assignments[place].share;
            let node = task.tip().node;
            let owner = self.owner(node, share);
            task.tip().assignments[place].state = if owner == self.sharing.pending.id {
                AssignmentState::Own
            } else {
                let successor = self.searcher.tree.successor(node, share.index);
                let handout = Handout {
                    node: successor,
                    mv: self.searcher.tree[successor].mv(),
                    target: share.target,
                    place,
                };
                AssignmentState::Sent(owner, self.send_problem(task, owner, handout))
            };
            from = place + 1;
        }
    }

    /// Returns the worker that is to work on a successor of `v`.
    fn owner(&mut self, v: NodeId, share: SuccessorTarget) -> WorkerId {
        let successor = self.searcher.tree.successor(v, share.index);
        if self.sharing.pending.placement.workers == 1
            || self.searcher.tree[successor].is_end()
            || self.is_settled(successor, share.target)
        {
            return self.sharing.pending.id;
        }
        let Searcher { tree, game, .. } = &mut self.searcher;
        let node = &tree[successor];
        if let Some(remote) = node.remote() {
            return remote.owner;
        }
        if !tree.is_leaf(successor) {
            return self.sharing.pending.id;
        }
        game.play(node.mv());
        let owner = self.sharing.pending.placement.owner(game.key());
        game.undo();
        owner
    }

    /// Whether a successor of the current node has met the target by its value known here. The depth is reduced
    /// first if nothing threatens its bound.
    fn is_settled(&mut self, successor: NodeId, target: Target) -> bool {
        let node = &self.searcher.tree[successor];
        let is_small = target.depth <= 1 && target.conspiracy <= 1;
        if !is_small || node.is_unsure() || !node.value().supports(target.bound) {
            return false;
        }
        if target.is_trivial() {
            return true;
        }
        let mv = node.mv();
        self.searcher.game.play(mv);
        let reduced = self.searcher.reduced_by_fail_high(successor, target);
        self.searcher.game.undo();
        reduced.is_trivial()
    }

    /// Gives a node one ply below the last frame to its owner.
    fn send_problem(
        &mut self,
        task: &Task<G::Move>,
        owner: WorkerId,
        handout: Handout<G::Move>,
    ) -> ProblemCode {
        let from = TaskFrame {
            id: self.id,
            task,
            frame: task.frames.len() - 1,
        };
        let tree = &mut *self.searcher.tree;
        self.sharing.pending.hand_out(tree, &from, owner, handout)
    }
}
