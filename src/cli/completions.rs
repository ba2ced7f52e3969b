//! `cc2s completions`.

use std::io::{self, Write as _};

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command};

use crate::engine::EVALUATIONS;
use crate::engine::registry::SEARCHES;

/// Which shell to complete for.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The shell to write the script for
    shell: clap_complete::Shell,
}

pub(super) fn run(arguments: &Arguments, command: Command) -> Result<()> {
    let mut command = with_values(command);
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "cc2s", &mut script);
    Ok(io::stdout().write_all(&script)?)
}

/// Adds the values of options that are names of searches and evaluations.
fn with_values(command: Command) -> Command {
    let named = command.mut_args(|argument: Arg| match argument.get_id().as_str() {
        "search" => {
            let names = SEARCHES.iter().map(|entry| entry.name);
            argument.value_parser(PossibleValuesParser::new(names))
        }
        "evaluation" => argument.value_parser(PossibleValuesParser::new(EVALUATIONS)),
        _ => argument,
    });
    named.mut_subcommands(with_values)
}
