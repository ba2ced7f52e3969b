//! The size of problems by depth, from the work measured so far.

use crate::thesis::team_params::TeamParams;

/// Deeper problems are counted together.
const DEPTHS: usize = 32;
/// The weight of a mean, as a multiple of the last measurement's.
const WEIGHT: u64 = 16;
/// The growth factor of the work per ply of depth.
const GROWTH: u64 = 3;
/// The assumed size of a problem with too many known nodes, as a multiple of `job_work_aim`.
const UNWIELDY: u64 = 4;

/// Means over the last problems of each depth, in nodes, times [`WEIGHT`]; `None` before the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct CostModel([Option<u64>; DEPTHS]);

impl CostModel {
    /// Adds the nodes that a problem of this depth has cost.
    pub(crate) fn note(&mut self, depth: u16, nodes: u64) {
        let mean = &mut self.0[usize::from(depth).min(DEPTHS - 1)];
        *mean = Some(mean.map_or(nodes * WEIGHT, |mean| mean - mean / WEIGHT + nodes));
    }

    /// Notes a problem with too many known nodes for a subtree job.
    pub(crate) fn note_unwieldy(&mut self, depth: u16, team: &TeamParams) {
        if i32::from(depth) > team.job_depth_max {
            self.note(depth - 1, UNWIELDY * team.job_work_aim as u64);
        }
    }

    /// Whether problems of this depth may be solved as subtree jobs while every thread has work.
    pub(crate) fn are_small(&self, depth: u16, team: &TeamParams) -> bool {
        let is_expected_small = || {
            let before = self.0[usize::from(depth - 1).min(DEPTHS - 1)];
            before.is_some_and(|mean| GROWTH * mean / WEIGHT <= team.job_work_aim as u64)
        };
        let is_deeper = i32::from(depth) > team.job_depth_max;
        !is_deeper || team.job_work_aim > 0 && is_expected_small()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_problems_are_small_as_long_as_those_before_them_are() {
        let team = TeamParams {
            job_depth_max: 3,
            job_work_aim: 90,
            ..TeamParams::default()
        };
        let mut cost_model = CostModel::default();
        assert!(cost_model.are_small(3, &team) && !cost_model.are_small(4, &team));
        cost_model.note(3, 30);
        assert!(cost_model.are_small(4, &team) && !cost_model.are_small(5, &team));
        cost_model.note(4, 31);
        assert!(!cost_model.are_small(5, &team));
        (0..100).for_each(|_| cost_model.note(4, 20));
        assert!(cost_model.are_small(5, &team));
        cost_model.note_unwieldy(5, &team);
        assert!(!cost_model.are_small(5, &team) && cost_model.are_small(4, &team));
        let team = TeamParams {
            job_work_aim: 0,
            ..team
        };
        assert!(cost_model.are_small(3, &team) && !cost_model.are_small(4, &team));
    }
}
