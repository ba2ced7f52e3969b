//! The course of a decision: the cost of each requirement met.

use std::time::{Duration, Instant};

use crate::chess::{Line, Move};
use crate::engine::searches::thesis::schedule;
use crate::game::{Game as _, Progress, Requirement, RootUpdate, Score, SearchListener};
use crate::search::LeafEvaluator;
use crate::settings::EngineParams;
use crate::thesis::{Counters, Decision, SearchState, Searcher, TargetTables, Tree};
use crate::tools::ToolError;

/// Number of entries of the target tables, as the engine has with 64 MiB.
const TARGET_ENTRIES: usize = 1 << 18;

/// Limits of a search; the first one reached ends it.
#[derive(Clone, Copy, Debug)]
pub struct CourseLimits {
    /// Depth to complete with full conspiracy, in plies.
    pub depth: u16,
    /// Number of nodes, tree and leaf.
    pub nodes: u64,
    /// A requirement of the schedule that suffices.
    pub enough: Option<Requirement>,
}

/// A requirement met, and its cost.
#[derive(Clone, Copy, Debug)]
pub struct MetRequirement {
    /// The requirement.
    pub met: Requirement,
    /// The move that met it.
    pub best: Move,
    /// The splitting value, from the root's view.
    pub hypothesis: Score,
    /// Margin below the value for the best move and above it for the others, in centipawns.
    pub margin_cp: i16,
    /// Nodes so far, tree and leaf.
    pub nodes: u64,
    /// Nodes stored so far.
    pub tree_nodes: u64,
    /// Time so far.
    pub elapsed: Duration,
}

/// A decision and its course.
#[derive(Debug)]
pub struct Course {
    /// The requirements met, in the order of the schedule.
    pub steps: Vec<MetRequirement>,
    /// The decision at the end of the search.
    pub decision: Decision<Move>,
    /// Counters of the whole search.
    pub counters: Counters,
    /// The tree at the end of the search.
    pub tree: Tree<Move>,
}

impl Course {
    /// Returns the step that met `requirement`.
    pub fn step(&self, requirement: Requirement) -> Option<&MetRequirement> {
        self.steps.iter().find(|step| step.met == requirement)
    }
}

/// Searches a position with Cc2s in one thread, with a tree and an evaluator of its own. Each of them gets half
/// the memory.
///
/// # Errors
/// The memory cannot be allocated.
pub fn decide(
    line: &Line,
    params: &EngineParams,
    limits: CourseLimits,
) -> Result<Course, ToolError> {
    let mebibytes = params.engine.hash_mib as usize;
    let mut tree = Tree::with_capacity(mebibytes * (1 << 19) / Tree::<Move>::NODE_BYTES)
        .map_err(ToolError::refused)?;
    let tables = TargetTables::with_entries(TARGET_ENTRIES).map_err(ToolError::refused)?;
    let mut evaluator = LeafEvaluator::new(params.leaf.clone(), (mebibytes / 2).max(1))
        .map_err(ToolError::refused)?;
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    let mut recorder = Recorder::new(limits);
    let mut game = line.clone();
    let mut state = SearchState::default();
    let mut searcher = Searcher::new(
        &mut game,
        &mut evaluator,
        &mut recorder,
        &mut tree,
        &tables,
        &params.cc2s,
        &mut state,
    );
    let decision = searcher.analyse(&moves, schedule(&params.cc2s, line), limits.depth);
    let counters = searcher.counters();
    Ok(Course {
        steps: recorder.steps,
        decision,
        counters,
        tree,
    })
}

/// Records the requirements met and stops at the limits.
struct Recorder {
    limits: CourseLimits,
    start: Instant,
    tree_nodes: u64,
    steps: Vec<MetRequirement>,
}

impl Recorder {
    fn new(limits: CourseLimits) -> Self {
        Self {
            limits,
            start: Instant::now(),
            tree_nodes: 0,
            steps: Vec::new(),
        }
    }

    fn met(&self) -> Requirement {
        self.steps
            .last()
            .map_or(Requirement::default(), |step| step.met)
    }
}

impl SearchListener<Move> for Recorder {
    fn proceed(&mut self, status: &Progress) -> bool {
        self.tree_nodes = status.tree_nodes;
        let is_enough = self
            .limits
            .enough
            .is_some_and(|enough| enough == self.met());
        !is_enough && status.nodes < self.limits.nodes
    }

    fn report(&mut self, update: &RootUpdate<Move>) {
        let (Some(met), Some(claim)) = (update.safety, update.claim) else {
            return;
        };
        if met == self.met() {
            return;
        }
        self.steps.push(MetRequirement {
            met,
            best: update.pv[0],
            hypothesis: claim.hypothesis,
            margin_cp: claim.margin_cp as i16,
            nodes: update.nodes,
            tree_nodes: self.tree_nodes,
            elapsed: self.start.elapsed(),
        });
    }
}
