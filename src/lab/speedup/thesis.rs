//! The workers of chapter 3 of the thesis on a simulated network.

use super::machine::{Machine, Run};
use crate::chess::{Line, Move, Position};
use crate::game::{Game as _, Progress, RootUpdate, SearchListener};
use crate::search::LeafEvaluator;
use crate::settings::EngineParams;
use crate::thesis::simulator::{Simulation, SimulationConditions};
use crate::thesis::{Schedule, TargetTables, Tree, Worker, WorkerId};
use crate::tools::ToolError;

/// Memory of all workers together, and the minimum for each, in nodes.
const STORED_NODES: usize = 1 << 22;
const STORED_NODES_MIN: usize = 1 << 17;
/// Stored nodes per entry of the target tables.
const NODES_PER_TARGET: usize = 8;

/// Published speedups by number of processors: the thesis on its two clusters (3.5.4), and the alpha-beta program
/// Zugzwang with Young Brothers Wait (R. Feldmann 1993; quoted in 3.2).
pub const REFERENCES: [(&str, &[(f64, f64)]); 3] = [
    (
        "thesis, SCI",
        &[
            (39.0, 0.53 * 39.0),
            (79.0, 0.38 * 79.0),
            (159.0, 0.32 * 159.0),
        ],
    ),
    (
        "thesis, CC48",
        &[(5.0, 3.0), (9.0, 5.9), (19.0, 12.3), (39.0, 19.8)],
    ),
    ("alpha-beta, Zugzwang", &[(256.0, 126.0), (1024.0, 344.0)]),
];

/// Workers in virtual time, each with its own tree and tables.
pub struct ThesisWorkers {
    params: EngineParams,
    conditions: SimulationConditions,
    stored_nodes: usize,
}

impl ThesisWorkers {
    /// Creates workers for searches of about `nodes` nodes.
    pub fn new(params: EngineParams, conditions: SimulationConditions, nodes: u64) -> Self {
        Self {
            params,
            conditions,
            // Twice the nodes, because of search overhead and of trees that grow unevenly.
            stored_nodes: STORED_NODES.max(2 * nodes as usize),
        }
    }

    fn run(
        &mut self,
        line: &Line,
        depth: u16,
        workers: u16,
        watch: &mut Watch,
    ) -> Result<(Run, bool), ToolError> {
        let mut team = self.team(line, workers)?;
        let mut moves = Vec::new();
        line.legal_moves(&mut moves);
        team[0].lead(&moves, self.params.cc2s.middle_game_schedule(), depth, 1);
        let mebibytes = (self.params.engine.hash_mib as usize / usize::from(workers)).max(1);
        let evaluator = |_| LeafEvaluator::new(self.params.leaf.clone(), mebibytes);
        let evaluators = (0..workers).map(evaluator).collect::<Result<Vec<_>, _>>();
        let mut evaluators = evaluators.map_err(ToolError::refused)?;
        let mut simulation = Simulation::new(team, &mut evaluators, self.conditions);
        let measures = simulation.run(watch);
        let is_done = simulation.workers().next().is_some_and(Worker::is_done);
        let run = Run {
            elapsed_ns: measures.elapsed_ns,
            busy_ns: Some(measures.busy_ns),
            nodes: measures.nodes,
            messages: measures.messages,
            bytes: measures.bytes,
        };
        Ok((run, is_done))
    }

    /// Creates workers that divide the memory equally.
    fn team(&self, line: &Line, workers: u16) -> Result<Vec<Worker<Line>>, ToolError> {
        // Nodes of current tasks cannot be freed, so that each worker needs a minimum.
        let share = (self.stored_nodes / usize::from(workers)).max(STORED_NODES_MIN);
        let worker = |number| {
            let tree = Tree::with_capacity(share).map_err(ToolError::refused)?;
            let tables = TargetTables::with_entries(share / NODES_PER_TARGET);
            let tables = tables.map_err(ToolError::refused)?;
            let (id, params) = (WorkerId(number), self.params.cc2s.clone());
            let worker = Worker::new(id, workers, params, line.clone(), tree, tables);
            Ok(worker.sharing(self.params.team.clone()))
        };
        (0..workers).map(worker).collect()
    }
}

impl Machine for ThesisWorkers {
    fn depth_within(&mut self, position: &Position, nodes: u64) -> Result<u16, ToolError> {
        let mut watch = Watch {
            nodes_max: nodes,
            schedule: self.params.cc2s.middle_game_schedule(),
            depth: 0,
        };
        self.run(&Line::new(position.clone()), u16::MAX, 1, &mut watch)?;
        Ok(watch.depth)
    }

    fn alone(&mut self, position: &Position, depth: u16) -> Result<Run, ToolError> {
        self.together(position, depth, 1, self.conditions.seed)
    }

    fn together(
        &mut self,
        position: &Position,
        depth: u16,
        workers: u16,
        seed: u64,
    ) -> Result<Run, ToolError> {
        self.conditions.seed = seed;
        let mut watch = Watch {
            nodes_max: u64::MAX,
            schedule: self.params.cc2s.middle_game_schedule(),
            depth: 0,
        };
        match self.run(&Line::new(position.clone()), depth, workers, &mut watch)? {
            (run, true) => Ok(run),
            (_, false) => Err(ToolError::Settings(format!(
                "{workers} workers need more memory than for {} stored nodes",
                self.stored_nodes
            ))),
        }
    }
}

/// Records the greatest depth completed within the allowed nodes, and then stops.
struct Watch {
    nodes_max: u64,
    schedule: Schedule,
    depth: u16,
}

impl SearchListener<Move> for Watch {
    fn proceed(&mut self, status: &Progress) -> bool {
        status.nodes <= self.nodes_max
    }

    fn report(&mut self, update: &RootUpdate<Move>) {
        // A depth is completed when the next requirement is deeper.
        let met = update.safety;
        if let Some(met) = met.filter(|&met| self.schedule.after(met).depth > met.depth) {
            self.depth = met.depth;
        }
    }
}
