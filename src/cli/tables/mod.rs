//! `cc2s tables`: generation, verification, statistics and probing of endgame tables.

mod awari;
mod bench;
mod choice;
mod directory;
mod generate;
mod list;
mod names;
mod plan;
mod pool;
mod probe;
mod solvable;
mod stats;
mod usage;
mod verify;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};

pub(super) use directory::{Directory, files_in};

/// Commands on tables.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: TablesCommand,
}

#[derive(Debug, Subcommand)]
enum TablesCommand {
    /// Generate tables of endings or awari by retrograde analysis, smaller tables first
    Generate(generate::Arguments),
    /// Verify tables: checksums, every entry against its moves, and optionally Syzygy or Gaviota tables
    Verify(verify::Arguments),
    /// Count wins, draws, losses and distances in tables
    Stats(stats::Arguments),
    /// Look up a position
    Probe(probe::Arguments),
    /// List the tables of a directory
    List(list::Arguments),
    /// Measure the speed of the algorithms
    Bench(bench::Arguments),
}

/// Runs the command; the exit code is 130 after an interruption.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.command {
        TablesCommand::Generate(arguments) => generate::run(arguments),
        TablesCommand::Verify(arguments) => verify::run(arguments),
        TablesCommand::Stats(arguments) => stats::run(arguments),
        TablesCommand::Probe(arguments) => probe::run(arguments),
        TablesCommand::List(arguments) => list::run(arguments),
        TablesCommand::Bench(arguments) => bench::run(arguments),
    }
}
