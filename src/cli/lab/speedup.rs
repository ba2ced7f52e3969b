//! `cc2s lab speedup`.

use std::iter::zip;

use anyhow::{Context as _, Result, ensure};
use clap::{Args, ValueEnum};

use super::files::Files;
use super::positions::Selection;
use crate::chess::Line;
use crate::cli::engine::EngineArguments;
use crate::cli::output::{progress_bar, say};
use crate::driver::sim::{Conditions, Costs};
use crate::lab::gain::Gain;
use crate::lab::plot::{Curve, Frame};
use crate::lab::speedup::{REFERENCES, Run, Setup, Speedup, demand, simulate};
use crate::lab::suite::Problem;
use crate::params::Parameters as _;

/// Speedup over one worker on a simulated machine (thesis 3.5).
///
/// Each position has to be decided as safely as one worker can decide its mirror image within the stored nodes given: the
/// image, so that the run compared with was not chosen for being short. SPE is the time of all positions over the time of all;
/// the mean is the geometric one of the speedups of single positions, the average the arithmetic one. Time is virtual: it
/// follows from counted nodes and messages, so it does not depend on the machine or its load.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// Nodes that may be stored for each position's demand: the time class, or several
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "N,N",
        default_value = "100000",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    stored: Vec<u64>,
    /// Who finds the greatest demand within them
    #[arg(long, value_enum, default_value_t = Chooser::Image, conflicts_with = "depths")]
    chosen_by: Chooser,
    /// Demand these depths, one for each position, and those of the next time class after them, as an earlier run has named
    /// them; memory still goes by `--stored`
    #[arg(long, value_delimiter = ',', value_name = "D,D", value_parser = clap::value_parser!(u16).range(1..))]
    depths: Vec<u16>,
    /// Numbers of workers
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "N,N",
        default_value = "9,39,256",
        value_parser = clap::value_parser!(u16).range(1..=1_024)
    )]
    workers: Vec<u16>,
    /// The machine
    #[arg(long, value_enum, default_value_t = Machine::Sci)]
    machine: Machine,
    /// Divide the times of the network by this: how many times longer the machine's own processors needed for a node
    #[arg(long, default_value_t = 1, value_name = "F", value_parser = clap::value_parser!(u64).range(1..))]
    scale: u64,
    /// Runs with different seeds, each message being late by up to its time of passage; 1 run without delays by default
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Set how workers share work, a key of section `team` of engine.toml; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    team: Vec<String>,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Those by whose run it goes what is demanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Chooser {
    /// One worker, on the mirror image: as much work on the average, but none of the runs compared was chosen for being short
    Image,
    /// The workers together, on the position itself, as in the thesis: their own run, chosen for being short
    Workers,
}

/// Machines with costs of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Machine {
    /// Nothing but the search itself costs time
    Ideal,
    /// Workstations with SCI: 10 microseconds
    Sci,
    /// Workstations with Fast Ethernet: 100 microseconds
    Ethernet,
}

impl Machine {
    fn costs(self) -> Costs {
        match self {
            Self::Ideal => Costs::IDEAL,
            Self::Sci => Costs::SCI,
            Self::Ethernet => Costs::ETHERNET,
        }
    }
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let problems = arguments.selection.read()?;
    let (positions, classes) = (problems.len(), arguments.stored.len());
    let depths = arguments.depths.len();
    ensure!(
        depths == 0 || depths == positions * classes,
        "--depths: {depths} depths for {positions} positions in {classes} time classes"
    );
    let mut rows = Vec::new();
    let mut curves = Vec::new();
    for (class, &stored) in arguments.stored.iter().enumerate() {
        if classes > 1 {
            say(format_args!("time class of {stored} stored nodes"))?;
        }
        let setup = arguments.setup(stored)?;
        let given = arguments.depths.chunks(problems.len()).nth(class);
        let mut points = vec![(1.0, 1.0)];
        for teams in arguments.teams() {
            let depths = match given {
                Some(depths) => depths.to_vec(),
                None => arguments.demands(&problems, &setup, stored, teams)?,
            };
            let class = Class {
                problems: &problems,
                depths,
                stored,
                setup: &setup,
            };
            points.extend(class.measure(teams, arguments.seeds, &mut rows)?);
        }
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        let name = format!("{stored} stored nodes");
        curves.push(Curve { name, points });
    }
    arguments.files.write_csv(&CSV_HEADER, &rows)?;
    draw(&arguments.files, curves)
}

/// Work of a time class.
struct Class<'a> {
    problems: &'a [Problem],
    /// To which each of them is to be decided.
    depths: Vec<u16>,
    stored: u64,
    setup: &'a Setup,
}

impl Class<'_> {
    /// Measures and tells; the speedups by number of workers.
    fn measure(
        &self,
        teams: &[u16],
        seeds: u64,
        rows: &mut Vec<Vec<String>>,
    ) -> Result<Vec<(f64, f64)>> {
        let shown: Vec<_> = self.depths.iter().map(u16::to_string).collect();
        say(format_args!("depths demanded: {}", shown.join(",")))?;
        let alone = self.runs(1, 0)?;
        say(HEADER)?;
        show(&Speedup::of(1, &alone, &alone))?;
        let mut points = Vec::new();
        for &workers in teams {
            let mut speedups = Vec::new();
            for seed in 0..seeds {
                let together = self.runs(workers, seed)?;
                for (problem, runs) in zip(self.problems, zip(&alone, &together)) {
                    rows.push(csv_row(&problem.name(), self.stored, workers, seed, runs));
                }
                speedups.push(Speedup::of(workers, &alone, &together));
                show(speedups.last().context("at least one run")?)?;
            }
            let mean = speedups.iter().map(|one| one.gain.spe).sum::<f64>() / speedups.len() as f64;
            if speedups.len() > 1 {
                say(scatter(mean, &speedups))?;
            }
            points.push((f64::from(workers), mean));
        }
        Ok(points)
    }

    fn runs(&self, workers: u16, seed: u64) -> Result<Vec<Run>> {
        let mut setup = self.setup.clone();
        setup.conditions.seed = seed;
        let bar = progress_bar(self.problems.len(), 0)?;
        let mut runs = Vec::new();
        for (problem, &depth) in zip(self.problems, &self.depths) {
            let line = Line::new(problem.record.position.clone());
            runs.push(simulate(&line, &setup, depth, workers)?);
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(runs)
    }
}

impl Arguments {
    /// The numbers of workers, together if their work is the same.
    fn teams(&self) -> impl Iterator<Item = &[u16]> {
        let together = match self.chosen_by {
            Chooser::Image => self.workers.len(),
            Chooser::Workers => 1,
        };
        self.workers.chunks(together)
    }

    /// The depth that each position is to be decided to.
    fn demands(
        &self,
        problems: &[Problem],
        setup: &Setup,
        stored: u64,
        teams: &[u16],
    ) -> Result<Vec<u16>> {
        let bar = progress_bar(problems.len(), 0)?;
        let mut depths = Vec::new();
        for problem in problems {
            let position = &problem.record.position;
            let (position, workers) = match self.chosen_by {
                Chooser::Image => (position.mirrored(), 1),
                Chooser::Workers => (position.clone(), teams[0]),
            };
            let demanded = demand(&Line::new(position), setup, stored, workers)?;
            let demanded =
                demanded.with_context(|| format!("{}: no demand fits", problem.name()))?;
            depths.push(demanded);
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(depths)
    }

    fn setup(&self, stored: u64) -> Result<Setup> {
        let params = self.engine.params()?;
        let mut team = params.team.clone();
        for assignment in &self.team {
            let (name, value) = (assignment.split_once('='))
                .with_context(|| format!("--team {assignment}: it should read NAME=VALUE"))?;
            let value = value
                .parse()
                .with_context(|| format!("--team {assignment}: '{value}' is no number"))?;
            team.set(name, value)
                .with_context(|| format!("--team {assignment}"))?;
        }
        let costs = self.machine.costs().scaled(self.scale);
        Ok(Setup {
            cc2s: params.cc2s.clone(),
            team,
            leaf: params.leaf.clone(),
            // Room for what search overhead adds, and for trees that grow unevenly.
            stored_nodes_max: (8 * stored as usize).max(1 << 22),
            leaf_mib: params.engine.hash_mib as usize,
            conditions: Conditions {
                costs,
                jitter: u64::from(self.seeds > 1),
                seed: 0,
            },
        })
    }
}

const HEADER: &str = "workers      SPE    mean  x or / average    EFF %   LOAD %   SOVD %  LSTG knodes/s  messages per stored node";

fn show(speedup: &Speedup) -> Result<()> {
    let Speedup {
        workers,
        gain:
            Gain {
                spe,
                mean_spe,
                average_spe,
                eff,
                sovd,
                lstg,
                ..
            },
        load,
        messages,
    } = speedup;
    let (rate, factor) = (lstg / 1e3, speedup.gain.factor());
    say(format_args!(
        "{workers:>7} {spe:>8.2} {mean_spe:>7.2} {factor:>7} {average_spe:>7.2} {eff:>8.1} {load:>8.1} {sovd:>8.1} {rate:>14.0} {messages:>25.2}"
    ))?;
    Ok(())
}

/// How far runs with different seeds differ (thesis 3.5.5).
fn scatter(mean: f64, speedups: &[Speedup]) -> String {
    let extreme = |pick: fn(f64, f64) -> f64, start| {
        speedups.iter().map(|one| one.gain.spe).fold(start, pick)
    };
    let (least, greatest) = (extreme(f64::min, f64::MAX), extreme(f64::max, 0.0));
    let spread = 100.0 * (greatest - least) / mean;
    format!("        {mean:>8.2} on average, {least:.2} to {greatest:.2}: spread {spread:.1} %")
}

const CSV_HEADER: [&str; 11] = [
    "position",
    "stored_max",
    "workers",
    "seed",
    "alone_ns",
    "alone_stored",
    "elapsed_ns",
    "busy_ns",
    "nodes",
    "stored",
    "messages",
];

fn csv_row(
    name: &str,
    class: u64,
    workers: u16,
    seed: u64,
    (alone, run): (&Run, &Run),
) -> Vec<String> {
    let numbers = [
        class,
        u64::from(workers),
        seed,
        alone.elapsed_ns,
        alone.tree_nodes,
        run.elapsed_ns,
        run.busy_ns,
        run.nodes,
        run.tree_nodes,
        run.messages,
    ];
    let numbers = numbers.iter().map(u64::to_string);
    std::iter::once(name.to_owned()).chain(numbers).collect()
}

/// The curves, with what others have measured on no more processors.
fn draw(files: &Files, mut curves: Vec<Curve>) -> Result<()> {
    let ends = curves.iter().filter_map(|curve| curve.points.last());
    let most = ends.fold(1.0_f64, |most, end| most.max(end.0));
    for (name, points) in REFERENCES {
        let points = points.iter().filter(|point| point.0 <= most);
        let points: Vec<_> = points.copied().collect();
        if !points.is_empty() {
            let name = name.to_owned();
            curves.push(Curve { name, points });
        }
    }
    let caption = "Speedup of Cc2s on a simulated machine";
    files.draw(Frame::of_speedups(caption, "processors", &curves), &curves)
}
