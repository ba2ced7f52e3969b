//! `cc2s doctor`.

mod data;
mod machine;

use std::sync::Arc;

use anyhow::{Result, ensure};
use clap::Args;

use super::engine::EngineArguments;
use super::interrupt;
use super::output::say;
use super::tables::Directory;
use crate::tools::matches::{Entrant, Host, check_compliance};

/// Check processor, clock, settings, memory, network, tables and UCI, and report problems
///
/// Each line names a check and its result. A line with FAILED names the problem; the exit code is then 2.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    tables: Directory,
    /// Folders with Syzygy tables, separated as in the option `SyzygyPath`
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
    #[command(flatten)]
    engine: EngineArguments,
}

#[derive(Default)]
struct Report {
    checks: usize,
    failures: usize,
}

impl Report {
    fn tell(&mut self, name: &str, found: Result<String>) -> Result<()> {
        self.checks += 1;
        match found {
            Ok(word) => say(format_args!("ok      {name:<22} {word}"))?,
            Err(error) => {
                self.failures += 1;
                say(format_args!("FAILED  {name:<22} {error:#}"))?;
            }
        }
        Ok(())
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let mut report = Report::default();
    report.tell("program", Ok(machine::program()))?;
    report.tell("processor", machine::processor())?;
    report.tell("clock", machine::clock())?;
    let numbers = arguments.engine.numbers();
    let memory = numbers.as_ref().ok().map(|params| params.engine.hash_mib);
    report.tell("settings", numbers.map(|params| data::settings(&params)))?;
    if let Some(mebibytes) = memory {
        report.tell("memory", machine::memory(mebibytes as u64))?;
    }
    let evaluation = arguments.engine.evaluation();
    report.tell("network", evaluation.and_then(|kind| data::network(&kind)))?;
    report.tell("own tables", data::own_tables(arguments.tables.folder()))?;
    if let Some(list) = &arguments.syzygy {
        report.tell("Syzygy tables", data::syzygy(list))?;
    }
    speak(&mut report)?;
    let Report { checks, failures } = report;
    ensure!(failures == 0, "{failures} of {checks} checks failed");
    say(format_args!("{checks} checks, nothing is wrong"))?;
    Ok(())
}

/// Tests UCI with a second process of this program.
fn speak(report: &mut Report) -> Result<()> {
    let host = Arc::new(Host::new(interrupt::flag()?, None)?);
    let myself = Entrant {
        name: "cc2s".to_owned(),
        ..Entrant::default()
    };
    let mut told = Ok(());
    let started = check_compliance(&myself, &host, |step, found| {
        let told_now = report.tell(&format!("UCI: {step}"), found.map_err(Into::into));
        if told.is_ok() {
            told = told_now;
        }
    });
    told?;
    if let Err(error) = started {
        report.tell("UCI", Err(error.into()))?;
    }
    Ok(())
}
