//! `cc2s lab fit`.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use crate::cli::output::{file, keep_apart, say};
use crate::lab::fit::{Fit, FitExample, FitSettings};
use crate::lab::selfplay::GameReader;

/// The weights of the evaluation fitted to games of `cc2s lab selfplay`.
///
/// The loss is the KL divergence, for the training games and for every tenth game, which is held out.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// Files of `cc2s lab selfplay`
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Write the weights to this file, as the source that declares them (src/eval/weights.rs)
    #[arg(long, value_name = "FILE", value_parser = file())]
    out: Option<PathBuf>,
    /// Weight of the game result in the training target, 0 to 1; the rest is the score
    #[arg(long, default_value_t = 0.2, value_name = "F")]
    result_share: f32,
    /// Passes over the positions
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,
    /// Strength of the pull towards the old weights, in positions
    #[arg(long, default_value_t = 30.0, value_name = "F")]
    hold: f32,
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    ensure!(
        (0.0..=1.0).contains(&arguments.result_share),
        "--result-share must be between 0 and 1"
    );
    ensure!(arguments.hold >= 0.0, "--hold must not be negative");
    keep_apart(&arguments.games, &arguments.out)?;
    let mut examples = Vec::new();
    for path in &arguments.games {
        let mut reader = GameReader::open(path)?;
        while let Some(game) = reader.next_game()? {
            for record in &game.records {
                let sample = record.sample().with_context(|| {
                    format!("{}, game {}: no position", path.display(), game.number)
                })?;
                examples.extend(FitExample::new(
                    &sample,
                    game.number,
                    arguments.result_share,
                ));
            }
        }
    }
    ensure!(!examples.is_empty(), "no positions for the fit");
    let plan = FitSettings {
        passes: arguments.passes,
        hold: arguments.hold,
    };
    let mut fit = Fit::default();
    say(format_args!("{} positions", examples.len()))?;
    report(0, &fit, &examples)?;
    fit.learn(&examples, plan, |pass, fit| report(pass, fit, &examples))?;
    if let Some(path) = &arguments.out {
        std::fs::write(path, fit.source()).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn report(pass: u32, fit: &Fit, examples: &[FitExample]) -> Result<()> {
    let (known, held_out) = (fit.loss(examples, false), fit.loss(examples, true));
    say(format_args!(
        "pass {pass}: loss {known:.5}, held out {held_out:.5}"
    ))?;
    Ok(())
}
