//! A worker: takes messages in, does one step, hands messages out (thesis 3.4). No thread, channel or clock.
//!
//! ```text
//!              receive(envelope)                       step(evaluator) -> Progress
//!  other   ------------------------>  tasks, nodes  <-----------------------------  driver
//!  workers <------------------------                ----------------------------->  reports, decision
//!              take_outbox()                            take_reports(), decision()
//! ```
//!
//! Every worker keeps the nodes it owns in an arena of its own and remembers the targets met there in tables of its own, or
//! in tables that all have in common, parts of which lie in the memories of all. One of them, the leader, has the root and takes
//! the decision. With a single worker the search is that of [`Searcher::analyse`], question by question.

use std::collections::VecDeque;
use std::sync::Arc;

use super::message::{Envelope, Message, Packet};
use super::pending::Pending;
use super::reusable_subtrees::ReusableSubtrees;
use crate::cc2s::params::Cc2sParams;
use crate::cc2s::root::decision::Decision;
use crate::cc2s::root::director::{Director, RequirementPolicy};
use crate::cc2s::search::counters::Counters;
use crate::cc2s::search::monitor::{Monitor, RootReport, Status};
use crate::cc2s::search::searcher::{Searcher, Stopped};
use crate::cc2s::search::valuation::Finding;
use crate::cc2s::tree::placement::WorkerId;
use crate::cc2s::tree::placement::{Part, Placement};
use crate::cc2s::tree::search_tree::{NodeId, Tree};
use crate::cc2s::tree::table::TargetTables;
use crate::cc2s::tree::target::{Schedule, Verdict};
use crate::cc2s::tree::target_store::TargetStore;
use crate::game::{Evaluator, Game};
use crate::parallel::params::TeamParams;
use crate::parallel::shared_tree::job_size::CostModel;
use crate::parallel::task::cursor::Cursor;
use crate::parallel::task::frame::{Task, TaskId};
use crate::parallel::task::in_progress::Admission;
use crate::parallel::task::speculation::RootSpeculation;
use crate::parallel::task::step::{StepContext, StepResult};
use crate::parallel::task::task_list::TaskList;

/// Work done in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Nodes stored.
    pub tree_nodes: u64,
    /// Nodes of the evaluator's searches.
    pub leaf_nodes: u64,
    /// Entries of target tables read or written that lie in another worker's memory.
    pub remote_probes: u64,
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Something was done; there may be more to do.
    Worked(Work),
    /// There is nothing to do until a message comes.
    Idle,
}

/// Keeps what the director tells until the driver asks; whether to go on is the driver's business.
#[derive(Clone, Debug)]
struct ReportLog<M>(Vec<RootReport<M>>);

impl<M: Copy> Monitor<M> for ReportLog<M> {
    fn proceed(&mut self, _: &Status) -> bool {
        true
    }

    fn report(&mut self, report: &RootReport<M>) {
        self.0.push(report.clone());
    }
}

/// A packet of valuations, and how far the work on it has come.
#[derive(Clone, Debug)]
pub(crate) struct PacketInProgress<M> {
    pub employer: WorkerId,
    pub packet: Packet<M>,
    pub findings: Vec<Finding>,
}

/// What a task at work needs beside the searcher.
struct Surroundings<'a, G: Game> {
    tasks: &'a mut TaskList<G::Move>,
    pending: &'a mut Pending<G::Move>,
    director: &'a mut Option<Director<G::Move>>,
    root_speculation: &'a mut RootSpeculation<G::Move>,
    team: &'a TeamParams,
    cost_model: &'a mut CostModel,
}

/// One of the workers of a search.
#[derive(Clone, Debug)]
pub struct Worker<G: Game> {
    pub(crate) params: Cc2sParams,
    pub(crate) team: TeamParams,
    pub(crate) cursor: Box<Cursor<G>>,
    pub(crate) tree: Tree<G::Move>,
    pub(crate) tables: Arc<TargetTables>,
    /// All workers of the search have these tables in common.
    has_common_tables: bool,
    pub(crate) tasks: TaskList<G::Move>,
    /// Packets of valuations that others have asked for.
    pub(crate) jobs: VecDeque<PacketInProgress<G::Move>>,
    pub(crate) pending: Pending<G::Move>,
    /// Where the nodes grow that other workers have sent, by worker and address.
    pub(crate) nodes_of: Vec<Vec<Option<NodeId>>>,
    /// Leader only: what is wanted of the analysis.
    director: Option<Director<G::Move>>,
    /// Leader only: what moves at the root are asked for beside the current round.
    pub(crate) root_speculation: RootSpeculation<G::Move>,
    /// Leader only: the analysis has come to its end.
    is_done: bool,
    report_log: ReportLog<G::Move>,
    /// Reports whose lines are complete.
    completed: usize,
    status: Status,
    pub(crate) counters: Counters,
    pub(crate) halted: Option<Stopped>,
    /// Threads for which there was nothing to do when they last advanced this worker.
    pub(crate) waiting_threads: usize,
    /// How much work problems solved apart have been.
    pub(crate) cost_model: CostModel,
    /// What has grown here for others, by position.
    pub(crate) reusable: ReusableSubtrees,
    /// The task that the evaluator was asked for in the last step.
    pub(crate) valued: Option<TaskId>,
}

impl<G: Game> Worker<G> {
    /// Worker number `id` of `workers`, with nothing to do. `game` stands at the root of the first analysis.
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
            params,
            team: TeamParams::default(),
            cursor: Box::new(Cursor::new(game)),
            tree,
            tables: tables.into(),
            has_common_tables: false,
            tasks: TaskList::new(TeamParams::default().leftmost_first),
            jobs: VecDeque::new(),
            pending: Pending::new(id, Placement { workers }),
            nodes_of: vec![Vec::new(); usize::from(workers)],
            director: None,
            root_speculation: RootSpeculation::new(),
            is_done: false,
            report_log: ReportLog(Vec::new()),
            completed: 0,
            status: Status::default(),
            counters: Counters::default(),
            halted: None,
            waiting_threads: 0,
            cost_model: CostModel::default(),
            reusable: ReusableSubtrees::default(),
            valued: None,
        }
    }

    /// How it shares the work.
    pub fn team(&self) -> &TeamParams {
        &self.team
    }

    /// The same worker, but it shares work in this way; all workers of a search must agree.
    #[must_use]
    pub fn sharing(self, team: TeamParams) -> Self {
        let tasks = TaskList::new(team.leftmost_first);
        Self {
            team,
            tasks,
            ..self
        }
    }

    /// The same worker, told whether all workers of its search were given the same tables; else each has its own.
    #[must_use]
    pub fn with_common_tables(self, has_common_tables: bool) -> Self {
        Self {
            has_common_tables,
            ..self
        }
    }

    /// Drops all tasks and messages of the analysis before, so that a new one can begin where `game` stands. All workers of
    /// a search do this before any of them gets a message of the new analysis.
    ///
    /// What is stored of the tree stays if `keeps_tree`, which is allowed where all workers keep theirs and the root is the
    /// same as before, or the root of a lone worker's tree was moved along.
    pub fn prepare(&mut self, game: G, keeps_tree: bool) {
        self.give_up_tasks();
        *self.cursor = Cursor::new(game);
        self.jobs.clear();
        self.pending.close();
        if !keeps_tree {
            self.tree.empty();
            self.pending.forget_addresses();
            self.nodes_of.iter_mut().for_each(Vec::clear);
            self.reusable = ReusableSubtrees::default();
        }
        self.director = None;
        self.root_speculation = RootSpeculation::new();
        self.is_done = false;
        self.report_log.0.clear();
        self.completed = 0;
        self.status = Status::default();
        self.counters = Counters::default();
        self.halted = None;
        self.waiting_threads = 0;
        self.cost_model = CostModel::default();
        self.valued = None;
    }

    /// Forgets the targets that were met in earlier analyses.
    pub fn forget_targets(&mut self) {
        self.tables.clear();
    }

    /// Makes this worker the leader, which takes the decision. Parameters as of [`Searcher::analyse`]; `ranks` as of
    /// [`Searcher::separating`].
    pub fn lead(&mut self, moves: &[G::Move], schedule: Schedule, depth_max: u16, ranks: usize) {
        assert!(self.director.is_none(), "an analysis is led once");
        let policy = RequirementPolicy {
            stride: self.team.stride_of(self.pending.placement.workers),
            overturned_max: self.team.overturned_max as u16,
        };
        let director = Director::new(moves, schedule, depth_max, ranks);
        self.director = Some(director.with_policy(policy));
        self.tasks.add(Task::of_root());
    }

    /// This worker's number.
    pub fn id(&self) -> WorkerId {
        self.pending.id
    }

    /// Work done in this analysis.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Leader: what the root is about; nodes are those of this worker alone.
    pub fn status(&self) -> Status {
        Status {
            nodes: self.counters.nodes(),
            tree_nodes: self.counters.tree_nodes,
            ..self.status
        }
    }

    /// Leader: what there was to report since this was last asked. Counters are those of this worker alone.
    pub fn take_reports(&mut self) -> Vec<RootReport<G::Move>> {
        self.completed = 0;
        std::mem::take(&mut self.report_log.0)
    }

    /// Leader: whether the requirement of the greatest depth is met, or nothing more can be found out.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Why this worker cannot go on, if so: its memory is full. The analysis should then be ended.
    pub fn halted(&self) -> Option<Stopped> {
        self.halted
    }

    /// Leader: what has been decided so far.
    pub fn decision(&self) -> Option<Decision<G::Move>> {
        let director = self.director.as_ref()?;
        let mut decision = director.decision(&self.tree);
        self.extend_line(&mut decision.pv);
        Some(decision)
    }

    /// What is stored here.
    pub fn tree(&self) -> &Tree<G::Move> {
        &self.tree
    }

    /// Moves the root of a lone worker's tree along a move of the game; false if that is not known. To be followed by
    /// [`Worker::prepare`].
    pub fn advance_root(&mut self, mv: G::Move) -> bool {
        assert_eq!(self.pending.placement.workers, 1, "others have nodes too");
        self.give_up_tasks();
        !self.tree.is_empty() && self.tree.advance(mv)
    }

    /// What to send, in this order. Empties the outbox.
    pub fn take_outbox(&mut self) -> Vec<Envelope<G::Move>> {
        std::mem::take(&mut self.pending.outbox)
    }

    /// Whether nothing is left to do or to wait for.
    pub fn is_at_rest(&self) -> bool {
        self.tasks.is_empty()
            && self.jobs.is_empty()
            && self.pending.request_count() == 0
            && self.pending.outbox.is_empty()
    }

    /// Works until a node was visited by the evaluator or a message is ready to be sent, but no longer.
    pub fn step<E: Evaluator<G>>(&mut self, evaluator: &mut E) -> Progress {
        let before = self.counters;
        let mut progress = Progress::Idle;
        self.valued = None;
        while self.halted.is_none() {
            let mut task = None;
            if self.is_job_next() {
                self.step_job(evaluator);
            } else if let Some(id) = self.tasks.activate() {
                self.keep_room();
                self.step_task(id, evaluator);
                task = Some(id);
            } else {
                break;
            }
            let work = Work {
                tree_nodes: self.counters.tree_nodes - before.tree_nodes,
                leaf_nodes: self.counters.leaf_nodes - before.leaf_nodes,
                remote_probes: self.counters.remote_probes - before.remote_probes,
            };
            progress = Progress::Worked(work);
            self.valued = task.filter(|_| work.leaf_nodes > 0);
            if work.tree_nodes + work.leaf_nodes > 0 || !self.pending.outbox.is_empty() {
                break;
            }
        }
        if progress == Progress::Idle && self.team.work_stealing && self.halted.is_none() {
            self.pending.steal();
        }
        progress
    }

    /// Whether a packet comes before all tasks.
    fn is_job_next(&self) -> bool {
        self.jobs
            .front()
            .is_some_and(|job| !self.tasks.is_before(&job.packet.priority))
    }

    /// Values one successor of the packet that came first.
    fn step_job<E: Evaluator<G>>(&mut self, evaluator: &mut E) {
        let Some(mut job) = self.jobs.pop_front() else {
            return;
        };
        self.cursor.go_to(job.packet.path.iter().copied());
        let (mv, window) = job.packet.questions[job.findings.len()];
        let finding = self.at_work(evaluator, |searcher, _| searcher.evaluate_move(mv, window));
        job.findings.push(finding);
        if job.findings.len() < job.packet.questions.len() {
            self.jobs.push_front(job);
        } else {
            let reply = Message::Evaluated(job.packet.code, job.findings);
            self.pending.send(job.employer, reply);
        }
    }

    /// Does one step of a task, and asks the evaluator where that is needed.
    fn step_task<E: Evaluator<G>>(&mut self, id: TaskId, evaluator: &mut E) {
        match self.step_task_once(id, evaluator, false) {
            Some(StepResult::Waits) => self.tasks.put_aside(id),
            Some(StepResult::Asks(_)) => unreachable!("the evaluator was asked"),
            Some(StepResult::Ready | StepResult::Ended(_)) | None => {}
        }
    }

    /// Does one step of a task, and answers for it if it has ended. `None`: the worker cannot go on.
    pub(crate) fn step_task_once<E: Evaluator<G>>(
        &mut self,
        id: TaskId,
        evaluator: &mut E,
        asks_between: bool,
    ) -> Option<StepResult<G::Move>> {
        let task = self.tasks.get_mut(id);
        self.cursor.go_to(task.path());
        if self.team.same_position_waits && task.is_to_begin() {
            match self.begin(id) {
                Admission::Begins => {}
                Admission::Waits => return Some(StepResult::Waits),
                Admission::Missed => {
                    self.end_task(id, Verdict::Missed);
                    return Some(StepResult::Ended(Verdict::Missed));
                }
            }
        }
        let ready_tasks = self.tasks.ready_count();
        let has_waiting_threads = self.waiting_threads > 0;
        let result = self.at_work(evaluator, |searcher, around| {
            let task = around.tasks.get_mut(id);
            searcher.level_limit = task.level_limit;
            let mut context = StepContext {
                searcher,
                pending: around.pending,
                director: around.director,
                root_speculation: around.root_speculation,
                team: around.team,
                id,
                ready_tasks,
                has_waiting_threads,
                asks_between,
                cost_model: around.cost_model,
            };
            let result = context.step(task);
            task.level_limit = searcher.level_limit;
            result
        });
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

    /// Lends what is needed to search.
    fn at_work<E: Evaluator<G>, T>(
        &mut self,
        evaluator: &mut E,
        work: impl FnOnce(&mut Searcher<'_, G, E, ReportLog<G::Move>>, Surroundings<'_, G>) -> T,
    ) -> T {
        let part = self.has_common_tables.then_some(Part {
            placement: self.pending.placement,
            owner: self.pending.id,
        });
        let targets = TargetStore::new(&self.tables).holding(part);
        let mut searcher = Searcher::on_path(
            (&mut self.cursor.game, evaluator, &mut self.report_log),
            (&mut self.tree, targets),
            &self.params,
            Vec::new(),
        );
        searcher.is_alone = false;
        (searcher.counters, searcher.status) = (self.counters, self.status);
        let surroundings = Surroundings {
            tasks: &mut self.tasks,
            pending: &mut self.pending,
            director: &mut self.director,
            root_speculation: &mut self.root_speculation,
            team: &self.team,
            cost_model: &mut self.cost_model,
        };
        let result = work(&mut searcher, surroundings);
        (self.counters, self.status) = (searcher.counters, searcher.status);
        result
    }

    /// Completes the lines of reports that were just made.
    fn complete_reports(&mut self) {
        let mut reports = std::mem::take(&mut self.report_log.0);
        for report in &mut reports[self.completed..] {
            self.extend_line(&mut report.pv);
        }
        self.completed = reports.len();
        self.report_log.0 = reports;
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
