//! Small problems worked on together: successors of one node, by one hand in a tree of its own.
//!
//! It would take longer to lend the worker for every step. What is known of the successors is copied, and what has grown
//! is grafted onto the worker's tree afterwards.

use std::ops::Range;
use std::sync::Arc;

use super::job_size::Sizes;
use crate::cc2s::params::Cc2sParams;
use crate::cc2s::search::counters::Counters;
use crate::cc2s::search::monitor::{Monitor, RootReport, Status};
use crate::cc2s::search::searcher::Searcher;
use crate::cc2s::tree::node::Node;
use crate::cc2s::tree::search_tree::{NodeId, Tree};
use crate::cc2s::tree::table::{Log, TargetTables};
use crate::cc2s::tree::target::{Target, Verdict};
use crate::game::{Evaluator, Game};
use crate::parallel::cluster::message::ProblemCode;
use crate::parallel::cluster::pending::{Errand, Purpose};
use crate::parallel::params::TeamParams;
use crate::parallel::task::frame::{AssignmentState, Task};
use crate::parallel::task::step::Shift;

/// Room in the tree of a hand for each node it may come to hold, because blocks of siblings are powers of two.
const SLOTS_PER_NODE: usize = 12;
/// Room for the nodes known of a bundle: less is soon outgrown.
const NODES_EXPECTED: usize = 128;

/// A successor, what it is to show, and what has come out.
#[derive(Clone, Debug)]
pub(crate) struct Item<M> {
    /// For the answer.
    pub code: ProblemCode,
    /// The move to it.
    mv: M,
    /// The successor, and what is known below it, among what is known in the bundle.
    known: Range<usize>,
    target: Target,
    /// What has grown, once it was worked on.
    pub grown: Option<Grown>,
}

/// What has grown below a successor.
#[derive(Clone, Debug)]
pub(crate) struct Grown {
    /// `None`: it was too much work.
    pub verdict: Option<Verdict>,
    /// The nodes of its tree, among what has grown for the bundle.
    pub nodes: Range<usize>,
    /// What became of the targets, in the bundle's log.
    pub log: Range<usize>,
    /// Nodes that it has cost.
    cost: u64,
}

/// Successors of one node, to be worked on in this order until one misses its target or enough was done; the others are given
/// back.
#[derive(Clone, Debug)]
pub(crate) struct Bundle<M> {
    pub items: Vec<Item<M>>,
    known: Vec<Node<M>>,
    pub grown: Vec<Node<M>>,
    pub log: Log,
    /// Of the successors, in plies from the root of the analysis.
    level: usize,
    level_limit: usize,
    /// The work that was done.
    pub counters: Counters,
}

/// Where a hand works by itself.
#[derive(Clone, Debug)]
pub(crate) struct Bench<M> {
    tree: Tree<M>,
    path: Vec<NodeId>,
    tables: Arc<TargetTables>,
    pub params: Cc2sParams,
    /// Nodes stored for one problem.
    nodes_max: u64,
    /// Nodes of the evaluator after which no further problem of a bundle is begun.
    work_max: u64,
}

/// Ends the work on a problem that is not small: on which so many nodes were stored.
struct Frugal(u64);

impl<M> Monitor<M> for Frugal {
    fn proceed(&mut self, status: &Status) -> bool {
        status.tree_nodes < self.0
    }

    fn report(&mut self, _: &RootReport<M>) {}
}

impl<M> Bundle<M> {
    /// Notes how much work its problems were.
    pub(crate) fn measure(&self, sizes: &mut Sizes) {
        for item in &self.items {
            if let Some(grown) = &item.grown {
                sizes.note(item.target.depth, grown.cost);
            }
        }
    }
}

impl<M: Copy + Eq> Bench<M> {
    pub(crate) fn new(tables: Arc<TargetTables>, params: Cc2sParams, team: &TeamParams) -> Self {
        let nodes_max = team.bundle_nodes_max as usize;
        // Whatever the blocks of siblings are like.
        let capacity = SLOTS_PER_NODE * (nodes_max + team.bundle_known_max as usize);
        Self {
            tree: Tree::with_capacity(capacity).expect("memory for a small tree"),
            path: Vec::new(),
            tables,
            params,
            nodes_max: nodes_max as u64,
            work_max: team.bundle_work_max as u64,
        }
    }

    /// Works on a bundle; the game stands at the parent.
    pub(crate) fn solve<G, E>(&mut self, bundle: &mut Bundle<M>, game: &mut G, evaluator: &mut E)
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        self.path.clear();
        self.path.resize(bundle.level, NodeId::ROOT);
        let mut monitor = Frugal(self.nodes_max);
        let mut searcher = Searcher::on_path(
            (game, evaluator, &mut monitor),
            (&mut self.tree, &self.tables),
            &self.params,
            std::mem::take(&mut self.path),
        );
        searcher.level_limit = bundle.level_limit;
        searcher.log = Some(Log::with_capacity(bundle.known.len()));
        bundle.grown.reserve(2 * bundle.known.len());
        for item in &mut bundle.items {
            let known = &bundle.known[item.known.clone()];
            searcher.tree.reset(known[0]);
            searcher.tree.graft(NodeId::ROOT, known);
            searcher.counters = Counters::default();
            let (grown, logged) = (bundle.grown.len(), searcher.logged());
            searcher.game.play(item.mv);
            let verdict = searcher.search(NodeId::ROOT, item.target).ok();
            searcher.game.undo();
            bundle.counters.add(&searcher.counters);
            searcher.tree.copy_all_onto(&mut bundle.grown);
            item.grown = Some(Grown {
                verdict,
                nodes: grown..bundle.grown.len(),
                log: logged..searcher.logged(),
                cost: searcher.counters.nodes(),
            });
            if verdict != Some(Verdict::Met) || bundle.counters.leaf_nodes >= self.work_max {
                break;
            }
        }
        bundle.log = searcher.log.take().unwrap_or_default();
        self.path = searcher.path;
    }
}

impl<G: Game, E: Evaluator<G>, W: Monitor<G::Move>> Shift<'_, '_, G, E, W> {
    /// The next successors of the node worked on, if they are small problems.
    pub(crate) fn bundle(&mut self, task: &mut Task<G::Move>) -> Option<Bundle<G::Move>> {
        let team = self.team;
        let (level, level_limit) = (task.level() + 1, task.level_limit);
        let number = task.frames.len() - 1;
        let frame = task.tip();
        let first = frame.place_of(AssignmentState::Own)?;
        let (mut items, mut known) = (Vec::new(), Vec::with_capacity(NODES_EXPECTED));
        for (place, assignment) in frame.assignments.iter_mut().enumerate().skip(first) {
            let target = assignment.share.target;
            let kid = self.searcher.tree.kid(frame.node, assignment.share.index);
            let is_small = assignment.state == AssignmentState::Own
                && self.is_small(target.depth)
                && !self.searcher.tree[kid].is_end();
            if !is_small || items.len() == team.bundle_size_max as usize {
                break;
            }
            let nodes_max = team.bundle_known_max as usize;
            let begin = known.len();
            if !(self.searcher.tree).copy_onto(&mut known, kid, nodes_max) {
                self.sizes.note_unwieldy(target.depth, team);
                break;
            }
            let code = self.office.open_errand(Errand {
                task: self.id,
                frame: number,
                purpose: Purpose::Assignment(place),
            });
            assignment.state = AssignmentState::Sent(self.office.id, code);
            items.push(Item {
                code,
                mv: self.searcher.tree[kid].mv(),
                known: begin..known.len(),
                target,
                grown: None,
            });
        }
        (!items.is_empty()).then_some(Bundle {
            items,
            known,
            grown: Vec::new(),
            log: Log::new(),
            level,
            level_limit,
            counters: Counters::default(),
        })
    }

    /// Whether problems of that depth may be solved apart now.
    fn is_small(&self, depth: u16) -> bool {
        if self.has_waiting_hands {
            i32::from(depth) <= self.team.bundle_shared_depth_max
        } else {
            self.sizes.are_small(depth, self.team)
        }
    }
}
