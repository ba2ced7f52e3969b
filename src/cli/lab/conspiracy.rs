//! `cc2s lab conspiracy`.

use anyhow::Result;
use clap::Args;

use super::files::Files;
use crate::cli::output::{progress_bar, say};
use crate::lab::granularity::{Runs, search};
use crate::lab::plot::{Curve, PlotFrame};

/// Why classical conspiracy number search does not terminate (thesis 1.5.2).
///
/// Seeded games with four moves per node, 60 plies deep; heuristic scores have errors of up to a pawn. Each search runs
/// until the root has the required conspiracy number. For finer and finer scales, the table shows how many searches
/// end, and the median number of expansions if at least half of them do.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// Steps of the scale, in centipawns, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "200,100,40,20,4", value_name = "CP,CP", value_parser = clap::value_parser!(u16).range(1..=400))]
    steps: Vec<u16>,
    /// Required conspiracy numbers, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "2,3,4", value_name = "C,C", value_parser = clap::value_parser!(u32).range(1..))]
    conspiracies: Vec<u32>,
    /// Games
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Expansions after which a search is abandoned
    #[arg(long, default_value_t = 2_000, value_name = "N")]
    expansions: usize,
    #[command(flatten)]
    files: Files,
}

/// The runs with one step, by conspiracy.
type StepRuns = (u16, Vec<Runs>);

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let games = arguments.games as usize;
    let bar = progress_bar(arguments.steps.len() * arguments.conspiracies.len(), 0)?;
    let columns = arguments.conspiracies.iter();
    let columns = columns.fold(String::new(), |line, conspiracy| {
        format!("{line} {:>18}", format!("conspiracy {conspiracy}"))
    });
    bar.suspend(|| {
        say(format_args!(
            "{:>6} {:>7} {:>13}{columns}",
            "step", "scores", "vector, bytes"
        ))
    })?;
    let mut rows: Vec<StepRuns> = Vec::new();
    for &step in &arguments.steps {
        let mut runs = Vec::new();
        for &conspiracy in &arguments.conspiracies {
            runs.push(search(
                step,
                conspiracy,
                arguments.games,
                arguments.expansions,
            ));
            bar.inc(1);
        }
        bar.suspend(|| say(line(step, &runs, games)))?;
        rows.push((step, runs));
    }
    bar.finish_and_clear();
    arguments
        .files
        .write_csv(&CSV_HEADER, &csv_rows(arguments, &rows))?;
    let (frame, curves) = curves(arguments, &rows);
    arguments.files.draw(frame, &curves)
}

fn line(step: u16, runs: &[Runs], games: usize) -> String {
    let Some(Runs {
        scores,
        vector_bytes,
        ..
    }) = runs.first()
    else {
        return String::new();
    };
    let cells = runs.iter().map(|runs| {
        let ended = format!("{} of {games}", runs.ended.len());
        match runs.median(games) {
            Some(median) => format!("{ended}, {median}"),
            None => ended,
        }
    });
    let cells = cells.fold(String::new(), |line, cell| format!("{line} {cell:>18}"));
    format!("{step:>6} {scores:>7} {vector_bytes:>13}{cells}")
}

const CSV_HEADER: [&str; 6] = [
    "step_cp",
    "scores",
    "vector_bytes",
    "conspiracy",
    "ended",
    "median_expansions",
];

fn csv_rows(arguments: &Arguments, rows: &[StepRuns]) -> Vec<Vec<String>> {
    let games = arguments.games as usize;
    let cells = rows.iter().flat_map(|(step, runs)| {
        let runs = arguments.conspiracies.iter().zip(runs);
        runs.map(move |(conspiracy, runs)| (step, conspiracy, runs))
    });
    let row = |(step, conspiracy, runs): (&u16, &u32, &Runs)| {
        vec![
            step.to_string(),
            runs.scores.to_string(),
            runs.vector_bytes.to_string(),
            conspiracy.to_string(),
            runs.ended.len().to_string(),
            runs.median(games)
                .map_or(String::new(), |median| median.to_string()),
        ]
    };
    cells.map(row).collect()
}

/// Terminated searches by the number of scores, for each conspiracy.
fn curves(arguments: &Arguments, rows: &[StepRuns]) -> (PlotFrame<'static>, Vec<Curve>) {
    let curve = |(at, conspiracy): (usize, &u32)| {
        let points = rows
            .iter()
            .map(|(_, runs)| (runs[at].scores as f64, runs[at].ended.len() as f64));
        Curve {
            name: format!("conspiracy {conspiracy}"),
            points: points.collect(),
        }
    };
    let curves: Vec<Curve> = arguments
        .conspiracies
        .iter()
        .enumerate()
        .map(curve)
        .collect();
    let scores = rows
        .iter()
        .flat_map(|(_, runs)| runs)
        .map(|runs| runs.scores);
    let frame = PlotFrame {
        caption: "Classical conspiracy number search: searches that end",
        x_label: "scores on the scale",
        y_label: "searches ended",
        x: (0.0, scores.max().unwrap_or(1) as f64),
        y: (0.0, arguments.games as f64),
        is_logarithmic: false,
    };
    (frame, curves)
}
