//! `cc2s tables probe`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Move, Position, fen::Fen, san::SanPlus};

use super::directory::{Directory, absent};
use crate::cli::output::{say, say_json};
use crate::endgame::make::awari::GrandSlam;
use crate::endgame::make::material::Material;
use crate::endgame::make::prober::Prober;
use crate::endgame::make::{Metric, Subject, TableError, TableValue};

/// Which position to look up.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The position: its FEN, in quotes or as several words
    #[arg(num_args = 1..=6, required_unless_present = "awari", value_name = "FEN")]
    fen: Vec<String>,
    /// A position of awari instead: the stones in the six pits of the side to move, then in the opponent's
    #[arg(long, num_args = 1..=12, conflicts_with = "fen", value_name = "PITS")]
    awari: Vec<String>,
    /// Awari: rule for a move that captures all of the opponent's stones
    #[arg(long, value_enum, default_value_t = GrandSlam::OnlyMove)]
    rule: GrandSlam,
    /// Chess: which tables to use
    #[arg(long, value_enum, default_value_t = Metric::Distance)]
    metric: Metric,
    #[command(flatten)]
    directory: Directory,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct ProbeRow {
    result: &'static str,
    /// Plies to mate; `None` for a draw, and in tables without distances.
    plies: Option<u16>,
    /// The best line to the end; empty for a draw, and in tables without distances.
    line: Vec<String>,
    /// All moves, the best first, with the result for the side to move and the plies to mate.
    moves: Vec<(String, &'static str, Option<u16>)>,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    if !arguments.awari.is_empty() {
        let directory = arguments.directory.folder();
        return super::awari::probe(&arguments.awari, arguments.rule, directory, arguments.json);
    }
    let text = arguments.fen.join(" ");
    let illegal = |error: String| TableError::Position(format!("{text}: {error}"));
    let fen: Fen = text
        .parse()
        .map_err(|error: shakmaty::fen::ParseFenError| illegal(error.to_string()))?;
    let position: Chess = fen
        .into_position(CastlingMode::Standard)
        .map_err(|error| illegal(error.to_string()))?;
    let metric = arguments.metric;
    let tables = ChessTables::of(metric, arguments.directory.folder());
    let plies = |value: TableValue| value.plies().filter(|_| metric == Metric::Distance);
    let value = tables.look_up(&position)?;
    let moves = tables.valued_moves(&position)?;
    let answer = ProbeRow {
        result: result(value),
        plies: plies(value),
        line: tables.best_line(position.clone())?,
        moves: moves
            .iter()
            .map(|(mv, value)| (san(&position, *mv), result(*value), plies(*value)))
            .collect(),
    };
    if arguments.json {
        say_json(&answer)?;
    } else {
        print(&answer)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(answer: &ProbeRow) -> Result<()> {
    let plies =
        |plies: Option<u16>| plies.map_or(String::new(), |plies| format!(" in {plies} plies"));
    say(format_args!("{}{}", answer.result, plies(answer.plies)))?;
    if !answer.line.is_empty() {
        say(format_args!("line: {}", answer.line.join(" ")))?;
    }
    for (san, result, distance) in &answer.moves {
        say(format_args!("{san:<7} {result}{}", plies(*distance)))?;
    }
    Ok(())
}

/// The tables of a directory with one metric.
struct ChessTables<'a> {
    prober: Prober,
    metric: Metric,
    directory: &'a Path,
}

impl<'a> ChessTables<'a> {
    fn of(metric: Metric, directory: &'a Path) -> Self {
        let prober = match metric {
            Metric::Distance => Prober::new(directory),
            Metric::Points => Prober::of_results(directory),
        };
        Self {
            prober,
            metric,
            directory,
        }
    }

    fn look_up(&self, position: &Chess) -> Result<TableValue, TableError> {
        let missing = || {
            let (material, _) = Material::of_board(position.board());
            absent(self.directory, Subject::Chess(material, self.metric))
        };
        self.prober.probe(position)?.ok_or_else(missing)
    }

    /// Legal moves with their values for the side to move, the best first.
    fn valued_moves(&self, position: &Chess) -> Result<Vec<(Move, TableValue)>> {
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let after = position.clone().play(mv).context("a legal move")?;
            moves.push((mv, self.metric.lift(self.look_up(&after)?)));
        }
        moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        Ok(moves)
    }

    /// The best line to the end; empty for a draw, and in tables without distances.
    fn best_line(&self, mut position: Chess) -> Result<Vec<String>> {
        let mut line = Vec::new();
        while self.metric == Metric::Distance && self.look_up(&position)? != TableValue::DRAW {
            let Some(&(mv, _)) = self.valued_moves(&position)?.first() else {
                break;
            };
            line.push(san(&position, mv));
            position.play_unchecked(mv);
        }
        Ok(line)
    }
}

fn san(position: &Chess, mv: Move) -> String {
    SanPlus::from_move(position.clone(), mv).to_string()
}

const fn result(value: TableValue) -> &'static str {
    match value.sign() {
        1 => "win",
        0 => "draw",
        _ => "loss",
    }
}
