//! `cc2s lab calibration`.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use super::files::Files;
use crate::chess::Position;
use crate::cli::engine::EngineArguments;
use crate::cli::output::{progress_bar, say};
use crate::engine::search::Search;
use crate::engine::side_by_side;
use crate::lab::calibration::{
    CalibrationRow, Case, KeptMoves, advantage, by_margin, judge, positions, rows,
};
use crate::lab::plot::{Curve, PlotFrame};
use crate::tools::source;

/// Tests how well safety predicts the best move. Searches positions from games, then again with many more nodes, and
/// counts equal moves: by depth for one strategy and for two, and by margin for two.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// Games with the positions
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Take a position every N plies
    #[arg(long, default_value_t = 7, value_name = "PLIES", value_parser = clap::value_parser!(u16).range(1..))]
    every: u16,
    /// Maximum number of positions
    #[arg(long, default_value_t = 2_000, value_name = "N")]
    positions: usize,
    /// Nodes of the first search
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    nodes: u64,
    /// Factor by which the nodes of the second search are larger
    #[arg(long, default_value_t = 30, value_name = "N")]
    factor: u64,
    /// Positions searched at the same time, each with its own search
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    engine: EngineArguments,
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let searches = arguments.engine.make_many(arguments.concurrency.into())?;
    let mut chosen = Vec::new();
    for path in &arguments.games {
        for game in source::games(path)? {
            chosen.extend(positions(&game, usize::from(arguments.every)));
        }
    }
    ensure!(!chosen.is_empty(), "no positions in these games");
    chosen.truncate(arguments.positions);
    let bar = progress_bar(chosen.len(), 0)?;
    let mut cases = Vec::new();
    let (nodes, factor) = (arguments.nodes, arguments.factor);
    let work =
        |search: &mut dyn Search, position: &Position| Some(judge(search, position, nodes, factor));
    side_by_side(&chosen, searches, work, |_, case| {
        cases.push(case);
        bar.inc(1);
        anyhow::Ok(())
    })?;
    bar.finish_and_clear();
    let rows = rows(&cases);
    report(&rows, cases.len())?;
    report_margins(&cases)?;
    let header = ["depth", "strategies", "margin", "positions", "kept"];
    let lines: Vec<_> = rows
        .iter()
        .flat_map(|row| csv_rows(row.depth, &cases))
        .collect();
    arguments.files.write_csv(&header, &lines)?;
    draw(&arguments.files, &rows)
}

fn report(rows: &[CalibrationRow], count: usize) -> Result<()> {
    say(format_args!(
        "{count} positions: how often the move is kept, in percent, with the standard error"
    ))?;
    say("depth   one strategy           two strategies")?;
    for row in rows {
        say(format_args!(
            "{:>5}   {:<22} {}",
            row.depth,
            percent(row.one),
            percent(row.two)
        ))?;
    }
    let sum = |share: fn(&CalibrationRow) -> KeptMoves| {
        rows.iter()
            .map(share)
            .fold(KeptMoves::default(), |sum, share| KeptMoves {
                cases: sum.cases + share.cases,
                kept: sum.kept + share.kept,
            })
    };
    say(format_args!(
        "  all   {:<22} {}",
        percent(sum(|row| row.one)),
        percent(sum(|row| row.two))
    ))?;
    let verdict = advantage(rows).map_or_else(
        || "no depth was reached both with one strategy and with two".to_owned(),
        |(advantage, error)| {
            format!(
                "two strategies against one at equal depth: {:+.1} ± {:.1} percent points (95 %)",
                100.0 * advantage,
                196.0 * error
            )
        },
    );
    say(verdict)?;
    Ok(())
}

fn report_margins(cases: &[Case]) -> Result<()> {
    say("margin  kept")?;
    for (margin, share) in by_margin(cases) {
        let margin = margin.map_or("none".to_owned(), |margin| margin.to_string());
        say(format_args!("{margin:>6}  {}", percent(share)))?;
    }
    Ok(())
}

fn percent(share: KeptMoves) -> String {
    share.rate().map_or_else(
        || "-".to_owned(),
        |(rate, error)| {
            format!(
                "{:.1} ± {:.1} of {}",
                100.0 * rate,
                100.0 * error,
                share.cases
            )
        },
    )
}

/// The cases of one depth, by margin.
fn csv_rows(depth: u16, cases: &[Case]) -> Vec<Vec<String>> {
    let cases = cases.iter().filter(|case| case.depth == depth);
    let cases: Vec<Case> = cases.copied().collect();
    let row = |(margin, share): (Option<u16>, KeptMoves)| {
        vec![
            depth.to_string(),
            margin.map_or(1, |_| 2).to_string(),
            margin.map_or(String::new(), |margin| margin.to_string()),
            share.cases.to_string(),
            share.kept.to_string(),
        ]
    };
    by_margin(&cases).into_iter().map(row).collect()
}

fn draw(files: &Files, rows: &[CalibrationRow]) -> Result<()> {
    let curve = |name: &str, share: fn(&CalibrationRow) -> KeptMoves| Curve {
        name: name.to_owned(),
        points: rows
            .iter()
            .filter_map(|row| {
                let (rate, _) = share(row).rate()?;
                Some((f64::from(row.depth), 100.0 * rate))
            })
            .collect(),
    };
    let depths = || rows.iter().map(|row| f64::from(row.depth));
    let frame = PlotFrame {
        caption: "How often the move is kept after many times the nodes",
        x_label: "depth reached with one strategy, in plies",
        y_label: "kept, in percent",
        x: (
            depths().fold(f64::INFINITY, f64::min),
            depths().fold(0.0, f64::max),
        ),
        y: (0.0, 100.0),
        is_logarithmic: false,
    };
    let curves = [
        curve("one strategy", |row| row.one),
        curve("two strategies", |row| row.two),
    ];
    files.draw(frame, &curves)
}
