//! `cc2s lab safety`.

use std::fmt;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use super::positions::read;
use crate::cli::engine::EngineArguments;
use crate::cli::output::{progress_bar, say};
use crate::lab::safety::{Told, median_margin};
use crate::lab::variants::measure;
use crate::tools::epd::rating::mean;
use crate::tools::epd::suite::SuitePosition;
use crate::tools::epd::trial::{SearchBudget, Trial};

/// Searches positions, each as a new game, and counts how often two strategies show the decision, within which margin,
/// and how deep.
///
/// With --depth every position is searched twice instead, with `Conspiracy` 2 and 1, and differences in move and score
/// are counted.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// The positions, in Extended Position Description
    #[arg(long, default_value = "positions/sts.epd", value_name = "FILE")]
    positions: PathBuf,
    /// Number of the first position in the file
    #[arg(long, default_value_t = 7, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    from: u32,
    /// Use every Nth position from there
    #[arg(long, default_value_t = 25, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Nodes for each position
    #[arg(long, default_value_t = 1_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Spend as much on safety as in analysis
    #[arg(long)]
    analysis: bool,
    /// Compare with `Conspiracy` 1 at this depth instead
    #[arg(long, value_name = "PLIES", conflicts_with_all = ["nodes", "analysis"], value_parser = clap::value_parser!(u16).range(1..))]
    depth: Option<u16>,
    /// Positions searched at the same time, each with its own search
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    #[command(flatten)]
    engine: EngineArguments,
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let problems: Vec<SuitePosition> = read(&arguments.positions, &[])?
        .into_iter()
        .skip(arguments.from as usize - 1)
        .step_by(arguments.every as usize)
        .collect();
    ensure!(!problems.is_empty(), "no such positions in this file");
    if let Some(depth) = arguments.depth {
        return compare(arguments, &problems, depth);
    }
    let budget = SearchBudget {
        nodes: Some(arguments.nodes),
        is_analysis: arguments.analysis,
        ..SearchBudget::default()
    };
    report(&search(arguments, &problems, budget, None)?)
}

/// Searches all positions, with another value of `Conspiracy` if given.
fn search(
    arguments: &Arguments,
    problems: &[SuitePosition],
    budget: SearchBudget,
    conspiracy: Option<i64>,
) -> Result<Vec<Trial>> {
    let mut params = arguments.engine.params()?;
    if let Some(conspiracy) = conspiracy {
        params.set("delegation", "conspiracy", conspiracy)?;
    }
    let (entry, threads) = (arguments.engine.entry()?, arguments.concurrency.into());
    let bar = progress_bar(problems.len(), 0)?;
    let trials = measure(problems, entry, &params, budget, threads, || {
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    Ok(trials)
}

fn report(trials: &[Trial]) -> Result<()> {
    let decisions: Vec<Option<Told>> = trials.iter().map(Told::of).collect();
    let told: Vec<Told> = decisions.iter().copied().flatten().collect();
    let of_told = |holds: fn(&Told) -> bool| {
        let count = told.iter().filter(|told| holds(told)).count();
        Proportion(count, told.len())
    };
    say(format_args!(
        "two strategies shown           {}",
        Proportion(told.len(), decisions.len())
    ))?;
    let median = median_margin(&decisions).map_or("none".to_owned(), |cp| format!("{cp} cp"));
    say(format_args!("median margin                  {median}"))?;
    say(format_args!(
        "plies, and depth of the search {:.1}, {:.1} on average",
        mean_of(told.iter().map(|told| told.plies)),
        mean_of(trials.iter().map(Trial::depth))
    ))?;
    say(format_args!(
        "at least half as deep          {}",
        of_told(|told| told.is_half_as_deep())
    ))?;
    say(format_args!(
        "fits last move and score       {}",
        of_told(|told| told.is_consistent)
    ))?;
    let mut margins: Vec<u16> = told.iter().map(|told| told.margin_cp).collect();
    margins.sort_unstable();
    for group in margins.chunk_by(|one, other| one == other) {
        let within = format!("within {} cp", group[0]);
        say(format_args!("{within:<30} {}", group.len()))?;
    }
    Ok(())
}

fn compare(arguments: &Arguments, problems: &[SuitePosition], depth: u16) -> Result<()> {
    let budget = SearchBudget {
        depth: Some(depth),
        ..SearchBudget::default()
    };
    let two = search(arguments, problems, budget, Some(2))?;
    let one = search(arguments, problems, budget, Some(1))?;
    let differing = |differs: fn(&Trial, &Trial) -> bool| {
        let count = two.iter().zip(&one).filter(|(two, one)| differs(two, one));
        Proportion(count.count(), problems.len())
    };
    let move_or_score = |two: &Trial, one: &Trial| two.best != one.best || two.score != one.score;
    say(format_args!(
        "another move                   {}",
        differing(|two, one| two.best != one.best)
    ))?;
    say(format_args!(
        "another move or score          {}",
        differing(move_or_score)
    ))?;
    let nodes = |trials: &[Trial]| trials.iter().map(|trial| trial.end.nodes).sum::<u64>();
    say(format_args!(
        "nodes, Conspiracy 2 and 1      {}, {}",
        nodes(&two),
        nodes(&one)
    ))?;
    Ok(())
}

fn mean_of(numbers: impl Iterator<Item = u16>) -> f64 {
    let numbers: Vec<f64> = numbers.map(f64::from).collect();
    mean(&numbers).unwrap_or_default()
}

/// A count and the total.
struct Proportion(usize, usize);

impl fmt::Display for Proportion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.0, self.1)
    }
}
