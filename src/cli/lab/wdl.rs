//! `cc2s lab wdl`.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::cli::output::say;
use crate::engine::ChanceCurve;
use crate::lab::wdl::{ScoredResult, fit, loss, samples};
use crate::tools::source;

/// The chances of win, draw and loss for a score, fitted to games recorded by `cc2s match --pgn`.
///
/// The scores of both players count, so both should be this engine, at about equal strength.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// Games with the players' scores in their comments
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let mut all: Vec<ScoredResult> = Vec::new();
    for path in &arguments.games {
        for game in source::games(path)? {
            all.extend(samples(&game));
        }
    }
    if all.is_empty() {
        bail!("no scores in these games");
    }
    say(format!("{} scores", all.len()))?;
    for (name, curve) in [("built in", ChanceCurve::FITTED), ("fitted", fit(&all))] {
        say(format!(
            "{name}: even chance at {:.0} cp, width {:.0} cp, loss {:.4}",
            curve.even_cp,
            curve.slope_cp,
            loss(curve, &all)
        ))?;
    }
    Ok(())
}
