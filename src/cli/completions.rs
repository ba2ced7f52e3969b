//! `cc2s completions`.

use std::io::{self, Write as _};

use anyhow::Result;
use clap::{Args, CommandFactory};

/// Which shell to complete for.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The shell that shall complete commands and options
    shell: clap_complete::Shell,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let mut command = super::Cli::command();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "cc2s", &mut script);
    Ok(io::stdout().write_all(&script)?)
}
