//! Hypotheses and decisions at the root (Fig. 2.6), along a schedule of requirements.
//!
//! Extends Fig. 2.6 from one best move to the `k` best. Each of them has a splitting value of its own. The move is
//! worth at least that much, and every move ranked after it at most that much. Both must be as safe as required.
//! So the move at place `i` has two targets, `AtLeast(x_i)` and `AtMost(x_(i-1))`, the rest have `AtMost(x_k)`;
//! `k = 1` is Fig. 2.6 itself.
//!
//! The root plans targets in rounds ([`Searcher::plan`]) and receives their outcomes ([`Searcher::note`]). The
//! driver of the search works on them, one after the other or all at once.

use super::decision::Decision;
use crate::game::{
    Claim, Evaluator, Game, Requirement, RootUpdate, Score, TargetBound, Value, Window,
};
use crate::thesis::search::searcher::{Searcher, Stopped};
use crate::thesis::search::split::SuccessorTarget;
use crate::thesis::search::valuation::{EvaluatorQuestion, SuccessorRef, SurveyResult};
use crate::thesis::tree::node::TreeNode;
use crate::thesis::tree::search_tree::Tree;
use crate::thesis::tree::target::{Schedule, Target, Verdict};

/// The depth after which every analysis ends, in plies.
const DEPTH_MAX: u16 = 200;
/// The number of overturned hypotheses under one requirement before the root margin begins to widen.
const PATIENCE: u16 = 8;
/// The number of attempts to bound a best move's value from above, each with a wider margin than the last.
const WIDENINGS: i16 = 3;

/// The request for an analysis, and its state.
#[derive(Clone, Debug)]
pub(crate) struct Director<M> {
    /// The moves that count, at least one.
    moves: Vec<M>,
    schedule: Schedule,
    depth_max: u16,
    /// The number of best moves separated from those that follow.
    pv_count: usize,
    /// The moves at the front of the root's successors, best first, each with its splitting value.
    ranking: Vec<(M, Score)>,
    /// The last move whose lower bound was secured.
    settled: Option<M>,
    /// [`Director::settled`] when work on the current requirement began.
    settled_before: Option<M>,
    demanded: Requirement,
    met: Requirement,
    exhausted: bool,
    stage: RootStage,
    /// The shares of the current round.
    shares: Vec<SuccessorTarget>,
    /// Whether a target of the current round was missed.
    is_missed: bool,
    /// Values of moves found by other workers, in open windows, before the analysis began.
    first_values: Vec<(M, SurveyResult)>,
    /// The number of requirements begun.
    pub(crate) requirements: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RootStage {
    /// Nothing was done yet.
    Opening,
    /// The hypotheses are being verified.
    Verifying,
    /// The other half of a best move's two-sided target (A4) is being shown, at less depth: the move is not worth
    /// more than believed. This finds the opponent's best reply. A value that turns out higher is accepted.
    Securing { place: usize, widening: i16 },
}

impl<M: Copy + Eq> Director<M> {
    /// Only `moves` (some legal moves, at least one) count; the `pv_count` best of them are separated from the
    /// others.
    pub(crate) fn new(moves: &[M], schedule: Schedule, depth_max: u16, pv_count: usize) -> Self {
        assert!(!moves.is_empty(), "an analysis needs a move to choose");
        Self {
            moves: moves.to_vec(),
            schedule,
            depth_max: depth_max.min(DEPTH_MAX),
            pv_count: pv_count.min(moves.len()),
            ranking: Vec::new(),
            settled: None,
            settled_before: None,
            demanded: Requirement::default(),
            met: Requirement::default(),
            exhausted: false,
            stage: RootStage::Opening,
            shares: Vec::new(),
            is_missed: false,
            first_values: Vec::new(),
            requirements: 0,
        }
    }

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

    /// Returns the move to play when nothing was settled.
    fn fallback(&self, tree: &Tree<M>) -> M {
        let known = (tree.known_root_moves()).max_by_key(|successor| {
            (
                successor.value().to_parent().score,
                successor.value().bounds_above(),
            )
        });
        known.map_or(self.moves[0], TreeNode::mv)
    }

    /// Returns the moves that count, if nothing was done yet.
    pub(crate) fn moves_to_value(&self) -> Option<&[M]> {
        (self.stage == RootStage::Opening).then_some(&self.moves)
    }

    /// Stores the value of a move, which need not be evaluated any more.
    pub(crate) fn take_first_value(&mut self, mv: M, finding: SurveyResult) {
        self.first_values.push((mv, finding));
    }

    fn first_value(&self, mv: M) -> Option<SurveyResult> {
        let found = self.first_values.iter().find(|&&(valued, _)| valued == mv);
        found.map(|&(_, finding)| finding)
    }

    pub(crate) fn is_missed(&self) -> bool {
        self.is_missed
    }

    fn requirement_after(&self, last: Requirement, scheduled: bool) -> Requirement {
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

/// Returns the share of the move at this place that shows the bound, given in the root's view.
fn share(index: usize, bound: TargetBound, requirement: Requirement) -> SuccessorTarget {
    let Requirement { depth, conspiracy } = requirement;
    let target = Target {
        bound,
        depth,
        conspiracy,
    };
    SuccessorTarget {
        index,
        target: target.to_successor(conspiracy),
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<'_, G, E> {
    /// Plans the targets of the next round, to be worked on in this order until one is missed. Those of one
    /// successor must not be worked on at the same time. Returns `None` when the requirement of the greatest depth
    /// is met or the decision cannot change any more. The game is at the root.
    pub(crate) fn plan(
        &mut self,
        director: &mut Director<G::Move>,
    ) -> Result<Option<Vec<SuccessorTarget>>, Stopped> {
        director.shares.clear();
        let is_missed = std::mem::take(&mut director.is_missed);
        match director.stage {
            RootStage::Opening => {
                self.targets.start_analysis();
                self.prepare_root(director)?;
                self.take_up_requirement(director, director.met)
            }
            RootStage::Verifying if is_missed => {
                self.state.status.overturned += 1;
                self.set_up_hypotheses(director)
            }
            RootStage::Verifying => {
                self.note_decision(director);
                if self.params.principal_variation {
                    Ok(Some(self.secure_from_above(director, 0, 1)))
                } else {
                    self.meet_requirement(director)
                }
            }
            RootStage::Securing { place, widening } if is_missed && widening < WIDENINGS => {
                Ok(Some(self.secure_from_above(director, place, widening + 1)))
            }
            RootStage::Securing { place, .. } if place + 1 < director.pv_count => {
                Ok(Some(self.secure_from_above(director, place + 1, 1)))
            }
            RootStage::Securing { .. } => self.meet_requirement(director),
        }
    }

    /// Notes the outcome of the target at this place of the current round; the root's value is up to date.
    pub(crate) fn note(
        &mut self,
        director: &mut Director<G::Move>,
        place: usize,
        verdict: Verdict,
    ) {
        director.is_missed |= verdict == Verdict::Missed;
        let index = director.shares[place].index;
        let is_last = (director.shares.get(place + 1)).is_none_or(|next| next.index != index);
        if verdict == Verdict::Missed || director.stage != RootStage::Verifying || !is_last {
            return;
        }
        // The work on the second of two bounds may have changed the support of the first.
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

    /// Evaluates every move: the best `pv_count` with open windows, the others only as far as they might be
    /// better. Under `exact_root` all have open windows, as in Fig. 2.6. Results of an earlier analysis are kept.
    fn prepare_root(&mut self, director: &Director<G::Move>) -> Result<(), Stopped> {
        let root = Tree::<G::Move>::ROOT;
        let moves = &director.moves;
        let known = |tree: &Tree<G::Move>, mv| {
            tree.successors(root)
                .iter()
                .any(|successor| successor.mv() == mv)
        };
        // If a proven node has become the root, its moves were never examined.
        let is_reusable = !self.tree.is_empty()
            && !self.tree[root].is_end()
            && (self.tree.successors(root).iter()).all(|successor| moves.contains(&successor.mv()));
        if !is_reusable {
            self.tree
                .reset(TreeNode::new(moves[0], Value::at_most(Score::MIN)));
        }
        self.tree[root].set_move_count(moves.len());
        let mut unvalued: Vec<_> = (moves.iter().copied())
            .filter(|&mv| !known(self.tree, mv))
            .collect();
        if self.params.presort {
            self.state.counters.leaf_nodes += self.evaluator.order(self.game, &mut unvalued);
        }
        for mv in unvalued {
            let subject = SuccessorRef::New(mv);
            if let Some(finding) = director.first_value(mv) {
                let window = Window::FULL;
                self.take_in(root, EvaluatorQuestion { subject, window }, finding)?;
                continue;
            }
            let threshold = self.score_of_place(director.pv_count);
            let window = match threshold {
                Some(threshold) if !self.params.exact_root => {
                    TargetBound::AtMost(threshold).to_successor().null_window()
                }
                _ => Window::FULL,
            };
            self.answer(root, EvaluatorQuestion { subject, window })?;
            let index = self.tree[root].successor_count() - 1;
            let score = self.tree.successors(root)[index].value().to_parent().score;
            if score >= threshold.unwrap_or(Score::MIN) {
                self.make_exact(root, index)?;
            }
        }
        self.tree.update_value(root);
        Ok(())
    }

    /// Returns the score of the move at this place, if there are as many.
    fn score_of_place(&self, place: usize) -> Option<Score> {
        let successors = self.tree.successors(Tree::<G::Move>::ROOT).iter();
        let mut scores: Vec<_> = successors
            .map(|successor| successor.value().to_parent().score)
            .collect();
        scores.sort_unstable_by_key(|&score| std::cmp::Reverse(score));
        scores.get(place - 1).copied()
    }

    /// Begins with the requirement after `last`, if there is one.
    fn take_up_requirement(
        &mut self,
        director: &mut Director<G::Move>,
        last: Requirement,
    ) -> Result<Option<Vec<SuccessorTarget>>, Stopped> {
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

    /// Returns the targets that make the decision safe (Fig. 2.6).
    fn set_up_hypotheses(
        &mut self,
        director: &mut Director<G::Move>,
    ) -> Result<Option<Vec<SuccessorTarget>>, Stopped> {
        self.form_hypotheses(director)?;
        director.stage = RootStage::Verifying;
        for index in 0..self.tree[Tree::<G::Move>::ROOT].successor_count() {
            for bound in self.bounds_at(director, index) {
                director.shares.push(share(index, bound, director.demanded));
            }
        }
        Ok(Some(director.shares.clone()))
    }

    /// Moves the best moves to the front, making sure that they have lower bounds, and chooses the splitting
    /// values.
    ///
    /// An earlier hypothesis about the same move at the same place is kept while the move's value does not
    /// contradict it. Every change of a splitting value makes bound values all over the tree undecided.
    fn form_hypotheses(&mut self, director: &mut Director<G::Move>) -> Result<(), Stopped> {
        let root = Tree::<G::Move>::ROOT;
        let mut place = 0;
        while place < director.pv_count {
            let greatest = self.tree.greatest_successor_from(root, place);
            let (index, value) = greatest.expect("the root has valued moves");
            if value.bounds_below() {
                self.tree.move_successor_ahead(root, index, place);
                place += 1;
            } else {
                // Its exact value may be greater than those before it.
                self.make_exact(root, index)?;
                place = 0;
            }
        }
        self.tree.update_value(root);
        let margin = self.margin(director);
        let best = &self.tree.successors(root)[..director.pv_count];
        let ranking = best.iter().enumerate().map(|(place, successor)| {
            let value = successor.value().to_parent();
            let before = director.ranking.get(place).filter(|&&(mv, old)| {
                mv == successor.mv()
                    && value.is_on_target(TargetBound::AtLeast(old - margin))
                    && value.score <= old + margin
            });
            (successor.mv(), before.map_or(value.score, |&(_, old)| old))
        });
        director.ranking = ranking.collect();
        self.state.status.hypothesis = Some(director.ranking[0].1);
        Ok(())
    }

    /// Returns the root margin (A3), which widens with every few overturned hypotheses, so that every requirement
    /// ends.
    fn margin(&self, director: &Director<G::Move>) -> i16 {
        if self.params.root_margin_cp == 0 {
            return 0;
        }
        let patience = PATIENCE.saturating_mul(director.pv_count as u16);
        let doublings = (self.state.status.overturned / patience).min(6);
        let margin = self.params.root_margin_cp;
        (if doublings == 0 {
            margin
        } else {
            margin.max(7) << doublings
        }) as i16
    }

    /// Returns the bounds of the move at this place, in the root's view. One of the best moves is worth at least
    /// its own splitting value. Every move but the best is worth at most the splitting value of the last best move
    /// before it.
    fn bounds_at(
        &self,
        director: &Director<G::Move>,
        index: usize,
    ) -> impl Iterator<Item = TargetBound> + use<G, E> {
        let margin = self.margin(director);
        let own = director.ranking.get(index);
        let above = index.min(director.pv_count).checked_sub(1);
        let above = above.and_then(|place| director.ranking.get(place));
        let at_least = own.map(|&(_, score)| TargetBound::AtLeast(score - margin));
        let at_most = above.map(|&(_, score)| TargetBound::AtMost(score + margin));
        at_least.into_iter().chain(at_most)
    }

    /// Notes that the hypotheses hold.
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
        place: usize,
        widening: i16,
    ) -> Vec<SuccessorTarget> {
        director.stage = RootStage::Securing { place, widening };
        let reduction = self.params.principal_variation_reduction as u16;
        let less = Requirement {
            depth: director.demanded.depth.saturating_sub(reduction),
            conspiracy: 1,
        };
        let score = self.tree.successors(Tree::<G::Move>::ROOT)[place]
            .value()
            .to_parent()
            .score;
        let bound = TargetBound::AtMost(score + self.margin(director) * widening);
        director.shares = vec![share(place, bound, less)];
        director.shares.clone()
    }

    /// Reports the requirement as met and begins with the next one.
    fn meet_requirement(
        &mut self,
        director: &mut Director<G::Move>,
    ) -> Result<Option<Vec<SuccessorTarget>>, Stopped> {
        director.met = director.demanded;
        self.state.status.met = director.met;
        self.report(director);
        director.exhausted = self.is_exhausted(director);
        self.take_up_requirement(director, director.met)
    }

    fn is_exhausted(&self, director: &Director<G::Move>) -> bool {
        let successors = self.tree.successors(Tree::<G::Move>::ROOT);
        let depth = director.met.depth;
        let is_proven_mate = |successor: &TreeNode<_>| {
            let plies = successor.value().to_parent().score.mate_distance();
            plies.is_some_and(|plies| plies.unsigned_abs() <= u32::from(depth))
        };
        successors.len() == 1 && depth > 1
            || successors[..director.pv_count].iter().all(is_proven_mate)
    }

    fn report(&mut self, director: &Director<G::Move>) {
        let mut shown = Score::MAX;
        for (place, &(mv, hypothesis)) in director.ranking.iter().enumerate() {
            let (pv, mut value) = self.tree.principal_variation(mv);
            value.score = value.score.min(shown);
            shown = value.score;
            let met = self.state.status.met;
            let update = RootUpdate {
                depth: met.depth,
                selective_depth: self.state.counters.level_max,
                multi_pv: place + 1,
                score: value.score,
                bound: value.bound,
                nodes: self.state.counters.nodes(),
                tablebase_hits: 0,
                memory_permille: (self.tree.used() * 1000 / self.tree.capacity()) as u16,
                pv,
                safety: (met.depth > 0).then_some(met),
                claim: Some(Claim {
                    hypothesis,
                    margin_cp: self.margin(director).unsigned_abs(),
                }),
            };
            self.listener.report(&update);
        }
    }
}
