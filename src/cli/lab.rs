//! `cc2s lab`: one command for each experiment.

mod quality;

use anyhow::Result;
use clap::Subcommand;

/// The experiments.
#[derive(Debug, Subcommand)]
pub(super) enum Experiment {
    /// Decide on a position, then count strategies and critical leaves in the stored tree and compute how errors spread
    Quality(quality::Arguments),
}

pub(super) fn run(experiment: &Experiment) -> Result<()> {
    match experiment {
        Experiment::Quality(arguments) => quality::run(arguments),
    }
}
