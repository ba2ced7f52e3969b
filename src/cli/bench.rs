//! `cc2s bench`.

use anyhow::Result;
use clap::Args;

use super::engine::EngineArguments;
use super::output::say;
use crate::tools::bench;

/// The positions and the depth.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Depth of the requirement to meet in each position, in plies
    #[arg(long, default_value_t = bench::DEPTH, value_name = "D", value_parser = clap::value_parser!(u16).range(1..))]
    depth: u16,
    #[command(flatten)]
    engine: EngineArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let mut search = arguments.engine.make()?;
    let speed = bench::evaluator_speed(&arguments.engine.params()?.leaf)?;
    say(format_args!(
        "evaluator: {:.0} nodes/s",
        speed.nodes_per_second
    ))?;
    say(format_args!(
        "evaluator: {:.0} null-window valuations/s",
        speed.valuations_per_second
    ))?;
    let measured = bench::search(search.as_mut(), arguments.depth, |at, trial| {
        let nodes = trial.end.nodes;
        say(format_args!("position {:>2}: {nodes} nodes", at + 1))?;
        Ok(())
    })?;
    let share = |nodes: u64| 100.0 * nodes as f64 / measured.nodes.max(1) as f64;
    say(format_args!(
        "work of Cc2s: {:.1} % to decide, {:.1} % for second strategies",
        share(measured.work.primary),
        share(measured.work.verification),
    ))?;
    let speed = measured.nodes as f64 / measured.seconds.max(1e-6);
    say(format_args!("{} nodes {speed:.0} nps", measured.nodes))?;
    Ok(())
}
