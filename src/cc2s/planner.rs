//! The planner: it owns the thin tree, says what to ask next, and draws its conclusions from the answers. It searches
//! nothing itself and knows no game, so one planner serves one worker, many threads, or machines that exchange
//! messages.
//!
//! ```text
//! conclude -> job board -- next_job --> workers -- note --> thin tree -> conclude -> ...
//!     └─> root update: a hypothesis has fallen, or a requirement is met
//! ```
//!
//! It takes the place of `DetermineMove` (Fig. 2.6): an [`AspirationSearch`] has a hypothesis about the best move and
//! another where one falls; a [`SafetyCheck`] asks for two strategies for what decided it. Both read the tree and name
//! the jobs that are open. The [`JobBoard`] knows who is at which of them.

use super::DelegationParams;
use super::aspiration::{AspirationSearch, AspirationStep, RootCandidate};
use super::job_board::{JobBoard, JobId, Purpose, Reach, WorkerInfo};
use super::safety_check::SafetyCheck;
use super::safety_goal::{MARGINS, SafetyGoal};
use super::thin_tree::ThinTree;
use crate::game::{
    Claim, Job, Progress, Requirement, Response, RootUpdate, Score, Value, Window, Work,
};

/// Stored nodes beyond which no demand grows the tree.
const NODES_MAX: usize = 1 << 20;

/// The question about the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Last depth of the requirements with one strategy.
    pub depth_max: u16,
    /// Best moves to tell apart.
    pub multi_pv: usize,
    /// Whether people want to know rather than to play: more work goes into second strategies.
    pub is_analysis: bool,
}

/// Margin that a decision is said to need where none that was demanded did, in centipawns.
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
    /// A planner that knows nothing yet.
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

    /// Begins to work on the root, whose legal moves are `successors`, the most promising first, each with whether it
    /// is quiet. Only `moves`, some or all of them, are asked about.
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

    /// Draws conclusions as far as the bounds go. Call until nothing comes: then [`Planner::next_job`] has something to
    /// do, or others are still at work, or the search [is finished](Planner::is_finished).
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

    /// Opens the jobs for two strategies. Where the share of work for them is used up, only those that somebody is at.
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

    /// The candidate at that place is best now, and worth so much.
    fn set_best(&mut self, place: usize, settled: Score) {
        let candidates = self.search.candidates();
        let best = RootCandidate {
            settled,
            ..candidates[place]
        };
        self.safety.set_best(best, &self.tree, candidates);
        self.note_safety();
    }

    /// The hypothesis is overturned: the value sought lies beyond this bound.
    fn fall(&mut self, bound: Score) {
        if self.search.place() == 0 {
            self.progress.overturned += 1;
            self.progress.hypothesis = Some(bound);
            self.set_best(0, bound);
        }
    }

    /// The best of the moves asked about is found: the next best one is sought or, where all are known, a ply more is
    /// required.
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

    /// Notes the best move for those who watch.
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

    /// Nothing is left to gain from deeper requirements: there is one move, or a mate that is shown deep enough.
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

    /// The update with the safety of the decision, which is about the best move alone.
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

    /// News of the move that would be played now, unless the last update was about it.
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

    /// Takes in that a variation from the root is proved to lead to that score, the root's view, against any play.
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

    /// The next job for a worker that goes so far to find one: one for its own table before others, and those before
    /// jobs to help with.
    pub fn next_job(&mut self, worker: WorkerInfo, reach: Reach) -> Option<(JobId, Job<M>)> {
        self.board.next_job(worker, reach, &mut self.tree)
    }

    /// Jobs that should be broken off: their answers are no longer needed, or a worker like this has something better
    /// to do than to help another.
    pub fn superseded(&self, worker: WorkerInfo) -> Vec<JobId> {
        self.board.superseded(worker)
    }

    /// Takes in the answer to a job.
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

    /// The last goal of two strategies that was met for the best move and its value, if there is one.
    pub fn secured(&self) -> Option<SafetyGoal> {
        self.safety.secured()
    }

    /// How safe the decision is, if any requirement is met, and the values which that is about, where it takes two
    /// strategies.
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
