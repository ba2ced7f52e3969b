//! `cc2s lab tune`.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use clap::{ArgGroup, Args};
use serde::{Deserialize, Serialize};

use crate::cli::engine::{EngineArguments, parameter};
use crate::cli::interrupt;
use crate::cli::output::{file, is_piped, keep_apart, progress_bar, say};
use crate::game::SplitMix64;
use crate::lab::tune::{PairResult, Spsa, SpsaSettings, Tunable, TuningGames};
use crate::lab::variants::Variant;
use crate::tools::journal::Journal;
use crate::tools::matches::{Allowance, Host, Rules, TimeControl, read_openings};

/// Iterations between two reports where no bar is shown.
const REPORT_EVERY: usize = 100;

/// Tune parameters by games against each other, all at once (SPSA).
///
/// Each iteration moves every parameter up or down at random by about its step, plays a pair of games between the
/// settings on one side and those on the other, and moves the parameters a little towards the winner. Give 5,000
/// iterations or more; then test the result with `cc2s match --sprt` on other openings.
///
/// The results are recorded in FILE; the same command continues an interrupted run.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("speed").required(true).args(["tc", "nodes"]))]
pub(in crate::cli) struct Arguments {
    /// A number of engine.toml, with the step at the end of the run if wanted [default step: 1/20 of the range]; may be
    /// repeated
    #[arg(
        short,
        long = "parameter",
        value_name = "NAME[=STEP]",
        required = true,
        value_delimiter = ','
    )]
    parameters: Vec<String>,
    /// Pairs of games
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,
    /// Movement of a parameter by a won pair at the end of the run, in steps
    #[arg(long, default_value_t = 0.002, value_name = "R")]
    rate: f64,
    /// Time control in seconds: BASE+INCREMENT or MOVES/BASE+INCREMENT
    #[arg(long)]
    tc: Option<TimeControl>,
    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Openings: positions (.epd) or games (.pgn)
    #[arg(long, default_value = "positions/book.epd", value_name = "FILE")]
    openings: PathBuf,
    /// Seed of the perturbations and of the order of the openings
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    /// Pairs of games at the same time
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// Record of the results
    #[arg(value_name = "FILE", value_parser = file())]
    file: PathBuf,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Equal for two runs that are one.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct TuningConditions {
    spsa: SpsaSettings,
    options: Vec<(String, String)>,
    rules: Rules,
    openings: PathBuf,
}

impl Arguments {
    fn tunables(&self) -> Result<Vec<Tunable>> {
        let params = self.engine.params()?;
        let mut tunables: Vec<Tunable> = Vec::new();
        for text in &self.parameters {
            let (name, step) = match text.split_once('=') {
                Some((name, step)) => (name, Some(positive(step)?)),
                None => (text.as_str(), None),
            };
            let entry = parameter(name)?;
            ensure!(
                !entry.declaration.is_switch,
                "'{name}' is a switch; only numbers can be tuned"
            );
            let tunable = Tunable::new(&params, entry, step);
            ensure!(
                tunables.iter().all(|each| each.name != tunable.name),
                "'{name}' is given twice"
            );
            tunables.push(tunable);
        }
        Ok(tunables)
    }

    /// Adjudication as in the matches that measure strength: it saves a third of the time.
    fn rules(&self) -> Result<Rules> {
        let allowance = match (self.tc, self.nodes) {
            (Some(control), _) => Allowance::Clock(control),
            (_, Some(limit)) => Allowance::Nodes(limit),
            _ => bail!("no time control"),
        };
        Ok(Rules {
            resign: Some((600, 4)),
            draw: Some((10, 12)),
            ..Rules::plain(allowance)
        })
    }

    fn conditions(&self) -> Result<TuningConditions> {
        let mut options = vec![("Search".to_owned(), self.engine.entry()?.name.to_owned())];
        let settings = Variant {
            name: String::new(),
            params: self.engine.params()?,
        };
        options.extend(settings.options());
        options.extend(self.engine.evaluation_options());
        Ok(TuningConditions {
            spsa: SpsaSettings {
                tunables: self.tunables()?,
                iterations: self.iterations as usize,
                rate: positive(&self.rate.to_string())?,
                seed: self.seed,
            },
            options,
            rules: self.rules()?,
            openings: self.openings.clone(),
        })
    }
}

fn positive(text: &str) -> Result<f64> {
    let number: f64 = text
        .parse()
        .with_context(|| format!("'{text}' is not a number"))?;
    ensure!(
        number.is_finite() && number > 0.0,
        "'{text}' is not a positive number"
    );
    Ok(number)
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    keep_apart([&arguments.openings], [&arguments.file])?;
    let conditions = arguments.conditions()?;
    let mut openings = read_openings(&arguments.openings)?;
    SplitMix64::new(arguments.seed).shuffle(&mut openings);
    let (mut journal, results) = Journal::open::<_, PairResult>(&arguments.file, &conditions)?;
    let mut spsa = Spsa::new(conditions.spsa);
    let iterations = spsa.settings().iterations;
    let mut is_open = vec![true; iterations];
    for result in results {
        let is_new = is_open
            .get_mut(result.iteration)
            .is_some_and(std::mem::take);
        ensure!(
            is_new,
            "{}: iteration {} is recorded twice or is not part of the run",
            arguments.file.display(),
            result.iteration
        );
        spsa.update(result);
    }
    let open: Vec<usize> = (0..iterations).filter(|&at| is_open[at]).collect();
    let mut count = iterations - open.len();
    if count > 0 {
        say(format_args!(
            "{count} of {iterations} iterations are already played"
        ))?;
    }
    let bar = progress_bar(iterations, count)?;
    let games = TuningGames {
        options: conditions.options,
        openings: &openings,
        rules: &conditions.rules,
        host: &Arc::new(Host::new(interrupt::flag()?, None)?),
    };
    let tables = arguments.concurrency.into();
    games.play(&mut spsa, &open, tables, |result, spsa| {
        journal.add(&result)?;
        count += 1;
        bar.inc(1);
        if is_piped() && count.is_multiple_of(REPORT_EVERY) && count < iterations {
            say(format_args!("{count}/{iterations}: {}", assignments(spsa)))?;
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    report(&spsa)
}

/// The rounded values, as `--set` takes them.
fn assignments(spsa: &Spsa) -> String {
    let tunables = spsa.settings().tunables.iter().zip(spsa.values());
    let words = tunables.map(|(each, value)| format!("{}={value:.0}", each.name));
    words.collect::<Vec<_>>().join(" ")
}

fn report(spsa: &Spsa) -> Result<()> {
    say(format_args!(
        "{:<38} {:>8} {:>10} {:>10}",
        "parameter", "before", "after", "steps"
    ))?;
    for (each, value) in spsa.settings().tunables.iter().zip(spsa.values()) {
        let steps = (value - f64::from(each.start)) / each.step;
        say(format_args!(
            "{:<38} {:>8} {value:>10.2} {steps:>+10.2}",
            each.name, each.start
        ))?;
    }
    Ok(())
}
