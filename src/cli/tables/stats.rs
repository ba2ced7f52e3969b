//! `cc2s tables stats`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use shakmaty::Color;

use super::{Directory, class_named};
use crate::retro::file::{TableFile, path_of};
use crate::retro::stats::{Longest, Results, SideStatistics};

/// Which tables to count.
///
/// "full" counts every placement (equal men unordered), "orbits" mirror images once; results are those of the side to
/// move, distances in plies, -1 where there is none.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[arg(help = "Endings such as KQvKR", value_name = "NAME", required = true)]
    names: Vec<String>,
    #[command(flatten)]
    directory: Directory,
    /// Add how many positions (mirror images once) there are of each distance
    #[arg(long)]
    histogram: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Counted {
    class: String,
    to_move: &'static str,
    line: String,
    /// Positions by distance in plies: negative for losses, even for them, odd for wins; draws left out.
    histogram: Vec<(i32, u64)>,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut report = Vec::new();
    for name in &arguments.names {
        let table =
            TableFile::open(&path_of(&arguments.directory.path, class_named(name)?))?.load()?;
        for turn in Color::ALL {
            let side = SideStatistics::of(&table, turn);
            let to_move = turn.fold_wb("white", "black");
            let line = line(name, turn, &side);
            report.push(Counted {
                class: name.clone(),
                to_move,
                line,
                histogram: histogram(&side),
            });
        }
    }
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
        return Ok(ExitCode::SUCCESS);
    }
    for counted in &report {
        println!("{}", counted.line);
        if arguments.histogram {
            for (plies, count) in &counted.histogram {
                println!("  {plies:>4} {count}");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn line(name: &str, turn: Color, side: &SideStatistics) -> String {
    let results = |r: &Results| {
        format!(
            "{} W {} D {} L {}",
            r.positions(),
            r.wins,
            r.draws,
            r.losses
        )
    };
    let longest = |l: &Longest| {
        let plies = l.plies.map_or(-1, i32::from);
        format!("{plies} (full {} orb {})", l.full, l.orbits)
    };
    format!(
        "{name} {} full {} | orbits {} | maxwin {} maxloss {}",
        turn.fold_wb("wtm", "btm"),
        results(&side.full),
        results(&side.orbits),
        longest(&side.win),
        longest(&side.loss)
    )
}

fn histogram(side: &SideStatistics) -> Vec<(i32, u64)> {
    let amount = |bin: usize| 128 - bin.abs_diff(128) as i32;
    let mut distances: Vec<_> = side
        .histogram
        .iter()
        .enumerate()
        .filter(|&(bin, &count)| bin != 128 && count > 0)
        .map(|(bin, &count)| {
            (
                if bin > 128 {
                    2 * amount(bin) - 1
                } else {
                    -2 * amount(bin)
                },
                count,
            )
        })
        .collect();
    distances.sort_unstable();
    distances
}
