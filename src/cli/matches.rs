//! `cc2s match`.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::{ArgGroup, Args};

use super::games::{GamesArguments, Played, Tournament};
use super::output::say;
use crate::cluster::world;
use crate::tools::matches::{Allowance, Entrant, Faults, GameRecord, Rules, Standing, TimeControl};
use crate::tools::stats::{SequentialTest, SprtDecision};

/// Play engines against each other and measure the difference in strength
///
/// Every engine plays every other; each opening is played twice with colours reversed. Elo and the sequential test use
/// these game pairs (pentanomial). Error bars are 95 %.
///
/// An engine is described by KEY=VALUE parts separated by commas. If an engine does not know a setting, the match ends
/// before the first game.
///
///   name=NAME            its name in the results
///   cmd=PROGRAM          the program [default: this one]
///   arg=WORD             an argument of the program; may be repeated
///   proto=uci|xboard     its protocol [default: uci]
///   option.NAME=VALUE    an option of the engine, such as option.Hash=64; may be repeated
///   search=NAME          short for option.Search=NAME, this program's search
///   profile=NAME         short for option.Profile=NAME, this program's profile
///
/// The match is Chess960 if the openings are Chess960 and the engines have the option `UCI_Chess960`.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, group = ArgGroup::new("speed").required(true).args(["tc", "movetime", "nodes", "depth"]))]
pub(super) struct Arguments {
    /// An engine; give two or more
    #[arg(short, long, required = true, value_name = "ENGINE")]
    engine: Vec<Entrant>,
    /// Games for each pair of engines, rounded up to an even number
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Openings: positions (.epd) or games (.pgn) [default: the initial position]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Use the openings in a random order, the same for equal N [default: file order]
    #[arg(long, value_name = "N", requires = "openings")]
    seed: Option<u64>,
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
    /// Milliseconds by which an engine may exceed its time
    #[arg(long, default_value_t = 0, value_name = "MS")]
    margin: u64,
    #[command(flatten)]
    course: GamesArguments,
    /// Stop as soon as a sequential test decides between two Elo differences: ELO0,ELO1 (errors of 5 %) or
    /// ELO0,ELO1,ALPHA,BETA
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sequential_test, allow_hyphen_values = true)]
    sprt: Option<SequentialTest>,
    /// Adjudicate a loss when an engine's own score is -CP centipawns or worse for N of its moves
    #[arg(long, value_name = "CP,N", value_parser = pair)]
    resign: Option<(i32, u32)>,
    /// Adjudicate a draw when both scores are within CP centipawns of zero for N moves
    #[arg(long, value_name = "CP,N", value_parser = pair)]
    draw: Option<(i32, u32)>,
    /// Adjudicate a draw after N moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    maxmoves: Option<u32>,
}

fn sequential_test(text: &str) -> Result<SequentialTest> {
    let numbers = text.split(',').map(str::parse);
    let numbers: Vec<f64> = numbers.collect::<Result<_, _>>()?;
    let (elo0, elo1, alpha, beta) = match numbers[..] {
        [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
        [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
        _ => bail!("expected two or four numbers"),
    };
    let is_rate = |number: f64| number > 0.0 && number < 0.5;
    let is_order = elo0 < elo1 && elo0.is_finite() && elo1.is_finite();
    if !is_order || !is_rate(alpha) || !is_rate(beta) {
        bail!("expected ELO0 < ELO1, and error rates between 0 and 0.5");
    }
    Ok(SequentialTest {
        elo0,
        elo1,
        alpha,
        beta,
    })
}

fn pair(text: &str) -> Result<(i32, u32)> {
    let (centipawns, times) = text.split_once(',').context("expected CP,N")?;
    let (centipawns, times) = (centipawns.parse()?, times.parse()?);
    if centipawns < 0 || times == 0 {
        bail!("expected CP of 0 or more, and N of 1 or more");
    }
    Ok((centipawns, times))
}

impl Arguments {
    fn allowance(&self) -> Result<Allowance> {
        Ok(match (self.tc, self.movetime, self.nodes, self.depth) {
            (Some(control), ..) => Allowance::Clock(control),
            (_, Some(limit), ..) => Allowance::MoveTime(limit),
            (_, _, Some(limit), _) => Allowance::Nodes(limit),
            (.., Some(limit)) => Allowance::Depth(limit),
            _ => bail!("no time control"),
        })
    }

    fn event(&self) -> Result<Tournament<'_>> {
        Ok(Tournament {
            entrants: self.engine.clone(),
            rules: Rules {
                allowance: self.allowance()?,
                margin_ms: self.margin,
                resign: self.resign,
                draw: self.draw,
                moves_max: self.maxmoves,
            },
            openings: self.openings.as_ref(),
            seed: self.seed,
            games: self.games as usize,
            course: &self.course,
        })
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    if world::are_joined() {
        bail!(
            "a match cannot run under mpirun; start the ranks of an engine with cmd=mpirun,arg=-n,arg=4,arg=cc2s"
        );
    }
    let test = arguments.sprt;
    if test.is_some() && arguments.engine.len() != 2 {
        bail!("--sprt needs exactly two engines");
    }
    let standing = |records: &[GameRecord]| Standing::between(0, 1, records);
    let is_open = |records: &[GameRecord]| {
        test.is_none_or(|test| test.decide(&standing(records).pairs) == SprtDecision::Open)
    };
    let message = |records: &[GameRecord]| standing(records).to_string();
    let played = arguments.event()?.play(|_| true, message, is_open)?;
    report(&played, test)
}

/// Prints the standings of all pairings, the errors of all players, and the state of the SPRT.
fn report(played: &Played, test: Option<SequentialTest>) -> Result<()> {
    let Played { names, records } = played;
    say("")?;
    for first in 0..names.len() {
        for second in first + 1..names.len() {
            let standing = Standing::between(first, second, records);
            print_standing(&names[first], &names[second], &standing)?;
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
        SprtDecision::Open => "undecided".to_owned(),
        SprtDecision::Null => format!("{} Elo accepted", test.elo0),
        SprtDecision::Alternative => format!("{} Elo accepted", test.elo1),
    };
    say(format_args!(
        "sequential test: ratio {ratio:.2} ({lower:.2} to {upper:.2}), {verdict}"
    ))?;
    Ok(())
}
