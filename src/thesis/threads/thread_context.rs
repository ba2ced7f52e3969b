//! One tree, many threads: threads with shared memory on the tree of a single worker.
//!
//! ```text
//!                 one thread at a time                          all threads at once
//!  worker: tasks, tree, tables  -- advance(thread) --> thread: game, evaluator -- evaluate() --> what the evaluator says
//!                               <---------------- next advance(thread) ----------------
//! ```
//!
//! A task is worked on by one thread, which leaves the worker to other threads while the evaluator runs. A thread
//! without a task takes a waiting successor from anywhere in the tree, which becomes a task with the worker itself
//! as employer. With a single thread the search is that of
//! [`Searcher::analyse`](crate::thesis::Searcher::analyse), evaluation by evaluation, as long as no subtree job is
//! returned unfinished.

use std::sync::Arc;

use super::local_search::LocalSearch;
use super::work_stealing::Stealable;
use crate::game::{Evaluator, Game, Value};
use crate::thesis::messages::batch::Batch;
use crate::thesis::messages::message::Answer;
use crate::thesis::messages::subtree_job::{Subtree, SubtreeJob, SubtreeResult};
use crate::thesis::tasks::assignment::AssignmentState;
use crate::thesis::tasks::cursor::Cursor;
use crate::thesis::tasks::frame::{Frame, FrameState};
use crate::thesis::tasks::pending::{PendingRequest, RequestKind};
use crate::thesis::tasks::problem::{Client, Task, TaskId};
use crate::thesis::tasks::step::{ExternalWork, StepResult};
use crate::thesis::workers::worker::{StepWork, Worker};

/// A thread's own state, with which it moves through the tree of a worker.
#[derive(Clone, Debug)]
pub struct ThreadContext<G: Game> {
    cursor: Box<Cursor<G>>,
    assigned: Option<Assigned<G::Move>>,
    /// Whether there was nothing to do.
    is_waiting: bool,
    local: LocalSearch<G::Move>,
}

#[derive(Clone, Debug)]
struct Assigned<M> {
    task: TaskId,
    work: ExternalWork<M>,
}

impl<G: Game> ThreadContext<G> {
    /// Does the work that [`Worker::advance`] has assigned, if any, and returns its amount. It runs in parallel
    /// with all other threads.
    pub fn evaluate<E: Evaluator<G>>(&mut self, evaluator: &mut E) -> StepWork {
        let Some(assigned) = &mut self.assigned else {
            return StepWork::default();
        };
        let (local, game) = (&mut self.local, &mut self.cursor.game);
        let done = match &mut assigned.work {
            ExternalWork::Batch(batch) => {
                batch.put_to(game, evaluator, &local.params);
                &batch.counters
            }
            ExternalWork::SubtreeJob(job) => {
                local.solve(job, game, evaluator);
                &job.counters
            }
        };
        StepWork {
            tree_nodes: done.tree_nodes,
            leaf_nodes: done.leaf_nodes,
        }
    }
}

impl<G: Game> Worker<G> {
    /// Creates the context of an idle thread, for one analysis. `game` is at its root.
    pub fn new_context(&self, game: G) -> ThreadContext<G> {
        ThreadContext {
            cursor: Box::new(Cursor::new(game)),
            assigned: None,
            is_waiting: false,
            local: LocalSearch::new(
                Arc::clone(&self.search.tables),
                self.search.params.clone(),
                &self.sharing.team,
            ),
        }
    }

    /// Takes the thread's results, and works with it until the evaluator is to be called. Returns `false` if there
    /// is nothing for this thread to do until another has worked.
    pub fn advance<E: Evaluator<G>>(
        &mut self,
        context: &mut ThreadContext<G>,
        evaluator: &mut E,
    ) -> bool {
        std::mem::swap(&mut self.search.cursor, &mut context.cursor);
        self.waiting_threads -= usize::from(context.is_waiting);
        let done = context.assigned.take();
        context.assigned = self.work_with(done, evaluator);
        context.is_waiting = context.assigned.is_none();
        self.waiting_threads += usize::from(context.is_waiting);
        std::mem::swap(&mut self.search.cursor, &mut context.cursor);
        !context.is_waiting
    }

    /// Whether there is work for an idle thread.
    pub fn has_stealable_work(&self) -> bool {
        self.tasks.ready_count() > 0 || self.stealable().is_some()
    }

    fn work_with<E: Evaluator<G>>(
        &mut self,
        done: Option<Assigned<G::Move>>,
        evaluator: &mut E,
    ) -> Option<Assigned<G::Move>> {
        let mut held = done.and_then(|Assigned { task, work }| {
            let goes_on = match work {
                ExternalWork::Batch(batch) => self.handle_batch(batch),
                ExternalWork::SubtreeJob(job) => {
                    self.handle_job(&job);
                    false
                }
            };
            goes_on.then_some(task)
        });
        while self.halted().is_none() {
            let task = held.take().or_else(|| self.take_up())?;
            if let Some(work) = self.work_on(task, evaluator) {
                return Some(Assigned { task, work });
            }
        }
        None
    }

    /// Stores the batch. Returns whether its task still needs it, and so can continue in the same thread.
    fn handle_batch(&mut self, batch: Batch<G::Move>) -> bool {
        self.search.state.counters.add(&batch.counters);
        let Some(request) = self.sharing.pending.close_request(batch.code) else {
            return false;
        };
        let tip = self.tasks.get_mut(request.task).tip();
        tip.asked = None;
        tip.found = batch.found;
        true
    }

    fn handle_job(&mut self, job: &SubtreeJob<G::Move>) {
        self.search.state.counters.add(&job.counters);
        job.measure(&mut self.sharing.cost_model);
        for subtree in &job.subtrees {
            self.handle_subtree(subtree, job);
        }
        self.drop_tasks();
    }

    /// Grafts the grown tree and notes the verdict, if it is still needed.
    fn handle_subtree(&mut self, subtree: &Subtree<G::Move>, job: &SubtreeJob<G::Move>) {
        let Some(request) = self.sharing.pending.request(subtree.code) else {
            return;
        };
        let RequestKind::Assignment(place) = request.kind else {
            unreachable!("a problem is an assignment");
        };
        if let Some(grown) = &subtree.result {
            let value = self.graft(request, place, grown, job);
            if let Some(verdict) = grown.verdict {
                let answer = Answer {
                    code: subtree.code,
                    verdict,
                    value,
                    pv: Vec::new(),
                };
                return self.handle_answer(self.sharing.pending.id, answer);
            }
        }
        self.sharing.pending.close_request(subtree.code);
        let task = self.tasks.get_mut(request.task);
        let frame = &mut task.frames[request.frame];
        frame.assignments[place].state = AssignmentState::Own;
        if subtree.result.is_some() {
            self.search.tree.update_value(frame.node);
        }
        // Otherwise a thread is at work further up.
        if task.frames.len() == request.frame + 1 {
            self.tasks.wake(request.task);
        }
    }

    /// Replaces a successor by the tree grown elsewhere; returns its value.
    fn graft(
        &mut self,
        request: PendingRequest,
        place: usize,
        grown: &SubtreeResult,
        job: &SubtreeJob<G::Move>,
    ) -> Value {
        self.keep_room();
        let frame = &self.tasks.get_mut(request.task).frames[request.frame];
        let successor = self
            .search
            .tree
            .successor(frame.node, frame.assignments[place].share.index);
        self.search
            .tree
            .graft(successor, &job.grown[grown.nodes.clone()]);
        for &(key, target, verdict) in &job.log[grown.log.clone()] {
            self.search.tables.note(key, target, verdict);
        }
        self.search.tree[successor].value()
    }

    /// Works on a task until it needs external work, waits or ends.
    fn work_on<E: Evaluator<G>>(
        &mut self,
        id: TaskId,
        evaluator: &mut E,
    ) -> Option<ExternalWork<G::Move>> {
        while self.tasks.contains(id) {
            self.keep_room();
            match self.step_task_once(id, evaluator, true)? {
                StepResult::Ready => {}
                StepResult::Asks(work) => {
                    let is_apart = matches!(work, ExternalWork::SubtreeJob(_));
                    if is_apart && self.tasks.get_mut(id).has_own_work() {
                        // Another thread may continue the task meanwhile.
                        self.tasks.wake(id);
                    }
                    return Some(work);
                }
                StepResult::Waits | StepResult::Ended(_) => return None,
            }
        }
        None
    }

    /// Takes a task that needs a thread.
    fn take_up(&mut self) -> Option<TaskId> {
        if self.tasks.ready_count() == 0 {
            let found = self.stealable()?;
            self.employ(found);
        }
        let id = self.tasks.activate()?;
        self.tasks.put_aside(id);
        Some(id)
    }

    /// Creates a task for a successor.
    fn employ(&mut self, found: Stealable) {
        let Stealable {
            task: id,
            frame,
            place,
        } = found;
        let kind = RequestKind::Assignment(place);
        let code = self.sharing.pending.open_request(PendingRequest {
            task: id,
            frame,
            kind,
        });
        let employer = self.sharing.pending.id;
        let task = self.tasks.get_mut(id);
        task.frames[frame].assignments[place].state = AssignmentState::Sent(employer, code);
        let share = task.frames[frame].assignments[place].share;
        let node = self
            .search
            .tree
            .successor(task.frames[frame].node, share.index);
        let step = Some(self.search.tree[node].mv());
        let priority = kind.priority(task, frame);
        let work = Task {
            client: Some(Client { employer, code }),
            requirement: priority.requirement,
            prefix: task.path_to(frame).chain([step]).collect(),
            tree_order: priority.tree_order,
            frames: vec![Frame {
                waste_risk: priority.waste_risk,
                is_replacement: kind.is_replacement(&task.frames[frame]),
                ..Frame::new(node, None, share.target, FrameState::Start)
            }],
            level_limit: task.level_limit,
            returned: None,
        };
        self.tasks.add(work);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::HeuristicEvaluator;
    use crate::game::synthetic::{GrownGame, Shape};
    use crate::thesis::tree::invariants::stale_values;
    use crate::thesis::{Cc2sParams, Schedule, TargetTables, Tree, WorkerId};

    fn led_worker(game: &GrownGame) -> Worker<GrownGame> {
        let tree = Tree::with_capacity(1 << 16).unwrap();
        let tables = TargetTables::with_entries(1 << 10).unwrap();
        let params = Cc2sParams::default();
        let mut worker = Worker::new(WorkerId(0), 1, params, game.clone(), tree, tables);
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let schedule = Schedule {
            conspiracy_max: 2,
            rise_depth: 2,
            elementary: false,
        };
        worker.lead(&moves, schedule, 9, 1);
        worker
    }

    /// The tree is kept: results from before the stop must not be hidden by older values.
    #[test]
    fn a_stopped_analysis_leaves_no_stale_value() {
        let mut stale = 0;
        for seed in 0..60 {
            let game = GrownGame::new(Shape {
                order: 0.6,
                noise_cp: 400,
                ..Shape::uniform(seed, 12, 12)
            });
            let mut worker = led_worker(&game);
            let mut evaluator = HeuristicEvaluator::default();
            let mut contexts = [0, 1, 2].map(|_| worker.new_context(game.clone()));
            for turn in 0..100 + 37 * seed as usize {
                let context = &mut contexts[turn % 3];
                if worker.advance(context, &mut evaluator) {
                    context.evaluate(&mut evaluator);
                }
            }
            stale += stale_values(&worker.search.tree);
            worker.prepare(game, true);
            assert_eq!(stale_values(&worker.search.tree), 0, "seed {seed}");
        }
        assert!(stale > 0, "nothing was half done");
    }

    #[test]
    fn an_analysis_may_be_given_up_before_it_begins() {
        let game = GrownGame::new(Shape::uniform(1, 3, 3));
        let mut worker = led_worker(&game);
        worker.prepare(game, true);
        assert!(worker.is_at_rest());
    }
}
