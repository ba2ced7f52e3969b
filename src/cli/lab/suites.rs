//! `cc2s lab suites`.

use std::path::PathBuf;

use anyhow::Result;
use clap::{ArgGroup, Args};

use super::contenders::{CONTENDERS, seats};
use super::files::Files;
use super::positions::{BT2630, read};
use crate::cli::output::{progress_bar, say};
use crate::lab::contest::Entrant;
use crate::lab::outcome::Outcome;
use crate::lab::plot::Bar;
use crate::lab::suite::Problem;
use crate::lab::summary::Summary;
use crate::lab::trial::Budget;
use crate::lab::variants::measure;

/// The suites unless others are named.
const SUITES: [&str; 5] = [
    "positions/wac.epd",
    "positions/sts.epd",
    BT2630,
    "positions/bk.epd",
    "positions/kaufman.epd",
];

/// Nodes for each position where no limit is given.
const NODES: u64 = 100_000;

/// Suites solved by each search at equal time or equal nodes, in one table.
///
/// A position is solved as for `cc2s epd`. `median` is of the nodes to the solution, unsolved positions counting as
/// infinitely many; `points` are those of suites that give points to several moves, in per cent of the best moves'.
/// Engines are described as for `cc2s match`, but only this program's own searches can be given suites.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("limit").args(["movetime", "nodes"]))]
pub(in crate::cli) struct Arguments {
    /// A search with its settings; may be repeated
    #[arg(short, long, value_name = "ENGINE", default_values = CONTENDERS)]
    engine: Vec<Entrant>,
    /// A suite; may be repeated
    #[arg(long, value_name = "FILE", default_values = SUITES)]
    suite: Vec<PathBuf>,
    /// Take every N-th position only
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    every: u16,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for each position, tree and leaf together [default: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Positions searched at the same time
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    #[command(flatten)]
    files: Files,
}

/// What one search made of one suite.
struct Cell {
    suite: String,
    engine: String,
    summary: Summary,
    /// Nodes to the solution of the position in the middle; `None` if it is not solved.
    median: Option<u64>,
}

impl Arguments {
    fn budget(&self) -> Budget {
        let nodes = self.nodes.or(self.movetime.is_none().then_some(NODES));
        Budget {
            move_time_ms: self.movetime,
            nodes,
            depth: None,
        }
    }

    fn suites(&self) -> Result<Vec<(String, Vec<Problem>)>> {
        let suite = |path: &PathBuf| {
            let problems = read(path, &[])?.into_iter().step_by(self.every.into());
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            Ok((name.into_owned(), problems.collect()))
        };
        self.suite.iter().map(suite).collect()
    }
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let seats = seats(&arguments.engine)?;
    let suites = arguments.suites()?;
    let positions: usize = suites.iter().map(|(_, problems)| problems.len()).sum();
    let bar = progress_bar(positions * seats.len(), 0)?;
    bar.suspend(|| say(heading()))?;
    let mut cells = Vec::new();
    for (suite, problems) in &suites {
        for (entrant, (search, params)) in arguments.engine.iter().zip(&seats) {
            bar.set_message(format!("{suite} {}", entrant.name));
            let (budget, threads) = (arguments.budget(), arguments.concurrency.into());
            let trials = measure(problems, search, params, budget, threads, || {
                bar.inc(1);
                Ok(())
            })?;
            let outcomes = problems.iter().zip(&trials);
            let outcomes: Vec<Outcome> = outcomes
                .map(|(problem, trial)| Outcome::new(problem, trial))
                .collect();
            let cell = Cell {
                suite: suite.clone(),
                engine: entrant.name.clone(),
                summary: Summary::of(&outcomes, budget),
                median: median(&outcomes),
            };
            bar.suspend(|| say(line(&cell)))?;
            cells.push(cell);
        }
    }
    bar.finish_and_clear();
    let rows: Vec<_> = cells.iter().map(csv_row).collect();
    arguments.files.write_csv(&CSV_HEADER, &rows)?;
    let bars: Vec<Bar> = cells.iter().map(solved_bar).collect();
    arguments
        .files
        .draw_bars("Solved positions", "per cent, with 95 % interval", &bars)
}

fn median(outcomes: &[Outcome]) -> Option<u64> {
    let nodes = outcomes
        .iter()
        .map(|each| each.solved_nodes.unwrap_or(u64::MAX));
    let mut nodes: Vec<u64> = nodes.collect();
    nodes.sort_unstable();
    let middle = nodes.get(nodes.len() / 2);
    middle.copied().filter(|&nodes| nodes != u64::MAX)
}

fn heading() -> String {
    format!(
        "{:<10} {:<16} {:>12} {:>7} {:>10} {:>8} {:>12} {:>10}",
        "suite", "search", "solved", "%", "median", "points", "nodes", "nodes/s"
    )
}

fn share(summary: &Summary) -> f64 {
    summary.solved as f64 / summary.positions.max(1) as f64
}

fn line(cell: &Cell) -> String {
    let summary = &cell.summary;
    let solved = format!("{}/{}", summary.solved, summary.positions);
    let median = cell
        .median
        .map_or("-".to_owned(), |nodes| nodes.to_string());
    let points = match summary.points_max {
        0 => String::new(),
        max => format!("{:.1} %", 100.0 * summary.points as f64 / max as f64),
    };
    let rating = summary.bt2630.map(|rating| format!("  rating {rating:.0}"));
    format!(
        "{:<10} {:<16} {solved:>12} {:>7.1} {median:>10} {points:>8} {:>12} {:>10.0}{}",
        cell.suite,
        cell.engine,
        100.0 * share(summary),
        summary.nodes,
        summary.nodes_per_second,
        rating.unwrap_or_default()
    )
}

const CSV_HEADER: [&str; 9] = [
    "suite",
    "search",
    "solved",
    "positions",
    "median_nodes",
    "points",
    "points_max",
    "nodes",
    "bt2630",
];

fn csv_row(cell: &Cell) -> Vec<String> {
    let summary = &cell.summary;
    vec![
        cell.suite.clone(),
        cell.engine.clone(),
        summary.solved.to_string(),
        summary.positions.to_string(),
        cell.median.map_or(String::new(), |nodes| nodes.to_string()),
        summary.points.to_string(),
        summary.points_max.to_string(),
        summary.nodes.to_string(),
        summary
            .bt2630
            .map_or(String::new(), |rating| format!("{rating:.0}")),
    ]
}

fn solved_bar(cell: &Cell) -> Bar {
    let share = share(&cell.summary);
    let deviation = (share * (1.0 - share) / cell.summary.positions.max(1) as f64).sqrt();
    Bar {
        name: format!("{} {}", cell.suite, cell.engine),
        value: 100.0 * share,
        error: 196.0 * deviation,
    }
}
