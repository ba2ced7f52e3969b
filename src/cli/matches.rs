//! `cc2s match`.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::{ArgGroup, Args};

use super::output::{progress_bar, say};
use crate::chess::{Line, Position};
use crate::lab::LabError;
use crate::lab::contest::{
    Allowance, Conditions, Contest, Entrant, Faults, Journal, Plan, Record, Rules, Standing,
    TimeControl, read_openings, run as play, schedule,
};
use crate::lab::stats::{Decision, SequentialTest};
use crate::lab::store::replace;

/// Who plays, from where, how fast.
///
/// Everybody plays everybody; each opening is played twice with colours reversed. Elo and the sequential test count these
/// pairs of games (pentanomial), error bars are those of 95 %.
///
/// An engine is described by KEY=VALUE parts with commas between: `name=`, `cmd=` the program (this one without it),
/// `arg=` an argument, `proto=` the protocol (`uci` or `xboard`), `option.NAME=` an option, and short for this program's
/// own options `search=` and `profile=`.
///
/// Example: cc2s match -e search=Cc2s -e cmd=/usr/games/glaurung,option.Hash=64 --tc 10+0.1 --games 100
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("speed").required(true).args(["tc", "movetime", "nodes", "depth"]))]
pub(super) struct Arguments {
    /// An engine; given twice or more
    #[arg(short, long, required = true, value_name = "ENGINE")]
    engine: Vec<Entrant>,
    /// Games between any two engines, rounded up to pairs
    #[arg(long, default_value_t = 100, value_name = "N")]
    games: usize,
    /// Openings: positions (.epd) or games (.pgn); the initial position without it
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Time control in seconds: BASE+INCREMENT or MOVES/BASE+INCREMENT
    #[arg(long)]
    tc: Option<TimeControl>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies for each move
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u16).range(1..))]
    depth: Option<u16>,
    /// By how many milliseconds a player may overstep its time
    #[arg(long, default_value_t = 0, value_name = "MS")]
    margin: u64,
    /// Games played at the same time
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// Append the games to this file; with --resume it is written anew from the record
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Go on with the match recorded in this file, or start it; the conditions must be the same
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// End as soon as the games decide between two Elo differences: ELO0,ELO1 (errors of 5 %) or ELO0,ELO1,ALPHA,BETA
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sequential_test, allow_hyphen_values = true)]
    sprt: Option<SequentialTest>,
    /// Call a game lost when the loser's own score is CP centipawns or worse for N of its moves
    #[arg(long, value_name = "CP,N", value_parser = pair)]
    resign: Option<(i32, u32)>,
    /// Call a game drawn when both scores are within CP centipawns of zero for N moves
    #[arg(long, value_name = "CP,N", value_parser = pair)]
    draw: Option<(i32, u32)>,
    /// Call a game drawn after N moves
    #[arg(long, value_name = "N")]
    maxmoves: Option<u32>,
}

fn sequential_test(text: &str) -> Result<SequentialTest> {
    let numbers = text.split(',').map(str::parse);
    let numbers: Vec<f64> = numbers.collect::<Result<_, _>>()?;
    let (elo0, elo1, alpha, beta) = match numbers[..] {
        [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
        [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
        _ => bail!("it takes two or four numbers"),
    };
    let is_rate = |number: f64| number > 0.0 && number < 0.5;
    if elo0 >= elo1 || !is_rate(alpha) || !is_rate(beta) {
        bail!("it needs ELO0 < ELO1 and error rates between 0 and 0.5");
    }
    Ok(SequentialTest {
        elo0,
        elo1,
        alpha,
        beta,
    })
}

fn pair(text: &str) -> Result<(i32, u32)> {
    let (centipawns, times) = text.split_once(',').context("it should read CP,N")?;
    Ok((centipawns.parse()?, times.parse()?))
}

impl Arguments {
    fn conditions(&self) -> Result<Conditions> {
        let allowance = match (self.tc, self.movetime, self.nodes, self.depth) {
            (Some(control), ..) => Allowance::Clock(control),
            (_, Some(limit), ..) => Allowance::MoveTime(limit),
            (_, _, Some(limit), _) => Allowance::Nodes(limit),
            (.., Some(limit)) => Allowance::Depth(limit),
            _ => bail!("no time control"),
        };
        if self.engine.len() < 2 {
            bail!("a match needs two engines");
        }
        let openings = self
            .openings
            .as_ref()
            .map(|path| path.display().to_string());
        Ok(Conditions {
            entrants: distinct(self.engine.clone()),
            rules: Rules {
                allowance,
                margin_ms: self.margin,
                resign: self.resign,
                draw: self.draw,
                moves_max: self.maxmoves,
            },
            openings: openings.unwrap_or_default(),
        })
    }
}

/// Players of the same name get numbers.
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

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let conditions = arguments.conditions()?;
    let test = arguments.sprt;
    if test.is_some() && conditions.entrants.len() != 2 {
        bail!("--sprt compares two engines");
    }
    let openings = match &arguments.openings {
        Some(path) => read_openings(path)?,
        None => vec![Line::new(Position::initial())],
    };
    let mut sheet = Sheet::open(arguments, &conditions)?;
    let plans: Vec<Plan> = schedule(conditions.entrants.len(), arguments.games, openings.len());
    let total = plans.len();
    let open: Vec<Plan> = plans.into_iter().filter(|plan| sheet.lacks(plan)).collect();
    if !sheet.records.is_empty() {
        let finished = total - open.len();
        say(format_args!(
            "{finished} of {total} games are played already"
        ))?;
    }
    let contest = Contest {
        entrants: &conditions.entrants,
        openings: &openings,
        rules: &conditions.rules,
    };
    let names = names(&conditions.entrants);
    let bar = progress_bar(total, total - open.len())?;
    play(&contest, &open, arguments.concurrency.into(), |record| {
        let line = line(&record, sheet.records.len() + 1, total, &names);
        sheet.add(record)?;
        let standing = Standing::between(0, 1, &sheet.records);
        bar.suspend(|| say(&line))?;
        bar.set_message(standing.to_string());
        bar.inc(1);
        Ok(test.is_none_or(|test| test.decide(&standing.pairs) == Decision::Open))
    })?;
    bar.finish_and_clear();
    report(&names, &sheet.records, test)
}

/// The games so far, in memory and where else they are to be kept.
struct Sheet<'a> {
    journal: Option<Journal>,
    pgn: Option<&'a Path>,
    records: Vec<Record>,
}

impl<'a> Sheet<'a> {
    fn open(arguments: &'a Arguments, conditions: &Conditions) -> Result<Self> {
        let mut sheet = Self {
            journal: None,
            pgn: arguments.pgn.as_deref(),
            records: Vec::new(),
        };
        if let Some(path) = &arguments.resume {
            let (journal, records) = Journal::open(path, conditions)?;
            (sheet.journal, sheet.records) = (Some(journal), records);
            if let Some(path) = sheet.pgn {
                let games: String = sheet.records.iter().map(|each| each.pgn.as_str()).collect();
                replace(path, games.as_bytes())?;
            }
        }
        Ok(sheet)
    }

    /// Whether a game is still to be played.
    fn lacks(&self, plan: &Plan) -> bool {
        self.records.iter().all(|each| each.number != plan.number)
    }

    fn add(&mut self, record: Record) -> Result<(), LabError> {
        if let Some(journal) = &mut self.journal {
            journal.add(&record)?;
        }
        if let Some(path) = self.pgn {
            append(path, &record.pgn)?;
        }
        self.records.push(record);
        Ok(())
    }
}

fn names(entrants: &[Entrant]) -> Vec<&str> {
    entrants.iter().map(|each| each.name.as_str()).collect()
}

fn append(path: &Path, text: &str) -> Result<(), LabError> {
    let mut options = OpenOptions::new();
    let file = options.create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| LabError::File {
            path: path.to_owned(),
            error,
        })
}

fn line(record: &Record, count: usize, total: usize, names: &[&str]) -> String {
    let (white, black) = (names[record.white], names[record.black]);
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

/// The standings of all pairings, the faults of all players, and what the sequential test says.
fn report(names: &[&str], records: &[Record], test: Option<SequentialTest>) -> Result<()> {
    say("")?;
    for first in 0..names.len() {
        for second in first + 1..names.len() {
            let standing = Standing::between(first, second, records);
            print_standing(names[first], names[second], &standing)?;
        }
    }
    for (player, name) in names.iter().enumerate() {
        let faults = Faults::of(player, records);
        say(format_args!(
            "{name}: {} time losses, {} illegal moves, {} crashes",
            faults.time_losses, faults.illegal_moves, faults.crashes
        ))?;
    }
    if let Some(test) = test {
        print_test(test, &Standing::between(0, 1, records))?;
    }
    Ok(())
}

fn print_standing(first: &str, second: &str, standing: &Standing) -> Result<()> {
    let [lost, drawn, won] = standing.as_white.0;
    let superiority = 100.0 * standing.games.superiority();
    say(format_args!("{first} against {second}: {standing}"))?;
    say(format_args!(
        "  with white +{won} ={drawn} -{lost}; likelihood of being stronger {superiority:.1} %"
    ))?;
    if standing.pairs.total() > 0 {
        let normalized = standing.pairs.normalized_elo();
        say(format_args!(
            "  pairs by points 0 to 2: {:?}; normalized Elo {normalized}",
            standing.pairs.0
        ))?;
    }
    Ok(())
}

fn print_test(test: SequentialTest, standing: &Standing) -> Result<()> {
    let ratio = standing.pairs.log_likelihood_ratio(test.elo0, test.elo1);
    let (lower, upper) = test.bounds();
    let verdict = match test.decide(&standing.pairs) {
        Decision::Open => "undecided".to_owned(),
        Decision::Null => format!("{} Elo accepted", test.elo0),
        Decision::Alternative => format!("{} Elo accepted", test.elo1),
    };
    say(format_args!(
        "sequential test: ratio {ratio:.2} ({lower:.2} to {upper:.2}), {verdict}"
    ))?;
    Ok(())
}
