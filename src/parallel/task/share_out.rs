//! Which worker a successor goes to: its owner, one that asks for work, or this one (thesis 3.4.1).

use super::assignment::AssignmentState;
use super::pending::{Handout, RequestKind};
use super::problem::Task;
use super::step::StepContext;
use crate::cc2s::search::monitor::Monitor;
use crate::cc2s::search::searcher::Searcher;
use crate::cc2s::search::split::Share;
use crate::cc2s::tree::placement::WorkerId;
use crate::cc2s::tree::search_tree::NodeId;
use crate::cc2s::tree::target::{Target, Verdict};
use crate::game::{Evaluator, Game};
use crate::parallel::request::message::ProblemCode;

impl<G: Game, E: Evaluator<G>, W: Monitor<G::Move>> StepContext<'_, G, E, W> {
    /// Sends the successors that belong to others to them, if they are not known to have met their targets. Of alternatives one
    /// at a time is worked on by this worker, and only if no other is.
    pub(super) fn hand_out(&mut self, task: &mut Task<G::Move>) {
        let mut from = 0;
        while let Some(place) = task.tip().next_open(from) {
            let share = task.tip().assignments[place].share;
            let node = task.tip().node;
            if self.is_known_met(node, share) {
                task.tip().assignments[place].state = AssignmentState::Answered(Verdict::Met);
                from = place + 1;
                continue;
            }
            let is_single = task.tip().assignments.len() == 1;
            let owner = self.owner(node, share, is_single);
            let thief = if owner == self.sharing.pending.id {
                self.thief_for(task, node, share)
            } else {
                None
            };
            let worker = thief.unwrap_or(owner);
            let is_alternative = task.tip().are_alternatives && task.tip().is_under_way();
            task.tip().assignments[place].state = if worker == self.sharing.pending.id {
                if is_alternative {
                    AssignmentState::Open
                } else {
                    AssignmentState::Own
                }
            } else {
                let successor = self.searcher.tree.successor(node, share.index);
                let handout = Handout {
                    node: successor,
                    mv: self.searcher.tree[successor].mv(),
                    target: share.target,
                    kind: RequestKind::Assignment(place),
                    is_stolen: thief.is_some(),
                    is_postponed: is_alternative,
                    plies_ahead: 0,
                };
                AssignmentState::Sent(worker, self.send_problem(task, worker, handout))
            };
            from = place + 1;
        }
    }

    /// A worker that wants work, if this successor of `v` can be given away while another is worked on here.
    fn thief_for(&mut self, task: &mut Task<G::Move>, v: NodeId, share: Share) -> Option<WorkerId> {
        let tree = &*self.searcher.tree;
        let is_worthwhile = i32::from(share.target.depth) >= self.sharing.team.stealing_depth_min
            && tree.is_movable(tree.successor(v, share.index));
        if is_worthwhile && task.has_own_work() {
            self.sharing.pending.next_thief()
        } else {
            None
        }
    }

    /// The worker that is to work on a successor of `v`.
    pub(crate) fn owner(&mut self, v: NodeId, share: Share, is_single: bool) -> WorkerId {
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
        let stays = is_single && !self.sharing.team.spread_single;
        if stays || !tree.is_leaf(successor) {
            return self.sharing.pending.id;
        }
        game.play(node.mv());
        let owner = self.sharing.pending.placement.owner(game.key());
        game.undo();
        owner
    }

    /// Whether the common tables know that a successor of `v` has met its target: one that would be sent to another worker.
    pub(crate) fn is_known_met(&mut self, v: NodeId, share: Share) -> bool {
        if !self.searcher.targets.is_common() {
            return false;
        }
        let tree = &*self.searcher.tree;
        let successor = tree.successor(v, share.index);
        let node = &tree[successor];
        let is_here = node.remote().is_none() && !tree.is_leaf(successor);
        if is_here
            || node.is_end()
            || node.is_unsure()
            || !node.value().supports(share.target.bound)
        {
            return false;
        }
        let mv = node.mv();
        self.searcher.game.play(mv);
        let is_met = (self.searcher.targets).is_remote(self.searcher.game.key())
            && self.searcher.is_remembered(share.target);
        self.searcher.game.undo();
        self.searcher.state.counters.table_hits += u64::from(is_met);
        is_met
    }

    /// Whether a successor of the node worked on has met that target by the value that is known of it here, if need be
    /// because it is searched less deep where nothing threatens its bound.
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

    /// Hands out a node that one step leads to from the last frame's.
    pub(crate) fn send_problem(
        &mut self,
        task: &Task<G::Move>,
        owner: WorkerId,
        handout: Handout<G::Move>,
    ) -> ProblemCode {
        let place = (self.id, task, task.frames.len() - 1);
        let tree = &mut *self.searcher.tree;
        self.sharing.pending.hand_out(tree, place, owner, handout)
    }
}
