//! `cc2s` and `cc2s uci`.

use std::io::{self, IsTerminal as _};

use anyhow::Result;
use clap::Args;

use super::engine::EngineArguments;
use super::output::warn;
use crate::engine::default_tables_folder;
use crate::engine::registry::{SEARCHES, find};
use crate::settings::EngineParams;
use crate::tools::bench;
use crate::uci::{self, Tools};

/// The greeting on a terminal.
const GREETING: &str = concat!(
    "cc2s ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine that speaks UCI; type help, or run cc2s --help for other commands"
);

/// How to speak UCI.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    engine: EngineArguments,
    /// List every search parameter as a UCI option, not only the common options
    #[arg(long, help_heading = "Engine")]
    tunables: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let tools = Tools {
        bench: bench_lines,
        lists_tunables: arguments.tunables,
    };
    if io::stdin().is_terminal() {
        warn(GREETING);
    }
    let mut engine = arguments.engine.open()?;
    engine.set_tables_folder(default_tables_folder().as_deref())?;
    Ok(uci::run(io::stdin(), io::stdout(), engine, tools)?)
}

/// The output of the command `bench`.
fn bench_lines(name: &str, params: &EngineParams) -> Result<Vec<String>, String> {
    let entry = find(SEARCHES, name).ok_or_else(|| format!("no search '{name}'"))?;
    let mut search = (entry.build)(params).map_err(|error| error.to_string())?;
    let mut lines = Vec::new();
    let measured = bench::search(search.as_mut(), bench::DEPTH, |at, trial| {
        lines.push(format!("position {:>2}: {} nodes", at + 1, trial.end.nodes));
        Ok(())
    });
    let measured = measured.map_err(|error| error.to_string())?;
    let speed = measured.nodes as f64 / measured.seconds.max(1e-6);
    lines.push(format!("{} nodes {speed:.0} nps", measured.nodes));
    Ok(lines)
}
