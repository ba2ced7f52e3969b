//! The job board: open jobs, and jobs in progress.

use super::thin_tree::ThinTree;
use crate::game::Job;

/// The id of a job in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobId(u64);

impl JobId {
    /// A unique number.
    pub const fn number(self) -> u64 {
        self.0
    }
}

/// The targets that a job serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Those of the hypothesis at the root, with one strategy.
    Primary,
    /// Those that require a second strategy.
    Verification,
}

/// A worker that asks for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerInfo {
    /// Its hash table: the stored entries are worth more than a worker's time.
    pub table: usize,
    /// Minimum depth of the jobs it takes; `None`: it takes all jobs, including expansions.
    pub depth_min: Option<u16>,
}

impl WorkerInfo {
    /// One of the process that owns the planner.
    pub const LOCAL: Self = Self {
        table: 0,
        depth_min: None,
    };

    fn takes<M>(self, job: &Job<M>) -> bool {
        self.depth_min
            .is_none_or(|min| job.request.depth().is_some_and(|depth| depth >= min))
    }
}

/// How far a worker goes to find a job; each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Positions last searched with its own table, or with none.
    OwnTable,
    /// All positions.
    AnyTable,
    /// Also jobs of other workers: after the first answer, the others are cancelled.
    Help,
}

#[derive(Clone, Debug)]
struct OpenJob<M> {
    purpose: Purpose,
    job: Job<M>,
}

#[derive(Clone, Debug)]
struct RunningJob<M> {
    id: JobId,
    purpose: Purpose,
    job: Job<M>,
    /// Another worker had started it before.
    is_help: bool,
}

/// Jobs of one question.
#[derive(Debug)]
pub(super) struct JobBoard<M> {
    /// The most important first.
    open: Vec<OpenJob<M>>,
    running: Vec<RunningJob<M>>,
    next_id: u64,
}

impl<M> Default for JobBoard<M> {
    fn default() -> Self {
        Self {
            open: Vec::new(),
            running: Vec::new(),
            next_id: 0,
        }
    }
}

impl<M: Copy + Eq> JobBoard<M> {
    /// Forgets all jobs.
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.running.clear();
    }

    /// Removes the open jobs.
    pub(super) fn close(&mut self) {
        self.open.clear();
    }

    /// Adds jobs after the open ones.
    pub(super) fn open(&mut self, purpose: Purpose, jobs: Vec<Job<M>>) {
        let jobs = jobs.into_iter().map(|job| OpenJob { purpose, job });
        self.open.extend(jobs);
    }

    pub(super) fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether a worker is at that job, or at one whose answer covers it.
    pub(super) fn is_running(&self, job: &Job<M>) -> bool {
        self.running.iter().any(|running| running.job.serves(job))
    }

    /// A job for a worker: an open job without a worker or, within its reach, a job to help with.
    pub(super) fn next_job(
        &mut self,
        worker: WorkerInfo,
        reach: Reach,
        tree: &mut ThinTree<M>,
    ) -> Option<(JobId, Job<M>)> {
        let own = |job: &Job<M>| tree.table_of(&job.path).is_none_or(|at| at == worker.table);
        let place = self.free(|job| worker.takes(job) && own(job));
        let any = || self.free(|job| worker.takes(job));
        let place = place.or_else(|| (reach >= Reach::AnyTable).then(any).flatten());
        if let Some(place) = place {
            let OpenJob { purpose, job } = self.open[place].clone();
            if job.request.depth().is_some() {
                tree.set_table(&job.path, worker.table);
            }
            return Some(self.begin(purpose, job, false));
        }
        if reach < Reach::Help {
            return None;
        }
        let RunningJob { purpose, job, .. } = self.to_help_with(worker)?.clone();
        Some(self.begin(purpose, job, true))
    }

    /// The first suitable open job without a worker.
    fn free(&self, is_fit: impl Fn(&Job<M>) -> bool) -> Option<usize> {
        let mut open = self.open.iter();
        open.position(|open| is_fit(&open.job) && !self.is_running(&open.job))
    }

    /// The first job with the fewest workers.
    fn to_help_with(&self, worker: WorkerInfo) -> Option<&RunningJob<M>> {
        let crowd = |job: &Job<M>| {
            self.running
                .iter()
                .filter(|other| other.job == *job)
                .count()
        };
        let jobs = self.running.iter().filter(|running| !running.is_help);
        let jobs = jobs.filter(|running| {
            let job = &running.job;
            job.request.depth().is_some() && worker.takes(job) && self.is_wanted(job)
        });
        jobs.min_by_key(|running| crowd(&running.job))
    }

    fn begin(&mut self, purpose: Purpose, job: Job<M>, is_help: bool) -> (JobId, Job<M>) {
        let id = JobId(self.next_id);
        self.next_id += 1;
        self.running.push(RunningJob {
            id,
            purpose,
            job: job.clone(),
            is_help,
        });
        (id, job)
    }

    fn is_wanted(&self, job: &Job<M>) -> bool {
        self.open.iter().any(|open| job.serves(&open.job))
    }

    /// Jobs to cancel: their answers are no longer needed, or a worker like this one has better work than helping
    /// another.
    pub(super) fn superseded(&self, worker: WorkerInfo) -> Vec<JobId> {
        let is_waiting = |job: &Job<M>| worker.takes(job) && !self.is_running(job);
        let mut waiting = self
            .open
            .iter()
            .filter(|open| is_waiting(&open.job))
            .count();
        let mut superseded = Vec::new();
        for running in &self.running {
            if running.is_help && waiting > 0 || !self.is_wanted(&running.job) {
                waiting = waiting.saturating_sub(1);
                superseded.push(running.id);
            }
        }
        superseded
    }

    /// Removes a finished job from the board; `None`: it belongs to an earlier question.
    pub(super) fn finish(&mut self, id: JobId) -> Option<(Purpose, Job<M>)> {
        let place = self.running.iter().position(|running| running.id == id)?;
        let RunningJob { purpose, job, .. } = self.running.swap_remove(place);
        Some((purpose, job))
    }
}
