//! `cc2s lab levels`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::files::Files;
use super::positions::{BT2630, read};
use crate::chess::Line;
use crate::cli::engine::EngineArguments;
use crate::cli::output::{progress_bar, say};
use crate::lab::levels::{LevelProfile, shape};
use crate::lab::plot::{Curve, PlotFrame};

/// The shape of the stored trees (thesis 2.4.2, Figs. 2.28 and 2.29): nodes on each level, with one required strategy
/// (Cc1s) and with the number in the settings (Cc2s).
///
/// The tree is that of the last requirement met within the given nodes. It contains positions after null moves, but not
/// the nodes of the evaluator.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// The positions, in Extended Position Description
    #[arg(long, default_value = BT2630, value_name = "FILE")]
    positions: PathBuf,
    /// Numbers of the positions in the file, from 1, separated by commas [default: those of the thesis]
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "N,N",
        default_value = "1,5,9,13,17,21,25"
    )]
    pick: Vec<usize>,
    /// Nodes for each search of a position, tree and leaf nodes together
    #[arg(long, default_value_t = 4_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    engine: EngineArguments,
}

/// The trees of one search, by position; `None` if no requirement was met.
struct Grown {
    search: String,
    shapes: Vec<(String, Option<LevelProfile>)>,
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let problems = read(&arguments.positions, &arguments.pick)?;
    let many = arguments.engine.params()?;
    let mut single = many.clone();
    single.cc2s.conspiracy_max = 1;
    let bar = progress_bar(2 * problems.len(), 0)?;
    let mut grown = Vec::new();
    for params in [single, many] {
        let mut shapes = Vec::new();
        for problem in &problems {
            let line = Line::new(problem.record.position.clone());
            shapes.push((problem.name(), shape(&line, &params, arguments.nodes)?));
            bar.inc(1);
        }
        let search = match params.cc2s.conspiracy_max {
            1 => "Cc1s".to_owned(),
            strategies => format!("Cc2s (conspiracy {strategies})"),
        };
        grown.push(Grown { search, shapes });
    }
    bar.finish_and_clear();
    for each in &grown {
        report(each)?;
    }
    let header = [
        "search",
        "position",
        "depth",
        "conspiracy",
        "level",
        "nodes",
    ];
    let rows: Vec<_> = grown.iter().flat_map(csv_rows).collect();
    arguments.files.write_csv(&header, &rows)?;
    let (frame, curves) = curves(&grown);
    arguments.files.draw(frame, &curves)
}

fn found(grown: &Grown) -> impl Iterator<Item = &LevelProfile> {
    grown.shapes.iter().filter_map(|(_, shape)| shape.as_ref())
}

/// Prints a column for each position and a line for each level.
fn report(grown: &Grown) -> Result<()> {
    say(format_args!(
        "{}: nodes on each level of the stored tree",
        grown.search
    ))?;
    let columns = |cell: &dyn Fn(&LevelProfile) -> String| {
        let cells = grown
            .shapes
            .iter()
            .map(|(_, shape)| shape.as_ref().map_or("-".to_owned(), cell));
        line(cells)
    };
    let names = line(grown.shapes.iter().map(|(name, _)| name.clone()));
    say(format_args!("{:<12}{names}", "position"))?;
    let demand = columns(&|shape| format!("({},{})", shape.met.depth, shape.met.conspiracy));
    say(format_args!("{:<12}{demand}", "demand met"))?;
    let deepest = found(grown).map(LevelProfile::depth).max().unwrap_or(0);
    for level in 1..=deepest {
        let nodes = columns(&|shape| shape.nodes.get(level).map_or(String::new(), u64::to_string));
        say(format_args!("level {level:<6}{nodes}"))?;
    }
    let all = columns(&|shape| shape.total().to_string());
    say(format_args!("{:<12}{all}", "all"))?;
    let widest = columns(&|shape| shape.widest().to_string());
    say(format_args!("{:<12}{widest}", "widest level"))?;
    let forgettings: u64 = found(grown).map(|shape| shape.forgettings).sum();
    if forgettings > 0 {
        say(format_args!(
            "the memory was full {forgettings} times, so nodes are missing; increase --hash"
        ))?;
    }
    say("")?;
    Ok(())
}

fn line(cells: impl Iterator<Item = String>) -> String {
    cells.fold(String::new(), |line, cell| format!("{line} {cell:>10}"))
}

fn csv_rows(grown: &Grown) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for (name, shape) in &grown.shapes {
        for (level, nodes) in shape
            .iter()
            .flat_map(|shape| shape.nodes.iter().enumerate())
        {
            let met = shape.as_ref().map(|shape| shape.met).unwrap_or_default();
            rows.push(vec![
                grown.search.clone(),
                name.clone(),
                met.depth.to_string(),
                met.conspiracy.to_string(),
                level.to_string(),
                nodes.to_string(),
            ]);
        }
    }
    rows
}

/// Nodes of all positions together by level, for each search.
fn curves(grown: &[Grown]) -> (PlotFrame<'static>, Vec<Curve>) {
    let curve = |grown: &Grown| {
        let mut sums: Vec<u64> = Vec::new();
        for shape in found(grown) {
            sums.resize(sums.len().max(shape.nodes.len()), 0);
            for (sum, nodes) in sums.iter_mut().zip(&shape.nodes) {
                *sum += nodes;
            }
        }
        let points = sums.iter().enumerate();
        Curve {
            name: grown.search.clone(),
            points: points
                .map(|(level, &sum)| (level as f64, sum as f64))
                .collect(),
        }
    };
    let curves: Vec<Curve> = grown.iter().map(curve).collect();
    let greatest = |of: fn(&(f64, f64)) -> f64| {
        let points = curves.iter().flat_map(|curve| &curve.points);
        points.map(of).fold(1.0, f64::max)
    };
    let frame = PlotFrame {
        caption: "Nodes on each level of the stored tree, all positions together",
        x_label: "level, in plies from the root",
        y_label: "nodes",
        x: (0.0, greatest(|point| point.0)),
        y: (1.0, greatest(|point| point.1)),
        is_logarithmic: true,
    };
    (frame, curves)
}
