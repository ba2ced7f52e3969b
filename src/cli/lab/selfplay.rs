//! `cc2s lab selfplay`.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;

use crate::chess::Position;
use crate::cli::output::progress_bar;
use crate::endgame::probe::{Own, TableParams, Tables};
use crate::game::Tablebase;
use crate::lab::selfplay::{Mill, SelfPlaySettings};

/// Training games of PVS against itself: quiet positions with score and result, 32 bytes each.
///
/// Games start some random moves after the initial position, an opening or a Chess960 position. They end when both
/// sides consider them decided, or when endgame tables have the result. With an existing file, the command resumes.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// Total number of games in the file at the end
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Nodes for each move after which no deeper iteration starts; a move takes at most four times this number
    #[arg(long, default_value_t = 1_500, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Equal seeds give equal games
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    /// Games at the same time
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    threads: u16,
    /// Append the games to this file
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let settings = SelfPlaySettings {
        nodes: arguments.nodes,
        seed: arguments.seed,
    };
    let mut mill = Mill::open(&arguments.file, settings)?;
    let own = match Own::default_folder() {
        Some(folder) => Own::in_folder(&folder),
        None => Own::built_in(),
    };
    let tables = Tables::new(Some(Arc::new(own)), None, TableParams::default());
    let tablebase: Arc<dyn Tablebase<Position>> = Arc::new(tables);
    let bar = progress_bar(arguments.games as usize, mill.finished(arguments.games))?;
    let mut positions = 0;
    mill.run(
        arguments.games,
        usize::from(arguments.threads),
        &tablebase,
        |game| {
            positions += game.records.len();
            bar.set_message(format!("{positions} positions"));
            bar.inc(1);
        },
    )?;
    bar.finish_and_clear();
    Ok(())
}
