//! `cc2s explain`.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::engine::EngineArguments;
use super::interrupt;
use super::output::{file, keep_apart, say};
use crate::chess::notation::{parse_fen, parse_san, without_number};
use crate::chess::{Line, Position};
use crate::engine::registry::SEARCHES;
use crate::engine::searches::cc2s::DelegatedCc2s;
use crate::game::Game as _;
use crate::report::Allowed;
use crate::report::explain::{Certainty, Conspiracy, Explanation, explain, page};
use crate::tools::files::replace;

/// Default time of the analysis, in milliseconds.
const MOVE_TIME_MS: u64 = 5_000;

/// Show why a move is best: a page with its strategies and the errors that would change it
///
/// The page shows the strategies behind the move as a tree, the evaluations that must be wrong for another move to be
/// best, the closest other moves, and the course of the analysis. It is a single file for any browser.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The position, as FEN [default: the initial position]
    #[arg(value_name = "FEN", conflicts_with = "line")]
    fen: Option<String>,
    /// The game up to the position: `startpos` or `fen FEN`, then `moves` and the moves in UCI notation or SAN. Move
    /// numbers are optional
    #[arg(long, value_name = "LINE")]
    line: Option<String>,
    /// Time for the analysis, in milliseconds [default: 5000 without --nodes]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for the analysis
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Write the page to this file
    #[arg(short, long, value_name = "FILE", value_parser = file(), required_unless_present = "json")]
    output: Option<PathBuf>,
    /// Write the tree, strategies and conspirators to this file, as JSON
    #[arg(long, value_name = "FILE", value_parser = file())]
    json: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArguments,
}

impl Arguments {
    fn game(&self) -> Result<Line> {
        match (&self.fen, &self.line) {
            (Some(fen), _) => Ok(Line::new(parse_fen(fen)?)),
            (None, Some(line)) => read_line(line).with_context(|| format!("--line '{line}'")),
            (None, None) => Ok(Line::new(Position::initial())),
        }
    }

    fn allowed(&self) -> Allowed {
        let is_unlimited = self.movetime.is_none() && self.nodes.is_none();
        Allowed {
            move_time_ms: self.movetime.or(is_unlimited.then_some(MOVE_TIME_MS)),
            nodes: self.nodes,
        }
    }
}

/// Parses `startpos moves e2e4 ...`, `fen FEN moves ...` or moves alone, optionally with move numbers.
fn read_line(text: &str) -> Result<Line> {
    let text = text.trim();
    let names_start = text.starts_with("startpos") || text.starts_with("fen ");
    let (start, moves) = match text.split_once("moves") {
        Some((start, moves)) => (start.trim(), moves),
        None if names_start => (text, ""),
        None => ("startpos", text),
    };
    let first = match start.strip_prefix("fen ") {
        Some(fen) => parse_fen(fen)?,
        None if start == "startpos" => Position::initial(),
        None => bail!("it should begin with 'startpos' or 'fen'"),
    };
    let mut line = Line::new(first);
    let words = moves.split_whitespace();
    for word in words.filter(|word| !without_number(word).is_empty()) {
        let mv = parse_san(line.position(), word)?;
        line.play(mv);
    }
    Ok(line)
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let params = arguments.engine.params()?;
    let is_default = arguments.engine.entry()?.name == SEARCHES[0].name;
    if !is_default || !params.delegation.delegate {
        bail!(
            "only the search {} with delegation can be explained",
            SEARCHES[0].name
        );
    }
    keep_apart([], arguments.output.iter().chain(&arguments.json))?;
    let line = arguments.game()?;
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    if moves.is_empty() {
        bail!("the game is over: no legal move to explain");
    }
    let mut search = DelegatedCc2s::new(
        params.delegation.clone(),
        &params.delegate(),
        params.engine.threads as usize,
        params.engine.hash_mib as usize,
    )?;
    let why = explain(
        &mut search,
        &params.leaf.evaluation,
        &line,
        arguments.allowed(),
        &*interrupt::flag()?,
    );
    if let Some(path) = &arguments.output {
        replace(path, page(&why, line.position())?.as_bytes())?;
    }
    if let Some(path) = &arguments.json {
        replace(path, serde_json::to_string(&why)?.as_bytes())?;
    }
    Ok(say(summary(&why))?)
}

/// The explanation in two lines.
fn summary(why: &Explanation) -> String {
    let answer = format!("{} {}", why.san, why.score_text);
    let doubt = match (why.certain, &why.conspirators) {
        (Some(Certainty::OnlyMove), _) => "the only legal move; no evaluation can change it",
        (Some(Certainty::Mate), _) => "mate: no evaluation can change it",
        (Some(Certainty::Proved), _) | (None, None) => {
            "certain by the rules of the game; no evaluation can change it"
        }
        (None, Some(all)) if all.leaves.is_empty() => {
            "the search has not proved that this move is best; give it more time"
        }
        (None, Some(all)) => return format!("{answer} {}", safety(why, all)),
    };
    format!("{answer}\n{doubt}")
}

/// The safety of a decision, and the evaluations that would have to be wrong.
fn safety(why: &Explanation, conspirators: &Conspiracy) -> String {
    let [depth, strategies] = why.safety;
    let leaves = conspirators.leaves.iter();
    let lines: Vec<&str> = leaves.map(|&leaf| why.leaves[leaf].line.as_str()).collect();
    let margin = why.margin.map(|margin| format!(", margin {margin} cp"));
    format!(
        "safety {strategies} to {depth} plies{}, {} leaves\nit changes if these leaves are wrong by {} cp together: {}",
        margin.unwrap_or_default(),
        why.leaves.len(),
        conspirators.change_cp,
        lines.join("; ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::fen;

    #[test]
    fn moves_are_read_with_and_without_their_numbers() {
        let expected = fen(read_line("startpos moves e2e4 e7e5 g1f3")
            .unwrap()
            .position());
        for line in [
            "1. e4 e5 2. Nf3",
            "1.e4 e5 2.Nf3",
            "startpos moves 1 e4 1... e5 2 Nf3",
            "1. e4 1...e5 2. Nf3!",
        ] {
            assert_eq!(fen(read_line(line).unwrap().position()), expected, "{line}");
        }
        assert!(read_line("1. e4 2.5").is_err());
    }
}
