//! A worker: receives messages, does one step, produces messages (thesis 3.4). No thread, channel or clock.
//!
//! ```text
//!              receive(envelope)                       step(evaluator) -> Activity
//!  other   ------------------------>  tasks, nodes  <-----------------------------  driver
//!  workers <------------------------                ----------------------------->  reports, decision
//!              take_outbox()                            take_reports(), decision()
//! ```
//!
//! Every worker stores the nodes that it owns in an arena of its own and the targets met there in tables of its
//! own. One of them, the leader, has the root and makes the decision. With a single worker the search is that of
//! [`Searcher::analyse`](crate::thesis::Searcher::analyse), question by question.

use std::collections::VecDeque;
use std::sync::Arc;

use super::worker_search::WorkerSearch;
use crate::game::{Evaluator, Game, Progress, RootUpdate};
use crate::thesis::messages::message::{Envelope, EvaluationRequest, Message};
use crate::thesis::params::Cc2sParams;
use crate::thesis::root::decision::Decision;
use crate::thesis::root::director::Director;
use crate::thesis::search::counters::Counters;
use crate::thesis::search::searcher::{SearchState, Stopped};
use crate::thesis::tasks::cursor::Cursor;
use crate::thesis::tasks::in_progress::Admission;
use crate::thesis::tasks::problem::{Task, TaskId};
use crate::thesis::tasks::sharing::Sharing;
use crate::thesis::tasks::step::{StepContext, StepResult};
use crate::thesis::tasks::task_list::TaskList;
use crate::thesis::team_params::TeamParams;
use crate::thesis::tree::placement::{Placement, WorkerId};
use crate::thesis::tree::search_tree::{NodeId, Tree};
use crate::thesis::tree::table::TargetTables;
use crate::thesis::tree::target::{Schedule, Verdict};

/// Work done in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepWork {
    /// Nodes stored.
    pub tree_nodes: u64,
    /// Nodes of the evaluator's searches.
    pub leaf_nodes: u64,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Something was done; there may be more to do.
    Worked(StepWork),
    /// There is nothing to do until a message arrives.
    Idle,
}

/// One of the workers of a search.
#[derive(Clone, Debug)]
pub struct Worker<G: Game> {
    pub(crate) search: WorkerSearch<G>,
    pub(crate) sharing: Sharing<G::Move>,
    pub(crate) tasks: TaskList<G::Move>,
    /// Evaluations requested by other workers, with the requester.
    pub(crate) valuations: VecDeque<(WorkerId, EvaluationRequest<G::Move>)>,
    /// The nodes received from other workers, by worker and address.
    pub(crate) nodes_of: Vec<Vec<Option<NodeId>>>,
    /// Leader only: whether the analysis has ended.
    is_done: bool,
    /// The number of reports with complete lines.
    completed: usize,
    pub(crate) halted: Option<Stopped>,
    /// The number of threads that were idle after they last advanced this worker.
    pub(crate) waiting_threads: usize,
}

impl<G: Game> Worker<G> {
    /// Creates worker `id` of `workers`, with nothing to do. `game` is at the root of the first analysis.
    pub fn new(
        id: WorkerId,
        workers: u16,
        params: Cc2sParams,
        game: G,
        tree: Tree<G::Move>,
        tables: impl Into<Arc<TargetTables>>,
    ) -> Self {
        assert!(id.0 < workers, "workers are numbered from 0");
        Self {
            search: WorkerSearch::new(params, game, tree, tables.into()),
            sharing: Sharing::new(id, Placement { workers }),
            tasks: TaskList::new(TeamParams::default().leftmost_first),
            valuations: VecDeque::new(),
            nodes_of: vec![Vec::new(); usize::from(workers)],
            is_done: false,
            completed: 0,
            halted: None,
            waiting_threads: 0,
        }
    }

    /// Sets the parameters of the parallel search; all workers of a search must agree.
    #[must_use]
    pub fn sharing(mut self, team: TeamParams) -> Self {
        self.tasks = TaskList::new(team.leftmost_first);
        self.sharing.team = team;
        self
    }

    /// Drops all tasks and messages of the previous analysis, so that a new one can begin at the position of
    /// `game`. All workers of a search do this before any of them receives a message of the new analysis.
    ///
    /// The stored tree is kept if `keeps_tree`. This is allowed if all workers keep theirs and the root is
    /// unchanged, or if the root of a lone worker's tree was moved along.
    pub fn prepare(&mut self, game: G, keeps_tree: bool) {
        self.give_up_tasks();
        *self.search.cursor = Cursor::new(game);
        self.search.report_log.0.clear();
        self.search.state = SearchState::default();
        self.sharing.start_analysis();
        self.valuations.clear();
        if !keeps_tree {
            self.search.tree.empty();
            self.sharing.pending.forget_addresses();
            self.nodes_of.iter_mut().for_each(Vec::clear);
        }
        self.is_done = false;
        self.completed = 0;
        self.halted = None;
        self.waiting_threads = 0;
    }

    /// Removes the targets met in earlier analyses.
    pub fn forget_targets(&mut self) {
        self.search.tables.clear();
    }

    /// Makes this worker the leader, which makes the decision. Parameters as of
    /// [`Searcher::analyse`](crate::thesis::Searcher::analyse); `pv_count` as of
    /// [`Searcher::separating`](crate::thesis::Searcher::separating).
    pub fn lead(&mut self, moves: &[G::Move], schedule: Schedule, depth_max: u16, pv_count: usize) {
        assert!(self.sharing.director.is_none(), "an analysis is led once");
        self.sharing.director = Some(Director::new(moves, schedule, depth_max, pv_count));
        self.tasks.add(Task::of_root());
    }

    /// Returns this worker's number.
    pub fn id(&self) -> WorkerId {
        self.sharing.pending.id
    }

    /// Returns the work done in this analysis.
    pub fn counters(&self) -> Counters {
        self.search.state.counters
    }

    /// Returns the leader's progress at the root; nodes are those of this worker alone.
    pub fn status(&self) -> Progress {
        Progress {
            nodes: self.search.state.counters.nodes(),
            tree_nodes: self.search.state.counters.tree_nodes,
            ..self.search.state.status
        }
    }

    /// Takes the leader's reports since the last call. Nodes are those of this worker alone.
    pub fn take_reports(&mut self) -> Vec<RootUpdate<G::Move>> {
        self.completed = 0;
        std::mem::take(&mut self.search.report_log.0)
    }

    /// Whether, for the leader, the requirement of the greatest depth is met or the decision is final.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Returns the reason why this worker cannot continue, if any: its memory is full. The analysis should then be
    /// ended.
    pub fn halted(&self) -> Option<Stopped> {
        self.halted
    }

    /// Returns the leader's decision so far.
    pub fn decision(&self) -> Option<Decision<G::Move>> {
        let director = self.sharing.director.as_ref()?;
        let mut decision = director.decision(&self.search.tree);
        self.extend_pv(&mut decision.pv);
        Some(decision)
    }

    /// Returns the tree stored here.
    pub fn tree(&self) -> &Tree<G::Move> {
        &self.search.tree
    }

    /// Moves the root of a lone worker's tree along a move of the game; returns `false` if that is not known. Must
    /// be followed by [`Worker::prepare`].
    pub fn advance_root(&mut self, mv: G::Move) -> bool {
        assert_eq!(
            self.sharing.pending.placement.workers, 1,
            "others have nodes too"
        );
        self.give_up_tasks();
        !self.search.tree.is_empty() && self.search.tree.advance(mv)
    }

    /// Takes the messages to be sent, in this order.
    pub fn take_outbox(&mut self) -> Vec<Envelope<G::Move>> {
        std::mem::take(&mut self.sharing.pending.outbox)
    }

    /// Whether nothing is left to do or to wait for.
    pub fn is_at_rest(&self) -> bool {
        self.tasks.is_empty()
            && self.valuations.is_empty()
            && self.sharing.pending.request_count() == 0
            && self.sharing.pending.outbox.is_empty()
    }

    /// Works until the evaluator has searched a node or a message is ready to be sent.
    pub fn step<E: Evaluator<G>>(&mut self, evaluator: &mut E) -> Activity {
        let before = self.search.state.counters;
        let mut progress = Activity::Idle;
        while self.halted.is_none() {
            if self.is_valuation_next() {
                self.evaluate_next(evaluator);
            } else if let Some(id) = self.tasks.activate() {
                self.keep_room();
                self.step_task(id, evaluator);
            } else {
                break;
            }
            let work = StepWork {
                tree_nodes: self.search.state.counters.tree_nodes - before.tree_nodes,
                leaf_nodes: self.search.state.counters.leaf_nodes - before.leaf_nodes,
            };
            progress = Activity::Worked(work);
            if work.tree_nodes + work.leaf_nodes > 0 || !self.sharing.pending.outbox.is_empty() {
                break;
            }
        }
        progress
    }

    /// Whether an evaluation for another worker comes before all tasks.
    fn is_valuation_next(&self) -> bool {
        let next = self.valuations.front();
        next.is_some_and(|(_, request)| !self.tasks.is_before(&request.priority))
    }

    /// Evaluates the successor that another worker has requested first.
    fn evaluate_next<E: Evaluator<G>>(&mut self, evaluator: &mut E) {
        let Some((employer, request)) = self.valuations.pop_front() else {
            return;
        };
        self.search.cursor.go_to(request.path.into_iter());
        let mut searcher = self.search.searcher(evaluator);
        let finding = searcher.evaluate_move(request.mv, request.window);
        let reply = Message::Evaluated(request.code, finding);
        self.sharing.pending.send(employer, reply);
    }

    /// Does one step of a task, including the evaluation if needed.
    fn step_task<E: Evaluator<G>>(&mut self, id: TaskId, evaluator: &mut E) {
        match self.step_task_once(id, evaluator, false) {
            Some(StepResult::Waits) => self.tasks.put_aside(id),
            Some(StepResult::Asks(_)) => unreachable!("the evaluator was asked"),
            Some(StepResult::Ready | StepResult::Ended(_)) | None => {}
        }
    }

    /// Does one step of a task, and answers it if it has ended. Returns `None` if the worker cannot continue.
    pub(crate) fn step_task_once<E: Evaluator<G>>(
        &mut self,
        id: TaskId,
        evaluator: &mut E,
        asks_between: bool,
    ) -> Option<StepResult<G::Move>> {
        let task = self.tasks.get_mut(id);
        self.search.cursor.go_to(task.path());
        if self.sharing.team.same_position_waits && task.is_to_begin() {
            match self.begin(id) {
                Admission::Begins => {}
                Admission::Waits => return Some(StepResult::Waits),
            }
        }
        let mut context = StepContext {
            ready_tasks: self.tasks.ready_count(),
            searcher: self.search.searcher(evaluator),
            sharing: &mut self.sharing,
            id,
            has_waiting_threads: self.waiting_threads > 0,
            asks_between,
        };
        let result = context.step(self.tasks.get_mut(id));
        self.complete_reports();
        self.drop_tasks();
        match result {
            Ok(result) => {
                if let StepResult::Ended(verdict) = result {
                    self.end_task(id, verdict);
                }
                Some(result)
            }
            Err(stopped) => {
                self.halted = Some(stopped);
                None
            }
        }
    }

    /// Completes the lines of new reports.
    fn complete_reports(&mut self) {
        let mut reports = std::mem::take(&mut self.search.report_log.0);
        for report in &mut reports[self.completed..] {
            self.extend_pv(&mut report.pv);
        }
        self.completed = reports.len();
        self.search.report_log.0 = reports;
    }

    /// Answers the employer; for the leader the analysis is over.
    fn end_task(&mut self, id: TaskId, verdict: Verdict) {
        let task = self.tasks.remove(id);
        match task.client {
            Some(client) => self.answer(client, &task, verdict),
            None => self.is_done = true,
        }
    }
}
