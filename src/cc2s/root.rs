//! Hypotheses and decisions at the root (Fig. 2.6), worked through along a schedule of requirements.
//!
//! Extends Fig. 2.6 from one best move to the `k` best: each of them has a splitting value of its own, is worth at least
//! that much, and every move ranked after it at most that much, all of it as safely as demanded. So the move at rank `i`
//! works on two targets, `AtLeast(x_i)` and `AtMost(x_(i-1))`, the rest on `AtMost(x_k)`; `k = 1` is Fig. 2.6 itself.

use super::node::Node;
use super::recursive::{Counters, Searcher, Stopped};
use super::target::{Requirement, Schedule, Target, Verdict};
use super::tree::Tree;
use super::value::{Bound, Value};
use crate::game::{Evaluator, Game, Score, Window};

/// Depth after which an analysis ends whatever it finds, in plies.
const DEPTH_MAX: u16 = 200;
/// Hypotheses overturned under one requirement before the root margin begins to widen.
const PATIENCE: u16 = 8;

/// What a monitor is told, often and cheaply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Tree and leaf nodes so far.
    pub nodes: u64,
    /// The requirement last met; (0, 0) before the first.
    pub met: Requirement,
    /// The requirement worked on.
    pub demanded: Requirement,
    /// Requirements met in a row with the same best move.
    pub stable_requirements: u16,
    /// Hypotheses overturned under the current requirement.
    pub overturned: u16,
    /// The best move's splitting value now worked on, root's view.
    pub hypothesis: Option<Score>,
    /// The splitting value when the last requirement was met.
    pub settled: Option<Score>,
}

/// What is known of one of the best moves when there is something to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootReport<M> {
    /// Which of the best moves this is, from 1.
    pub rank: usize,
    /// The move's value, root's view; never above that of the move ranked before it, since differences within the margin
    /// are none.
    pub value: Value,
    /// The splitting value: the move is worth at least this, those ranked after it at most (within the margin).
    pub hypothesis: Score,
    /// What the move may be worth less, and those after it more, in centipawns: the root margin, or more where the search
    /// could not make up its mind.
    pub margin_cp: i16,
    /// The requirement met last; (0, 0) before the first.
    pub met: Requirement,
    /// The move and what is expected to follow; at least one move.
    pub pv: Vec<M>,
    /// Work done so far.
    pub counters: Counters,
    /// Slots of the tree in use, in thousandths.
    pub memory_permille: u16,
}

/// Watches a search and stops it.
pub trait Monitor<M> {
    /// Called after every valuation; false stops the search.
    fn proceed(&mut self, status: &Status) -> bool;
    /// A requirement was met, or another move has been found better: one report on each of the best moves, in order.
    fn report(&mut self, report: &RootReport<M>);
}

/// What the search has decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision<M> {
    /// The best move and what is expected to follow; at least one move.
    pub pv: Vec<M>,
    /// The best move's value, root's view.
    pub value: Value,
    /// The requirement that was met; (0, 0) if none.
    pub met: Requirement,
    /// Whether nothing is left to find out: a single move, or a mate within the depth that was secured.
    pub exhausted: bool,
}

impl<G: Game, E: Evaluator<G>, W: Monitor<G::Move>> Searcher<'_, G, E, W> {
    /// Works through the schedule until the requirement of depth `depth_max` with the schedule's conspiracy is met, the
    /// decision cannot change any more, or the monitor says stop. Only `moves` (some legal moves, at least one) count.
    pub fn analyse(
        &mut self,
        moves: &[G::Move],
        schedule: Schedule,
        depth_max: u16,
    ) -> Decision<G::Move> {
        assert!(!moves.is_empty(), "an analysis needs a move to choose");
        self.tables.start_analysis();
        self.ranks = self.ranks.min(moves.len());
        let mut settled = None;
        let mut met = Requirement::default();
        let mut exhausted = false;
        if self.prepare_root(moves).is_ok() {
            loop {
                let next = if self.params.scheduled {
                    schedule.after(met)
                } else {
                    Requirement {
                        depth: met.depth + 1,
                        conspiracy: schedule.conspiracy_max,
                    }
                };
                if next.depth > depth_max.min(DEPTH_MAX) || exhausted {
                    break;
                }
                if self.determine_move(next, &mut settled).is_err() {
                    break;
                }
                met = next;
                self.status.met = met;
                self.report();
                exhausted = self.is_exhausted(met);
            }
        }
        let (pv, value) = self.principal_variation(settled.unwrap_or_else(|| self.fallback(moves)));
        Decision {
            pv,
            value,
            met,
            exhausted,
        }
    }

    /// The move to answer with when nothing was settled.
    fn fallback(&self, moves: &[G::Move]) -> G::Move {
        let kids = self.tree.kids(Tree::<G::Move>::ROOT);
        let known = kids
            .iter()
            .max_by_key(|kid| (kid.value().to_parent().score, kid.value().bounds_above()));
        known.map_or(moves[0], Node::mv)
    }

    /// Values every move: as many as are to be separated with open windows, the others only as far as they might be
    /// better (all with open windows under `exact_root`, as in Fig. 2.6). What an earlier analysis knows is kept.
    fn prepare_root(&mut self, moves: &[G::Move]) -> Result<(), Stopped> {
        let root = Tree::<G::Move>::ROOT;
        let reusable = !self.tree.is_empty()
            && self
                .tree
                .kids(root)
                .iter()
                .all(|kid| moves.contains(&kid.mv()));
        if !reusable {
            self.tree
                .reset(Node::new(moves[0], Value::at_most(Score::MIN)));
        }
        self.tree[root].set_move_count(moves.len());
        let mut unvalued: Vec<_> = moves
            .iter()
            .copied()
            .filter(|&mv| self.tree.kids(root).iter().all(|kid| kid.mv() != mv))
            .collect();
        if self.params.presort {
            self.counters.leaf_nodes += self.evaluator.order(self.game, &mut unvalued);
        }
        for mv in unvalued {
            let threshold = self.score_of_last_rank();
            let window = match threshold {
                Some(threshold) if !self.params.exact_root => {
                    Bound::AtMost(threshold).to_child().null_window()
                }
                _ => Window::FULL,
            };
            let index = self.value_new(root, mv, window)?;
            if self.tree.kids(root)[index].value().to_parent().score
                >= threshold.unwrap_or(Score::MIN)
            {
                self.make_exact(root, index)?;
            }
        }
        self.tree.update_value(root);
        Ok(())
    }

    /// The score of the last of the best moves so far, if there are as many.
    fn score_of_last_rank(&self) -> Option<Score> {
        let kids = self.tree.kids(Tree::<G::Move>::ROOT).iter();
        let mut scores: Vec<_> = kids.map(|kid| kid.value().to_parent().score).collect();
        scores.sort_unstable_by_key(|&score| std::cmp::Reverse(score));
        scores.get(self.ranks - 1).copied()
    }

    /// Makes a decision safe (Fig. 2.6). `settled` holds the last move whose lower bound was secured.
    fn determine_move(
        &mut self,
        requirement: Requirement,
        settled: &mut Option<G::Move>,
    ) -> Result<(), Stopped> {
        self.level_limit = usize::from(requirement.depth) + self.params.ply_margin as usize;
        self.status.demanded = requirement;
        self.status.overturned = 0;
        let before = *settled;
        loop {
            self.form_hypotheses()?;
            if self.verify(requirement, settled)? == Verdict::Met {
                break;
            }
            self.status.overturned += 1;
        }
        self.status.stable_requirements = if before == *settled {
            self.status.stable_requirements + 1
        } else {
            0
        };
        self.status.settled = self.status.hypothesis;
        if self.params.principal_variation {
            for rank in 0..self.ranks {
                self.secure_from_above(rank, requirement)?;
            }
        }
        Ok(())
    }

    /// Brings the greatest moves to the front, making sure that they are known from below, and chooses the splitting
    /// values.
    ///
    /// An earlier hypothesis about the same move at the same rank is kept while the move's value does not contradict it:
    /// every change of a splitting value makes bound values all over the tree undecided.
    fn form_hypotheses(&mut self) -> Result<(), Stopped> {
        let root = Tree::<G::Move>::ROOT;
        let mut rank = 0;
        while rank < self.ranks {
            let greatest = self.tree.greatest_kid_from(root, rank);
            let (index, value) = greatest.expect("the root has valued moves");
            if value.bounds_below() {
                self.tree.move_kid_ahead(root, index, rank);
                rank += 1;
            } else {
                // Known exactly it may be greater than those before it.
                self.make_exact(root, index)?;
                rank = 0;
            }
        }
        self.tree.update_value(root);
        let best = &self.tree.kids(root)[..self.ranks];
        let ranking = best.iter().enumerate().map(|(rank, kid)| {
            let value = kid.value().to_parent();
            let before = self.ranking.get(rank).filter(|&&(mv, old)| {
                mv == kid.mv()
                    && value.is_on_target(Bound::AtLeast(old - self.margin()))
                    && value.score <= old + self.margin()
            });
            (kid.mv(), before.map_or(value.score, |&(_, old)| old))
        });
        self.ranking = ranking.collect();
        self.status.hypothesis = Some(self.ranking[0].1);
        Ok(())
    }

    /// The root margin (A3); it widens when the search cannot make up its mind, so that every requirement ends.
    fn margin(&self) -> i16 {
        if self.params.root_margin_cp == 0 {
            return 0;
        }
        let patience = PATIENCE.saturating_mul(self.ranks as u16);
        let doublings = (self.status.overturned / patience).min(6);
        let margin = self.params.root_margin_cp;
        (if doublings == 0 {
            margin
        } else {
            margin.max(7) << doublings
        }) as i16
    }

    /// Tries to secure the hypotheses about the moves at the front.
    fn verify(
        &mut self,
        requirement: Requirement,
        settled: &mut Option<G::Move>,
    ) -> Result<Verdict, Stopped> {
        for index in 0..self.tree[Tree::<G::Move>::ROOT].kid_count() {
            for bound in self.bounds_at(index) {
                if self.demand(index, bound, requirement)? == Verdict::Missed {
                    return Ok(Verdict::Missed);
                }
            }
            // The work on the second of two bounds may have changed what the first rests on.
            let value = self.tree.kids(Tree::<G::Move>::ROOT)[index].value();
            if self
                .bounds_at(index)
                .any(|bound| !value.to_parent().is_on_target(bound))
            {
                return Ok(Verdict::Missed);
            }
            if index == 0 {
                let mv = self.ranking[0].0;
                let is_news = settled.replace(mv).is_some_and(|old| old != mv);
                if is_news {
                    self.report();
                }
            }
        }
        Ok(Verdict::Met)
    }

    /// What the move at that place must show, in the root's view: at least its own splitting value if it is one of the
    /// best, at most that of the move ranked just before it.
    fn bounds_at(&self, index: usize) -> impl Iterator<Item = Bound> + use<G, E, W> {
        let margin = self.margin();
        let own = self.ranking.get(index);
        let above = index.min(self.ranks).checked_sub(1);
        let above = above.and_then(|rank| self.ranking.get(rank));
        let at_least = own.map(|&(_, score)| Bound::AtLeast(score - margin));
        let at_most = above.map(|&(_, score)| Bound::AtMost(score + margin));
        at_least.into_iter().chain(at_most)
    }

    /// Asks the move at that place to show the bound, given in the root's view.
    fn demand(
        &mut self,
        index: usize,
        bound: Bound,
        Requirement { depth, conspiracy }: Requirement,
    ) -> Result<Verdict, Stopped> {
        let root = Tree::<G::Move>::ROOT;
        let target = Target {
            bound,
            depth,
            conspiracy,
        }
        .to_child(conspiracy);
        let verdict = self.descend(self.tree.kid(root, index), target);
        self.tree.update_value(root);
        verdict
    }

    /// The other half of a best move's two-sided target (A4): the opponent's best reply is found by securing, less deep,
    /// that the move is not worth more than believed. A value that turns out higher is believed.
    fn secure_from_above(&mut self, rank: usize, requirement: Requirement) -> Result<(), Stopped> {
        let reduction = self.params.principal_variation_reduction as u16;
        let less = Requirement {
            depth: requirement.depth.saturating_sub(reduction),
            conspiracy: 1,
        };
        for widening in 1..=3 {
            let kid = &self.tree.kids(Tree::<G::Move>::ROOT)[rank];
            let score = kid.value().to_parent().score;
            let bound = Bound::AtMost(score + self.margin() * widening);
            if self.demand(rank, bound, less)? == Verdict::Met {
                break;
            }
        }
        Ok(())
    }

    fn is_exhausted(&self, met: Requirement) -> bool {
        let kids = self.tree.kids(Tree::<G::Move>::ROOT);
        let is_proven_mate = |kid: &Node<_>| {
            let plies = kid.value().to_parent().score.mate_distance();
            plies.is_some_and(|plies| plies.unsigned_abs() <= u32::from(met.depth))
        };
        kids.len() == 1 && met.depth > 1 || kids[..self.ranks].iter().all(is_proven_mate)
    }

    fn report(&mut self) {
        let mut shown = Score::MAX;
        for (place, &(mv, hypothesis)) in self.ranking.iter().enumerate() {
            let (pv, mut value) = self.principal_variation(mv);
            value.score = value.score.min(shown);
            shown = value.score;
            let report = RootReport {
                rank: place + 1,
                value,
                hypothesis,
                margin_cp: self.margin(),
                met: self.status.met,
                pv,
                counters: self.counters,
                memory_permille: (self.tree.used() * 1000 / self.tree.capacity()) as u16,
            };
            self.monitor.report(&report);
        }
    }

    /// The line that starts with `best` and then follows the greatest successor of each node, and the value of `best`.
    fn principal_variation(&self, best: G::Move) -> (Vec<G::Move>, Value) {
        let mut pv = vec![best];
        let root = Tree::<G::Move>::ROOT;
        let Some(index) = self.tree.kids(root).iter().position(|kid| kid.mv() == best) else {
            return (pv, Value::at_least(Score::MIN));
        };
        let mut v = self.tree.kid(root, index);
        let value = self.tree[v].value().to_parent();
        loop {
            let Some((index, _)) = self.tree.greatest_kid(v) else {
                return (pv, value);
            };
            v = self.tree.kid(v, index);
            pv.push(self.tree[v].mv());
        }
    }
}
