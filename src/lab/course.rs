//! The course of a decision: what it cost to meet one requirement after the other.

use std::time::{Duration, Instant};

use crate::chess::{Line, Move};
use crate::engine::searches::thesis::schedule;
use crate::game::{Game as _, Progress, Requirement, RootUpdate, Score, SearchListener};
use crate::search::LeafEvaluator;
use crate::settings::EngineParams;
use crate::thesis::{Counters, Decision, SearchState, Searcher, TargetTables, Tree};
use crate::tools::ToolError;

/// Entries of the tables of fulfilled targets; as many as the engine has with 64 MiB.
const TARGET_ENTRIES: usize = 1 << 18;

/// When to end; the first limit reached does.
#[derive(Clone, Copy, Debug)]
pub struct CourseLimits {
    /// Depth of the requirement to meet with the full conspiracy, in plies.
    pub depth: u16,
    /// Nodes, tree and leaf.
    pub nodes: u64,
    /// A requirement of the schedule that is enough.
    pub enough: Option<Requirement>,
}

/// A requirement met.
#[derive(Clone, Copy, Debug)]
pub struct MetRequirement {
    /// The requirement.
    pub met: Requirement,
    /// The move that met it.
    pub best: Move,
    /// The splitting value, root's view.
    pub hypothesis: Score,
    /// Margin for the move downwards and for the others upwards, in centipawns.
    pub margin_cp: i16,
    /// Nodes up to then, tree and leaf.
    pub nodes: u64,
    /// Nodes stored up to then.
    pub tree_nodes: u64,
    /// Time up to then.
    pub elapsed: Duration,
}

/// A decision and what led to it.
#[derive(Debug)]
pub struct Course {
    /// The requirements met, in the order of the schedule.
    pub steps: Vec<MetRequirement>,
    /// The decision at the end of the search.
    pub decision: Decision<Move>,
    /// All work.
    pub counters: Counters,
    /// The tree as it was at the end.
    pub tree: Tree<Move>,
}

impl Course {
    /// The step that met `requirement`.
    pub fn step(&self, requirement: Requirement) -> Option<&MetRequirement> {
        self.steps.iter().find(|step| step.met == requirement)
    }
}

/// Lets Cc2s decide on a position, alone with a tree and an evaluator of its own: half the memory for each.
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

/// Stops at the limits and writes down every requirement met.
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
