//! What several workers gain over one (thesis 3.5.3), measured on work that is given beforehand: to make decisions as safe as
//! demanded.

use std::time::Duration;

use super::LabError;
use super::gain::Gain;
use super::trial::Moment;
use crate::cc2s::{
    Cc2sParams, Monitor, RootReport, Schedule, Status, TargetTables, Tree, WorkerId,
};
use crate::chess::{Line, Move};
use crate::driver::sim::{Conditions, Measures, Simulation};
use crate::game::Game as _;
use crate::leaf::{LeafEvaluator, LeafParams};
use crate::parallel::{TeamParams, Worker};

/// Memory that each worker has at least, in nodes.
const STORED_NODES_MIN: usize = 1 << 17;
/// Nodes that may be stored for each target remembered.
const NODES_PER_TARGET: usize = 8;

/// What others have measured, as speedups by number of processors: the thesis on its two clusters (3.5.4) and, quoted there
/// (3.2), the alpha-beta program Zugzwang by Young Brothers Wait (R. Feldmann 1993).
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

/// Everything that a measurement depends on beside position, demand and number of workers.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The search.
    pub cc2s: Cc2sParams,
    /// How workers share the work.
    pub team: TeamParams,
    /// The evaluator.
    pub leaf: LeafParams,
    /// Memory for the stored trees of all workers together, in nodes.
    pub stored_nodes_max: usize,
    /// Memory for the evaluator's tables of all workers together, in MiB; each worker has at least one.
    pub leaf_mib: usize,
    /// The machine.
    pub conditions: Conditions,
}

/// One piece of work done by some number of workers, in virtual time or in real time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Until the decision was as safe as demanded, in nanoseconds.
    pub elapsed_ns: u64,
    /// Time that the workers have worked, all of them together.
    pub busy_ns: u64,
    /// Nodes of trees and evaluators.
    pub nodes: u64,
    /// Nodes stored.
    pub tree_nodes: u64,
    /// Messages sent.
    pub messages: u64,
}

/// The measures of 3.5.3 over a set of problems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speedup {
    /// Number of workers.
    pub workers: u16,
    /// What a clock and a node counter give.
    pub gain: Gain,
    /// Share of the time in which workers work, in percent.
    pub load: f64,
    /// Messages for each stored node.
    pub messages: f64,
}

impl Speedup {
    /// Compares runs on the same problems, in the same order.
    pub fn of(workers: u16, alone: &[Run], together: &[Run]) -> Self {
        let moments = |runs: &[Run]| runs.iter().map(Run::moment).collect::<Vec<_>>();
        let sum = |of: fn(&Run) -> u64| together.iter().map(of).sum::<u64>() as f64;
        let elapsed = sum(|run| run.elapsed_ns);
        Self {
            workers,
            gain: Gain::of(workers.into(), &moments(alone), &moments(together)),
            load: 100.0 * sum(|run| run.busy_ns) / f64::from(workers) / elapsed,
            messages: sum(|run| run.messages) / sum(|run| run.tree_nodes),
        }
    }
}

impl Run {
    fn of(measures: &Measures) -> Self {
        Self {
            elapsed_ns: measures.elapsed_ns,
            busy_ns: measures.busy_ns,
            nodes: measures.nodes,
            tree_nodes: measures.tree_nodes,
            messages: measures.messages,
        }
    }

    fn moment(&self) -> Moment {
        Moment {
            elapsed: Duration::from_nanos(self.elapsed_ns),
            nodes: self.nodes,
        }
    }
}

/// The greatest depth to which so many workers decide, as safely as is demanded there at last, with at most `stored_nodes`
/// nodes stored by all of them: the piece of work that fits a time class. `None` if not even depth 1 fits.
///
/// # Errors
/// The memory cannot be had.
pub fn demand(
    line: &Line,
    setup: &Setup,
    stored_nodes: u64,
    workers: u16,
) -> Result<Option<u16>, LabError> {
    let mut watch = Watch::new(setup, stored_nodes);
    run(line, setup, u16::MAX, workers, &mut watch)?;
    Ok(watch.depth)
}

/// Lets that many simulated workers decide until the requirement of that depth is met.
///
/// # Errors
/// The memory cannot be had, or did not suffice.
pub fn simulate(line: &Line, setup: &Setup, depth: u16, workers: u16) -> Result<Run, LabError> {
    let mut watch = Watch::new(setup, u64::MAX);
    let (run, is_done) = run(line, setup, depth, workers, &mut watch)?;
    if is_done {
        Ok(run)
    } else {
        Err(LabError::Settings(format!(
            "{workers} workers need more memory than for {} stored nodes",
            setup.stored_nodes_max
        )))
    }
}

fn run(
    line: &Line,
    setup: &Setup,
    depth: u16,
    workers: u16,
    watch: &mut Watch,
) -> Result<(Run, bool), LabError> {
    let mut team = team(line, setup, workers)?;
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    team[0].lead(&moves, setup.cc2s.middle_game_schedule(), depth, 1);
    let mebibytes = (setup.leaf_mib / usize::from(workers)).max(1);
    let evaluator = |_| LeafEvaluator::new(setup.leaf.clone(), mebibytes);
    let evaluators = (0..workers).map(evaluator).collect::<Result<Vec<_>, _>>();
    let mut evaluators = evaluators.map_err(LabError::refused)?;
    let mut simulation = Simulation::new(team, &mut evaluators, setup.conditions);
    let measures = simulation.run(watch);
    let is_done = simulation.workers().next().is_some_and(Worker::is_done);
    Ok((Run::of(&measures), is_done))
}

/// Workers that have the memory in equal parts.
fn team(line: &Line, setup: &Setup, workers: u16) -> Result<Vec<Worker<Line>>, LabError> {
    // What its tasks stand at cannot be forgotten, however small the share.
    let share = (setup.stored_nodes_max / usize::from(workers)).max(STORED_NODES_MIN);
    let worker = |number| {
        let tree = Tree::with_capacity(share).map_err(LabError::refused)?;
        let tables = TargetTables::with_entries(share / NODES_PER_TARGET);
        let tables = tables.map_err(LabError::refused)?;
        let (id, params) = (WorkerId(number), setup.cc2s.clone());
        let worker = Worker::new(id, workers, params, line.clone(), tree, tables);
        Ok(worker.sharing(setup.team.clone()))
    };
    (0..workers).map(worker).collect()
}

/// Notes the greatest depth that was met within the stored nodes allowed, and stops when they are spent.
struct Watch {
    stored_nodes_max: u64,
    schedule: Schedule,
    depth: Option<u16>,
}

impl Watch {
    fn new(setup: &Setup, stored_nodes_max: u64) -> Self {
        Self {
            stored_nodes_max,
            schedule: setup.cc2s.middle_game_schedule(),
            depth: None,
        }
    }
}

impl Monitor<Move> for Watch {
    fn proceed(&mut self, status: &Status) -> bool {
        status.tree_nodes <= self.stored_nodes_max
    }

    fn report(&mut self, report: &RootReport<Move>) {
        // A depth is not met before nothing more is demanded there.
        let depth = report.met.depth;
        if depth > 0 && self.schedule.after(report.met).depth > depth {
            self.depth = Some(depth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn measures_fit_together() {
        let run = |elapsed_ns, busy_ns, nodes| Run {
            elapsed_ns,
            busy_ns,
            nodes,
            tree_nodes: 10,
            messages: 5,
        };
        let alone = [run(1_000, 1_000, 100), run(3_000, 3_000, 300)];
        let together = [run(500, 900, 120), run(500, 1_000, 360)];
        let same = Speedup::of(1, &alone, &alone);
        assert_eq!(
            (same.gain.spe, same.gain.eff, same.load, same.gain.sovd),
            (1.0, 100.0, 100.0, 0.0)
        );
        let four = Speedup::of(4, &alone, &together);
        assert_eq!(
            (four.gain.spe, four.gain.eff, four.load),
            (4.0, 100.0, 47.5)
        );
        assert!((four.gain.sovd - 20.0).abs() < 1e-9);
        // One is twice as fast, the other six times.
        assert!((four.gain.average_spe - 4.0).abs() < 1e-9);
        assert!((four.gain.mean_spe - 12.0_f64.sqrt()).abs() < 1e-9);
        // The check of 3.5.3.
        let check = four.gain.lstg / same.gain.lstg * 100.0 / (four.gain.sovd + 100.0);
        assert!((four.gain.spe - check).abs() < 1e-9);
    }
}
