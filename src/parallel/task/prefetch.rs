//! Valuations that other workers are asked for before it is sure that they are needed (thesis 3.4.2).

use super::frame::{Frame, FrameState};
use super::pending::{Request, RequestKind};
use super::prefetched::{Prefetch, PrefetchState};
use super::problem::Task;
use super::step::StepContext;
use crate::cc2s::search::monitor::Monitor;
use crate::cc2s::search::split::supporters_needed;
use crate::cc2s::tree::placement::WorkerId;
use crate::cc2s::tree::target::NodeKind;
use crate::game::{Evaluator, Game, Window};
use crate::parallel::request::message::{Message, Packet};

impl<G: Game, E: Evaluator<G>, W: Monitor<G::Move>> StepContext<'_, G, E, W> {
    /// Whether a question goes to a worker that has nothing to do, because there is another task to turn to meanwhile.
    pub(super) fn gives_questions(&self) -> bool {
        self.sharing.team.question_stealing
            && self.ready_tasks > 1
            && self.sharing.pending.thief_count() > 0
    }

    /// Whether the values of further successors are likely to be needed and the machine is not loaded (thesis 3.4.2).
    pub(super) fn wants_prefetch(&self, frame: &Frame<G::Move>) -> bool {
        let team = &self.sharing.team;
        if !team.prefetch
            || self.sharing.pending.placement.workers == 1
            || team.work_stealing && self.sharing.pending.thief_count() == 0
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

    /// Sends the successors that will be valued next to other workers, all but those that can be valued here meanwhile.
    pub(super) fn prefetch(&mut self, task: &mut Task<G::Move>) {
        let Frame {
            node,
            ref state,
            ref prefetches,
            ..
        } = *task.tip();
        let FrameState::Expanding(expansion, _) = state else {
            unreachable!("successors are being valued");
        };
        let mut questions = self.searcher.foreseeable_questions(node, expansion);
        // What has been found is kept until its turn comes.
        questions.retain(|&question| {
            let mv = self.searcher.move_of(node, question);
            let mut found = prefetches.iter();
            !found.any(|one| one.answers(mv, question.window))
        });
        let (own, size) = self.packets(questions.len());
        for packet in questions[own..].chunks(size) {
            let questions = packet
                .iter()
                .map(|&question| (self.searcher.move_of(node, question), question.window))
                .collect();
            if self.sharing.team.work_stealing {
                self.give_to_thief(task, questions);
            } else {
                let helper = self.sharing.pending.next_helper();
                self.send_prefetch(task, helper, questions, false);
            }
        }
    }

    /// Sends successors of the node worked on to the worker that has waited longest for work.
    pub(super) fn give_to_thief(
        &mut self,
        task: &mut Task<G::Move>,
        questions: Vec<(G::Move, Window)>,
    ) {
        let thief = self.sharing.pending.next_thief();
        let thief = thief.expect("there are no more packets than thieves");
        self.send_prefetch(task, thief, questions, true);
    }

    /// Sends successors of the node worked on to another worker for valuation.
    fn send_prefetch(
        &mut self,
        task: &mut Task<G::Move>,
        helper: WorkerId,
        questions: Vec<(G::Move, Window)>,
        is_stolen: bool,
    ) {
        let frame = task.frames.len() - 1;
        let code = self.sharing.pending.open_request(Request {
            task: self.id,
            frame,
            kind: RequestKind::Prefetch,
        });
        let state = PrefetchState::Asked(helper, code);
        let prefetches = questions
            .iter()
            .map(|&(mv, window)| Prefetch { mv, window, state });
        task.tip().prefetches.extend(prefetches);
        let packet = Packet {
            code,
            path: task.path().collect(),
            questions,
            priority: RequestKind::Prefetch.priority(task, frame),
            is_stolen,
        };
        self.sharing.pending.send(helper, Message::Evaluate(packet));
    }

    /// How many of the questions that can be prefetched are kept, and how many the others are sent at a time: each of those
    /// who want work gets an equal part.
    fn packets(&self, questions: usize) -> (usize, usize) {
        if self.sharing.team.work_stealing {
            let size = questions
                .div_ceil(self.sharing.pending.thief_count() + 1)
                .max(1);
            (size.min(questions), size)
        } else {
            let size = self.sharing.team.packet_size as usize;
            (size.saturating_sub(1).min(questions), size)
        }
    }

    /// Before an analysis begins, other workers value all moves at once, in open windows: the leader would value one
    /// after the other, and nobody else could do anything meanwhile. Whether they still do.
    pub(super) fn awaits_first_values(
        &mut self,
        task: &mut Task<G::Move>,
        moves: &[G::Move],
    ) -> bool {
        let is_team = self.sharing.team.prefetch && self.sharing.pending.placement.workers > 1;
        if is_team && self.searcher.tree.is_empty() && task.tip().prefetches.is_empty() {
            for &mv in moves {
                let helper = self.sharing.pending.next_helper();
                self.send_prefetch(task, helper, vec![(mv, Window::FULL)], false);
            }
        }
        task.tip().prefetches.iter().any(Prefetch::is_asked)
    }
}
