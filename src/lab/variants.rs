//! The effect of single settings, measured on the same positions.

use std::sync::atomic::AtomicBool;

use crate::engine::registry::SearchEntry;
use crate::params::Declaration;
use crate::settings::{EngineParams, ParameterEntry};
use crate::tools::ToolError;
use crate::tools::epd::rating::mean;
use crate::tools::epd::run::trials;
use crate::tools::epd::suite::SuitePosition;
use crate::tools::epd::trial::{SearchBudget, Trial};

/// Half the width of a 95 % confidence interval of the normal distribution, in standard deviations.
const Z_95: f64 = 1.96;

/// Settings and their name.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The change, as `section.name=value`.
    pub name: String,
    /// All parameters.
    pub params: EngineParams,
}

/// The parameter sections of the searches.
pub const SEARCH_SECTIONS: [&str; 2] = ["cc2s", "leaf"];

impl Variant {
    /// Returns `params` with one parameter changed.
    ///
    /// # Errors
    /// The value is out of range.
    pub fn new(
        params: &EngineParams,
        entry: ParameterEntry,
        value: i64,
    ) -> Result<Self, ToolError> {
        let Declaration { name, .. } = entry.declaration;
        let mut changed = params.clone();
        (changed.set(entry.section, name, value)).map_err(ToolError::refused)?;
        Ok(Self {
            name: format!("{}.{name}={value}", entry.section),
            params: changed,
        })
    }

    /// Returns the parameters that differ from their defaults, as names and values of UCI options.
    pub fn options(&self) -> Vec<(String, String)> {
        let entries = EngineParams::entries();
        let changed = entries.filter_map(|entry| {
            let Declaration {
                name,
                default,
                is_switch,
                ..
            } = *entry.declaration;
            let value = self.params.get(entry.section, name)?;
            let text = match (is_switch, value) {
                (false, number) => number.to_string(),
                (true, 0) => "false".to_owned(),
                (true, _) => "true".to_owned(),
            };
            (value != default).then(|| (entry.option_name(), text))
        });
        changed.collect()
    }
}

/// Returns one variant for each feature enabled in `params`: a switch is turned off, a number that may be 0 is set
/// to 0.
pub fn ablations(params: &EngineParams) -> Vec<Variant> {
    let is_on = |entry: &ParameterEntry| {
        let value = params.get(entry.section, entry.declaration.name);
        SEARCH_SECTIONS.contains(&entry.section) && entry.declaration.min == 0 && value != Some(0)
    };
    let entries = EngineParams::entries().filter(is_on);
    let variants = entries.map(|entry| Variant::new(params, entry, 0));
    variants.collect::<Result<_, _>>().unwrap_or_default()
}

/// Runs all problems with these parameters on `threads` threads. Returns the trials in the order of the problems.
///
/// # Errors
/// The memory cannot be allocated, or the first error of `done`.
pub fn measure(
    problems: &[SuitePosition],
    entry: &SearchEntry,
    params: &EngineParams,
    budget: SearchBudget,
    threads: usize,
    mut done: impl FnMut() -> Result<(), ToolError>,
) -> Result<Vec<Trial>, ToolError> {
    let searches = (0..threads).map(|_| (entry.build)(params));
    let searches: Result<Vec<_>, _> = searches.collect();
    let searches = searches.map_err(ToolError::refused)?;
    let problems: Vec<&SuitePosition> = problems.iter().collect();
    let mut found = Vec::new();
    trials(
        &problems,
        budget,
        searches,
        &AtomicBool::new(false),
        |at, trial| {
            found.push((at, trial));
            done()
        },
    )?;
    found.sort_by_key(|(at, _)| *at);
    Ok(found.into_iter().map(|(_, trial)| trial).collect())
}

/// The effect of a change, measured position by position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Geometric mean of the ratio of nodes, changed to unchanged, up to the greatest depth completed by both.
    pub ratio: f64,
    /// The 95 % confidence interval of the ratio.
    pub interval: (f64, f64),
    /// Positions on which both completed a depth.
    pub compared: usize,
    /// Positions solved with the change.
    pub solved: usize,
    /// Positions solved only with the change.
    pub gained: usize,
    /// Positions solved only without the change.
    pub lost: usize,
}

impl Effect {
    /// Compares trials of the same problems.
    pub fn of(unchanged: &[Trial], changed: &[Trial]) -> Self {
        let pairs = || unchanged.iter().zip(changed);
        let logarithms: Vec<f64> = pairs()
            .filter_map(|(unchanged, changed)| {
                let depth = unchanged.depth().min(changed.depth());
                let (before, after) = (unchanged.nodes_to(depth)?, changed.nodes_to(depth)?);
                Some((after.max(1) as f64 / before.max(1) as f64).ln())
            })
            .collect();
        let center = mean(&logarithms).unwrap_or(0.0);
        let squares: f64 = logarithms.iter().map(|each| (each - center).powi(2)).sum();
        let count = logarithms.len() as f64;
        let deviation = Z_95 * (squares / (count - 1.0).max(1.0) / count.max(1.0)).sqrt();
        let solved = |trial: &Trial| trial.solved.is_some();
        let gained = pairs().filter(|(before, after)| !solved(before) && solved(after));
        let lost = pairs().filter(|(before, after)| solved(before) && !solved(after));
        Self {
            ratio: center.exp(),
            interval: ((center - deviation).exp(), (center + deviation).exp()),
            compared: logarithms.len(),
            solved: changed.iter().filter(|trial| solved(trial)).count(),
            gained: gained.count(),
            lost: lost.count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::epd::parse_line;
    use crate::tools::epd::trial::Moment;
    use std::time::Duration;

    fn trial(nodes: &[u64], is_solved: bool) -> Trial {
        let at = |nodes: u64| Moment {
            elapsed: Duration::ZERO,
            nodes,
        };
        let record = parse_line("6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#;").unwrap();
        Trial {
            best: record.best[0],
            score: None,
            safety: None,
            claim: None,
            solved: is_solved.then_some(at(1)),
            depths: (1..).zip(nodes.iter().map(|&nodes| at(nodes))).collect(),
            end: at(1_000),
            work: crate::game::Work::default(),
        }
    }

    #[test]
    fn costs_are_compared_at_the_deepest_common_depth() {
        let before = [
            trial(&[10, 100, 1_000], true),
            trial(&[5, 50], false),
            trial(&[], true),
        ];
        let after = [
            trial(&[10, 200], false),
            trial(&[9, 400, 9_000], true),
            trial(&[7], true),
        ];
        let effect = Effect::of(&before, &after);
        assert!((effect.ratio - 4.0).abs() < 1e-9, "{effect:?}");
        assert!(
            effect.interval.0 < 2.0 && effect.interval.1 > 8.0,
            "{effect:?}"
        );
        let counts = (effect.compared, effect.solved, effect.gained, effect.lost);
        assert_eq!(counts, (2, 2, 1, 1));
    }

    #[test]
    fn everything_that_is_on_is_switched_off_once() {
        let params = EngineParams::default();
        let variants = ablations(&params);
        for variant in &variants {
            assert_ne!(variant.params, params, "{}", variant.name);
            assert_eq!(variant.options().len(), 1, "{}", variant.name);
        }
        let is_there = |name: &str| variants.iter().any(|variant| variant.name == name);
        assert!(is_there("cc2s.null_move=0") && is_there("leaf.history=0"));
        assert!(is_there("cc2s.revaluation_window_cp=0") && is_there("leaf.eval_depth=0"));
        assert!(!is_there("cc2s.open_windows=0") && !is_there("time.doubt_permille=0"));
    }
}
