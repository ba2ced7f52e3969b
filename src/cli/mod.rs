//! The command line, with one file for each subcommand.

mod annotate;
mod bench;
mod completions;
mod config;
mod doctor;
mod engine;
mod epd;
mod examples;
mod explain;
mod games;
mod interrupt;
mod lab;
mod man;
mod matches;

mod output;
mod perft;
mod processes;
mod processor;
mod tables;
mod uci;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

/// A chess engine built on Controlled Conspiracy Number Search.
///
/// Without a command it speaks UCI on standard input and output, as chess programs expect.
#[derive(Debug, Parser)]
#[command(
    name = "cc2s",
    version,
    about,
    long_about,
    max_term_width = 100,
    args_conflicts_with_subcommands = true
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    uci: uci::Arguments,
}

// Commands without a doc comment take the longer one of their `Arguments`.
#[derive(Debug, Subcommand)]
enum Command {
    /// Speak UCI on standard input and output (the default without a command)
    Uci(uci::Arguments),
    Epd(epd::Arguments),
    Annotate(annotate::Arguments),
    Explain(explain::Arguments),
    Match(matches::Arguments),
    /// Search fixed positions to fixed depths; the node count is the same on every machine
    Bench(bench::Arguments),
    /// Count the legal move sequences of a position, move by move
    Perft(perft::Arguments),
    /// Generate, verify and probe endgame tables
    Tables(tables::Arguments),
    /// Run experiments
    #[command(subcommand)]
    Lab(lab::Experiment),
    /// Print engine.toml: every parameter with default, range, unit and source, and the profiles
    Config,
    /// Write a completion script for a shell to standard output
    Completions(completions::Arguments),
    /// Print the manual page, or write the pages of all commands
    Man(man::Arguments),
    Doctor(doctor::Arguments),
}

/// Exit code of a failed command.
const FAILED: u8 = 2;

/// Runs the program and returns the exit code: 0 for success, 2 for a failure, 130 for an interruption. Messages
/// of failures begin with `error:` on standard error.
///
/// With several MPI processes, the first one runs the command, and the others work for it.
pub fn run() -> ExitCode {
    // First of all, because other code may need instructions that the processor lacks.
    if processor::suffices() {
        run_checked()
    } else {
        output::warn(processor::TOO_OLD);
        ExitCode::from(FAILED)
    }
}

/// The complete command line, for parsing, help and completion.
fn command() -> clap::Command {
    examples::added_to(Cli::command())
}

#[inline(never)]
fn run_checked() -> ExitCode {
    let matches = command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    processes::run(|| conclude(dispatch(cli)))
}

fn conclude(outcome: Result<ExitCode>) -> ExitCode {
    match outcome {
        Ok(_) if interrupt::is_seen() => ExitCode::from(interrupt::INTERRUPTED),
        Ok(code) => code,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::warn(format_args!("error: {error:#}"));
            ExitCode::from(FAILED)
        }
    }
}

fn dispatch(cli: Cli) -> Result<ExitCode> {
    match cli.command {
        None => uci::run(&cli.uci),
        Some(Command::Uci(arguments)) => uci::run(&arguments),
        Some(Command::Epd(arguments)) => epd::run(&arguments),
        Some(Command::Annotate(arguments)) => annotate::run(&arguments),
        Some(Command::Explain(arguments)) => explain::run(&arguments),
        Some(Command::Match(arguments)) => matches::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        Some(Command::Tables(arguments)) => return tables::run(&arguments),
        Some(Command::Lab(experiment)) => lab::run(&experiment),
        Some(Command::Config) => config::run(),
        Some(Command::Completions(arguments)) => completions::run(&arguments, command()),
        Some(Command::Man(arguments)) => man::run(&arguments, command()),
        Some(Command::Doctor(arguments)) => doctor::run(&arguments),
    }?;
    Ok(ExitCode::SUCCESS)
}
