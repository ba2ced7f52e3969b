//! `cc2s annotate`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::engine::EngineArguments;
use super::interrupt;
use super::output::{file, keep_apart, progress_bar, say, warn};
use crate::chess::pgn::{self, Game};
use crate::report::Allowed;
use crate::report::annotate::{Annotated, annotate_all, page};
use crate::tools::epd::trial::SearchBudget;
use crate::tools::files::replace;
use crate::tools::journal::Journal;
use crate::tools::{ToolError, source};

/// Default time per move, in milliseconds.
const MOVE_TIME_MS: u64 = 1_000;

/// Annotate games with evaluations, better lines, and the accuracy of each side
///
/// Every position is searched. A move that loses much of the expected score gets a glyph and the better line. A best
/// move gets a box if all other moves lose much. Comments, variations and glyphs in the file are kept; annotations by
/// an earlier run of cc2s are replaced.
///
/// Finished games are kept in a journal beside the first output file, so the same command resumes after an
/// interruption. With --nodes the output is reproducible byte for byte. Games that cannot be read are reported and
/// skipped.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The games, in Portable Game Notation; `-` is standard input
    #[arg(value_name = "FILE")]
    games: PathBuf,
    /// Time for each move, in milliseconds [default: 1000 without --nodes]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for each move; gives the same annotations on every machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Write the annotated games to this file
    #[arg(long, value_name = "FILE", value_parser = file(), required_unless_present = "html")]
    pgn: Option<PathBuf>,
    /// Write a page with boards and curves to this file
    #[arg(long, value_name = "FILE", value_parser = file())]
    html: Option<PathBuf>,
    /// Games at the same time, each with its own search
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Conditions that determine the annotations. Only runs with equal conditions can be combined.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct AnnotationConditions {
    version: String,
    search: String,
    /// Parameters that differ from their defaults.
    parameters: Vec<String>,
    allowed: Allowed,
    /// Hash of the PGN text.
    games: u64,
}

impl Arguments {
    fn allowed(&self) -> Allowed {
        let is_unlimited = self.movetime.is_none() && self.nodes.is_none();
        Allowed {
            move_time_ms: self.movetime.or(is_unlimited.then_some(MOVE_TIME_MS)),
            nodes: self.nodes,
        }
    }

    fn conditions(&self, text: &str) -> Result<AnnotationConditions> {
        let settings = self.engine.settings(SearchBudget::default())?;
        Ok(AnnotationConditions {
            version: settings.version,
            search: settings.search,
            parameters: settings.parameters,
            allowed: self.allowed(),
            games: xxh3_64(text.as_bytes()),
        })
    }

    /// Opens the journal and returns the finished games.
    fn resume(&self, text: &str) -> Result<(Journal, Vec<Annotated>)> {
        match Journal::open(&self.journal(), &self.conditions(text)?) {
            Err(error @ (ToolError::OtherRun { .. } | ToolError::Results { .. })) => Err(error)
                .context(
                    "this journal belongs to another run; repeat that command, or delete the file",
                ),
            opened => Ok(opened?),
        }
    }

    /// The journal's path, next to the first output file.
    fn journal(&self) -> PathBuf {
        let path = self.pgn.as_ref().or(self.html.as_ref());
        let path = path.expect("a file is to be written");
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".journal");
        path.with_file_name(name)
    }

    /// A description of the search limits.
    fn effort(&self) -> String {
        let allowed = self.allowed();
        let time = allowed.move_time_ms.map(|time| format!("{time} ms"));
        let nodes = allowed.nodes.map(|nodes| format!("{nodes} nodes"));
        let limits: Vec<String> = time.into_iter().chain(nodes).collect();
        format!(
            "Searched by cc2s {}, {} per move.",
            env!("CARGO_PKG_VERSION"),
            limits.join(" and ")
        )
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let path = arguments.games.as_path();
    let journal = arguments.journal();
    let written = arguments.pgn.iter().chain(&arguments.html);
    keep_apart([&arguments.games], written.chain([&journal]))?;
    let text = source::read(path)?;
    let (games, refused) = read(&text, path);
    if games.is_empty() && refused == 0 {
        bail!("{}: no games", path.display());
    }
    let (mut journal, mut finished) = arguments.resume(&text)?;
    if !finished.is_empty() {
        say(format_args!(
            "{} of {} games are already done",
            finished.len(),
            games.len()
        ))?;
    }
    finish(arguments, &games, &mut journal, &mut finished)?;
    if interrupt::is_seen() {
        warn("interrupted; run the same command to continue");
        return Ok(());
    }
    finished.sort_by_key(|game| game.number);
    write(arguments, &finished)?;
    journal.close()?;
    say(format_args!("{} games annotated", finished.len()))?;
    match refused {
        0 => Ok(()),
        refused => bail!(
            "{refused} of {} games could not be read",
            games.len() + refused
        ),
    }
}

/// The games with their numbers, and the number of unreadable ones, which are reported.
fn read(text: &str, path: &Path) -> (Vec<(usize, Game)>, usize) {
    let (mut games, mut refused) = (Vec::new(), 0);
    for (number, game) in (1..).zip(pgn::games(text)) {
        match game {
            Ok(game) => games.push((number, game)),
            Err(error) => {
                refused += 1;
                warn(format_args!(
                    "skipped: {}, game {number}, {error}",
                    path.display()
                ));
            }
        }
    }
    (games, refused)
}

/// Annotates the games that are not finished yet.
fn finish(
    arguments: &Arguments,
    games: &[(usize, Game)],
    journal: &mut Journal,
    finished: &mut Vec<Annotated>,
) -> Result<()> {
    let is_open = |number: usize| finished.iter().all(|known| known.number != number);
    let open = games.iter().filter(|(number, _)| is_open(*number));
    let open: Vec<(usize, &Game)> = open.map(|(number, game)| (*number, game)).collect();
    let positions = |games: &mut dyn Iterator<Item = &Game>| {
        games.map(|game| game.plies.len() + 1).sum::<usize>()
    };
    let all = positions(&mut games.iter().map(|(_, game)| game));
    let pending = positions(&mut open.iter().map(|(_, game)| *game));
    let jobs = usize::from(arguments.jobs).min(open.len());
    let searches = arguments.engine.make_many(jobs)?;
    let bar = progress_bar(all, all - pending)?;
    let stop = interrupt::flag()?;
    annotate_all(
        &open,
        searches,
        arguments.allowed(),
        &stop,
        &|| bar.inc(1),
        |game| {
            journal.add(&game)?;
            finished.push(game);
            bar.set_message(format!("{}/{} games", finished.len(), games.len()));
            anyhow::Ok(())
        },
    )?;
    bar.finish_and_clear();
    Ok(())
}

fn write(arguments: &Arguments, finished: &[Annotated]) -> Result<()> {
    if let Some(path) = &arguments.pgn {
        let text: String = finished.iter().map(|game| game.pgn.as_str()).collect();
        replace(path, text.as_bytes())?;
    }
    if let Some(path) = &arguments.html {
        replace(path, page(finished, &arguments.effort())?.as_bytes())?;
    }
    Ok(())
}
