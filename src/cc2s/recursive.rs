//! The search procedure (Fig. 2.7), and the state it works on.

use super::decide::Director;
use super::params::Cc2sParams;
use super::placement::Part;
use super::root::{Decision, Monitor, Status};
use super::split::{self, Share};
use super::table::{Log, TargetTables};
use super::target::{Schedule, Target, Verdict};
use super::tree::{NodeId, Tree};
use super::visit::{Entry, PASSES_MAX};
use crate::game::{Evaluator, Game};

/// Why a search ended before its target was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The monitor said so.
    ByMonitor,
    /// Even after forgetting what could be forgotten the tree has no room.
    Memory,
}

/// Work done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Nodes stored.
    pub tree_nodes: u64,
    /// Nodes of the evaluator's searches.
    pub leaf_nodes: u64,
    /// Questions put to the evaluator.
    pub valuations: u64,
    /// Those of them about nodes that had a value already.
    pub revaluations: u64,
    /// Visits of `search`.
    pub visits: u64,
    /// Visits answered by a remembered target.
    pub table_hits: u64,
    /// Entries of target tables read or written that lie in another worker's memory.
    pub far_looks: u64,
    /// Targets taken as met because the line was too long or the node kept changing its mind.
    pub given_up: u64,
    /// Times the tree was full and something was forgotten.
    pub forgettings: u64,
    /// Greatest level of a valued node, in plies from the root.
    pub level_max: u16,
}

impl Counters {
    /// Tree and leaf nodes together.
    pub fn nodes(&self) -> u64 {
        self.tree_nodes + self.leaf_nodes
    }

    /// Counts work done elsewhere.
    pub(super) fn add(&mut self, other: &Self) {
        self.tree_nodes += other.tree_nodes;
        self.leaf_nodes += other.leaf_nodes;
        self.valuations += other.valuations;
        self.revaluations += other.revaluations;
        self.visits += other.visits;
        self.table_hits += other.table_hits;
        self.far_looks += other.far_looks;
        self.given_up += other.given_up;
        self.forgettings += other.forgettings;
        self.level_max = self.level_max.max(other.level_max);
    }

    /// Notes that the evaluator was asked and has searched so many nodes, if it was.
    pub(super) fn count(&mut self, asked: Option<u64>) {
        if let Some(nodes) = asked {
            self.leaf_nodes += nodes;
            self.valuations += 1;
        }
    }
}

/// One search at work: the game it walks on, the evaluator it asks, the tree it grows, the monitor that may stop it.
///
/// After an error every method leaves the game at the position it found it.
pub struct Searcher<'a, G: Game, E, W> {
    pub(super) game: &'a mut G,
    pub(super) evaluator: &'a mut E,
    pub(super) monitor: &'a mut W,
    pub(super) tree: &'a mut Tree<G::Move>,
    pub(super) tables: &'a TargetTables,
    /// Which part of the tables lies in the own memory; `None`: all of them.
    pub(super) part: Option<Part>,
    /// What the tables are to be told later, if not at once.
    pub(super) log: Option<Log>,
    pub(super) params: &'a Cc2sParams,
    /// The nodes between the root and the one worked on, both included.
    pub(super) path: Vec<NodeId>,
    /// Level at which a target counts as met.
    pub(super) level_limit: usize,
    /// Nobody else works in the tree: it may forget whatever is not on its path.
    pub(super) is_alone: bool,
    /// How many of the best moves are separated from those that follow.
    ranks: usize,
    pub(super) counters: Counters,
    pub(super) status: Status,
}

impl<'a, G: Game, E: Evaluator<G>, W: Monitor<G::Move>> Searcher<'a, G, E, W> {
    /// A searcher for the position `game` stands at. The tree is empty or holds that position at its root.
    pub fn new(
        game: &'a mut G,
        evaluator: &'a mut E,
        monitor: &'a mut W,
        tree: &'a mut Tree<G::Move>,
        tables: &'a TargetTables,
        params: &'a Cc2sParams,
    ) -> Self {
        let path = vec![Tree::<G::Move>::ROOT];
        Self::on_path((game, evaluator, monitor), (tree, tables), params, path)
    }

    /// A searcher that stands at the last node of a path.
    pub(super) fn on_path(
        (game, evaluator, monitor): (&'a mut G, &'a mut E, &'a mut W),
        (tree, tables): (&'a mut Tree<G::Move>, &'a TargetTables),
        params: &'a Cc2sParams,
        path: Vec<NodeId>,
    ) -> Self {
        Self {
            game,
            evaluator,
            monitor,
            tree,
            tables,
            part: None,
            log: None,
            params,
            path,
            level_limit: usize::MAX,
            is_alone: true,
            ranks: 1,
            counters: Counters::default(),
            status: Status::default(),
        }
    }

    /// The same searcher, but it separates that many of the best moves (at least one), each from all that follow.
    #[must_use]
    pub fn separating(self, ranks: usize) -> Self {
        assert!(ranks > 0, "the best move at least is separated");
        Self { ranks, ..self }
    }

    /// Work done so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Works through the schedule until the requirement of depth `depth_max` with the schedule's conspiracy is met, the
    /// decision cannot change any more, or the monitor says stop. Only `moves` (some legal moves, at least one) count.
    pub fn analyse(
        &mut self,
        moves: &[G::Move],
        schedule: Schedule,
        depth_max: u16,
    ) -> Decision<G::Move> {
        self.direct(Director::new(moves, schedule, depth_max, self.ranks))
    }

    /// Does what the director asks for until it asks for nothing more or the monitor says stop.
    pub(super) fn direct(&mut self, mut director: Director<G::Move>) -> Decision<G::Move> {
        while let Ok(Some(shares)) = self.plan(&mut director) {
            if self.work_through(&mut director, &shares).is_err() {
                break;
            }
        }
        director.decision(self.tree)
    }

    /// Works on the targets of one round at the root until one is missed.
    fn work_through(
        &mut self,
        director: &mut Director<G::Move>,
        shares: &[Share],
    ) -> Result<(), Stopped> {
        let root = Tree::<G::Move>::ROOT;
        for (place, share) in shares.iter().enumerate() {
            let verdict = self.descend(self.tree.kid(root, share.index), share.target);
            self.tree.update_value(root);
            self.note(director, place, verdict?);
            if director.is_missed() {
                break;
            }
        }
        Ok(())
    }

    /// Tries to fulfil `target` at `v`, where the game stands (Fig. 2.7).
    ///
    /// `Met`: the target is fulfilled. `Missed`: the value of `v` has changed and contradicts the bound.
    pub(super) fn search(&mut self, v: NodeId, target: Target) -> Result<Verdict, Stopped> {
        self.path.push(v);
        let verdict = match self.enter(v, target, self.path.len() - 1) {
            Entry::Settled(verdict) => Ok(verdict),
            Entry::Open(reduced) => self.search_anew(v, reduced).inspect(|&verdict| {
                self.remember(target, verdict);
            }),
        };
        self.path.pop();
        verdict
    }

    fn search_anew(&mut self, v: NodeId, target: Target) -> Result<Verdict, Stopped> {
        if self.holds_after_pass(v, target)? {
            return Ok(Verdict::Met);
        }
        let mut shares = Vec::new();
        for _ in 0..PASSES_MAX {
            self.partial_expansion(v, target)?;
            if self.is_off_target(v, target.bound) {
                return Ok(Verdict::Missed);
            }
            shares.clear();
            split::split(self.tree, v, target, self.params, &mut shares);
            if let Some(verdict) = self.visit(v, target, &shares)? {
                return Ok(verdict);
            }
        }
        self.counters.given_up += 1;
        Ok(Verdict::Met)
    }

    /// Whether `v`, a cut node, holds its bound though it hands the move to the opponent: then it has met its target.
    fn holds_after_pass(&mut self, v: NodeId, target: Target) -> Result<bool, Stopped> {
        let Some((pass_kid, share)) = self.pass_share(v, target)? else {
            return Ok(false);
        };
        let has_passed = self.game.pass();
        assert!(has_passed, "a null move was possible a moment ago");
        let verdict = self.search(pass_kid, share);
        self.game.undo();
        Ok(verdict? == Verdict::Met)
    }

    fn partial_expansion(&mut self, v: NodeId, target: Target) -> Result<(), Stopped> {
        let mut expansion = self.begin_expansion(v, target);
        while let Some(question) = self.next_question(v, &mut expansion) {
            if let Err(stopped) = self.answer(v, question) {
                self.tree.update_value(v);
                return Err(stopped);
            }
        }
        Ok(())
    }

    /// Works on the shares in order. `None`: one was missed but `v` is still on target, so its target must be split anew.
    fn visit(
        &mut self,
        v: NodeId,
        target: Target,
        shares: &[Share],
    ) -> Result<Option<Verdict>, Stopped> {
        for share in shares {
            let kid = self.tree.kid(v, share.index);
            let verdict = self.descend(kid, share.target);
            self.tree.update_value(v);
            let verdict = verdict?;
            if self.is_off_target(v, target.bound) {
                return Ok(Some(Verdict::Missed));
            }
            if verdict == Verdict::Missed {
                return Ok(None);
            }
        }
        Ok(Some(Verdict::Met))
    }

    /// Plays the move to `kid`, searches there, and comes back.
    pub(super) fn descend(&mut self, kid: NodeId, target: Target) -> Result<Verdict, Stopped> {
        self.game.play(self.tree[kid].mv());
        let verdict = self.search(kid, target);
        self.game.undo();
        verdict
    }

    /// Asks the monitor whether to go on.
    pub(super) fn poll(&mut self) -> Result<(), Stopped> {
        self.status.nodes = self.counters.nodes();
        self.status.tree_nodes = self.counters.tree_nodes;
        if self.monitor.proceed(&self.status) {
            Ok(())
        } else {
            Err(Stopped::ByMonitor)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cc2s::invariants::stale_values;
    use crate::cc2s::root::Patience;
    use crate::game::HeuristicEvaluator;
    use crate::game::synthetic::{GrownGame, Shape};

    /// The tree is kept: what was found out when the analysis was stopped must not be hidden by older values.
    #[test]
    fn a_stopped_analysis_leaves_no_stale_value() {
        for seed in 0..300 {
            let mut game = GrownGame::new(Shape {
                order: 0.6,
                noise_cp: 400,
                ..Shape::uniform(seed, 12, 12)
            });
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            let mut tree = Tree::with_capacity(1 << 16).unwrap();
            let tables = TargetTables::with_entries(1 << 10).unwrap();
            let (mut evaluator, mut monitor) = (
                HeuristicEvaluator::default(),
                Patience(20 + 13 * seed as usize),
            );
            let params = Cc2sParams::default();
            let mut searcher = Searcher::new(
                &mut game,
                &mut evaluator,
                &mut monitor,
                &mut tree,
                &tables,
                &params,
            );
            let schedule = Schedule {
                conspiracy_max: 2,
                rise_depth: 2,
                elementary: false,
            };
            searcher.analyse(&moves, schedule, 9);
            assert_eq!(stale_values(&tree), 0, "seed {seed}");
        }
    }
}
