//! Plays, records and resumes games between engines.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args;

use super::interrupt;
use super::output::{file, is_piped, keep_apart, progress_bar, say};
use crate::chess::{Line, Position};
use crate::game::SplitMix64;
use crate::tools::ToolError;
use crate::tools::journal::Journal;
use crate::tools::matches::{
    Collection, Contest, Entrant, GameRecord, Host, MatchConditions, Rules, ScheduledGame, check,
    read_openings, run, schedule,
};

/// Games between two reports of the score if there is no progress bar.
const SCORE_EVERY: usize = 20;

/// Games at the same time, and the files they are written to.
#[derive(Debug, Args)]
pub(super) struct GamesArguments {
    /// Games, or positions, at the same time
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: u16,
    /// Append the games to this file; with --resume also the recorded games missing from it
    #[arg(long, value_name = "FILE", value_parser = file())]
    pub pgn: Option<PathBuf>,
    /// Continue the match recorded in this file, or start it; the conditions must be the same
    #[arg(long, value_name = "FILE", value_parser = file())]
    pub resume: Option<PathBuf>,
    /// Append the standard error of the engines to this file
    #[arg(long, value_name = "FILE", value_parser = file())]
    pub log: Option<PathBuf>,
}

/// The games to play, and the files of their records.
#[derive(Debug)]
pub(super) struct Tournament<'a> {
    pub entrants: Vec<Entrant>,
    pub rules: Rules,
    /// File of openings; `None` for the initial position.
    pub openings: Option<&'a PathBuf>,
    /// Seed for a random order of the openings.
    pub seed: Option<u64>,
    /// Games per pairing, rounded up to pairs.
    pub games: usize,
    /// Concurrency and output files.
    pub course: &'a GamesArguments,
}

impl Tournament<'_> {
    /// Plays the `wanted` games that are not recorded yet, until `goes_on` returns false for all games so far.
    /// Prints a line for each game. `message` is shown in the progress bar.
    ///
    /// # Errors
    /// There are fewer than two players, or an engine does not start. A file cannot be read or written, or its
    /// record has other conditions.
    pub fn play(
        self,
        wanted: impl Fn(&ScheduledGame) -> bool,
        message: impl Fn(&[GameRecord]) -> String,
        goes_on: impl Fn(&[GameRecord]) -> bool,
    ) -> Result<Played> {
        if self.entrants.len() < 2 {
            bail!("a match needs at least two engines");
        }
        let course = self.course;
        let written = course.pgn.iter().chain(&course.resume).chain(&course.log);
        keep_apart(self.openings, written)?;
        let mut openings = match self.openings {
            Some(path) => read_openings(path)?,
            None => vec![Line::new(Position::initial())],
        };
        if let Some(seed) = self.seed {
            SplitMix64::new(seed).shuffle(&mut openings);
        }
        let shown = self.openings.map(|path| path.display().to_string());
        let conditions = MatchConditions {
            entrants: distinct(self.entrants),
            rules: self.rules,
            openings: shown.unwrap_or_default(),
            seed: self.seed,
        };
        let host = Arc::new(Host::new(interrupt::flag()?, self.course.log.as_deref())?);
        let contest = Contest {
            entrants: &conditions.entrants,
            openings: &openings,
            rules: &conditions.rules,
            host: &host,
        };
        check(&contest)?;
        let mut sheet = GameStore::open(self.course, &conditions)?;
        let plans = schedule(conditions.entrants.len(), self.games, openings.len());
        let plans: Vec<ScheduledGame> = plans.into_iter().filter(wanted).collect();
        let total = plans.len();
        let open: Vec<ScheduledGame> = plans.into_iter().filter(|plan| sheet.lacks(plan)).collect();
        let finished = total - open.len();
        if finished > 0 {
            say(format_args!(
                "{finished} of {total} games are already played"
            ))?;
        }
        let bar = progress_bar(total, finished)?;
        // A test that is decided needs no more games.
        let open = if goes_on(&sheet.records) {
            open
        } else {
            Vec::new()
        };
        run(&contest, &open, self.course.concurrency.into(), |record| {
            let count = sheet.records.len() + 1;
            let line = line(&record, count, total, &conditions.entrants);
            sheet.add(record)?;
            bar.suspend(|| say(&line))?;
            let message = message(&sheet.records);
            if is_piped() && count.is_multiple_of(SCORE_EVERY) && count < total {
                say(format_args!("so far: {message}"))?;
            }
            bar.set_message(message);
            bar.inc(1);
            Ok(goes_on(&sheet.records))
        })?;
        bar.finish_and_clear();
        let names = conditions.entrants.into_iter().map(|each| each.name);
        Ok(Played {
            names: names.collect(),
            records: sheet.records,
        })
    }
}

/// The games, including those of earlier runs.
#[derive(Debug)]
pub(super) struct Played {
    /// Unique names of the players.
    pub names: Vec<String>,
    pub records: Vec<GameRecord>,
}

/// Numbers players with equal names.
fn distinct(mut entrants: Vec<Entrant>) -> Vec<Entrant> {
    let names: Vec<String> = entrants.iter().map(|each| each.name.clone()).collect();
    for (at, entrant) in entrants.iter_mut().enumerate() {
        let earlier = names[..at]
            .iter()
            .filter(|name| **name == names[at])
            .count();
        if earlier > 0 {
            entrant.name = format!("{}#{}", names[at], earlier + 1);
        }
    }
    entrants
}

/// The games so far, in memory and in the output files.
struct GameStore {
    journal: Option<Journal>,
    pgn: Option<Collection>,
    records: Vec<GameRecord>,
}

impl GameStore {
    fn open(course: &GamesArguments, conditions: &MatchConditions) -> Result<Self> {
        let mut sheet = Self {
            journal: None,
            pgn: None,
            records: Vec::new(),
        };
        if let Some(path) = &course.resume {
            let (journal, records) = Journal::open(path, conditions)?;
            check_records(path, &records, conditions.entrants.len())?;
            (sheet.journal, sheet.records) = (Some(journal), records);
        }
        if let Some(path) = &course.pgn {
            let games: Vec<&str> = sheet.records.iter().map(|each| each.pgn.as_str()).collect();
            sheet.pgn = Some(Collection::open(path, &games)?);
        }
        Ok(sheet)
    }

    fn lacks(&self, plan: &ScheduledGame) -> bool {
        self.records.iter().all(|each| each.number != plan.number)
    }

    fn add(&mut self, record: GameRecord) -> Result<(), ToolError> {
        if let Some(journal) = &mut self.journal {
            journal.add(&record)?;
        }
        if let Some(collection) = &mut self.pgn {
            collection.add(&record.pgn)?;
        }
        self.records.push(record);
        Ok(())
    }
}

/// Rejects games of unknown players and duplicate games, which would be counted otherwise.
fn check_records(path: &Path, records: &[GameRecord], players: usize) -> Result<(), ToolError> {
    let mut numbers = BTreeSet::new();
    for (line, record) in (2..).zip(records) {
        let of_others = [record.white, record.black]
            .iter()
            .any(|&player| player >= players);
        let fault = if of_others {
            "a player that is not in this match"
        } else if numbers.insert(record.number) {
            continue;
        } else {
            "the same game twice"
        };
        return Err(ToolError::Games {
            path: path.to_owned(),
            reason: format!("line {line}: {fault}"),
        });
    }
    Ok(())
}

fn line(record: &GameRecord, count: usize, total: usize, entrants: &[Entrant]) -> String {
    let name = |player: usize| &entrants[player].name;
    let (white, black) = (name(record.white), name(record.black));
    let result = match record.winner {
        None => "1/2-1/2",
        Some(winner) if winner == record.white => "1-0",
        Some(_) => "0-1",
    };
    let (ending, moves) = (record.ending, record.plies.div_ceil(2));
    let fault = record.fault.as_ref().map(|fault| format!(": {fault}"));
    let fault = fault.unwrap_or_default();
    format!("{count}/{total} {white} - {black} {result} {ending}, {moves} moves{fault}")
}
