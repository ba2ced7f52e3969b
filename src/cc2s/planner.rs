//! The planner owns the thin tree, hands out jobs, and draws conclusions from the answers. It searches nothing itself
//! and has no knowledge of the game. So one planner serves one worker, many threads, or machines that exchange
//! messages.
//!
//! ```text
//! conclude -> job board -- next_job --> workers -- note --> thin tree -> conclude -> ...
//!     └─> root update: a hypothesis has fallen, or a requirement is met
//! ```
//!
//! It replaces `DetermineMove` (Fig. 2.6). An [`AspirationSearch`] states a hypothesis about the best move, and a new
//! one when it falls. A [`SafetyCheck`] requires two strategies for the decision. Both read the tree and return the
//! open jobs. The [`JobBoard`] records the workers of each job.

use super::DelegationParams;
use super::aspiration::{AspirationSearch, AspirationStep, RootCandidate};
use super::job_board::{JobBoard, JobId, Purpose, Reach, WorkerInfo};
use super::safety_check::SafetyCheck;
use super::safety_goal::{MARGINS, SafetyGoal};
use super::thin_tree::ThinTree;
use crate::game::{
    Claim, Job, Progress, Requirement, Response, RootUpdate, Score, Value, Window, Work,
};

/// Number of stored nodes at which the tree stops growing.
const NODES_MAX: usize = 1 << 20;

/// The question about the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Maximum depth of the requirements with one strategy.
    pub depth_max: u16,
    /// Number of best moves to search.
    pub multi_pv: usize,
    /// Analysis instead of play: more work goes into second strategies.
    pub is_analysis: bool,
}

/// Margin reported for a decision that failed all required margins, in centipawns.
const WIDE_CP: u16 = 2 * MARGINS[MARGINS.len() - 1];

/// The search as data.
pub struct Planner<M> {
    params: DelegationParams,
    tree: ThinTree<M>,
    is_analysis: bool,
    search: AspirationSearch,
    safety: SafetyCheck,
    board: JobBoard<M>,
    progress: Progress,
    /// Deepest ply reached by any worker.
    level: u16,
    is_forced: bool,
    /// The best move when a requirement was last met.
    last_best: Option<M>,
    /// The best move of the last update.
    last_reported: Option<M>,
}

impl<M: Copy + Eq> Planner<M> {
    /// A planner with an empty tree.
    pub fn new(params: DelegationParams) -> Self {
        Self {
            params,
            tree: ThinTree::default(),
            is_analysis: false,
            search: AspirationSearch::idle(),
            safety: SafetyCheck::default(),
            board: JobBoard::default(),
            progress: Progress::default(),
            level: 0,
            is_forced: false,
            last_best: None,
            last_reported: None,
        }
    }

    /// Forgets the tree.
    pub fn forget(&mut self) {
        *self = Self::new(self.params.clone());
    }

    /// Makes the node at the end of `path` the root, keeping what is known below; nothing is known if it is not stored.
    pub fn advance_root(&mut self, path: &[M]) {
        match self.tree.find(path) {
            Some(id) => self.tree.reroot(id),
            None => self.tree = ThinTree::default(),
        }
    }

    /// Starts work on the root. `successors` are its legal moves, the most promising first, each with a flag for quiet
    /// moves. Only `moves`, some or all of them, are searched.
    pub fn begin(&mut self, successors: &[(M, bool)], moves: &[M], scope: Scope) {
        assert!(!moves.is_empty());
        self.tree.expand(ThinTree::<M>::ROOT, successors);
        let tree = &self.tree;
        let candidate = |mv: M| RootCandidate {
            id: tree
                .successor(ThinTree::<M>::ROOT, mv)
                .expect("a legal move of the root"),
            settled: Score::DRAW,
        };
        let asked = successors.iter().map(|&(mv, _)| mv);
        let asked = asked.filter(|mv| moves.contains(mv));
        let candidates: Vec<RootCandidate> = asked.map(candidate).collect();
        for candidate in &candidates {
            self.tree.node_mut(candidate.id).nodes = 0;
        }
        self.is_analysis = scope.is_analysis;
        self.search = AspirationSearch::new(
            candidates,
            scope.depth_max,
            scope.multi_pv,
            self.params.aspiration_cp,
        );
        self.safety = SafetyCheck::default();
        self.board.clear();
        self.progress = Progress {
            met: one_strategy(0),
            demanded: one_strategy(1),
            ..Progress::default()
        };
        (self.level, self.is_forced) = (0, moves.len() == 1);
        (self.last_best, self.last_reported) = (None, None);
    }

    /// Draws conclusions as far as the bounds allow. Call it until it returns `None`. Then [`Planner::next_job`] has a
    /// job, or others are still working, or the search [is finished](Planner::is_finished).
    pub fn conclude(&mut self) -> Option<RootUpdate<M>> {
        self.board.close();
        self.check_safety();
        if self.search.is_finished() {
            if !self.board.has_open() {
                // The share of work for it is used up, and will not grow any more.
                self.safety.abandon();
            }
            return None;
        }
        match self.search.advance(&self.tree) {
            AspirationStep::Open(jobs) => {
                self.board.open(Purpose::Primary, jobs);
                None
            }
            AspirationStep::Concluded(value) => {
                let update = self.update(value);
                if value.is_exact() {
                    self.meet(value.score);
                } else {
                    self.fall(value.score);
                }
                Some(self.with_safety(update))
            }
        }
    }

    /// Opens the jobs for two strategies. If their share of work is used up, only those in progress.
    fn check_safety(&mut self) {
        if self.params.conspiracy < 2 {
            return;
        }
        let (depth, lag) = (self.progress.met.depth, self.params.secure_lag as u16);
        let candidates = self.search.candidates();
        let mut jobs = self.safety.open_jobs(&self.tree, candidates, depth, lag);
        if !self.may_verify() {
            jobs.retain(|job| self.board.is_running(job));
        }
        self.board.open(Purpose::Verification, jobs);
        self.note_safety();
    }

    /// Whether the share of work for second strategies is not used up.
    fn may_verify(&self) -> bool {
        let Work {
            primary,
            verification,
        } = self.progress.work;
        let share = if self.is_analysis {
            self.params.secure_analysis_permille
        } else {
            self.params.secure_permille
        };
        verification * 1_000 <= (primary + verification) * share as u64
            && self.tree.size() < NODES_MAX
    }

    fn note_safety(&mut self) {
        self.progress.margin_cp = match self.safety.secured() {
            Some(goal) => Some(goal.margin_cp()),
            None => self.safety.is_in_vain().then_some(WIDE_CP),
        };
    }

    /// Records the candidate at that place as the best move, with its value.
    fn set_best(&mut self, place: usize, settled: Score) {
        let candidates = self.search.candidates();
        let best = RootCandidate {
            settled,
            ..candidates[place]
        };
        self.safety.set_best(best, &self.tree, candidates);
        self.note_safety();
    }

    /// The hypothesis is overturned: the value lies beyond this bound.
    fn fall(&mut self, bound: Score) {
        if self.search.place() == 0 {
            self.progress.overturned += 1;
            self.progress.hypothesis = Some(bound);
            self.set_best(0, bound);
        }
    }

    /// The best of the searched moves is found. The search continues with the next best move or, if all are known, one
    /// ply deeper.
    fn meet(&mut self, value: Score) {
        if self.search.place() == 0 {
            self.note_best(value);
        }
        let depth = self.search.depth();
        if self.search.complete_place() {
            self.progress.met = one_strategy(depth);
            self.progress.demanded = one_strategy(depth + 1);
            self.note_exhausted();
            self.set_best(0, self.search.candidates()[0].settled);
        }
    }

    /// Records the best move for the listener.
    fn note_best(&mut self, value: Score) {
        let progress = &mut self.progress;
        let best = self.tree.node(self.search.candidates()[0].id);
        let primary = progress.work.primary.max(1);
        progress.effort_permille = Some((best.nodes.min(primary) * 1_000 / primary) as u16);
        let is_new = self.last_best != best.mv;
        progress.overturned = u16::from(is_new && self.last_best.is_some());
        (progress.settled, progress.hypothesis) = (Some(value), Some(value));
        self.last_best = best.mv;
        if is_new {
            progress.stable_requirements = 0;
        }
        progress.stable_requirements += 1;
        self.note_exhausted();
        self.set_best(0, value);
    }

    /// Deeper requirements cannot change the decision: there is only one move, or a proved mate.
    fn note_exhausted(&mut self) {
        let depth = u32::from(self.progress.met.depth);
        self.progress.exhausted = self.progress.settled.is_some_and(|settled| {
            let plies = settled.mate_distance().map(i32::unsigned_abs);
            self.is_forced || plies.is_some_and(|plies| plies <= depth)
        });
    }

    fn update(&mut self, value: Value) -> RootUpdate<M> {
        let place = self.search.place();
        if place == 0 {
            self.last_reported = self.move_at(0);
        }
        self.update_on(place, self.search.depth(), value)
    }

    fn update_on(&self, place: usize, depth: u16, value: Value) -> RootUpdate<M> {
        RootUpdate {
            depth,
            selective_depth: self.level,
            multi_pv: self.search.place() + 1,
            score: value.score,
            bound: value.bound,
            nodes: 0,
            tablebase_hits: 0,
            memory_permille: 0,
            pv: self.pv_at(place),
            safety: None,
            claim: None,
        }
    }

    /// Adds the safety of the decision to an update; it refers to the best move only.
    fn with_safety(&self, update: RootUpdate<M>) -> RootUpdate<M> {
        let met = self.progress.met;
        let (safety, claim) = if update.multi_pv == 1 {
            self.safety()
        } else {
            ((met.depth > 0).then_some(met), None)
        };
        RootUpdate {
            safety,
            claim,
            ..update
        }
    }

    /// An update for the move that would be played now, unless the last update reported it.
    pub fn final_update(&mut self) -> Option<RootUpdate<M>> {
        if self.search.place() > 0 {
            return None;
        }
        let leader = self.search.leader(&self.tree);
        let place = leader.map_or(0, |(place, _)| place);
        let mv = self.move_at(place);
        if self.last_reported.is_none() || self.last_reported == mv {
            return None;
        }
        self.last_reported = mv;
        let depth = self.search.depth();
        let (depth, value) = if let Some((_, value)) = leader {
            (depth, value)
        } else {
            // Back to the move of the last requirement met.
            let settled = self.search.candidates()[0].settled;
            (depth - 1, Value::exact(settled))
        };
        self.set_best(place, value.score);
        let update = self.update_on(place, depth, value);
        Some(self.with_safety(update))
    }

    /// Adds a proved variation from the root and its score, from the root's point of view.
    pub fn prove(&mut self, pv: &[M], score: Score) {
        let known = pv.split_first().and_then(|(&first, rest)| {
            let id = self.tree.successor(ThinTree::<M>::ROOT, first)?;
            Some((id, rest))
        });
        if let Some((id, rest)) = known {
            let node = self.tree.node_mut(id);
            node.bounds
                .note(score.to_successor(), Window::FULL, u16::MAX);
            node.pv = rest.to_vec();
        }
    }

    /// The next job for a worker within its reach. Jobs for its own table come first, then others, then jobs to help
    /// with.
    pub fn next_job(&mut self, worker: WorkerInfo, reach: Reach) -> Option<(JobId, Job<M>)> {
        self.board.next_job(worker, reach, &mut self.tree)
    }

    /// Jobs to cancel: their answers are no longer needed, or a worker like this one has better work than helping
    /// another.
    pub fn superseded(&self, worker: WorkerInfo) -> Vec<JobId> {
        self.board.superseded(worker)
    }

    /// Adds the answer to a job.
    pub fn note(&mut self, id: JobId, response: Response<M>) {
        let Some((purpose, job)) = self.board.finish(id) else {
            return;
        };
        let id = self
            .tree
            .find(&job.path)
            .expect("a job is about a stored node");
        let work = &mut self.progress.work;
        match purpose {
            Purpose::Primary => work.primary += response.nodes(),
            Purpose::Verification => work.verification += response.nodes(),
        }
        match response {
            Response::Aborted(_) => {}
            Response::Expanded(moves) => self.tree.expand(id, &moves),
            Response::Searched(found) => {
                self.level = self.level.max(found.level);
                self.tree.node_mut(id).note(job.request, found);
            }
        }
    }

    /// Whether nothing is left to ask.
    pub fn is_finished(&self) -> bool {
        self.search.is_finished() && !self.safety.is_at_work()
    }

    /// The stored tree.
    pub fn tree(&self) -> &ThinTree<M> {
        &self.tree
    }

    /// The last goal with two strategies met for the best move and its value, if any.
    pub fn secured(&self) -> Option<SafetyGoal> {
        self.safety.secured()
    }

    /// The safety of the decision, if any requirement is met, and its values if it has two strategies.
    pub fn safety(&self) -> (Option<Requirement>, Option<Claim>) {
        let one = self.progress.met;
        let met = self.secured().map_or(one, |goal| Requirement {
            depth: goal.depth(),
            conspiracy: 2,
        });
        let claim = |goal: SafetyGoal| Claim {
            hypothesis: goal.value(),
            margin_cp: goal.margin_cp(),
        };
        ((one.depth > 0).then_some(met), self.secured().map(claim))
    }

    /// The progress with one strategy.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The best variation known now; its first move is the one to play.
    pub fn pv(&self) -> Vec<M> {
        let leader = match self.search.place() {
            0 => self.search.leader(&self.tree),
            _ => None,
        };
        self.pv_at(leader.map_or(0, |(place, _)| place))
    }

    fn move_at(&self, place: usize) -> Option<M> {
        self.tree.node(self.search.candidates()[place].id).mv
    }

    fn pv_at(&self, place: usize) -> Vec<M> {
        let node = self.tree.node(self.search.candidates()[place].id);
        node.mv.into_iter().chain(node.pv.iter().copied()).collect()
    }
}

fn one_strategy(depth: u16) -> Requirement {
    Requirement {
        depth,
        conspiracy: 1,
    }
}
