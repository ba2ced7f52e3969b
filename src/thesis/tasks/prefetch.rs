//! Evaluations requested from other workers before it is certain that they are needed (thesis 3.4.2).

use super::frame::Frame;
use super::pending::{PendingRequest, RequestKind};
use super::prefetched::{Prefetch, PrefetchState};
use super::problem::Task;
use super::step::StepContext;
use crate::game::{Evaluator, Game, Window};
use crate::thesis::messages::message::{EvaluationRequest, Message};
use crate::thesis::search::split::supporters_needed;
use crate::thesis::tree::target::NodeKind;

impl<G: Game, E: Evaluator<G>> StepContext<'_, G, E> {
    /// Whether further successors are likely to be needed and the machine is not loaded (thesis 3.4.2).
    pub(super) fn wants_prefetch(&self, frame: &Frame<G::Move>) -> bool {
        let team = &self.sharing.team;
        if !team.prefetch
            || self.sharing.pending.placement.workers == 1
            || frame.prefetches.iter().any(Prefetch::is_asked)
            || self.ready_tasks >= team.prefetch_tasks_max as usize
        {
            return false;
        }
        let needed = match frame.target.kind() {
            NodeKind::All => 0,
            NodeKind::Cut => supporters_needed(frame.target, self.searcher.params),
        };
        let valued = self.searcher.tree[frame.node].successor_count();
        valued >= needed + team.prefetch_from as usize
    }

    /// Sends the successors that are evaluated next to other workers.
    pub(super) fn prefetch(&mut self, task: &mut Task<G::Move>) {
        let (node, expansion) = task.tip().expansion();
        let questions = self.searcher.foreseeable_questions(node, expansion);
        for question in questions {
            let mv = self.searcher.move_of(node, question);
            // Results are kept until their turn.
            let mut prefetches = task.tip().prefetches.iter();
            if !prefetches.any(|one| one.answers(mv, question.window)) {
                self.send_prefetch(task, mv, question.window);
            }
        }
    }

    /// Sends a successor of the current node to another worker for evaluation.
    fn send_prefetch(&mut self, task: &mut Task<G::Move>, mv: G::Move, window: Window) {
        let helper = self.sharing.pending.next_helper();
        let frame = task.frames.len() - 1;
        let code = self.sharing.pending.open_request(PendingRequest {
            task: self.id,
            frame,
            kind: RequestKind::Prefetch,
        });
        let state = PrefetchState::Asked(helper, code);
        task.tip().prefetches.push(Prefetch { mv, window, state });
        let request = EvaluationRequest {
            code,
            path: task.path().collect(),
            mv,
            window,
            priority: RequestKind::Prefetch.priority(task, frame),
        };
        let pending = &mut self.sharing.pending;
        pending.send(helper, Message::Evaluate(request));
    }

    /// Lets other workers evaluate all moves at once, in open windows, before an analysis begins. Otherwise the
    /// leader would evaluate one after another, with all other workers idle. Returns whether evaluations are still
    /// missing.
    pub(super) fn awaits_first_values(
        &mut self,
        task: &mut Task<G::Move>,
        moves: &[G::Move],
    ) -> bool {
        let is_team = self.sharing.team.prefetch && self.sharing.pending.placement.workers > 1;
        if is_team && self.searcher.tree.is_empty() && task.tip().prefetches.is_empty() {
            for &mv in moves {
                self.send_prefetch(task, mv, Window::FULL);
            }
        }
        task.tip().prefetches.iter().any(Prefetch::is_asked)
    }
}
