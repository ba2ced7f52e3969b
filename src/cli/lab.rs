//! `cc2s lab`: one subcommand for each experiment.

mod book;
mod calibration;
mod conspiracy;
mod fig2_27;
mod files;
mod fit;
mod levels;
mod positions;
mod quality;
mod reality;
mod safety;
mod selfplay;
mod speedup;
mod sweep;
mod train;
mod tune;
mod wdl;

use anyhow::Result;
use clap::Subcommand;

/// The experiments.
#[derive(Debug, Subcommand)]
pub(super) enum Experiment {
    /// Search a position, count strategies and critical leaves in the stored tree, and compute how errors spread
    Quality(quality::Arguments),
    /// Search positions twice, the second time with many more nodes, and count equal moves by depth and strategies
    Calibration(calibration::Arguments),
    /// Measure how often two strategies are shown, within which margin and how deep, and what counting changes
    Safety(safety::Arguments),
    /// Search every position of an ending by material alone and compare the verdicts with its table
    Reality(reality::Arguments),
    /// Compare targets with searches that evaluate everything exactly, for the same requirements (Fig. 2.27)
    #[command(name = "fig2-27")]
    Fig227(fig2_27::Arguments),
    /// Count the nodes on each level of the stored tree, with one required strategy and with several
    Levels(levels::Arguments),
    /// Switch every acceleration off, one at a time: nodes to the same depth, solved positions, Elo
    Ablation(sweep::AblationArguments),
    /// Change the values of parameters, one at a time: nodes to the same depth, solved positions, Elo
    Sweep(sweep::SweepArguments),
    /// Tune parameters by games against each other, all at once (SPSA)
    Tune(tune::Arguments),
    /// Show that classical conspiracy number search does not terminate on fine scales
    Conspiracy(conspiracy::Arguments),
    /// Create a book of openings with a small advantage for one side
    Book(book::Arguments),
    /// Fit the weights of the evaluation to games
    Fit(fit::Arguments),
    /// Play training games: quiet positions with score and result
    Selfplay(selfplay::Arguments),
    /// Train a network for the evaluation on games of `cc2s lab selfplay`
    Train(train::Arguments),
    /// Measure speedup, efficiency, load and search overhead of threads, ranks or the thesis's workers
    Speedup(speedup::Arguments),
    /// Fit the chances of win, draw and loss to the scores in recorded games
    Wdl(wdl::Arguments),
}

pub(super) fn run(experiment: &Experiment) -> Result<()> {
    match experiment {
        Experiment::Quality(arguments) => quality::run(arguments),
        Experiment::Calibration(arguments) => calibration::run(arguments),
        Experiment::Safety(arguments) => safety::run(arguments),
        Experiment::Reality(arguments) => reality::run(arguments),
        Experiment::Fig227(arguments) => fig2_27::run(arguments),
        Experiment::Levels(arguments) => levels::run(arguments),
        Experiment::Ablation(arguments) => sweep::run_ablation(arguments),
        Experiment::Sweep(arguments) => sweep::run_sweep(arguments),
        Experiment::Tune(arguments) => tune::run(arguments),
        Experiment::Conspiracy(arguments) => conspiracy::run(arguments),
        Experiment::Book(arguments) => book::run(arguments),
        Experiment::Fit(arguments) => fit::run(arguments),
        Experiment::Selfplay(arguments) => selfplay::run(arguments),
        Experiment::Train(arguments) => train::run(arguments),
        Experiment::Speedup(arguments) => speedup::run(arguments),
        Experiment::Wdl(arguments) => wdl::run(arguments),
    }
}
