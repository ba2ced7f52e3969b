//! `cc2s lab ablation` and `cc2s lab sweep`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::files::Files;
use super::positions::read;
use crate::cli::engine::{EngineArguments, assignment};
use crate::cli::games::{GamesArguments, Played, Tournament};
use crate::cli::output::{progress_bar, say};
use crate::lab::plot::Bar;
use crate::lab::variants::{Effect, Variant, ablations, measure};
use crate::tools::epd::suite::SuitePosition;
use crate::tools::epd::trial::{SearchBudget, Trial};
use crate::tools::matches::{Allowance, Entrant, GameRecord, Rules, ScheduledGame, Standing};
use crate::tools::stats::Estimate;

/// Every acceleration switched off, one at a time.
///
/// Switches that are on are turned off, and numbers become 0 where allowed. Each variant gets the same positions and
/// nodes as the unchanged settings.
///
/// `nodes to depth` is the nodes of the variant divided by those of the settings, to the deepest depth that both have
/// met (with all required strategies). It is a geometric mean with its 95 % interval, and above 1 if the change costs
/// nodes. `solved` counts positions solved when the nodes are spent. With --games each variant also plays against the
/// settings.
#[derive(Debug, Args)]
pub(in crate::cli) struct AblationArguments {
    #[command(flatten)]
    trial: TrialArguments,
}

/// Any parameters with any values, one at a time, like `cc2s lab ablation`.
///
/// Example, the depth of the evaluator and the conspiracy number:
/// `cc2s lab sweep eval_depth=0,1,3,4 conspiracy_max=1,3,4,5`
#[derive(Debug, Args)]
pub(in crate::cli) struct SweepArguments {
    /// A parameter, by its name in engine.toml or UCI, and its values
    #[arg(required = true, value_name = "NAME=VALUE,VALUE")]
    values: Vec<String>,
    #[command(flatten)]
    trial: TrialArguments,
}

/// The trial of every variant.
#[derive(Debug, Args)]
struct TrialArguments {
    /// The positions, in Extended Position Description
    #[arg(long, default_value = "positions/wac.epd", value_name = "FILE")]
    positions: PathBuf,
    /// Take only every Nth position
    #[arg(long, default_value_t = 4, value_name = "N")]
    every: usize,
    /// Nodes for each position, tree and leaf nodes together
    #[arg(long, default_value_t = 200_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games of each variant against the unchanged settings, rounded up to an even number
    #[arg(long, default_value_t = 0, value_name = "N")]
    games: usize,
    /// Nodes for each move of these games
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game_nodes: u64,
    /// Openings of these games
    #[arg(long, default_value = "positions/openings8.epd", value_name = "FILE")]
    openings: PathBuf,
    #[command(flatten)]
    course: GamesArguments,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    engine: EngineArguments,
}

pub(in crate::cli) fn run_ablation(arguments: &AblationArguments) -> Result<()> {
    compare(
        &arguments.trial,
        ablations(&arguments.trial.engine.params()?),
    )
}

pub(in crate::cli) fn run_sweep(arguments: &SweepArguments) -> Result<()> {
    let params = arguments.trial.engine.params()?;
    let mut variants = Vec::new();
    for text in &arguments.values {
        let (name, values) = text.split_once('=').unwrap_or((text, ""));
        for value in values.split(',') {
            let (entry, value) = assignment(&format!("{name}={value}"))?;
            variants.push(Variant::new(&params, entry, value)?);
        }
    }
    compare(&arguments.trial, variants)
}

struct VariantRow {
    name: String,
    effect: Effect,
    elo: Option<Estimate>,
}

fn compare(arguments: &TrialArguments, changed: Vec<Variant>) -> Result<()> {
    let mut variants = vec![Variant {
        name: "as set".to_owned(),
        params: arguments.engine.params()?,
    }];
    variants.extend(changed);
    let trials = search_all(arguments, &variants)?;
    let games = match arguments.games {
        0 => None,
        _ => Some(play_all(arguments, &variants)?),
    };
    let rows: Vec<VariantRow> = variants
        .iter()
        .enumerate()
        .map(|(at, variant)| VariantRow {
            name: variant.name.clone(),
            effect: Effect::of(&trials[0], &trials[at]),
            elo: games
                .as_ref()
                .filter(|_| at > 0)
                .map(|played| Standing::between(at, 0, &played.records).elo()),
        })
        .collect();
    report(&rows, trials[0].len())?;
    arguments
        .files
        .write_csv(&CSV_HEADER, &rows.iter().map(csv_row).collect::<Vec<_>>())?;
    let bars: Vec<Bar> = rows[1..].iter().map(bar).collect();
    arguments
        .files
        .draw_bars("Nodes to the same depth", "change in percent", &bars)
}

/// The trials of each variant, in the order of the positions.
fn search_all(arguments: &TrialArguments, variants: &[Variant]) -> Result<Vec<Vec<Trial>>> {
    let problems = read(&arguments.positions, &[])?;
    let problems: Vec<SuitePosition> = problems
        .into_iter()
        .step_by(arguments.every.max(1))
        .collect();
    let budget = SearchBudget {
        nodes: Some(arguments.nodes),
        ..SearchBudget::default()
    };
    let entry = arguments.engine.entry()?;
    let bar = progress_bar(problems.len() * variants.len(), 0)?;
    let mut trials = Vec::new();
    for variant in variants {
        bar.set_message(variant.name.clone());
        let threads = arguments.course.concurrency.into();
        trials.push(measure(
            &problems,
            entry,
            &variant.params,
            budget,
            threads,
            || {
                bar.inc(1);
                Ok(())
            },
        )?);
    }
    bar.finish_and_clear();
    Ok(trials)
}

/// Plays games of each variant against the first.
fn play_all(arguments: &TrialArguments, variants: &[Variant]) -> Result<Played> {
    let search = arguments.engine.entry()?.name;
    let entrants = variants.iter().map(|variant| {
        let mut options = vec![("Search".to_owned(), search.to_owned())];
        options.extend(variant.options());
        options.extend(arguments.engine.evaluation_options());
        Entrant {
            name: variant.name.clone(),
            options,
            ..Entrant::default()
        }
    });
    let event = Tournament {
        entrants: entrants.collect(),
        rules: Rules::plain(Allowance::Nodes(arguments.game_nodes)),
        openings: Some(&arguments.openings),
        seed: None,
        games: arguments.games,
        course: &arguments.course,
    };
    let is_wanted = |plan: &ScheduledGame| plan.white == 0 || plan.black == 0;
    let message = |records: &[GameRecord]| format!("{} games", records.len());
    event.play(is_wanted, message, |_| true)
}

fn report(rows: &[VariantRow], positions: usize) -> Result<()> {
    say(format_args!(
        "{:<38} {:>14} {:>14} {:>9} {:>8} {:>7}  Elo",
        "change", "nodes to depth", "95 % interval", "positions", "solved", "changed"
    ))?;
    for row in rows {
        let effect = &row.effect;
        let (least, greatest) = effect.interval;
        let interval = format!("{least:.2} to {greatest:.2}");
        let solved = format!("{}/{positions}", effect.solved);
        let changed = format!("+{} -{}", effect.gained, effect.lost);
        let elo = row.elo.map_or(String::new(), |elo| elo.to_string());
        say(format_args!(
            "{:<38} {:>14.2} {interval:>14} {:>9} {solved:>8} {changed:>7}  {elo}",
            row.name, effect.ratio, effect.compared
        ))?;
    }
    Ok(())
}

const CSV_HEADER: [&str; 10] = [
    "change",
    "ratio",
    "ratio_min",
    "ratio_max",
    "compared",
    "solved",
    "gained",
    "lost",
    "elo",
    "elo_error",
];

fn csv_row(row: &VariantRow) -> Vec<String> {
    let effect = &row.effect;
    let elo = |of: fn(Estimate) -> f64| {
        row.elo
            .map_or(String::new(), |elo| format!("{:.1}", of(elo)))
    };
    vec![
        row.name.clone(),
        format!("{:.4}", effect.ratio),
        format!("{:.4}", effect.interval.0),
        format!("{:.4}", effect.interval.1),
        effect.compared.to_string(),
        effect.solved.to_string(),
        effect.gained.to_string(),
        effect.lost.to_string(),
        elo(|elo| elo.value),
        elo(|elo| elo.error),
    ]
}

fn bar(row: &VariantRow) -> Bar {
    let (least, greatest) = row.effect.interval;
    Bar {
        name: row.name.clone(),
        value: 100.0 * (row.effect.ratio - 1.0),
        error: 50.0 * (greatest - least),
    }
}
