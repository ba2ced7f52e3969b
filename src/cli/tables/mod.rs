//! `cc2s tables`: endgame tables made, checked, counted and asked.

mod awari;
mod bench;
mod choice;
mod generate;
mod list;
mod plan;
mod pool;
mod probe;
mod solvable;
mod stats;
mod usage;
mod verify;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};

pub(super) use list::files_in;

use crate::engine::default_tables_folder;
use crate::retro::file::{TableFile, path_of};
use crate::retro::{Algorithm, Subject, TableError};

/// What to do with tables.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Solve endings or awari by retrograde analysis, smaller classes first, and write their tables
    Generate(generate::Arguments),
    /// Check tables: sums, every entry against its moves, and optionally against Syzygy tables
    Verify(verify::Arguments),
    /// Count what tables hold
    Stats(stats::Arguments),
    /// Ask tables about a position
    Probe(probe::Arguments),
    /// List the tables of a directory
    List(list::Arguments),
    /// Time the algorithms
    Bench(bench::Arguments),
}

/// Where the tables are.
#[derive(Debug, Args)]
pub(super) struct Directory {
    /// The directory of the tables; without it the one where the engine looks for them
    #[arg(long = "dir", value_name = "DIR", default_value_os_t = default_directory())]
    path: PathBuf,
}

impl Directory {
    /// The directory.
    pub(super) fn folder(&self) -> &Path {
        &self.path
    }
}

/// Where the engine keeps tables, or `./tables` where the system has no place for such things.
fn default_directory() -> PathBuf {
    default_tables_folder().unwrap_or_else(|| "tables".into())
}

/// An algorithm, as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AlgorithmName {
    /// A counter and a value per position, on any number of threads
    BalAllis,
    /// One bit of random-access memory per position of one side
    WuBeal,
    /// One byte per position
    Muller,
    /// Wu and Beal's steps on 64 positions at a time: by far the fastest, on any number of threads
    Words,
}

impl From<AlgorithmName> for Algorithm {
    fn from(name: AlgorithmName) -> Self {
        match name {
            AlgorithmName::BalAllis => Self::BalAllis,
            AlgorithmName::WuBeal => Self::WuBeal,
            AlgorithmName::Muller => Self::Muller,
            AlgorithmName::Words => Self::Words,
        }
    }
}

/// The subject called `name`.
fn subject_named(name: &str) -> Result<Subject> {
    let unknown = || TableError::UnknownName(name.to_owned());
    Ok(Subject::parse(name).ok_or_else(unknown)?)
}

/// Opens the table of `subject`.
fn open(directory: &Path, subject: Subject) -> Result<TableFile, TableError> {
    let path = path_of(directory, subject);
    if path.exists() {
        TableFile::open(&path)
    } else {
        Err(absent(directory, subject))
    }
}

/// The complaint that `directory` has no table of `subject`.
fn absent(directory: &Path, subject: Subject) -> TableError {
    TableError::Absent {
        path: path_of(directory, subject),
        class: subject.to_string(),
    }
}

/// Runs the command; 130 where it was interrupted.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.command {
        Command::Generate(arguments) => generate::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Stats(arguments) => stats::run(arguments),
        Command::Probe(arguments) => probe::run(arguments),
        Command::List(arguments) => list::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
    }
}
