//! `cc2s completions`.

use clap::{Args, CommandFactory};

/// Which shell to complete for.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The shell that shall complete commands and options
    shell: clap_complete::Shell,
}

pub(super) fn run(arguments: &Arguments) {
    let mut command = super::Cli::command();
    clap_complete::generate(
        arguments.shell,
        &mut command,
        "cc2s",
        &mut std::io::stdout(),
    );
}
