//! `cc2s man`.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::{Args, Command};

/// Where the manual goes.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Write a page for the program and one for each command into this folder
    #[arg(long = "dir", value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Prints the manual page of the program, or writes those of all commands to a folder.
pub(super) fn run(arguments: &Arguments, command: Command) -> Result<()> {
    if let Some(folder) = &arguments.folder {
        let named = || format!("{}", folder.display());
        fs::create_dir_all(folder).with_context(named)?;
        return clap_mangen::generate_to(command, folder).with_context(named);
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(io::stdout().write_all(&page)?)
}
