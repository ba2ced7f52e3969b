//! `cc2s lab selfplay`.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use crate::cli::output::progress_bar;
use crate::lab::selfplay::School;

/// Games of PVS against itself from random openings, as quiet positions with score and result, for `cc2s lab fit`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// Number of the first game; the same number gives the same game
    #[arg(long, default_value_t = 0, value_name = "N")]
    first: u64,
    /// Games
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Nodes for each move
    #[arg(long, default_value_t = 3_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Write the positions to this new file, in Extended Position Description
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let named = || arguments.file.display().to_string();
    // Positions of earlier games may have taken hours.
    ensure!(!arguments.file.is_file(), "{} exists already", named());
    let mut writer = BufWriter::new(File::create(&arguments.file).with_context(named)?);
    let mut school = School::new(arguments.nodes)?;
    let bar = progress_bar(arguments.games as usize, 0)?;
    for game in (arguments.first..).take(arguments.games as usize) {
        for sample in school.play(game) {
            writeln!(writer, "{sample}").with_context(named)?;
        }
        bar.inc(1);
    }
    writer.flush().with_context(named)?;
    bar.finish_and_clear();
    Ok(())
}
