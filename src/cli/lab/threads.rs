//! `cc2s lab threads`.

use anyhow::{Result, ensure};
use clap::Args;

use super::contenders::seats;
use super::files::Files;
use super::positions::Selection;
use crate::cli::output::{progress_bar, say};
use crate::lab::contest::Entrant;
use crate::lab::gain::{Gain, ThreadedSearch};
use crate::lab::plot::{Curve, Frame};
use crate::lab::suite::Problem;
use crate::lab::trial::Moment;

/// The parallel search of the thesis, and the classical one with a shared table.
const PARALLEL: [&str; 2] = ["name=Cc2s,search=Cc2s,profile=alone", "name=PVS,search=PVS"];

/// What real threads gain: time and nodes to the depth that one thread meets within the nodes given.
///
/// That depth is found on the position's mirror image, so that the run compared with was not chosen for being short. Threads
/// are measured by the clock, so this needs a machine that does nothing else, with as many processors as threads. For each
/// position all numbers of threads take turns. Measures as in the thesis's 3.5.3; the mean is the geometric one of the
/// speedups of single positions, the average the arithmetic one.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// A search with its settings; may be repeated
    #[arg(short, long, value_name = "ENGINE", default_values = PARALLEL)]
    engine: Vec<Entrant>,
    #[command(flatten)]
    selection: Selection,
    /// Nodes that one thread may search on each position: what it meets within them on the mirror image is what all have to meet
    #[arg(long, default_value_t = 5_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Numbers of threads, beside one
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "N,N",
        default_value = "2",
        value_parser = clap::value_parser!(u16).range(2..=256)
    )]
    threads: Vec<u16>,
    /// Runs of everything
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    #[command(flatten)]
    files: Files,
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let seats = seats(&arguments.engine)?;
    let problems = arguments.selection.read()?;
    ensure!(!problems.is_empty(), "no positions");
    say(HEADER)?;
    let (mut rows, mut curves) = (Vec::new(), Vec::new());
    for (entrant, (entry, params)) in arguments.engine.iter().zip(&seats) {
        let counts = std::iter::once(&1).chain(&arguments.threads);
        let searches: Result<Vec<_>, _> = counts
            .map(|&threads| ThreadedSearch::new(entry, params, threads))
            .collect();
        let mut searches = searches?;
        let runs = arguments.measure(&entrant.name, &problems, &mut searches, &mut rows)?;
        let mut points = Vec::new();
        for (search, together) in searches.iter().zip(&runs) {
            let gain = Gain::of(search.threads().into(), &runs[0], together);
            say(line(&entrant.name, search.threads(), &gain))?;
            points.push((f64::from(search.threads()), gain.spe));
        }
        let name = entrant.name.clone();
        curves.push(Curve { name, points });
    }
    arguments.files.write_csv(&CSV_HEADER, &rows)?;
    draw(&arguments.files, &curves)
}

impl Arguments {
    /// What each search needed for each problem and run, search by search.
    fn measure(
        &self,
        name: &str,
        problems: &[Problem],
        searches: &mut [ThreadedSearch],
        rows: &mut Vec<Vec<String>>,
    ) -> Result<Vec<Vec<Moment>>> {
        let mut runs = vec![Vec::new(); searches.len()];
        let bar = progress_bar(problems.len(), 0)?;
        for problem in problems {
            bar.set_message(format!("{name} {}", problem.name()));
            let depth = searches[0].depth_within(problem, self.nodes);
            ensure!(depth > 0, "{}: no demand fits", problem.name());
            for _ in 0..self.runs {
                for (search, runs) in searches.iter_mut().zip(&mut runs) {
                    let run = search.reach(problem, depth);
                    runs.push(run);
                    rows.push(csv_row(name, problem, depth, search.threads(), run));
                }
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(runs)
    }
}

const HEADER: &str =
    "search           threads      SPE    mean  x or / average    EFF %   SOVD %  LSTG knodes/s";

fn line(name: &str, threads: u16, gain: &Gain) -> String {
    let Gain {
        spe,
        mean_spe,
        average_spe,
        eff,
        sovd,
        lstg,
        ..
    } = gain;
    let (rate, factor) = (lstg / 1e3, gain.factor());
    format!(
        "{name:<16} {threads:>7} {spe:>8.2} {mean_spe:>7.2} {factor:>7} {average_spe:>7.2} {eff:>8.1} {sovd:>8.1} {rate:>14.0}"
    )
}

const CSV_HEADER: [&str; 6] = ["search", "position", "depth", "threads", "seconds", "nodes"];

fn csv_row(name: &str, problem: &Problem, depth: u16, threads: u16, run: Moment) -> Vec<String> {
    vec![
        name.to_owned(),
        problem.name(),
        depth.to_string(),
        threads.to_string(),
        format!("{:.6}", run.elapsed.as_secs_f64()),
        run.nodes.to_string(),
    ]
}

fn draw(files: &Files, curves: &[Curve]) -> Result<()> {
    let frame = Frame::of_speedups("Speedup of real threads", "threads", curves);
    files.draw(frame, curves)
}
