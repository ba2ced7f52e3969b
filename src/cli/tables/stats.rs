//! `cc2s tables stats`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use shakmaty::Color;

use super::choice::subject_named;
use super::directory::{Directory, open};
use crate::cli::output::{say, say_json};
use crate::endgame::make::stats::{Longest, ResultCounts, SideStatistics};
use crate::endgame::make::table::Table;
use crate::endgame::make::{Metric, Subject, TableValue};

/// Which tables to count.
///
/// "full" counts every placement (equal men are interchangeable); "orbits" counts mirror images once. Results are for
/// the side to move; distances are in plies, -1 if there is none. Awari's positions have no mirror images.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[arg(
        help = "Tables such as KQvKR, KQvKR.wdl or awari-07-only",
        value_name = "NAME",
        required = true
    )]
    names: Vec<String>,
    #[command(flatten)]
    directory: Directory,
    /// Add the number of positions at each distance, counting mirror images once
    #[arg(long)]
    histogram: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Counted {
    class: String,
    to_move: Option<&'static str>,
    line: String,
    /// Number of positions by distance in plies: odd for wins, even for losses and negative, draws excluded. By
    /// points or result in tables without distances.
    histogram: Vec<(i32, u64)>,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut report = Vec::new();
    for name in &arguments.names {
        let file = open(arguments.directory.folder(), subject_named(name)?)?;
        match file.header().subject {
            Subject::Chess(..) => report.extend(count_chess(name, &file.load()?)),
            Subject::Awari(..) => report.push(count_awari(name, &file.load_side(0)?)),
        }
    }
    if arguments.json {
        say_json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    for counted in &report {
        say(&counted.line)?;
        if arguments.histogram {
            for (plies, count) in &counted.histogram {
                say(format_args!("  {plies:>4} {count}"))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn count_chess(name: &str, table: &Table) -> [Counted; 2] {
    [Color::White, Color::Black].map(|turn| {
        let side = SideStatistics::of(table, turn);
        Counted {
            class: name.to_owned(),
            to_move: Some(turn.fold_wb("white", "black")),
            line: line(name, turn, &side, table.metric()),
            histogram: match table.metric() {
                Metric::Distance => by_plies(&side.histogram),
                Metric::Points => by_points(&side.histogram),
            },
        }
    })
}

fn count_awari(name: &str, values: &[TableValue]) -> Counted {
    let mut histogram = vec![0; 256];
    for value in values {
        histogram[(128 + i16::from(value.raw())) as usize] += 1;
    }
    let results = ResultCounts {
        wins: histogram[129..].iter().sum(),
        draws: histogram[128],
        losses: histogram[..128].iter().sum(),
    };
    Counted {
        class: name.to_owned(),
        to_move: None,
        line: format!("{name} {}", text_of(&results)),
        histogram: by_points(&histogram),
    }
}

fn text_of(r: &ResultCounts) -> String {
    format!(
        "{} W {} D {} L {}",
        r.positions(),
        r.wins,
        r.draws,
        r.losses
    )
}

fn line(name: &str, turn: Color, side: &SideStatistics, metric: Metric) -> String {
    let longest = |l: &Longest| {
        let plies = l.plies.map_or(-1, i32::from);
        format!("{plies} (full {} orb {})", l.full, l.orbits)
    };
    let distances = match metric {
        Metric::Distance => format!(
            " | maxwin {} maxloss {}",
            longest(&side.win),
            longest(&side.loss)
        ),
        Metric::Points => String::new(),
    };
    format!(
        "{name} {} full {} | orbits {}{distances}",
        turn.fold_wb("wtm", "btm"),
        text_of(&side.full),
        text_of(&side.orbits)
    )
}

/// The nonempty bins by value; a bin's index is the value plus 128.
fn by_points(histogram: &[u64]) -> Vec<(i32, u64)> {
    let bins = histogram.iter().enumerate();
    bins.filter(|&(_, &count)| count > 0)
        .map(|(bin, &count)| (bin as i32 - 128, count))
        .collect()
}

/// The nonempty bins by distance in plies, draws excluded.
fn by_plies(histogram: &[u64]) -> Vec<(i32, u64)> {
    let plies = |value: i32| {
        let moves = 128 - value.abs();
        if value > 0 { 2 * moves - 1 } else { -2 * moves }
    };
    let values = by_points(histogram).into_iter();
    let mut distances: Vec<_> = values
        .filter(|&(value, _)| value != 0)
        .map(|(value, count)| (plies(value), count))
        .collect();
    distances.sort_unstable();
    distances
}
