//! `cc2s lab`: one command for each experiment.

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
mod wdl;

use anyhow::Result;
use clap::Subcommand;

/// The experiments.
#[derive(Debug, Subcommand)]
pub(super) enum Experiment {
    /// Decide on a position, then count strategies and critical leaves in the stored tree and compute how errors spread
    Quality(quality::Arguments),
    /// Search positions twice, the second time with many more nodes: how often is the move the same, by depth and
    /// strategies?
    Calibration(calibration::Arguments),
    /// Measure how often two strategies are shown, within which margin and how deep, and what counting changes
    Safety(safety::Arguments),
    /// Search every position of an ending by material alone and compare the verdicts with the truth of its table
    Reality(reality::Arguments),
    /// Compare targets with searches that evaluate everything exactly, on the same demands (Fig. 2.27)
    #[command(name = "fig2-27")]
    Fig227(fig2_27::Arguments),
    /// Count the nodes on each level of the stored tree, with one strategy demanded and with several
    Levels(levels::Arguments),
    /// Switch every acceleration off, one at a time: nodes to the same depth, solved positions, Elo
    Ablation(sweep::AblationArguments),
    /// Give parameters other values, one at a time: nodes to the same depth, solved positions, Elo
    Sweep(sweep::SweepArguments),
    /// Show that classical conspiracy number search does not end on fine scales
    Conspiracy(conspiracy::Arguments),
    /// Make a book of openings in which one side is a little better
    Book(book::Arguments),
    /// Fit the weights of the evaluation to games
    Fit(fit::Arguments),
    /// Play games to learn from: quiet positions with score and result
    Selfplay(selfplay::Arguments),
    /// Learn a network for the evaluation from games of `cc2s lab selfplay`
    Train(train::Arguments),
    /// Measure speedup, efficiency, load and search overhead of threads, ranks or the thesis's workers
    Speedup(speedup::Arguments),
    /// Fit the chances to win, draw and lose to the scores announced in recorded games
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
        Experiment::Conspiracy(arguments) => conspiracy::run(arguments),
        Experiment::Book(arguments) => book::run(arguments),
        Experiment::Fit(arguments) => fit::run(arguments),
        Experiment::Selfplay(arguments) => selfplay::run(arguments),
        Experiment::Train(arguments) => train::run(arguments),
        Experiment::Speedup(arguments) => speedup::run(arguments),
        Experiment::Wdl(arguments) => wdl::run(arguments),
    }
}
