//! `cc2s lab book`.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use shakmaty::EnPassantMode;
use shakmaty::fen::Epd;

use crate::cli::output::progress_bar;
use crate::lab::book::{BookMaker, BookSettings};

/// Create a book of openings with a small advantage for one side, for `cc2s match --openings`.
///
/// Each opening has some random plies from the initial position and is judged by a search. `ce` is its score in
/// centipawns, from the point of view of the side to move.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// Openings in the book
    #[arg(long, default_value_t = 5_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    lines: u32,
    /// Random plies from the initial position
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=40))]
    plies: u32,
    /// Nodes of the search that judges an opening
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Minimum advantage of one side
    #[arg(long, default_value_t = 30, value_name = "CP", value_parser = clap::value_parser!(i32).range(0..=1_000))]
    advantage_min: i32,
    /// Maximum advantage of one side
    #[arg(long, default_value_t = 110, value_name = "CP", value_parser = clap::value_parser!(i32).range(1..=1_000))]
    advantage_max: i32,
    /// Equal seeds give equal books
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    /// Write the book to this file
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let (least, greatest) = (arguments.advantage_min, arguments.advantage_max);
    ensure!(least <= greatest, "--advantage-min exceeds --advantage-max");
    let mut maker = BookMaker::new(BookSettings {
        plies: arguments.plies,
        nodes: arguments.nodes,
        advantage_cp: least..=greatest,
        seed: arguments.seed,
    })?;
    let name = arguments.file.display();
    let file = File::create(&arguments.file).with_context(|| format!("cannot write {name}"))?;
    let mut out = BufWriter::new(file);
    let bar = progress_bar(arguments.lines as usize, 0)?;
    for count in 0..arguments.lines {
        let Some((position, cp)) = maker.next_opening() else {
            out.flush()
                .with_context(|| format!("cannot write {name}"))?;
            bail!("only {count} openings found within these limits; they are in {name}");
        };
        let epd = Epd::from_position(position.chess(), EnPassantMode::Legal);
        writeln!(out, "{epd} ce {cp};").with_context(|| format!("cannot write {name}"))?;
        bar.inc(1);
    }
    out.flush()
        .with_context(|| format!("cannot write {name}"))?;
    bar.finish_and_clear();
    Ok(())
}
