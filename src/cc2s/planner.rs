//! The planner: it owns the thin tree, says what to ask next, and draws its conclusions from the answers. It searches
//! nothing itself and knows no game, so one planner serves one worker, many threads, or machines that exchange messages.
//!
//! ```text
//! conclude -> open jobs -- take --> workers -- note --> thin tree -> conclude -> ...
//!     └─> news: a hypothesis has fallen, or a requirement is met
//! ```
//!
//! It takes the place of `DetermineMove` (Fig. 2.6): a hypothesis about the best move, shares of it as jobs, another hypothesis
//! where one falls. A requirement with one strategy is worked on as an [`Iteration`]; what decided it is then asked for two, as
//! a [`Demand`].

use super::DelegationParams;
use super::demand::Demand;
use super::iteration::{Candidate, Iteration, IterationState};
use super::job::{Ask, Job, Reply};
use super::securing::Securing;
use super::thin_tree::ThinTree;
use crate::game::{Attribute, Requirement, Score, Value, Window};

/// Stored nodes beyond which no demand grows the tree.
const NODES_MAX: usize = 1 << 20;

/// What is asked of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Last depth of the requirements with one strategy.
    pub depth_max: u16,
    /// How many best moves to tell apart.
    pub ranks: usize,
    /// Whether people want to know rather than to play: more work goes into second strategies.
    pub is_analysis: bool,
}

/// Names a job given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(u64);

impl Ticket {
    /// A number of its own.
    pub const fn number(self) -> u64 {
        self.0
    }
}

/// Which targets a job serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commission {
    /// Those of the hypothesis at the root, with one strategy.
    Decide,
    /// Those that demand a second strategy.
    Secure,
}

/// A job somebody works on.
#[derive(Clone, Debug)]
struct Given<M> {
    ticket: Ticket,
    commission: Commission,
    job: Job<M>,
    /// Somebody was at it before.
    is_joined: bool,
}

/// Whether somebody works on that job, or on one whose answer is one to it as well.
fn is_given<M: Copy + Eq>(given: &[Given<M>], job: &Job<M>) -> bool {
    given.iter().any(|given| given.job.serves(job))
}

/// Something to tell of the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News<M> {
    /// Depth of the requirement worked on.
    pub depth: u16,
    /// Which of the best moves, from 1.
    pub rank: usize,
    /// Its value, the root's view.
    pub value: Value,
    /// The move, and what is expected to follow.
    pub line: Vec<M>,
    /// Whether the requirement is met with this.
    pub is_met: bool,
}

/// How the search stands, for those who watch it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanStatus {
    /// Nodes of the answers so far, by [`Commission`].
    pub nodes: [u64; 2],
    /// Deepest ply reached by any worker.
    pub level: u16,
    /// The last demand of two strategies that was met for the best move and its value, both as last told of.
    pub secured: Option<Demand>,
    /// Whether two strategies were looked for in vain, even with the greatest margin.
    pub is_in_vain: bool,
    /// Depth of the requirement with one strategy met last.
    pub depth: u16,
    /// Requirements met in a row with the same best move.
    pub stable: u16,
    /// Hypotheses fallen while working on the requirement under way.
    pub overturned: u16,
    /// The best move's value when a requirement was last met.
    pub settled: Option<Score>,
    /// What the best move is now thought to be worth.
    pub hypothesis: Option<Score>,
    /// Share of the work for the decision that went into the best move when a requirement was last met, in thousandths.
    pub effort_permille: Option<u16>,
}

impl PlanStatus {
    /// The safest requirement met with the best move.
    pub fn met(&self) -> Requirement {
        let two = |demand: Demand| Requirement {
            depth: demand.depth(),
            conspiracy: 2,
        };
        let one = Requirement {
            depth: self.depth,
            conspiracy: 1,
        };
        self.secured.map_or(one, two)
    }
}

/// The search as data.
pub struct Planner<M> {
    params: DelegationParams,
    tree: ThinTree<M>,
    scope: Scope,
    /// The root's moves, the expected best first.
    candidates: Vec<Candidate>,
    /// Which of the best moves is being found, from 0.
    rank: usize,
    iteration: Iteration,
    securing: Securing,
    is_finished: bool,
    open: Vec<(Commission, Job<M>)>,
    given: Vec<Given<M>>,
    tickets: u64,
    status: PlanStatus,
    /// The best move when a requirement was last met.
    leader: Option<M>,
    /// The best move last told of.
    told: Option<M>,
}

impl<M: Copy + Eq> Planner<M> {
    /// A planner that knows nothing yet.
    pub fn new(params: DelegationParams) -> Self {
        Self {
            iteration: Iteration::new(1, Score::DRAW, params.aspiration_cp),
            params,
            tree: ThinTree::default(),
            scope: Scope {
                depth_max: 0,
                ranks: 1,
                is_analysis: false,
            },
            candidates: Vec::new(),
            rank: 0,
            securing: Securing::default(),
            is_finished: true,
            open: Vec::new(),
            given: Vec::new(),
            tickets: 0,
            status: PlanStatus::default(),
            leader: None,
            told: None,
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

    /// Begins to work on the root, whose legal moves are `successors`, the most promising first, each with whether it is
    /// quiet. Only `moves`, some or all of them, are asked about.
    pub fn begin(&mut self, successors: &[(M, bool)], moves: &[M], scope: Scope) {
        assert!(!moves.is_empty());
        self.tree.expand(ThinTree::<M>::ROOT, successors);
        let tree = &self.tree;
        let candidate = |mv: M| Candidate {
            id: tree
                .successor(ThinTree::<M>::ROOT, mv)
                .expect("a legal move of the root"),
            settled: Score::DRAW,
        };
        let asked = successors.iter().map(|&(mv, _)| mv);
        let asked = asked.filter(|mv| moves.contains(mv));
        self.candidates = asked.map(candidate).collect();
        for candidate in &self.candidates {
            self.tree.node_mut(candidate.id).nodes = 0;
        }
        self.scope = Scope {
            ranks: scope.ranks.clamp(1, moves.len()),
            ..scope
        };
        (self.status, self.leader, self.told) = (PlanStatus::default(), None, None);
        self.securing = Securing::default();
        self.given.clear();
        self.require(1);
    }

    /// Makes the requirement of that depth.
    fn require(&mut self, depth: u16) {
        self.rank = 0;
        self.is_finished = depth > self.scope.depth_max;
        self.iteration = self.hypothesis(depth);
    }

    fn hypothesis(&self, depth: u16) -> Iteration {
        let settled = self.candidates[self.rank].settled;
        Iteration::new(depth, settled, self.params.aspiration_cp)
    }

    /// Draws conclusions as far as the facts go. Call until nothing comes: then [`Planner::take`] has something to do, or
    /// others are still at work, or the search [is finished](Planner::is_finished).
    pub fn conclude(&mut self) -> Option<News<M>> {
        self.open.clear();
        self.secure();
        if self.is_finished {
            if self.open.is_empty() {
                // The share of work for it is used up, and will not grow any more.
                self.securing.leave_off();
            }
            return None;
        }
        match self
            .iteration
            .standing(&self.tree, &self.candidates[self.rank..])
        {
            IterationState::Open(jobs) => {
                let jobs = jobs.into_iter().map(|job| (Commission::Decide, job));
                self.open.extend(jobs);
                None
            }
            IterationState::Low(bound) => {
                self.iteration.lower(bound);
                self.fall(bound);
                Some(self.news(bound, Attribute::AtMost))
            }
            IterationState::High(index, bound) => {
                self.promote(index);
                self.iteration.raise(bound);
                self.fall(bound);
                Some(self.news(bound, Attribute::AtLeast))
            }
            IterationState::Found(index, value) => {
                self.promote(index);
                self.candidates[self.rank].settled = value;
                let news = self.news(value, Attribute::Exact);
                self.meet(value);
                Some(news)
            }
        }
    }

    /// The hypothesis is overturned: what is sought lies beyond this bound.
    fn fall(&mut self, bound: Score) {
        if self.rank == 0 {
            self.status.overturned += 1;
            self.status.hypothesis = Some(bound);
            self.stand_on(0, bound);
        }
    }

    /// That candidate is best now, and worth so much.
    fn stand_on(&mut self, place: usize, settled: Score) {
        let best = Candidate {
            settled,
            ..self.candidates[place]
        };
        self.securing.stand_on(best, &self.tree, &self.candidates);
        self.note_safety();
    }

    fn note_safety(&mut self) {
        self.status.secured = self.securing.secured();
        self.status.is_in_vain = self.securing.is_in_vain();
    }

    /// Puts a candidate before all others of its rank.
    fn promote(&mut self, index: usize) {
        let place = self.rank + index;
        self.candidates[self.rank..=place].rotate_right(1);
    }

    /// What is known of the move that would be played now, unless it was told of last.
    pub fn last_word(&mut self) -> Option<News<M>> {
        if self.rank > 0 {
            return None;
        }
        let leader = self.iteration.leader(&self.tree, &self.candidates);
        let place = leader.map_or(0, |(place, _)| place);
        let mv = self.tree.node(self.candidates[place].id).mv;
        if self.told.is_none() || self.told == mv {
            return None;
        }
        self.told = mv;
        let (depth, value) = match leader {
            Some((_, value)) => (self.iteration.depth, value),
            // Back to the move of the last requirement met.
            None => (
                self.iteration.depth - 1,
                Value::exact(self.candidates[0].settled),
            ),
        };
        self.stand_on(place, value.score);
        Some(News {
            depth,
            rank: 1,
            value,
            line: self.line_of(place),
            is_met: false,
        })
    }

    /// Takes in that a line from the root is proved to lead to that score, the root's view, against any play.
    pub fn prove(&mut self, line: &[M], score: Score) {
        let known = line.split_first().and_then(|(&first, rest)| {
            let id = self.tree.successor(ThinTree::<M>::ROOT, first)?;
            Some((id, rest))
        });
        if let Some((id, rest)) = known {
            let node = self.tree.node_mut(id);
            node.facts
                .note(score.to_successor(), Window::FULL, u16::MAX);
            node.line = rest.to_vec();
        }
    }

    fn news(&mut self, score: Score, attribute: Attribute) -> News<M> {
        if self.rank == 0 {
            self.told = self.tree.node(self.candidates[0].id).mv;
        }
        News {
            depth: self.iteration.depth,
            rank: self.rank + 1,
            value: Value { attribute, score },
            line: self.line_of(self.rank),
            is_met: attribute == Attribute::Exact,
        }
    }

    /// The best of the moves asked about is found: the requirement is met, or the next best one is sought.
    fn meet(&mut self, value: Score) {
        if self.rank == 0 {
            self.note_leader(value);
        }
        self.rank += 1;
        if self.rank < self.scope.ranks {
            self.iteration = self.hypothesis(self.iteration.depth);
        } else {
            self.end_requirement();
        }
    }

    /// Notes the best move for those who watch.
    fn note_leader(&mut self, value: Score) {
        let status = &mut self.status;
        let best = self.tree.node(self.candidates[0].id);
        let deciding = status.nodes[Commission::Decide as usize].max(1);
        status.effort_permille = Some((best.nodes.min(deciding) * 1_000 / deciding) as u16);
        let is_new = self.leader != best.mv;
        status.overturned = u16::from(is_new && self.leader.is_some());
        (status.settled, status.hypothesis) = (Some(value), Some(value));
        self.leader = best.mv;
        if is_new {
            status.stable = 0;
        }
        status.stable += 1;
        self.stand_on(0, value);
    }

    /// All best moves are told apart: a ply more is required with one strategy.
    fn end_requirement(&mut self) {
        let depth = self.iteration.depth;
        let best_moves = &mut self.candidates[..self.scope.ranks];
        best_moves.sort_by_key(|candidate| std::cmp::Reverse(candidate.settled));
        self.status.depth = depth;
        self.stand_on(0, self.candidates[0].settled);
        self.require(depth + 1);
    }

    /// Sees how the demand of two strategies stands, and what must be asked for it. Where the share of work for it is used up,
    /// questions somebody is at are still answered.
    fn secure(&mut self) {
        if self.params.conspiracy < 2 {
            return;
        }
        let depth = self.status.depth;
        loop {
            self.securing
                .demand_more(depth, self.params.secure_lag as u16);
            let inquiry = self.securing.inquire(&self.tree, &self.candidates, depth);
            let Some(jobs) = inquiry else { return };
            if !jobs.is_empty() {
                let may_begin = self.may_secure();
                let mut jobs = jobs;
                jobs.retain(|job| may_begin || is_given(&self.given, job));
                let jobs = jobs.into_iter().map(|job| (Commission::Secure, job));
                self.open.extend(jobs);
                return;
            }
            self.note_safety();
        }
    }

    /// Whether the share of work for second strategies is not used up.
    fn may_secure(&self) -> bool {
        let [_, securing] = self.status.nodes;
        let all: u64 = self.status.nodes.iter().sum();
        let share = if self.scope.is_analysis {
            self.params.secure_analysis_permille
        } else {
            self.params.secure_permille
        };
        securing * 1_000 <= all * share as u64 && self.tree.size() < NODES_MAX
    }

    /// The next job, if there is one that nobody works on.
    pub fn take(&mut self) -> Option<(Ticket, Job<M>)> {
        self.take_if(|_| true)
    }

    /// The next job of those that are `fit`, if there is one that nobody works on.
    pub fn take_if(&mut self, is_fit: impl Fn(&Job<M>) -> bool) -> Option<(Ticket, Job<M>)> {
        self.take_where(0, |job, _| is_fit(job))
    }

    /// The next job of those that are `fit` for a worker with that hash table, if there is one that nobody works on and whose
    /// position has not been searched with another table: what is remembered there is worth more than a worker's time.
    pub fn take_at_home(
        &mut self,
        table: usize,
        is_fit: impl Fn(&Job<M>) -> bool,
    ) -> Option<(Ticket, Job<M>)> {
        let is_home = |job: &Job<M>, home: Option<usize>| {
            is_fit(job) && home.is_none_or(|home| home == table)
        };
        self.take_where(table, is_home)
    }

    /// The same, wherever the position has been searched.
    pub fn take_anywhere(
        &mut self,
        table: usize,
        is_fit: impl Fn(&Job<M>) -> bool,
    ) -> Option<(Ticket, Job<M>)> {
        self.take_where(table, |job, _| is_fit(job))
    }

    /// The next job that is fit, given the table its position was last searched with.
    fn take_where(
        &mut self,
        table: usize,
        is_fit: impl Fn(&Job<M>, Option<usize>) -> bool,
    ) -> Option<(Ticket, Job<M>)> {
        let is_free = |planner: &Self, job: &Job<M>| {
            is_fit(job, planner.home(job)) && !is_given(&planner.given, job)
        };
        let mut open = self.open.iter();
        let (commission, job) = open.find(|(_, job)| is_free(self, job))?.clone();
        let ticket = Ticket(self.tickets);
        self.tickets += 1;
        let searched = Some(&job.path).filter(|_| job.ask != Ask::Successors);
        if let Some(id) = searched.and_then(|path| self.tree.find(path)) {
            self.tree.node_mut(id).home = Some(table);
        }
        self.given.push(Given {
            ticket,
            commission,
            job: job.clone(),
            is_joined: false,
        });
        Some((ticket, job))
    }

    /// A job that somebody is at, for one more: the first of those that are `fit` which the fewest are at. Whoever answers
    /// first, the others break off.
    pub fn join(&mut self, is_fit: impl Fn(&Job<M>) -> bool) -> Option<(Ticket, Job<M>)> {
        let is_open = |job: &Job<M>| self.open.iter().any(|(_, open)| job.serves(open));
        let at_it = |job: &Job<M>| self.given.iter().filter(|other| other.job == *job).count();
        let jobs = self.given.iter().filter(|given| !given.is_joined);
        let jobs = jobs.filter(|given| given.job.ask != Ask::Successors);
        let jobs = jobs.filter(|given| is_fit(&given.job) && is_open(&given.job));
        let joined = Given {
            ticket: Ticket(self.tickets),
            is_joined: true,
            ..jobs.min_by_key(|given| at_it(&given.job))?.clone()
        };
        self.tickets += 1;
        self.given.push(joined.clone());
        Some((joined.ticket, joined.job))
    }

    /// The table that a job's position was last searched with.
    fn home(&self, job: &Job<M>) -> Option<usize> {
        let id = self.tree.find(&job.path)?;
        self.tree.node(id).home
    }

    /// Those of the jobs given out that should be broken off: their answers are no longer needed, or there is something
    /// better to do than to help another.
    pub fn superseded(&self) -> Vec<Ticket> {
        self.superseded_by(|_| true)
    }

    /// The same, where only jobs that are `fit` can be done instead.
    pub fn superseded_by(&self, is_fit: impl Fn(&Job<M>) -> bool) -> Vec<Ticket> {
        let is_waiting = |job: &Job<M>| is_fit(job) && !is_given(&self.given, job);
        let mut waiting = self.open.iter().filter(|(_, job)| is_waiting(job)).count();
        let mut superseded = Vec::new();
        for given in &self.given {
            let is_wanted = self.open.iter().any(|(_, job)| given.job.serves(job));
            if given.is_joined && waiting > 0 || !is_wanted {
                waiting = waiting.saturating_sub(1);
                superseded.push(given.ticket);
            }
        }
        superseded
    }

    /// Takes in the answer to a job.
    pub fn note(&mut self, ticket: Ticket, reply: Reply<M>) {
        let Some(place) = self.given.iter().position(|given| given.ticket == ticket) else {
            return;
        };
        let Given {
            commission, job, ..
        } = self.given.swap_remove(place);
        let id = self
            .tree
            .find(&job.path)
            .expect("a job is about a stored node");
        match (job.ask, reply) {
            (_, Reply::BrokenOff(nodes)) => self.status.nodes[commission as usize] += nodes,
            (_, Reply::Successors(moves)) => self.tree.expand(id, &moves),
            (ask, Reply::Score(found)) => {
                self.status.nodes[commission as usize] += found.nodes;
                self.status.level = self.status.level.max(found.level);
                self.tree.node_mut(id).note(ask, found);
            }
        }
    }

    /// Whether nothing is left to ask.
    pub fn is_finished(&self) -> bool {
        self.is_finished && !self.securing.is_at_work()
    }

    /// The stored tree.
    pub fn tree(&self) -> &ThinTree<M> {
        &self.tree
    }

    /// The last demand of two strategies that was met for the best move and its value, if there is one.
    pub fn secured(&self) -> Option<Demand> {
        self.status.secured
    }

    /// How the search stands.
    pub fn status(&self) -> PlanStatus {
        self.status
    }

    /// The best line known now; its first move is the one to play.
    pub fn line(&self) -> Vec<M> {
        let leader = match self.rank {
            0 => self.iteration.leader(&self.tree, &self.candidates),
            _ => None,
        };
        self.line_of(leader.map_or(0, |(place, _)| place))
    }

    fn line_of(&self, place: usize) -> Vec<M> {
        let node = self.tree.node(self.candidates[place].id);
        let rest = node.line.iter().copied();
        node.mv.into_iter().chain(rest).collect()
    }
}
