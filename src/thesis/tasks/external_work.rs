//! Work that a step leaves to its thread, which does not hold the worker meanwhile.

use super::assignment::AssignmentState;
use super::pending::{PendingRequest, RequestKind};
use super::problem::Task;
use super::step::StepContext;
use crate::game::{Evaluator, Game};
use crate::thesis::messages::batch::{Batch, BatchQuestions};
use crate::thesis::messages::subtree_job::{Subtree, SubtreeJob};
use crate::thesis::search::counters::Counters;
use crate::thesis::search::stop_rule::StopRule;
use crate::thesis::search::valuation::EvaluatorQuestion;
use crate::thesis::tree::node::TreeNode;
use crate::thesis::tree::table::Log;

/// The room reserved for the known nodes of a job: less is soon outgrown.
const NODES_EXPECTED: usize = 128;

impl<G: Game, E: Evaluator<G>> StepContext<'_, G, E> {
    /// Returns a batch of the question, and of those that follow if the answers are as expected.
    pub(crate) fn ask_on(
        &mut self,
        task: &mut Task<G::Move>,
        question: EvaluatorQuestion<G::Move>,
    ) -> Batch<G::Move> {
        let (node, expansion) = task.tip().expansion();
        let stop_rule = self.searcher.stop_rule(node, expansion);
        let following = match stop_rule {
            Some(_) => self.searcher.foreseeable_questions(node, expansion),
            None => Vec::new(),
        };
        let all = [question].into_iter().chain(following);
        let questions = all.map(|it| (self.searcher.move_of(node, it), it.window));
        let questions = BatchQuestions::Successors(questions.collect());
        self.batch(task, questions, stop_rule)
    }

    pub(crate) fn ask_for_moves(&mut self, task: &mut Task<G::Move>) -> Batch<G::Move> {
        let (node, expansion) = task.tip().expansion();
        let stop_rule = self.searcher.stop_rule(node, expansion);
        let questions = BatchQuestions::Others {
            known: self
                .searcher
                .tree
                .successors(node)
                .iter()
                .map(TreeNode::mv)
                .collect(),
            window: expansion.new_window(),
        };
        self.batch(task, questions, stop_rule)
    }

    pub(crate) fn batch(
        &mut self,
        task: &mut Task<G::Move>,
        questions: BatchQuestions<G::Move>,
        stop_rule: Option<StopRule>,
    ) -> Batch<G::Move> {
        let code = self.sharing.pending.open_request(PendingRequest {
            task: self.id,
            frame: task.frames.len() - 1,
            kind: RequestKind::Prefetch,
        });
        task.tip().asked = Some(code);
        Batch::new(code, questions, stop_rule)
    }

    /// Returns a job of the next successors of the current node, if they are small problems.
    pub(crate) fn job(&mut self, task: &mut Task<G::Move>) -> Option<SubtreeJob<G::Move>> {
        let team = &self.sharing.team;
        let (level, level_limit) = (task.level() + 1, task.level_limit);
        let number = task.frames.len() - 1;
        let frame = task.tip();
        let first = frame.place_of(AssignmentState::Own)?;
        let (mut subtrees, mut known) = (Vec::new(), Vec::with_capacity(NODES_EXPECTED));
        for (place, assignment) in frame.assignments.iter_mut().enumerate().skip(first) {
            let target = assignment.share.target;
            let successor = self
                .searcher
                .tree
                .successor(frame.node, assignment.share.index);
            let is_small = assignment.state == AssignmentState::Own
                && self.is_small(target.depth)
                && !self.searcher.tree[successor].is_end();
            if !is_small || subtrees.len() == team.job_size_max as usize {
                break;
            }
            let nodes_max = team.job_known_max as usize;
            let begin = known.len();
            if !(self.searcher.tree).copy_onto(&mut known, successor, nodes_max) {
                self.sharing.cost_model.note_unwieldy(target.depth, team);
                break;
            }
            let code = self.sharing.pending.open_request(PendingRequest {
                task: self.id,
                frame: number,
                kind: RequestKind::Assignment(place),
            });
            assignment.state = AssignmentState::Sent(self.sharing.pending.id, code);
            subtrees.push(Subtree {
                code,
                mv: self.searcher.tree[successor].mv(),
                known: begin..known.len(),
                target,
                result: None,
            });
        }
        (!subtrees.is_empty()).then_some(SubtreeJob {
            subtrees,
            known,
            grown: Vec::new(),
            log: Log::new(),
            level,
            level_limit,
            counters: Counters::default(),
        })
    }

    /// Whether problems of this depth may be solved as subtree jobs now.
    fn is_small(&self, depth: u16) -> bool {
        if self.has_waiting_threads {
            i32::from(depth) <= self.sharing.team.job_shared_depth_max
        } else {
            self.sharing.cost_model.are_small(depth, &self.sharing.team)
        }
    }
}
