//! `cc2s tables bench`.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::choice::Choice;
use super::plan::Shelf;
use super::solvable::{Solvable, fits};
use super::{AlgorithmName, Directory, usage};
use crate::retro::{Algorithm, Subject, solver};

/// What to time.
///
/// The tables of captures and promotions must exist. Nothing is written; the analysis alone is timed, from the first
/// look at the positions to the last value.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    choice: Choice,
    /// The algorithms; all three without it
    #[arg(long, value_enum, value_delimiter = ',')]
    algorithm: Vec<AlgorithmName>,
    /// Threads, for bal-allis; more than one number gives more than one run
    #[arg(long, value_name = "N", default_value = "1", value_delimiter = ',')]
    threads: Vec<u32>,
    #[command(flatten)]
    directory: Directory,
    /// Print the times as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Run {
    class: String,
    algorithm: String,
    threads: u32,
    /// Indices, both sides to move, legal or not.
    indices: u32,
    wall_seconds: f64,
    user_seconds: Option<f64>,
    /// Peak memory of the whole process, smaller tables included, in MiB.
    peak_mib: Option<f64>,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut algorithms: Vec<_> = arguments
        .algorithm
        .iter()
        .map(|&name| Algorithm::from(name))
        .collect();
    if algorithms.is_empty() {
        algorithms = Algorithm::ALL.to_vec();
    }
    let mut shelf = Shelf::default();
    let mut report = Vec::new();
    for subject in arguments.choice.subjects()? {
        let class = shelf.class(subject, &arguments.directory.path)?;
        for &algorithm in algorithms
            .iter()
            .filter(|&&algorithm| fits(algorithm, subject))
        {
            for &threads in &arguments.threads {
                if threads == 1 || algorithm == Algorithm::BalAllis {
                    let run = time(subject, &class, algorithm, threads.max(1));
                    if !arguments.json {
                        println!("{}", line(&run));
                    }
                    report.push(run);
                }
            }
        }
    }
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else if report.len() > 1 {
        let user: Option<f64> = report.iter().map(|run| run.user_seconds).sum();
        let wall: f64 = report.iter().map(|run| run.wall_seconds).sum();
        println!(
            "{} runs, {wall:.2} s, user {} s",
            report.len(),
            two_places(user)
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn time(subject: Subject, class: &Solvable, algorithm: Algorithm, threads: u32) -> Run {
    usage::forget_peak();
    let (start, before) = (Instant::now(), usage::user_seconds());
    let values = solver::run(class.start(algorithm, threads, None));
    let wall_seconds = start.elapsed().as_secs_f64();
    let user_seconds = usage::user_seconds()
        .zip(before)
        .map(|(after, before)| after - before);
    drop(values);
    Run {
        class: subject.to_string(),
        algorithm: algorithm.to_string(),
        threads,
        indices: class.size(),
        wall_seconds,
        user_seconds,
        peak_mib: usage::peak_mib(),
    }
}

fn line(run: &Run) -> String {
    format!(
        "{:<16} {:<9} {} threads {:>10} indices {:>7.2} s, user {:>7} s, peak {:>8} MiB",
        run.class,
        run.algorithm,
        run.threads,
        run.indices,
        run.wall_seconds,
        two_places(run.user_seconds),
        two_places(run.peak_mib)
    )
}

fn two_places(number: Option<f64>) -> String {
    number.map_or("-".to_owned(), |number| format!("{number:.2}"))
}
