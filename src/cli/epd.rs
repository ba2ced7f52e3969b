//! `cc2s epd`.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use super::engine::EngineArguments;
use super::interrupt;
use super::output::{file, is_piped, keep_apart, progress_bar, say, warn};
use crate::tools::epd::outcome::PositionOutcome;
use crate::tools::epd::store::{ResultsFile, SuiteResults, SuiteSettings};
use crate::tools::epd::suite::{self, SuitePosition};
use crate::tools::epd::summary::Summary;
use crate::tools::epd::trial::SearchBudget;
use crate::tools::epd::{rating, run};

/// Default time per position, in milliseconds.
const MOVE_TIME_MS: u64 = 1000;
/// Positions between two reports of the score if there is no progress bar.
const SCORE_EVERY: usize = 50;

/// Search the positions of EPD files and count the solutions
///
/// A position is solved if the chosen move is one of `bm` and none of `am`. Without these it must have the most points
/// in `c0`; without points, a mate within `dm` moves must be announced; without `dm`, the score must be within 50
/// centipawns of `ce`. The time to solution is the moment when the search last changed to a right move and kept it.
///
/// Several lines for one position, with the same name or no name, count as one position with all their moves.
///
/// Each position is searched as a new game. A search ends at the first limit it reaches; the default is `--movetime
/// 1000`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Files of positions in Extended Position Description; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Stop with an error at the first bad line instead of skipping it
    #[arg(long)]
    strict: bool,
    /// Time for each position, in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for each position, tree and leaf nodes together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of the requirement to meet, in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u16).range(1..))]
    depth: Option<u16>,
    #[command(flatten)]
    engine: EngineArguments,
    /// Additional rating besides the number of solved positions
    #[arg(long, value_enum)]
    score: Option<Scoring>,
    /// Positions searched at the same time, each with its own search
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// Write all results to this file, as JSON
    #[arg(long, value_name = "FILE", value_parser = file())]
    json: Option<PathBuf>,
    /// Write one line for each position to this file, as CSV
    #[arg(long, value_name = "FILE", value_parser = file())]
    csv: Option<PathBuf>,
    /// Continue the run whose results are in this JSON file, or start it; the settings must be the same
    #[arg(long, value_name = "FILE", value_parser = file(), conflicts_with = "json")]
    resume: Option<PathBuf>,
}

/// A way to sum up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scoring {
    /// The rating 2630 - (sum of seconds) / 30, times scaled to a limit of 900 s; needs 30 positions and --movetime
    Bt2630,
    /// The points of `c0`
    Points,
}

impl Arguments {
    /// Reads the positions. Invalid lines are reported and skipped, unless the arguments make them fatal.
    fn problems(&self) -> Result<Vec<SuitePosition>> {
        if self.strict {
            return Ok(suite::read(&self.files)?);
        }
        let sifted = suite::sift(&self.files)?;
        for error in &sifted.refused {
            warn(format_args!("skipped: {error}"));
        }
        Ok(sifted.problems)
    }

    fn settings(&self) -> Result<SuiteSettings> {
        let is_unlimited = self.movetime.is_none() && self.nodes.is_none() && self.depth.is_none();
        let budget = SearchBudget {
            move_time_ms: self.movetime.or(is_unlimited.then_some(MOVE_TIME_MS)),
            nodes: self.nodes,
            depth: self.depth,
            is_analysis: false,
        };
        self.engine.settings(budget)
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let problems = arguments.problems()?;
    let settings = arguments.settings()?;
    let is_timed = settings.budget.move_time_ms.is_some();
    if arguments.score == Some(Scoring::Bt2630)
        && (problems.len() != rating::BT2630_POSITIONS || !is_timed)
    {
        bail!("--score bt2630 needs the 30 positions of the test and --movetime");
    }
    let read = arguments
        .files
        .iter()
        .filter(|path| path.as_os_str() != "-");
    let written = [&arguments.json, &arguments.csv, &arguments.resume];
    keep_apart(read, written.into_iter().flatten())?;
    let json = arguments.json.as_ref().or(arguments.resume.as_ref());
    let mut file = json.map(|path| ResultsFile::open(path)).transpose()?;
    let mut results = match &arguments.resume {
        Some(path) => resumed(path, settings, &problems)?,
        None => SuiteResults::new(settings),
    };
    let is_done =
        |problem: &&SuitePosition| results.outcomes.iter().any(|each| each.is_of(problem));
    let (finished, pending): (Vec<&SuitePosition>, Vec<&SuitePosition>) =
        problems.iter().partition(is_done);
    let is_double = results.outcomes.len() > finished.len();
    if let Some(path) = arguments.resume.as_ref().filter(|_| is_double) {
        bail!("{}: contains the same result twice", path.display());
    }
    solve(arguments, &pending, finished.len(), &mut results, &mut file)?;
    sort(&mut results.outcomes, &problems);
    finish(arguments, &results, file)
}

/// Reads the results of an earlier run, which must belong to these positions.
fn resumed(
    path: &Path,
    settings: SuiteSettings,
    problems: &[SuitePosition],
) -> Result<SuiteResults> {
    let results = SuiteResults::resume(path, settings)?;
    let is_other = |outcome: &&PositionOutcome| !problems.iter().any(|each| outcome.is_of(each));
    match results.outcomes.iter().find(is_other) {
        None => Ok(results),
        Some(other) => bail!(
            "{}: contains the result of {} ({}, line {}; {}), which is not among these positions",
            path.display(),
            other.name,
            other.file,
            other.line,
            other.wanted
        ),
    }
}

/// Searches the pending positions and prints a line for each.
fn solve(
    arguments: &Arguments,
    pending: &[&SuitePosition],
    finished: usize,
    results: &mut SuiteResults,
    file: &mut Option<ResultsFile>,
) -> Result<()> {
    let searches = arguments.engine.make_many(arguments.concurrency.into())?;
    let total = finished + pending.len();
    if finished > 0 {
        say(format_args!(
            "{finished} of {total} positions are already done"
        ))?;
    }
    let name_width = pending.iter().map(|each| each.name().chars().count()).max();
    let bar = progress_bar(total, finished)?;
    let budget = results.settings.budget;
    let mut count = finished;
    let stop = interrupt::flag()?;
    run::run(pending, budget, searches, &stop, |_, outcome| {
        count += 1;
        let line = line(&outcome, count, total, name_width.unwrap_or(0));
        bar.suspend(|| say(&line))?;
        results.push(outcome);
        bar.set_message(format!("{} solved", results.summary.solved));
        bar.inc(1);
        if is_piped() && count.is_multiple_of(SCORE_EVERY) && count < total {
            say(format_args!(
                "so far: {} of {count} solved",
                results.summary.solved
            ))?;
        }
        match file {
            Some(file) => file.save(results),
            None => Ok(()),
        }
    })?;
    bar.finish_and_clear();
    Ok(())
}

fn line(outcome: &PositionOutcome, count: usize, total: usize, name_width: usize) -> String {
    let width = total.to_string().len();
    let sign = if outcome.solved { '+' } else { '-' };
    let found = match (outcome.solved_ms, outcome.solved_nodes) {
        (Some(time), Some(nodes)) => format!("{:>8.3} s {nodes:>10} nodes", time / 1000.0),
        _ => format!("{:>8}   {:>10}      ", "", ""),
    };
    let safety = match (outcome.depth, outcome.conspiracy) {
        (Some(depth), Some(conspiracy)) => format!("({depth},{conspiracy})"),
        _ => String::new(),
    };
    let PositionOutcome {
        name,
        played,
        wanted,
        ..
    } = outcome;
    let score = outcome.score.as_deref().unwrap_or("");
    let points = match (outcome.points, outcome.points_max) {
        (0, 0) => String::new(),
        (points, max) => format!("  {points}/{max} points"),
    };
    format!(
        "{count:>width$}/{total} {sign} {name:<name_width$} {played:<7} {found} {safety:>7} {score:>7}  {wanted}{points}"
    )
}

/// Sorts the results by the order of the suite.
fn sort(outcomes: &mut [PositionOutcome], problems: &[SuitePosition]) {
    outcomes.sort_by_cached_key(|outcome| problems.iter().position(|each| outcome.is_of(each)));
}

fn finish(arguments: &Arguments, results: &SuiteResults, file: Option<ResultsFile>) -> Result<()> {
    if let Some(mut file) = file {
        file.save(results)?;
    }
    if let Some(path) = &arguments.csv {
        results.save_csv(path)?;
    }
    say(format_args!("\n{}", results.summary))?;
    print_score(arguments.score, &results.summary, results.settings.budget)
}

fn print_score(scoring: Option<Scoring>, summary: &Summary, budget: SearchBudget) -> Result<()> {
    if scoring == Some(Scoring::Points)
        || (scoring.is_none() && (summary.points, summary.points_max) != (0, 0))
    {
        say(format_args!(
            "points: {} of {}",
            summary.points, summary.points_max
        ))?;
    }
    let limit = budget.move_time_ms.unwrap_or_default() as f64 / 1000.0;
    if let (Some(Scoring::Bt2630), Some(rating)) = (scoring, summary.bt2630) {
        say(format_args!(
            "BT2630 rating: {rating:.0} (times scaled by 900/{limit})"
        ))?;
    }
    Ok(())
}
