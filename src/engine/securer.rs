//! Cc2s in the second row: it puts to the test what another search proposes, within a share of the work.

use std::sync::Arc;

use super::cc2s_memory::Cc2sMemory;
use super::cc2s_search::schedule;
use super::search::{Question, Watch};
use crate::cc2s::{Cc2sParams, Decision, Monitor, Requirement, RootReport, Schedule, Status};
use crate::chess::{Line, Move, Position};
use crate::game::{Score, Truth};
use crate::leaf::{LeafEvaluator, LeafParams, LeafTable};
use crate::time::Progress;

/// The stored tree and what belongs to it. The evaluator shares its table with the search that proposes.
pub(super) struct Securer {
    params: Cc2sParams,
    memory: Cc2sMemory,
    evaluator: LeafEvaluator,
}

/// What was proposed and how far it is secured.
pub(super) struct Proposal<'a> {
    /// The question both searches work on.
    pub question: &'a Question,
    /// The best moves proposed, best first, with their scores.
    pub ranking: &'a [(Move, Score)],
    /// The requirement met last for the move proposed.
    pub met: Requirement,
    /// Requirements of greater depth are left for later.
    pub depth_max: u16,
    /// Nodes that may be spent.
    pub nodes_max: u64,
}

/// What became of a proposal.
pub(super) struct Secured {
    /// The best move with what is expected to follow, how safe it is, and its value.
    pub decision: Decision<Move>,
    /// Nodes spent.
    pub nodes: u64,
    /// Whether the watch said stop.
    pub is_stopped: bool,
    /// Hypotheses overturned.
    pub overturned: u16,
}

impl Securer {
    /// A securer within `mebibytes` of memory beside the table; `None` if it cannot be had.
    pub(super) fn new(
        params: Cc2sParams,
        leaf: LeafParams,
        table: Arc<LeafTable>,
        mebibytes: usize,
    ) -> Option<Self> {
        Some(Self {
            params,
            memory: Cc2sMemory::alone(mebibytes)?,
            evaluator: LeafEvaluator::with_table(leaf, table),
        })
    }

    /// A securer like this one that has learned nothing, with other memory.
    pub(super) fn resized(&self, table: Arc<LeafTable>, mebibytes: usize) -> Option<Self> {
        let leaf = self.evaluator.params().clone();
        Self::new(self.params.clone(), leaf, table, mebibytes)
    }

    /// Forgets everything but the table it shares.
    pub(super) fn forget(&mut self) {
        self.memory.forget();
        self.evaluator.forget();
    }

    /// The next proposal is about another position, with true scores from these tables.
    pub(super) fn turn_to_new_position(&mut self, truth: Option<Arc<dyn Truth<Position>>>) {
        self.memory.tree.empty();
        self.evaluator.set_truth(truth);
    }

    /// The requirements a decision on this position should meet, in order.
    pub(super) fn schedule(&self, line: &Line) -> Schedule {
        schedule(&self.params, line)
    }

    /// Tries to meet the next requirements for what is proposed. `progress` is what the watch is told beside the nodes.
    pub(super) fn secure(
        &mut self,
        proposal: &Proposal<'_>,
        progress: &mut Progress,
        watch: &mut dyn Watch,
    ) -> Secured {
        let question = proposal.question;
        let mut line = question.line.clone();
        let mut monitor = BudgetMonitor {
            nodes_before: progress.nodes,
            progress,
            watch,
            nodes_max: proposal.nodes_max,
            is_stopped: false,
            overturned: 0,
        };
        let schedule = self.schedule(&line);
        let parts = (&mut line, &mut self.evaluator, &mut monitor);
        let mut searcher = self.memory.searcher(parts, &self.params);
        let range = (schedule, proposal.met, proposal.depth_max);
        let decision = searcher.secure(&question.moves, proposal.ranking, range);
        let nodes = searcher.counters().nodes();
        Secured {
            decision,
            nodes,
            is_stopped: monitor.is_stopped,
            overturned: monitor.overturned,
        }
    }
}

/// Ends the work when its share is used up or the watch says stop.
struct BudgetMonitor<'a> {
    progress: &'a mut Progress,
    nodes_before: u64,
    nodes_max: u64,
    watch: &'a mut dyn Watch,
    is_stopped: bool,
    overturned: u16,
}

impl Monitor<Move> for BudgetMonitor<'_> {
    fn proceed(&mut self, status: &Status) -> bool {
        self.progress.nodes = self.nodes_before + status.nodes;
        self.overturned = self.overturned.max(status.overturned);
        self.is_stopped = self.is_stopped || !self.watch.proceed(self.progress);
        !self.is_stopped && status.nodes < self.nodes_max
    }

    fn report(&mut self, _: &RootReport<Move>) {}
}
