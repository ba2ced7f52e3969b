//! Statistics of the results of a suite.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::outcome::PositionOutcome;
use super::rating::{BT2630_POSITIONS, bt2630, geometric_mean, mean};
use super::trial::SearchBudget;

/// Minimum solving time in geometric means, the resolution of the clock, in milliseconds.
const SHORTEST_MS: f64 = 1.0;

/// The summary of a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of positions searched.
    pub positions: usize,
    /// Number of positions solved.
    pub solved: usize,
    /// Arithmetic mean of the solving times of solved positions, in milliseconds.
    pub mean_ms: Option<f64>,
    /// Geometric mean of the solving times, where times below 1 ms count as 1 ms.
    pub geometric_mean_ms: Option<f64>,
    /// Geometric mean of the nodes to the solution of solved positions.
    pub geometric_mean_nodes: Option<f64>,
    /// Points of the chosen moves.
    pub points: i64,
    /// Points of the best moves; 0 if the suite gives none.
    pub points_max: i64,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Nodes per second.
    pub nodes_per_second: f64,
    /// BT2630 rating; only for thirty positions with a time limit.
    pub bt2630: Option<f64>,
}

impl Summary {
    /// Returns the summary of results within these limits.
    pub fn of(outcomes: &[PositionOutcome], budget: SearchBudget) -> Self {
        let times: Vec<f64> = outcomes.iter().filter_map(|each| each.solved_ms).collect();
        let nodes_to_solution: Vec<f64> = outcomes
            .iter()
            .filter_map(|each| each.solved_nodes.map(|nodes| nodes as f64))
            .collect();
        let nodes: u64 = outcomes.iter().map(|each| each.nodes).sum();
        let elapsed_ms: f64 = outcomes.iter().map(|each| each.elapsed_ms).sum();
        Self {
            positions: outcomes.len(),
            solved: outcomes.iter().filter(|each| each.solved).count(),
            mean_ms: mean(&times),
            geometric_mean_ms: geometric_mean(&times, SHORTEST_MS),
            geometric_mean_nodes: geometric_mean(&nodes_to_solution, 1.0),
            points: outcomes.iter().map(|each| i64::from(each.points)).sum(),
            points_max: outcomes.iter().map(|each| i64::from(each.points_max)).sum(),
            nodes,
            nodes_per_second: 1000.0 * nodes as f64 / elapsed_ms.max(1e-3),
            bt2630: rating(outcomes, budget),
        }
    }
}

fn rating(outcomes: &[PositionOutcome], budget: SearchBudget) -> Option<f64> {
    let limit = budget.move_time_ms.filter(|&limit| limit > 0)? as f64 / 1000.0;
    let seconds = |outcome: &PositionOutcome| outcome.solved_ms.map(|time| time / 1000.0);
    let times: Vec<Option<f64>> = outcomes.iter().map(seconds).collect();
    (times.len() == BT2630_POSITIONS).then(|| bt2630(&times, limit))
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * self.solved as f64 / self.positions.max(1) as f64;
        write!(
            f,
            "solved {} of {} ({share:.1} %)",
            self.solved, self.positions
        )?;
        if let (Some(mean), Some(geometric)) = (self.mean_ms, self.geometric_mean_ms) {
            let (mean, geometric) = (mean / 1000.0, geometric / 1000.0);
            write!(
                f,
                "\ntime to solution: mean {mean:.3} s, geometric mean {geometric:.3} s"
            )?;
        }
        if let Some(nodes) = self.geometric_mean_nodes {
            write!(f, "\nnodes to solution: geometric mean {nodes:.0}")?;
        }
        let speed = self.nodes_per_second;
        write!(
            f,
            "\nnodes: {} ({speed:.0} per second and search)",
            self.nodes
        )
    }
}
