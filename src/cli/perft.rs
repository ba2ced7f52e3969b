//! `cc2s perft`.

use std::time::Instant;

use anyhow::Result;
use clap::Args;

use super::output::say;

use crate::chess::Position;
use crate::chess::notation::{CastlingStyle, parse_fen, uci_move};
use crate::chess::perft::{DEPTH_MAX, divide};

/// The count wanted.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Length of the sequences, in plies
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(DEPTH_MAX)))]
    depth: u32,
    /// The position, as FEN with or without the two counters [default: the initial position]
    #[arg(num_args = 0..=6, value_name = "FEN")]
    fen: Vec<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let given = arguments.fen.join(" ");
    let position = if given.is_empty() {
        Position::initial()
    } else {
        parse_fen(&given)?
    };
    let start = Instant::now();
    let counts = divide(&position, arguments.depth);
    let seconds = start.elapsed().as_secs_f64();
    for (mv, count) in &counts {
        let uci = uci_move(&position, *mv, CastlingStyle::KingMoves);
        say(format_args!("{uci}: {count}"))?;
    }
    let total: u64 = if arguments.depth == 0 {
        1
    } else {
        counts.iter().map(|(_, count)| count).sum()
    };
    say(format_args!(
        "\n{total} nodes {:.0} nps",
        total as f64 / seconds.max(1e-6)
    ))?;
    Ok(())
}
