//! `cc2s lab fig2-27`.

use anyhow::Result;
use clap::Args;

use super::files::Files;
use super::positions::Selection;
use crate::chess::Line;
use crate::chess::notation::san;
use crate::cli::engine::EngineArguments;
use crate::cli::output::{progress_bar, say};
use crate::lab::course::MetRequirement;
use crate::lab::plot::{Curve, PlotFrame};
use crate::lab::targets::{Comparison, Means, VERSIONS, VersionCosts, compare, requirements};
use crate::tools::epd::score::is_right;
use crate::tools::epd::suite::SuitePosition;

/// Savings by targets (thesis 2.4.1, Fig. 2.27).
///
/// V1 is the search with the given settings. V2 evaluates every node with an open window, V3 all successors of every
/// node it expands. All three must meet the same requirement on each position, the deepest that each of them meets
/// within the given nodes. Positions on which one of them does not meet even the first requirement are listed and do
/// not count.
///
/// Tree nodes are the nodes that the search stores, as in the figure. Nodes include those of the evaluator and
/// represent time.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// Nodes for each version on a position, tree and leaf nodes together
    #[arg(long, default_value_t = 3_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Depth of the largest requirement, in plies
    #[arg(long, default_value_t = 12, value_name = "D", value_parser = clap::value_parser!(u16).range(1..))]
    depth: u16,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    engine: EngineArguments,
}

/// The name of a measure and its value for a step.
type Measure = (&'static str, fn(&MetRequirement) -> f64);

const MEASURES: [Measure; 3] = [
    ("tree nodes", |step| step.tree_nodes as f64),
    ("nodes", |step| step.nodes as f64),
    ("seconds", |step| step.elapsed.as_secs_f64().max(1e-6)),
];

/// Values of the thesis (sums over 25 positions): V2/V1 and V3/V1, by measure.
const THESIS: [Option<(f64, f64)>; 3] = [Some((0.74, 3.4)), None, Some((3.1, 13.4))];

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let problems = arguments.selection.read()?;
    let params = arguments.engine.params()?;
    let bar = progress_bar(problems.len(), 0)?;
    bar.suspend(|| say(heading()))?;
    let mut comparisons = Vec::new();
    for problem in &problems {
        let line = Line::new(problem.record.position.clone());
        let comparison = compare(&line, &params, arguments.depth, arguments.nodes)?;
        bar.suspend(|| say(row(problem, &comparison)))?;
        bar.inc(1);
        comparisons.push(comparison);
    }
    bar.finish_and_clear();
    report_sums(&problems, &comparisons)?;
    report_growth(&comparisons)?;
    let rows: Vec<_> = problems
        .iter()
        .zip(&comparisons)
        .flat_map(|(problem, comparison)| csv_rows(problem, comparison))
        .collect();
    arguments.files.write_csv(&CSV_HEADER, &rows)?;
    let (frame, curves) = curves(&comparisons);
    arguments.files.draw(frame, &curves)
}

fn heading() -> String {
    let columns = MEASURES.map(|(name, _)| format!("{:>12} {:>6} {:>6}", name, "V2/V1", "V3/V1"));
    format!(
        "{:<14} {:>6} {}  moves of V1, V2, V3",
        "position",
        "demand",
        columns.join(" ")
    )
}

/// The costs of the deepest common requirement, by measure.
fn last_costs(comparison: &Comparison) -> Option<[VersionCosts; 3]> {
    let met = comparison.met()?;
    let costs = MEASURES.map(|(_, measure)| comparison.costs(met, measure));
    let [Some(tree), Some(nodes), Some(seconds)] = costs else {
        return None;
    };
    Some([tree, nodes, seconds])
}

fn row(problem: &SuitePosition, comparison: &Comparison) -> String {
    let name = problem.name();
    let (Some(costs), Some(steps)) = (last_costs(comparison), comparison.last()) else {
        return format!("{name:<14} no requirement was met by all within the given nodes");
    };
    let met = steps[0].met;
    let columns: Vec<String> = costs
        .iter()
        .zip(MEASURES)
        .map(|([first, second, third], (name, _))| {
            let decimals = if name == "seconds" { 3 } else { 0 };
            let shown = format!("{first:.decimals$}");
            format!("{shown:>12} {:>6.2} {:>6.2}", second / first, third / first)
        })
        .collect();
    let moves = steps.map(|step| {
        let sign = if is_solved(problem, step) { "+" } else { "" };
        san(&problem.record.position, step.best) + sign
    });
    let demand = format!("({},{})", met.depth, met.conspiracy);
    format!(
        "{name:<14} {demand:>6} {}  {}",
        columns.join(" "),
        moves.join(" ")
    )
}

fn is_solved(problem: &SuitePosition, step: &MetRequirement) -> bool {
    is_right(&problem.record, step.best, Some(step.hypothesis))
}

/// Reports sums and geometric means over all positions with those of the thesis, equal decisions, and correct
/// moves.
fn report_sums(problems: &[SuitePosition], comparisons: &[Comparison]) -> Result<()> {
    let counted: Vec<[VersionCosts; 3]> = comparisons.iter().filter_map(last_costs).collect();
    say(format_args!(
        "\n{:<12} {:>30} {:>30} {:>16}",
        "", "ratio of sums V2/V1 V3/V1", "geometric mean V2/V1 V3/V1", "thesis (sums)"
    ))?;
    for (at, (name, _)) in MEASURES.iter().enumerate() {
        let costs: Vec<VersionCosts> = counted.iter().map(|each| each[at]).collect();
        let Some(means) = Means::of(&costs) else {
            continue;
        };
        let sum = |version: usize| costs.iter().map(|each| each[version]).sum::<f64>();
        let (second, third) = (sum(1) / sum(0), sum(2) / sum(0));
        let thesis = THESIS[at].map_or(String::new(), |(second, third)| {
            format!("{second:.2} {third:.1}")
        });
        say(format_args!(
            "{name:<12} {second:>23.2} {third:>6.2} {:>23.2} {:>6.2} {thesis:>16}",
            means.second_ratio, means.third_ratio
        ))?;
    }
    let last: Vec<_> = problems.iter().zip(comparisons).collect();
    let alike = last.iter().filter_map(|(_, comparison)| comparison.last());
    let alike = alike
        .filter(|[first, second, third]| first.best == second.best && first.best == third.best)
        .count();
    let solved = [0, 1, 2].map(|version| {
        let is_right = |(problem, comparison): &&(&SuitePosition, &Comparison)| {
            let steps = comparison.last();
            steps.is_some_and(|steps| is_solved(problem, steps[version]))
        };
        last.iter().filter(is_right).count()
    });
    say(format_args!(
        "same move on {alike} of {} positions (thesis 21 of 25); right: V1 {}, V2 {}, V3 {}",
        counted.len(),
        solved[0],
        solved[1],
        solved[2]
    ))?;
    Ok(())
}

/// Reports the costs of each requirement, over the positions on which all versions met it.
fn report_growth(comparisons: &[Comparison]) -> Result<()> {
    say(format_args!(
        "\n{:>6} {:>9} {:>16} {:>6} {:>6} {:>12} {:>6} {:>6}",
        "demand",
        "positions",
        "tree nodes of V1",
        "V2/V1",
        "V3/V1",
        "nodes of V1",
        "V2/V1",
        "V3/V1"
    ))?;
    for requirement in requirements(comparisons) {
        let means = |measure: fn(&MetRequirement) -> f64| {
            let costs = comparisons.iter();
            let costs: Vec<VersionCosts> = costs
                .filter_map(|each| each.costs(requirement, measure))
                .collect();
            Means::of(&costs)
        };
        let (Some(tree), Some(nodes)) = (means(MEASURES[0].1), means(MEASURES[1].1)) else {
            continue;
        };
        let demand = format!("({},{})", requirement.depth, requirement.conspiracy);
        say(format_args!(
            "{demand:>6} {:>9} {:>16.0} {:>6.2} {:>6.2} {:>12.0} {:>6.2} {:>6.2}",
            tree.positions,
            tree.first,
            tree.second_ratio,
            tree.third_ratio,
            nodes.first,
            nodes.second_ratio,
            nodes.third_ratio
        ))?;
    }
    Ok(())
}

const CSV_HEADER: [&str; 9] = [
    "position",
    "version",
    "depth",
    "conspiracy",
    "tree_nodes",
    "nodes",
    "seconds",
    "move",
    "right",
];

/// One row for each version and requirement.
fn csv_rows(problem: &SuitePosition, comparison: &Comparison) -> Vec<Vec<String>> {
    let versions = VERSIONS.iter().zip(&comparison.steps);
    versions
        .flat_map(|(version, steps)| steps.iter().map(move |step| (version, step)))
        .map(|(version, step)| {
            vec![
                problem.name(),
                (*version).to_owned(),
                step.met.depth.to_string(),
                step.met.conspiracy.to_string(),
                step.tree_nodes.to_string(),
                step.nodes.to_string(),
                format!("{:.6}", step.elapsed.as_secs_f64()),
                san(&problem.record.position, step.best),
                is_solved(problem, step).to_string(),
            ]
        })
        .collect()
}

/// Nodes by requirement, for each version.
fn curves(comparisons: &[Comparison]) -> (PlotFrame<'static>, Vec<Curve>) {
    let mut curves = VERSIONS.map(|version| Curve {
        name: version.to_owned(),
        points: Vec::new(),
    });
    let demands = requirements(comparisons);
    let mut greatest = 10.0_f64;
    for (at, &requirement) in demands.iter().enumerate() {
        let costs: Vec<VersionCosts> = comparisons
            .iter()
            .filter_map(|each| each.costs(requirement, MEASURES[1].1))
            .collect();
        if let Some(means) = Means::of(&costs) {
            let ratios = [1.0, means.second_ratio, means.third_ratio];
            for (curve, ratio) in curves.iter_mut().zip(ratios) {
                let nodes = means.first * ratio;
                greatest = greatest.max(nodes);
                curve.points.push((at as f64 + 1.0, nodes));
            }
        }
    }
    let frame = PlotFrame {
        caption: "Nodes to meet a requirement, geometric means",
        x_label: "requirement, by its place in the schedule",
        y_label: "tree and leaf nodes",
        x: (1.0, (demands.len() as f64).max(2.0)),
        y: (1.0, greatest),
        is_logarithmic: true,
    };
    (frame, curves.into())
}
