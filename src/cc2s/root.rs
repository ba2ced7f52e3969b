//! Hypotheses and decisions at the root (Fig. 2.6), worked through along a schedule of requirements.

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
    /// The splitting value now worked on, root's view.
    pub hypothesis: Option<Score>,
    /// The splitting value when the last requirement was met.
    pub settled: Option<Score>,
}

/// What is known at the root when there is something to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootReport<M> {
    /// The best move's value, root's view.
    pub value: Value,
    /// The splitting value: the best move is worth at least this, the others at most (within the margin).
    pub hypothesis: Score,
    /// What the best move may be worth less, and the others more, in centipawns: the root margin, or more where the search
    /// could not make up its mind.
    pub margin_cp: i16,
    /// The requirement met last; (0, 0) before the first.
    pub met: Requirement,
    /// The best move and what is expected to follow; at least one move.
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
    /// A requirement was met, or another move has been found better.
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
                if let Some(best) = settled {
                    self.report(best);
                }
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

    /// Values every move: the first with an open window, the others only as far as they might be better (all with open
    /// windows under `exact_root`, as in Fig. 2.6). What an earlier analysis knows is kept.
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
            let greatest = self
                .tree
                .kids(root)
                .iter()
                .map(|kid| kid.value().to_parent().score)
                .max();
            let window = match greatest {
                Some(greatest) if !self.params.exact_root => {
                    Bound::AtMost(greatest).to_child().null_window()
                }
                _ => Window::FULL,
            };
            let index = self.value_new(root, mv, window)?;
            if self.tree.kids(root)[index].value().to_parent().score
                >= greatest.unwrap_or(Score::MIN)
            {
                self.make_exact(root, index)?;
            }
        }
        self.tree.update_value(root);
        Ok(())
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
            let hypothesis = self.form_hypothesis()?;
            self.status.hypothesis = Some(hypothesis);
            if self.verify(requirement, hypothesis, settled)? == Verdict::Met {
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
            self.secure_from_above(requirement)?;
        }
        Ok(())
    }

    /// Brings the greatest move to the front, making sure that it is known from below, and chooses the splitting value.
    ///
    /// An earlier hypothesis about the same move is kept while the move's value does not contradict it: every change of
    /// the splitting value makes bound values all over the tree undecided.
    fn form_hypothesis(&mut self) -> Result<Score, Stopped> {
        let root = Tree::<G::Move>::ROOT;
        let index = loop {
            let greatest = self.tree.greatest_kid(root);
            let (index, value) = greatest.expect("the root has valued moves");
            if value.bounds_below() {
                break index;
            }
            self.make_exact(root, index)?;
        };
        self.tree.move_kid_to_front(root, index);
        self.tree.update_value(root);
        let value = self.tree.kids(root)[0].value().to_parent();
        let kept = self.status.hypothesis.filter(|&old| {
            index == 0
                && value.is_on_target(Bound::AtLeast(old - self.margin()))
                && value.score <= old + self.margin()
        });
        Ok(kept.unwrap_or(value.score))
    }

    /// The root margin (A3); it widens when the search cannot make up its mind, so that every requirement ends.
    fn margin(&self) -> i16 {
        if self.params.root_margin_cp == 0 {
            return 0;
        }
        let doublings = (self.status.overturned / PATIENCE).min(6);
        let margin = self.params.root_margin_cp;
        (if doublings == 0 {
            margin
        } else {
            margin.max(7) << doublings
        }) as i16
    }

    /// Tries to secure the hypothesis about the move at the front.
    fn verify(
        &mut self,
        requirement: Requirement,
        hypothesis: Score,
        settled: &mut Option<G::Move>,
    ) -> Result<Verdict, Stopped> {
        let root = Tree::<G::Move>::ROOT;
        for index in 0..self.tree[root].kid_count() {
            let bound = if index == 0 {
                Bound::AtLeast(hypothesis - self.margin())
            } else {
                Bound::AtMost(hypothesis + self.margin())
            };
            let Requirement { depth, conspiracy } = requirement;
            let target = Target {
                bound,
                depth,
                conspiracy,
            }
            .to_child(conspiracy);
            let kid = self.tree.kid(root, index);
            let verdict = self.descend(kid, target);
            self.tree.update_value(root);
            if verdict? == Verdict::Missed {
                return Ok(Verdict::Missed);
            }
            if index == 0 {
                let mv = self.tree[kid].mv();
                let is_news = settled.replace(mv).is_some_and(|old| old != mv);
                if is_news {
                    self.report(mv);
                }
            }
        }
        Ok(Verdict::Met)
    }

    /// The other half of the best move's two-sided target (A4): the opponent's best reply is found by securing, less
    /// deep, that the move is not worth more than believed. A value that turns out higher is believed.
    fn secure_from_above(&mut self, requirement: Requirement) -> Result<(), Stopped> {
        let root = Tree::<G::Move>::ROOT;
        let reduction = self.params.principal_variation_reduction as u16;
        let depth = requirement.depth.saturating_sub(reduction);
        for widening in 1..=3 {
            let kid = self.tree.kid(root, 0);
            let score = self.tree[kid].value().to_parent().score;
            let bound = Bound::AtMost(score + self.margin() * widening);
            let target = Target {
                bound,
                depth,
                conspiracy: 1,
            }
            .to_child(1);
            let verdict = self.descend(kid, target);
            self.tree.update_value(root);
            if verdict? == Verdict::Met {
                break;
            }
        }
        Ok(())
    }

    fn is_exhausted(&self, met: Requirement) -> bool {
        let kids = self.tree.kids(Tree::<G::Move>::ROOT);
        let mate = kids[0].value().to_parent().score.mate_distance();
        kids.len() == 1 && met.depth > 1
            || mate.is_some_and(|plies| plies.unsigned_abs() <= u32::from(met.depth))
    }

    fn report(&mut self, best: G::Move) {
        let (pv, value) = self.principal_variation(best);
        let report = RootReport {
            value,
            hypothesis: self.status.hypothesis.unwrap_or(value.score),
            margin_cp: self.margin(),
            met: self.status.met,
            pv,
            counters: self.counters,
            memory_permille: (self.tree.used() * 1000 / self.tree.capacity()) as u16,
        };
        self.monitor.report(&report);
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
