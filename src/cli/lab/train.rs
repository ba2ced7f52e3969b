//! `cc2s lab train`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use crate::cli::output::{file, keep_apart, progress_bar, say};
use crate::engine::network_bytes;
use crate::eval::network::NetworkParameters;
use crate::lab::plot::{self, Curve, PlotFrame};
use crate::lab::train::{Dataset, Loss, Trainer, TrainingSettings};
use crate::tools::files::replace;

/// A network for the evaluation, trained on games of `cc2s lab selfplay`.
///
/// Equal games, settings and seed give the same file, with any number of threads. After each epoch the state is saved
/// beside the network (FILE.state), so the same command resumes. The loss is the KL divergence; every 40th game is held
/// out for validation.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// Files of `cc2s lab selfplay`
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Write the network to this file
    #[arg(long, value_name = "FILE", value_parser = file())]
    out: PathBuf,
    /// Continue from this network instead of a random one; shape and scale are taken from it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["hidden", "scale"])]
    start: Option<PathBuf>,
    /// Units of the hidden layer for each side, a multiple of 16
    #[arg(long, default_value_t = 128, value_name = "N", value_parser = clap::value_parser!(u16).range(16..=1_024))]
    hidden: u16,
    /// Epochs over the positions
    #[arg(long, default_value_t = 16, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Batch size, in positions
    #[arg(long, default_value_t = 4_096, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Initial learning rate
    #[arg(long, default_value_t = 0.001, value_name = "F")]
    rate: f32,
    /// Weight decay per step, as a multiple of the rate
    #[arg(long, default_value_t = 0.01, value_name = "F")]
    decay: f32,
    /// Weight of the game result in the training target, 0 to 1; the rest is the score
    #[arg(long, default_value_t = 0.1, value_name = "F")]
    result_share: f32,
    /// Centipawns at which the expected score is 1 / (1 + 1/e)
    #[arg(long, default_value_t = 200, value_name = "CP", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    scale: u32,
    /// Equal seeds give equal networks
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Threads
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
    /// Draw the losses of all epochs as SVG
    #[arg(long, value_name = "FILE", value_parser = file())]
    svg: Option<PathBuf>,
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let state = beside(&arguments.out);
    let written = [&arguments.out, &state].into_iter().chain(&arguments.svg);
    keep_apart(&arguments.games, written)?;
    let plan = settings(arguments)?;
    let start = arguments.start.as_deref().map(read_network).transpose()?;
    let mut data = Dataset::default();
    for path in &arguments.games {
        data.read(path)?;
    }
    ensure!(!data.training.is_empty(), "no positions for training");
    say(format_args!(
        "{} games: {} training positions, {} held out",
        data.games,
        data.training.len(),
        data.held_out.len()
    ))?;
    let mut trainer = match &start {
        Some(network) => Trainer::from_network(network, plan),
        None => Trainer::new(arguments.hidden.into(), plan),
    };
    trainer.resume(&state, &data)?;
    learn(&mut trainer, &data, arguments, &state)?;
    replace(&arguments.out, &trainer.network().to_bytes())?;
    if let Some(path) = &arguments.svg {
        draw_losses(path, trainer.losses())?;
    }
    fs::remove_file(&state).with_context(|| state.display().to_string())
}

fn settings(arguments: &Arguments) -> Result<TrainingSettings> {
    ensure!(
        (0.0..=1.0).contains(&arguments.result_share),
        "--result-share must be between 0 and 1"
    );
    ensure!(
        arguments.hidden.is_multiple_of(16),
        "--hidden must be a multiple of 16"
    );
    ensure!(
        arguments.rate > 0.0 && arguments.decay >= 0.0,
        "--rate must be above 0, and --decay must not be negative"
    );
    Ok(TrainingSettings {
        scale_cp: arguments.scale,
        result_share: arguments.result_share,
        epochs: arguments.epochs,
        batch: arguments.batch as usize,
        rate: arguments.rate,
        decay: arguments.decay,
        seed: arguments.seed,
    })
}

fn read_network(path: &Path) -> Result<NetworkParameters> {
    let named = || path.display().to_string();
    let bytes = network_bytes(path).with_context(named)?;
    NetworkParameters::from_bytes(&bytes).with_context(named)
}

/// The path of the checkpoint.
fn beside(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".state");
    name.into()
}

fn learn(trainer: &mut Trainer, data: &Dataset, arguments: &Arguments, state: &Path) -> Result<()> {
    let each = data.training.len();
    let bar = progress_bar(
        each * arguments.epochs as usize,
        each * trainer.losses().len(),
    )?;
    for pass in trainer.losses().len() + 1..=arguments.epochs as usize {
        let begin = Instant::now();
        trainer.pass(data, usize::from(arguments.threads), |positions| {
            bar.inc(positions as u64);
        });
        trainer.save(state, data)?;
        let loss = trainer.losses()[pass - 1];
        let rate = each as f64 / begin.elapsed().as_secs_f64();
        bar.suspend(|| {
            say(format_args!(
                "pass {pass}: loss {:.5}, held out {:.5}, {rate:.0} positions/s",
                loss.training, loss.held_out
            ))
        })?;
    }
    bar.finish_and_clear();
    Ok(())
}

fn draw_losses(path: &Path, losses: &[Loss]) -> Result<()> {
    let curve = |name: &str, part: fn(&Loss) -> f64| Curve {
        name: name.to_owned(),
        points: (1..)
            .zip(losses)
            .map(|(pass, loss)| (f64::from(pass), part(loss)))
            .collect(),
    };
    let values = || {
        losses
            .iter()
            .flat_map(|loss| [loss.training, loss.held_out])
    };
    let frame = PlotFrame {
        caption: "Loss during training",
        x_label: "pass over the positions",
        y_label: "KL divergence from the targets",
        x: (1.0, losses.len().max(2) as f64),
        y: (
            values().fold(f64::INFINITY, f64::min),
            values().fold(0.0, f64::max),
        ),
        is_logarithmic: false,
    };
    let curves = [
        curve("learned from", |loss| loss.training),
        curve("kept back", |loss| loss.held_out),
    ];
    Ok(plot::draw(path, frame, &curves)?)
}
