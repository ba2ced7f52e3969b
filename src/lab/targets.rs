//! Savings by targets (thesis 2.4.1, Fig. 2.27): the standard search, with open windows, and without partial
//! expansion.

use super::course::{CourseLimits, MetRequirement, decide};
use crate::chess::Line;
use crate::game::Requirement;
use crate::settings::EngineParams;
use crate::tools::ToolError;

/// The names of the versions in the thesis.
pub const VERSIONS: [&str; 3] = ["V1", "V2", "V3"];

/// V1: `params` unchanged. V2: every evaluation asks for an exact value. V3: every expansion does so for all
/// successors.
fn versions(params: &EngineParams) -> [EngineParams; 3] {
    let mut open = params.clone();
    open.cc2s.open_windows = true;
    let mut all = open.clone();
    all.cc2s.value_all = true;
    [params.clone(), open, all]
}

/// The three versions on one position with the same requirements.
#[derive(Debug)]
pub struct Comparison {
    /// The requirements met by each version, truncated to those met by all three.
    pub steps: [Vec<MetRequirement>; 3],
}

/// One number for each version.
pub type VersionCosts = [f64; 3];

impl Comparison {
    /// Returns the last requirement met by all versions; `None` if there is none.
    pub fn met(&self) -> Option<Requirement> {
        Some(self.last()?[0].met)
    }

    /// Returns the last step of each version.
    pub fn last(&self) -> Option<[&MetRequirement; 3]> {
        let [first, second, third] = &self.steps;
        Some([first.last()?, second.last()?, third.last()?])
    }

    /// Returns the cost of `requirement` for each version, if all have met it.
    pub fn costs(
        &self,
        requirement: Requirement,
        measure: fn(&MetRequirement) -> f64,
    ) -> Option<VersionCosts> {
        let at = self.steps[0]
            .iter()
            .position(|step| step.met == requirement)?;
        Some([0, 1, 2].map(|version| measure(&self.steps[version][at])))
    }
}

/// Searches with each version until the depth `depth` is completed with full conspiracy or `nodes_max` nodes (tree
/// and leaf) are spent. The most expensive version runs first, and the others stop at the requirement it reached.
///
/// # Errors
/// The memory cannot be allocated.
pub fn compare(
    line: &Line,
    params: &EngineParams,
    depth: u16,
    nodes_max: u64,
) -> Result<Comparison, ToolError> {
    let [first, second, third] = versions(params);
    let mut limits = CourseLimits {
        depth,
        nodes: nodes_max,
        enough: None,
    };
    let third = decide(line, &third, limits)?.steps;
    limits.enough = Some(third.last().map_or(Requirement::default(), |step| step.met));
    let second = decide(line, &second, limits)?.steps;
    let first = decide(line, &first, limits)?.steps;
    let mut steps = [first, second, third];
    let common = steps.iter().map(Vec::len).min().unwrap_or(0);
    for each in &mut steps {
        each.truncate(common);
    }
    Ok(Comparison { steps })
}

/// Geometric means over positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Means {
    /// Number of positions.
    pub positions: usize,
    /// Cost of the first version.
    pub first: f64,
    /// Cost of the second version relative to the first.
    pub second_ratio: f64,
    /// Cost of the third version relative to the first.
    pub third_ratio: f64,
}

impl Means {
    /// Returns the means of positive costs; `None` if there are none.
    pub fn of(costs: &[VersionCosts]) -> Option<Self> {
        let mean = |of: fn(&VersionCosts) -> f64| {
            let logarithms: f64 = costs.iter().map(|each| of(each).ln()).sum();
            (logarithms / costs.len() as f64).exp()
        };
        (!costs.is_empty()).then(|| Self {
            positions: costs.len(),
            first: mean(|costs| costs[0]),
            second_ratio: mean(|costs| costs[1] / costs[0]),
            third_ratio: mean(|costs| costs[2] / costs[0]),
        })
    }
}

/// Returns the requirements met by all versions on any position, in the order of the schedule.
pub fn requirements(comparisons: &[Comparison]) -> Vec<Requirement> {
    let mut found: Vec<Requirement> = Vec::new();
    for step in comparisons.iter().flat_map(|each| &each.steps[0]) {
        if !found.contains(&step.met) {
            found.push(step.met);
        }
    }
    found.sort_by_key(|met| (met.depth, met.conspiracy));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_geometric() {
        let means = Means::of(&[[1.0, 2.0, 8.0], [4.0, 32.0, 8.0]]).unwrap();
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert_eq!(means.positions, 2);
        assert!(close(means.first, 2.0));
        assert!(close(means.second_ratio, 4.0));
        assert!(close(means.third_ratio, 4.0));
        assert_eq!(Means::of(&[]), None);
    }
}
