//! Hypotheses and decisions at the root (Fig. 2.6), worked through along a schedule of requirements.
//!
//! Extends Fig. 2.6 from one best move to the `k` best: each of them has a splitting value of its own, is worth at least
//! that much, and every move ranked after it at most that much, all of it as safely as demanded. So the move at rank `i`
//! works on two targets, `AtLeast(x_i)` and `AtMost(x_(i-1))`, the rest on `AtMost(x_k)`; `k = 1` is Fig. 2.6 itself.

//!
//! The root asks for targets in rounds ([`Searcher::plan`]) and is told what became of each ([`Searcher::note`]); whoever
//! drives the search works on them, one after the other or all at once.

use super::decision::Decision;
use crate::cc2s::search::monitor::{Monitor, RootReport};
use crate::cc2s::search::searcher::{Searcher, Stopped};
use crate::cc2s::search::split::Share;
use crate::cc2s::search::valuation::Finding;
use crate::cc2s::search::valuation::{Question, Subject};
use crate::cc2s::tree::node::Node;
use crate::cc2s::tree::search_tree::Tree;
use crate::cc2s::tree::target::{Requirement, Schedule, Target, Verdict};
use crate::cc2s::tree::value::{Bound, Value};
use crate::game::{Evaluator, Game, Score, Window};

/// Depth after which an analysis ends whatever it finds, in plies.
const DEPTH_MAX: u16 = 200;
/// Hypotheses overturned under one requirement before the root margin begins to widen.
const PATIENCE: u16 = 8;
/// How many times more hypotheses must be overturned before a second requirement in a row is left.
const PATIENCE_IN_A_ROW: u16 = 4;
/// Attempts to bound a best move's value from above, each with a wider margin than the last.
const WIDENINGS: i16 = 3;

/// What is wanted of an analysis, and how far it has come.
#[derive(Clone, Debug)]
pub(crate) struct Director<M> {
    /// The moves that count, at least one.
    moves: Vec<M>,
    schedule: Schedule,
    policy: RequirementPolicy,
    depth_max: u16,
    /// How many of the best moves are separated from those that follow.
    ranks: usize,
    /// The moves at the front of the root's successors, best first, each with its splitting value.
    ranking: Vec<(M, Score)>,
    /// The last move whose lower bound was secured.
    settled: Option<M>,
    /// The same when the current requirement was first worked on.
    settled_before: Option<M>,
    demanded: Requirement,
    met: Requirement,
    exhausted: bool,
    stage: Stage,
    /// What the current round asks for.
    shares: Vec<Share>,
    /// A target of the current round was missed.
    is_missed: bool,
    /// What others have found moves to be worth, in open windows, before the analysis began.
    first_values: Vec<(M, Finding)>,
    /// Requirements taken up.
    pub(crate) requirements: u16,
}

/// Which requirements are left out or unmet; by default none.
///
/// Every requirement ends with waiting for the last moves, and little work keeps few workers busy. So many workers lose more
/// by the early requirements than they gain by what these have taught them. Where one hypothesis is overturned after the
/// other, which of them holds at a lesser depth teaches little about the greater one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RequirementPolicy {
    /// By how many plies each requirement is deeper than the one before, once the conspiracy has begun to rise.
    pub stride: u16,
    /// Hypotheses overturned under a requirement on the way to the greatest depth after which it is left for the next. The
    /// next in a row is left after four times as many only.
    pub overturned_max: u16,
}

impl Default for RequirementPolicy {
    fn default() -> Self {
        Self {
            stride: 1,
            overturned_max: u16::MAX,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing was done yet.
    Opening,
    /// The hypotheses are being verified.
    Verifying,
    /// The other half of a best move's two-sided target (A4): the opponent's best reply is found by securing, less deep,
    /// that the move is not worth more than believed. A value that turns out higher is believed.
    Securing { rank: usize, widening: i16 },
}

impl<M: Copy + Eq> Director<M> {
    /// Only `moves` (some legal moves, at least one) count; the `ranks` best of them are separated from the others.
    pub(crate) fn new(moves: &[M], schedule: Schedule, depth_max: u16, ranks: usize) -> Self {
        assert!(!moves.is_empty(), "an analysis needs a move to choose");
        Self {
            moves: moves.to_vec(),
            schedule,
            policy: RequirementPolicy::default(),
            depth_max: depth_max.min(DEPTH_MAX),
            ranks: ranks.min(moves.len()),
            ranking: Vec::new(),
            settled: None,
            settled_before: None,
            demanded: Requirement::default(),
            met: Requirement::default(),
            exhausted: false,
            stage: Stage::Opening,
            shares: Vec::new(),
            is_missed: false,
            first_values: Vec::new(),
            requirements: 0,
        }
    }

    /// The same director, but it leaves requirements out or unmet.
    #[must_use]
    pub(crate) fn with_policy(self, policy: RequirementPolicy) -> Self {
        assert!(policy.stride > 0, "a requirement is deeper than the last");
        Self { policy, ..self }
    }

    /// Whether the requirement worked on is left unmet after so many hypotheses.
    fn leaves(&self, overturned: u16, scheduled: bool) -> bool {
        let is_on_the_way = self.policy.stride > 1
            && self.demanded.depth > self.schedule.rise_depth
            && self.demanded.depth < self.depth_max;
        let has_left = self.requirement_after(self.met, scheduled) != self.demanded;
        // Who leaves one after the other knows too little at last.
        let patience = if has_left {
            self.policy.overturned_max.saturating_mul(PATIENCE_IN_A_ROW)
        } else {
            self.policy.overturned_max
        };
        is_on_the_way && overturned >= patience
    }

    /// What has been decided so far.
    pub(crate) fn decision(&self, tree: &Tree<M>) -> Decision<M> {
        let best = self.settled.unwrap_or_else(|| self.fallback(tree));
        let (pv, value) = tree.principal_variation(best);
        Decision {
            pv,
            value,
            met: self.met,
            exhausted: self.exhausted,
        }
    }

    /// The move to answer with when nothing was settled.
    fn fallback(&self, tree: &Tree<M>) -> M {
        let known = (tree.known_root_moves()).max_by_key(|successor| {
            (
                successor.value().to_parent().score,
                successor.value().bounds_above(),
            )
        });
        known.map_or(self.moves[0], Node::mv)
    }

    /// The moves that count, if nothing was done yet.
    pub(crate) fn moves_to_value(&self) -> Option<&[M]> {
        (self.stage == Stage::Opening).then_some(&self.moves)
    }

    /// What the move is worth need not be asked any more.
    pub(crate) fn take_first_value(&mut self, mv: M, finding: Finding) {
        self.first_values.push((mv, finding));
    }

    fn first_value(&self, mv: M) -> Option<Finding> {
        let found = self.first_values.iter().find(|&&(valued, _)| valued == mv);
        found.map(|&(_, finding)| finding)
    }

    /// Whether a target of the current round was missed.
    pub(crate) fn is_missed(&self) -> bool {
        self.is_missed
    }

    /// What is demanded after that.
    fn requirement_after(&self, last: Requirement, scheduled: bool) -> Requirement {
        let mut next = self.next_in_schedule(last, scheduled);
        let left = self.depth_max.saturating_sub(last.depth);
        if self.policy.stride == 1 || last.depth < self.schedule.rise_depth || left == 0 {
            return next;
        }
        // The first stride may be shorter, so that whole ones lead from there on.
        let depth = last.depth + (left - 1) % self.policy.stride + 1;
        loop {
            let beyond = self.next_in_schedule(next, scheduled);
            if beyond.depth > depth {
                return next;
            }
            next = beyond;
        }
    }

    fn next_in_schedule(&self, last: Requirement, scheduled: bool) -> Requirement {
        if scheduled {
            self.schedule.after(last)
        } else {
            Requirement {
                depth: last.depth + 1,
                conspiracy: self.schedule.conspiracy_max,
            }
        }
    }
}

/// What the move at that place is asked for so that it shows the bound, given in the root's view.
fn share(index: usize, bound: Bound, requirement: Requirement) -> Share {
    let Requirement { depth, conspiracy } = requirement;
    let target = Target {
        bound,
        depth,
        conspiracy,
    };
    Share {
        index,
        target: target.to_successor(conspiracy),
    }
}

impl<G: Game, E: Evaluator<G>, W: Monitor<G::Move>> Searcher<'_, G, E, W> {
    /// The targets of the next round, to be worked on in this order until one is missed; those of one successor must not be
    /// worked on at the same time. `None` when the requirement of the greatest depth is met or the decision cannot change
    /// any more. The game stands at the root.
    pub(crate) fn plan(
        &mut self,
        director: &mut Director<G::Move>,
    ) -> Result<Option<Vec<Share>>, Stopped> {
        director.shares.clear();
        let is_missed = std::mem::take(&mut director.is_missed);
        match director.stage {
            Stage::Opening => {
                self.targets.start_analysis();
                self.prepare_root(director)?;
                self.take_up_requirement(director, director.met)
            }
            Stage::Verifying if is_missed => {
                self.state.status.overturned += 1;
                if director.leaves(self.state.status.overturned, self.params.scheduled) {
                    self.take_up_requirement(director, director.demanded)
                } else {
                    self.set_up_hypotheses(director)
                }
            }
            Stage::Verifying => {
                self.note_decision(director);
                if self.params.principal_variation {
                    Ok(Some(self.secure_from_above(director, 0, 1)))
                } else {
                    self.meet_requirement(director)
                }
            }
            Stage::Securing { rank, widening } if is_missed && widening < WIDENINGS => {
                Ok(Some(self.secure_from_above(director, rank, widening + 1)))
            }
            Stage::Securing { rank, .. } if rank + 1 < director.ranks => {
                Ok(Some(self.secure_from_above(director, rank + 1, 1)))
            }
            Stage::Securing { .. } => self.meet_requirement(director),
        }
    }

    /// Takes note of what became of the target at that place of the current round; the root's value is up to date.
    pub(crate) fn note(
        &mut self,
        director: &mut Director<G::Move>,
        place: usize,
        verdict: Verdict,
    ) {
        director.is_missed |= verdict == Verdict::Missed;
        let index = director.shares[place].index;
        let is_last = (director.shares.get(place + 1)).is_none_or(|next| next.index != index);
        if verdict == Verdict::Missed || director.stage != Stage::Verifying || !is_last {
            return;
        }
        // The work on the second of two bounds may have changed what the first rests on.
        let value = self.tree.successors(Tree::<G::Move>::ROOT)[index]
            .value()
            .to_parent();
        let mut bounds = self.bounds_at(director, index);
        director.is_missed |= bounds.any(|bound| !value.is_on_target(bound));
        if index == 0 && !director.is_missed {
            let mv = director.ranking[0].0;
            if director.settled.replace(mv).is_some_and(|old| old != mv) {
                self.report(director);
            }
        }
    }

    /// Values every move: as many as are to be separated with open windows, the others only as far as they might be
    /// better (all with open windows under `exact_root`, as in Fig. 2.6). What an earlier analysis knows is kept.
    fn prepare_root(&mut self, director: &Director<G::Move>) -> Result<(), Stopped> {
        let root = Tree::<G::Move>::ROOT;
        let moves = &director.moves;
        let known = |tree: &Tree<G::Move>, mv| {
            tree.successors(root)
                .iter()
                .any(|successor| successor.mv() == mv)
        };
        // A proven node has become the root: its moves have never been looked at.
        let is_reusable = !self.tree.is_empty()
            && !self.tree[root].is_end()
            && (self.tree.successors(root).iter()).all(|successor| moves.contains(&successor.mv()));
        if !is_reusable {
            self.tree
                .reset(Node::new(moves[0], Value::at_most(Score::MIN)));
        }
        self.tree[root].set_move_count(moves.len());
        let mut unvalued: Vec<_> = (moves.iter().copied())
            .filter(|&mv| !known(self.tree, mv))
            .collect();
        if self.params.presort {
            self.state.counters.leaf_nodes += self.evaluator.order(self.game, &mut unvalued);
        }
        for mv in unvalued {
            let subject = Subject::New(mv);
            if let Some(finding) = director.first_value(mv) {
                let window = Window::FULL;
                self.take_in(root, Question { subject, window }, finding)?;
                continue;
            }
            let threshold = self.score_of_rank(director.ranks);
            let window = match threshold {
                Some(threshold) if !self.params.exact_root => {
                    Bound::AtMost(threshold).to_successor().null_window()
                }
                _ => Window::FULL,
            };
            self.answer(root, Question { subject, window })?;
            let index = self.tree[root].successor_count() - 1;
            let score = self.tree.successors(root)[index].value().to_parent().score;
            if score >= threshold.unwrap_or(Score::MIN) {
                self.make_exact(root, index)?;
            }
        }
        self.tree.update_value(root);
        Ok(())
    }

    /// The score of the move at that rank, if there are as many.
    fn score_of_rank(&self, rank: usize) -> Option<Score> {
        let successors = self.tree.successors(Tree::<G::Move>::ROOT).iter();
        let mut scores: Vec<_> = successors
            .map(|successor| successor.value().to_parent().score)
            .collect();
        scores.sort_unstable_by_key(|&score| std::cmp::Reverse(score));
        scores.get(rank - 1).copied()
    }

    /// Begins with the requirement that follows the last one, if there is one.
    fn take_up_requirement(
        &mut self,
        director: &mut Director<G::Move>,
        last: Requirement,
    ) -> Result<Option<Vec<Share>>, Stopped> {
        let next = director.requirement_after(last, self.params.scheduled);
        if next.depth > director.depth_max || director.exhausted {
            return Ok(None);
        }
        director.demanded = next;
        director.requirements += 1;
        director.settled_before = director.settled;
        self.state.level_limit = usize::from(next.depth) + self.params.ply_margin as usize;
        self.state.status.demanded = next;
        self.state.status.overturned = 0;
        self.set_up_hypotheses(director)
    }

    /// The targets that make the decision safe (Fig. 2.6).
    fn set_up_hypotheses(
        &mut self,
        director: &mut Director<G::Move>,
    ) -> Result<Option<Vec<Share>>, Stopped> {
        self.form_hypotheses(director)?;
        director.stage = Stage::Verifying;
        for index in 0..self.tree[Tree::<G::Move>::ROOT].successor_count() {
            for bound in self.bounds_at(director, index) {
                director.shares.push(share(index, bound, director.demanded));
            }
        }
        Ok(Some(director.shares.clone()))
    }

    /// Brings the greatest moves to the front, making sure that they are known from below, and chooses the splitting
    /// values.
    ///
    /// An earlier hypothesis about the same move at the same rank is kept while the move's value does not contradict it:
    /// every change of a splitting value makes bound values all over the tree undecided.
    fn form_hypotheses(&mut self, director: &mut Director<G::Move>) -> Result<(), Stopped> {
        let root = Tree::<G::Move>::ROOT;
        let mut rank = 0;
        while rank < director.ranks {
            let greatest = self.tree.greatest_successor_from(root, rank);
            let (index, value) = greatest.expect("the root has valued moves");
            if value.bounds_below() {
                self.tree.move_successor_ahead(root, index, rank);
                rank += 1;
            } else {
                // Known exactly it may be greater than those before it.
                self.make_exact(root, index)?;
                rank = 0;
            }
        }
        self.tree.update_value(root);
        let margin = self.margin(director);
        let best = &self.tree.successors(root)[..director.ranks];
        let ranking = best.iter().enumerate().map(|(rank, successor)| {
            let value = successor.value().to_parent();
            let before = director.ranking.get(rank).filter(|&&(mv, old)| {
                mv == successor.mv()
                    && value.is_on_target(Bound::AtLeast(old - margin))
                    && value.score <= old + margin
            });
            (successor.mv(), before.map_or(value.score, |&(_, old)| old))
        });
        director.ranking = ranking.collect();
        self.state.status.hypothesis = Some(director.ranking[0].1);
        Ok(())
    }

    /// The root margin (A3); it widens when the search cannot make up its mind, so that every requirement ends.
    fn margin(&self, director: &Director<G::Move>) -> i16 {
        if self.params.root_margin_cp == 0 {
            return 0;
        }
        let patience = PATIENCE.saturating_mul(director.ranks as u16);
        let doublings = (self.state.status.overturned / patience).min(6);
        let margin = self.params.root_margin_cp;
        (if doublings == 0 {
            margin
        } else {
            margin.max(7) << doublings
        }) as i16
    }

    /// What the move at that place must show, in the root's view: at least its own splitting value if it is one of the
    /// best, at most that of the move ranked just before it.
    fn bounds_at(
        &self,
        director: &Director<G::Move>,
        index: usize,
    ) -> impl Iterator<Item = Bound> + use<G, E, W> {
        let margin = self.margin(director);
        let own = director.ranking.get(index);
        let above = index.min(director.ranks).checked_sub(1);
        let above = above.and_then(|rank| director.ranking.get(rank));
        let at_least = own.map(|&(_, score)| Bound::AtLeast(score - margin));
        let at_most = above.map(|&(_, score)| Bound::AtMost(score + margin));
        at_least.into_iter().chain(at_most)
    }

    /// The hypotheses hold.
    fn note_decision(&mut self, director: &Director<G::Move>) {
        self.state.status.stable_requirements = if director.settled_before == director.settled {
            self.state.status.stable_requirements + 1
        } else {
            0
        };
        self.state.status.settled = self.state.status.hypothesis;
    }

    fn secure_from_above(
        &mut self,
        director: &mut Director<G::Move>,
        rank: usize,
        widening: i16,
    ) -> Vec<Share> {
        director.stage = Stage::Securing { rank, widening };
        director.shares = vec![self.upper_bound_share(director, rank, widening)];
        director.shares.clone()
    }

    fn upper_bound_share(&self, director: &Director<G::Move>, rank: usize, widening: i16) -> Share {
        let reduction = self.params.principal_variation_reduction as u16;
        let less = Requirement {
            depth: director.demanded.depth.saturating_sub(reduction),
            conspiracy: 1,
        };
        let score = self.tree.successors(Tree::<G::Move>::ROOT)[rank]
            .value()
            .to_parent()
            .score;
        let bound = Bound::AtMost(score + self.margin(director) * widening);
        share(rank, bound, less)
    }

    /// By how many plies the next requirement is deeper than the current one.
    pub(crate) fn plies_to_next(&self, director: &Director<G::Move>) -> usize {
        let next = director.requirement_after(director.demanded, self.params.scheduled);
        usize::from(next.depth - director.demanded.depth)
    }

    /// What moves will be asked for after the current round if all hypotheses hold, at most one thing each: upper bounds of
    /// the best ones, else the next requirement, unless that is beyond the greatest depth.
    pub(crate) fn foreseeable_shares(&self, director: &Director<G::Move>) -> Vec<Share> {
        let next = director.requirement_after(director.demanded, self.params.scheduled);
        let margin = self.params.root_margin_cp as i16;
        let secured = match director.stage {
            Stage::Opening => return Vec::new(),
            Stage::Verifying if self.params.principal_variation => 0,
            Stage::Verifying => director.ranks,
            Stage::Securing { rank, .. } => rank,
        };
        let worked_on = match director.stage {
            Stage::Securing { rank, .. } => Some(rank),
            _ => None,
        };
        let successors = self.tree.successors(Tree::<G::Move>::ROOT).len();
        let share = |index: usize| {
            let (_, score) = director.ranking[index.min(director.ranks - 1)];
            if (secured..director.ranks).contains(&index) {
                return Some(self.upper_bound_share(director, index, 1));
            }
            let bound = if index < director.ranks {
                Bound::AtLeast(score - margin)
            } else {
                Bound::AtMost(score + margin)
            };
            (next.depth <= director.depth_max).then(|| self::share(index, bound, next))
        };
        let free = (0..successors).filter(|&index| Some(index) != worked_on);
        free.filter_map(share).collect()
    }

    /// The requirement is met: tells so and turns to the next one.
    fn meet_requirement(
        &mut self,
        director: &mut Director<G::Move>,
    ) -> Result<Option<Vec<Share>>, Stopped> {
        director.met = director.demanded;
        self.state.status.met = director.met;
        self.report(director);
        director.exhausted = self.is_exhausted(director);
        self.take_up_requirement(director, director.met)
    }

    fn is_exhausted(&self, director: &Director<G::Move>) -> bool {
        let successors = self.tree.successors(Tree::<G::Move>::ROOT);
        let depth = director.met.depth;
        let is_proven_mate = |successor: &Node<_>| {
            let plies = successor.value().to_parent().score.mate_distance();
            plies.is_some_and(|plies| plies.unsigned_abs() <= u32::from(depth))
        };
        successors.len() == 1 && depth > 1
            || successors[..director.ranks].iter().all(is_proven_mate)
    }

    fn report(&mut self, director: &Director<G::Move>) {
        let mut shown = Score::MAX;
        for (place, &(mv, hypothesis)) in director.ranking.iter().enumerate() {
            let (pv, mut value) = self.tree.principal_variation(mv);
            value.score = value.score.min(shown);
            shown = value.score;
            let report = RootReport {
                rank: place + 1,
                value,
                hypothesis,
                margin_cp: self.margin(director),
                met: self.state.status.met,
                pv,
                counters: self.state.counters,
                memory_permille: (self.tree.used() * 1000 / self.tree.capacity()) as u16,
            };
            self.monitor.report(&report);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cc2s::Cc2sParams;

    fn requirements(stride: u16, depth_max: u16, elementary: bool) -> Vec<(u16, u16)> {
        let schedule = Schedule {
            elementary,
            ..Cc2sParams::default().middle_game_schedule()
        };
        let director =
            Director::new(&[()], schedule, depth_max, 1).with_policy(RequirementPolicy {
                stride,
                overturned_max: 3,
            });
        let mut last = Requirement::default();
        let next = || {
            last = director.requirement_after(last, true);
            (last.depth <= depth_max).then_some((last.depth, last.conspiracy))
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn strides_end_at_the_greatest_depth_with_all_that_is_demanded_there() {
        let rise = [(1, 1), (2, 1), (3, 1), (4, 1)];
        let with = |rest: &[(u16, u16)]| [&rise[..], rest].concat();
        assert_eq!(requirements(1, 6, false), with(&[(4, 2), (5, 2), (6, 2)]));
        assert_eq!(requirements(4, 13, false), with(&[(5, 2), (9, 2), (13, 2)]));
        assert_eq!(requirements(4, 12, false), with(&[(8, 2), (12, 2)]));
        assert_eq!(requirements(4, 5, false), with(&[(5, 2)]));
        assert_eq!(requirements(4, 4, false), with(&[(4, 2)]));
        assert_eq!(requirements(4, 3, false), rise[..3]);
        assert_eq!(requirements(4, 13, true), with(&[(5, 3), (9, 5), (13, 5)]));
    }

    #[test]
    fn only_requirements_on_the_way_are_left_and_two_in_a_row_with_reluctance() {
        let schedule = Cc2sParams::default().middle_game_schedule();
        let director = Director::new(&[()], schedule, 13, 1);
        let requirement = |depth| Requirement {
            depth,
            conspiracy: if depth < 4 { 1 } else { 2 },
        };
        let leaves = |[met, demanded]: [u16; 2], stride, overturned| {
            let director = Director {
                met: requirement(met),
                demanded: requirement(demanded),
                ..director.clone().with_policy(RequirementPolicy {
                    stride,
                    overturned_max: 3,
                })
            };
            director.leaves(overturned, true)
        };
        let first = [2, 3, 4].map(|n| leaves([5, 9], 4, n));
        assert_eq!(first, [false, true, true]);
        assert!(!leaves([3, 4], 4, 99), "the conspiracy has not risen");
        assert!(!leaves([9, 13], 4, 99), "the last one");
        let in_a_row = [11, 12].map(|n| leaves([4, 9], 4, n));
        assert_eq!(in_a_row, [false, true]);
        assert!(!leaves([8, 9], 1, 99), "one by one");
    }
}
