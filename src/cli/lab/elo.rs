//! `cc2s lab elo`.

use std::path::PathBuf;

use anyhow::Result;
use clap::{ArgGroup, Args};

use super::contenders::{CONTENDERS, check};
use super::files::Files;
use crate::cli::games::{Course, Event, Played};
use crate::cli::output::say;
use crate::lab::contest::{Allowance, Entrant, Faults, Record, Rules, Standing, TimeControl};
use crate::lab::plot::Bar;

/// Nodes for each move where no limit is given.
const NODES: u64 = 20_000;

/// Everybody against everybody, colours reversed, from the openings file (thesis 2.4): Elo with 95 % error bars.
///
/// Elo counts pairs of games with the same opening. The first table is of each search against all others together, whose
/// average is 0; the second of each pairing. Engines are described as for `cc2s match`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("speed").args(["tc", "movetime", "nodes"]))]
pub(in crate::cli) struct Arguments {
    /// A player; may be repeated
    #[arg(short, long, value_name = "ENGINE", default_values = CONTENDERS)]
    engine: Vec<Entrant>,
    /// Games between any two players, rounded up to pairs
    #[arg(long, default_value_t = 20, value_name = "N")]
    games: usize,
    /// Openings: positions (.epd) or games (.pgn)
    #[arg(long, default_value = "positions/openings8.pgn", value_name = "FILE")]
    openings: PathBuf,
    /// Time control in seconds: BASE+INCREMENT or MOVES/BASE+INCREMENT
    #[arg(long)]
    tc: Option<TimeControl>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for each move [default: 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    #[command(flatten)]
    course: Course,
    #[command(flatten)]
    files: Files,
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    check(&arguments.engine)?;
    let allowance = match (arguments.tc, arguments.movetime) {
        (Some(control), _) => Allowance::Clock(control),
        (_, Some(limit)) => Allowance::MoveTime(limit),
        _ => Allowance::Nodes(arguments.nodes.unwrap_or(NODES)),
    };
    let event = Event {
        entrants: arguments.engine.clone(),
        rules: Rules::plain(allowance),
        openings: Some(&arguments.openings),
        games: arguments.games,
        course: &arguments.course,
    };
    let message = |records: &[Record]| format!("{} games", records.len());
    let played = event.play(|_| true, message, |_| true)?;
    report_overall(&played)?;
    report_pairings(&played)?;
    arguments.files.write_csv(&CSV_HEADER, &csv_rows(&played))?;
    let bars: Vec<Bar> = played
        .names
        .iter()
        .enumerate()
        .map(|(at, name)| bar(at, name, &played))
        .collect();
    arguments
        .files
        .draw_bars("Each search against all others", "Elo", &bars)
}

/// Each player against the field.
fn report_overall(played: &Played) -> Result<()> {
    say(format_args!("\n{:<16} against all others", "player"))?;
    for (player, name) in played.names.iter().enumerate() {
        let standing = Standing::against_all(player, &played.records);
        let Faults {
            time_losses,
            illegal_moves,
            crashes,
        } = Faults::of(player, &played.records);
        say(format_args!(
            "{name:<16} {standing}; {time_losses} time losses, {illegal_moves} illegal moves, {crashes} crashes"
        ))?;
    }
    Ok(())
}

/// Everybody against everybody, seen by the player of the line.
fn report_pairings(played: &Played) -> Result<()> {
    say(format_args!("\n{:<16} {:<16} pairing", "player", "against"))?;
    for (first, name) in played.names.iter().enumerate() {
        for (second, other) in played.names.iter().enumerate().skip(first + 1) {
            let standing = Standing::between(first, second, &played.records);
            say(format_args!("{name:<16} {other:<16} {standing}"))?;
        }
    }
    Ok(())
}

const CSV_HEADER: [&str; 7] = [
    "player",
    "against",
    "won",
    "drawn",
    "lost",
    "elo",
    "elo_error",
];

/// One line for each player against all others, then one for each pairing.
fn csv_rows(played: &Played) -> Vec<Vec<String>> {
    let row = |name: &str, other: &str, standing: &Standing| {
        let [lost, drawn, won] = standing.games.0;
        let elo = standing.elo();
        vec![
            name.to_owned(),
            other.to_owned(),
            won.to_string(),
            drawn.to_string(),
            lost.to_string(),
            format!("{:.1}", elo.value),
            format!("{:.1}", elo.error),
        ]
    };
    let names = || played.names.iter().enumerate();
    let mut rows: Vec<_> = names()
        .map(|(player, name)| row(name, "", &Standing::against_all(player, &played.records)))
        .collect();
    for (first, name) in names() {
        for (second, other) in names().skip(first + 1) {
            let standing = Standing::between(first, second, &played.records);
            rows.push(row(name, other, &standing));
        }
    }
    rows
}

/// An open interval gets no error bar.
fn bar(at: usize, name: &str, played: &Played) -> Bar {
    let elo = Standing::against_all(at, &played.records).elo();
    let drawn = |number: f64| if number.is_finite() { number } else { 0.0 };
    Bar {
        name: name.to_owned(),
        value: drawn(elo.value),
        error: drawn(elo.error),
    }
}
