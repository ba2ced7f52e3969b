//! Small problems worked on together: successors of one node, by one hand in a tree of its own.
//!
//! It would take longer to lend the worker for every step. What is known of the successors is copied, and what has grown
//! is grafted onto the worker's tree afterwards.

use std::sync::Arc;

use super::message::ProblemCode;
use super::node::Node;
use super::office::{Errand, Purpose};
use super::params::Cc2sParams;
use super::recursive::{Counters, Searcher};
use super::root::{Monitor, RootReport, Status};
use super::step::Shift;
use super::table::{Log, TargetTables};
use super::target::{Target, Verdict};
use super::task::{AssignmentState, Task};
use super::tree::{NodeId, Tree};
use crate::game::{Evaluator, Game};

/// Greatest depth of a problem that is thought to be small while every hand has work.
const DEPTH_MAX: u16 = 3;
/// The same while others wait for work: they could help with a greater one.
const SHARED_DEPTH_MAX: u16 = 1;
/// Problems in a bundle: with more of them the last ones are more often work for nothing (`docs/experiments.md`).
const SIZE_MAX: usize = 4;
/// Nodes known of a small problem before the work on it.
const KNOWN_MAX: usize = 400;
/// Nodes stored for one problem; one that turns out to be greater is given back.
const NODES_MAX: u64 = 1_000;
/// Room for both, whatever their blocks.
const CAPACITY: usize = 1 << 14;

/// A successor, what it is to show, and what has come out.
#[derive(Clone, Debug)]
pub(super) struct Item<M> {
    /// For the answer.
    pub code: ProblemCode,
    /// The successor, and what is known below it.
    known: Vec<Node<M>>,
    target: Target,
    /// What has grown, once it was worked on.
    pub grown: Option<Grown<M>>,
}

/// What has grown below a successor.
#[derive(Clone, Debug)]
pub(super) struct Grown<M> {
    /// `None`: it was too much work.
    pub verdict: Option<Verdict>,
    /// The nodes of its tree.
    pub nodes: Vec<Node<M>>,
    /// What became of the targets.
    pub log: Log,
}

/// Successors of one node, to be worked on in this order until one misses its target.
#[derive(Clone, Debug)]
pub(super) struct Bundle<M> {
    pub items: Vec<Item<M>>,
    /// Of the successors, in plies from the root of the analysis.
    level: usize,
    level_limit: usize,
    /// The work that was done.
    pub counters: Counters,
}

/// Where a hand works by itself.
#[derive(Clone, Debug)]
pub(super) struct Bench<M> {
    tree: Tree<M>,
    tables: Arc<TargetTables>,
    pub params: Cc2sParams,
}

/// Ends the work on a problem that is not small.
struct Frugal;

impl<M> Monitor<M> for Frugal {
    fn proceed(&mut self, status: &Status) -> bool {
        status.tree_nodes < NODES_MAX
    }

    fn report(&mut self, _: &RootReport<M>) {}
}

impl<M: Copy + Eq> Bench<M> {
    pub(super) fn new(tables: Arc<TargetTables>, params: Cc2sParams) -> Self {
        Self {
            tree: Tree::with_capacity(CAPACITY).expect("memory for a small tree"),
            tables,
            params,
        }
    }

    /// Works on a bundle; the game stands at the parent.
    pub(super) fn solve<G, E>(&mut self, bundle: &mut Bundle<M>, game: &mut G, evaluator: &mut E)
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        for item in &mut bundle.items {
            self.tree.reset(item.known[0]);
            self.tree.graft(NodeId::ROOT, &item.known);
            let mut monitor = Frugal;
            let mut searcher = Searcher::new(
                game,
                evaluator,
                &mut monitor,
                &mut self.tree,
                &self.tables,
                &self.params,
            );
            searcher.path = vec![NodeId::ROOT; bundle.level];
            searcher.level_limit = bundle.level_limit;
            searcher.log = Some(Log::new());
            searcher.game.play(item.known[0].mv());
            let verdict = searcher.search(NodeId::ROOT, item.target).ok();
            searcher.game.undo();
            bundle.counters.add(&searcher.counters);
            let log = searcher.log.take().unwrap_or_default();
            item.grown = Some(Grown {
                verdict,
                nodes: self.tree.nodes.clone(),
                log,
            });
            if verdict != Some(Verdict::Met) {
                return;
            }
        }
    }
}

impl<G: Game, E: Evaluator<G>, W: Monitor<G::Move>> Shift<'_, '_, G, E, W> {
    /// The next successors of the node worked on, if they are small problems.
    pub(super) fn bundle(&mut self, task: &mut Task<G::Move>) -> Option<Bundle<G::Move>> {
        let depth_max = if self.has_waiting_hands {
            SHARED_DEPTH_MAX
        } else {
            DEPTH_MAX
        };
        let (level, level_limit) = (task.level() + 1, task.level_limit);
        let number = task.frames.len() - 1;
        let frame = task.tip();
        let first = frame.place_of(AssignmentState::Own)?;
        let mut items = Vec::new();
        for (place, assignment) in frame.assignments.iter_mut().enumerate().skip(first) {
            let target = assignment.share.target;
            let kid = self.searcher.tree.kid(frame.node, assignment.share.index);
            let is_small = assignment.state == AssignmentState::Own
                && target.depth <= depth_max
                && !self.searcher.tree[kid].is_end();
            if !is_small || items.len() == SIZE_MAX {
                break;
            }
            let Some(known) = self.searcher.tree.copy_from(kid, KNOWN_MAX) else {
                break;
            };
            let code = self.office.open_errand(Errand {
                task: self.id,
                frame: number,
                purpose: Purpose::Assignment(place),
            });
            assignment.state = AssignmentState::Sent(self.office.id, code);
            items.push(Item {
                code,
                known,
                target,
                grown: None,
            });
        }
        (!items.is_empty()).then_some(Bundle {
            items,
            level,
            level_limit,
            counters: Counters::default(),
        })
    }
}
