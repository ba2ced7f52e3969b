//! `cc2s lab cluster`.

use std::iter::zip;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use clap::{Args, ValueEnum};

use super::files::Files;
use super::positions::Selection;
use crate::chess::Line;
use crate::chess::epd::Record;
use crate::cli::engine::EngineArguments;
use crate::cli::output::{file, progress_bar, say};
use crate::driver::ranks::simulated::Wire;
use crate::driver::ranks::{Giving, Timeline};
use crate::engine::delegated::DelegatedCc2s;
use crate::engine::params::EngineParams;
use crate::engine::ranks;
use crate::engine::search::Search as _;
use crate::lab::cluster::{self, Run, Setup, depth_within, simulate};
use crate::lab::gain::Gain;
use crate::lab::plot::{Curve, Frame};
use crate::lab::suite::Problem;
use crate::lab::trial::{Budget, Moment, attempt};
use crate::leaf::{SHARED_DEPTH_MIN, Telling};

/// Speedup of the search as shipped over one thread, by ranks with a table each. The threads of a rank (`--threads`) share it.
///
/// Each position has to be decided to the depth that one rank reaches within the nodes given on its mirror image: so the run
/// compared with was not chosen for being short. Time is virtual unless asked otherwise: it follows from counted nodes and
/// from messages, so it does not depend on the machine or its load.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// Nodes for each position's demand
    #[arg(long, default_value_t = 1_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Numbers of ranks
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "N,N",
        default_value = "2,8,39",
        value_parser = clap::value_parser!(u16).range(1..=1_024)
    )]
    workers: Vec<u16>,
    /// Threads of each rank [default: as many as `Threads` says]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The network
    #[arg(long, value_enum, default_value_t = Machine::Ethernet)]
    machine: Machine,
    /// Time that a thread needs for a node, in nanoseconds; `cc2s bench` measures it
    #[arg(long, default_value_t = 900, value_name = "NS", value_parser = clap::value_parser!(u64).range(1..))]
    node_ns: u64,
    /// The same for threads that others search beside, with whom they share caches, memory, and perhaps a processor [default:
    /// as --node-ns]
    #[arg(long, value_name = "NS", value_parser = clap::value_parser!(u64).range(1..))]
    together_ns: Option<u64>,
    /// Runs with different seeds, each message being late by up to its time of passage; 1 run without delays by default
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Jobs of fewer plies stay at the first rank
    #[arg(long, default_value_t = 4, value_name = "D")]
    send_from: u16,
    /// Jobs that wait at each rank beside the one it is at
    #[arg(long, default_value_t = 1, value_name = "N")]
    waiting: usize,
    /// Plies from which on threads and ranks at one job divide its nodes
    #[arg(long, default_value_t = SHARED_DEPTH_MIN, value_name = "D")]
    together_from: i32,
    /// Plies from which on ranks tell each other of the moves of nodes; what is found, from two plies less on [default: by the
    /// number of ranks]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(i32).range(2..))]
    tell_from: Option<i32>,
    /// Measure by the clock with the ranks that mpirun has started, instead of simulating; compared with one rank and all its
    /// threads
    #[arg(long, conflicts_with_all = ["machine", "node_ns", "together_ns", "seeds", "send_from", "waiting", "workers", "together_from", "tell_from"])]
    real: bool,
    /// Draw who worked when, for the last position with the last number of ranks, as SVG
    #[arg(long, value_name = "FILE", value_parser = file())]
    timeline: Option<PathBuf>,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Networks of today, unscaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Machine {
    /// 25 microseconds, 1 gigabyte a second
    Ethernet,
    /// 2 microseconds, 10 gigabytes a second
    Infiniband,
    /// One machine with no processor to spare for messages: they are looked for every 500 to 2,000 microseconds
    Crowded,
}

const HEADER: &str =
    "ranks threads      SPE    EFF %   LOAD %   SOVD %   messages/s    MB/s   mean SPE  x or /";

const CSV_HEADER: [&str; 12] = [
    "position",
    "depth",
    "ranks",
    "threads",
    "seed",
    "alone_ns",
    "alone_nodes",
    "elapsed_ns",
    "busy_ns",
    "nodes",
    "messages",
    "bytes",
];

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    let problems = arguments.selection.read()?;
    if arguments.real {
        return arguments.real(&problems);
    }
    let setup = arguments.setup()?;
    let single = Setup {
        threads: 1,
        ..setup.clone()
    };
    let bar = progress_bar(problems.len(), 0)?;
    let mut alone = Vec::new();
    for problem in &problems {
        let position = &problem.record.position;
        let image = Line::new(position.mirrored());
        let depth = depth_within(&image, arguments.nodes, &single)?.max(1);
        alone.push((
            depth,
            simulate(&Line::new(position.clone()), depth, 1, &single)?,
        ));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let depths: Vec<_> = alone.iter().map(|(depth, _)| depth.to_string()).collect();
    say(format_args!("depths demanded: {}", depths.join(",")))?;
    say(HEADER)?;
    arguments.measure(&problems, &alone, &setup)
}

impl Arguments {
    /// What the engine is set to, with the threads asked for.
    fn params(&self) -> Result<EngineParams> {
        let mut params = self.engine.params()?;
        if let Some(threads) = self.threads {
            params.engine.threads = threads.into();
        }
        Ok(params)
    }

    fn setup(&self) -> Result<Setup> {
        let params = self.params()?;
        let wire = match self.machine {
            Machine::Ethernet => Wire::ETHERNET,
            Machine::Infiniband => Wire::INFINIBAND,
            Machine::Crowded => Wire::MEMORY,
        };
        Ok(Setup {
            delegation: params.delegation.clone(),
            leaf: params.delegate(),
            threads: params.engine.threads as usize,
            mebibytes: params.engine.hash_mib as usize,
            node_ns: self.node_ns,
            together_ns: self.together_ns.unwrap_or(self.node_ns),
            wire: Wire {
                jitter: u64::from(self.seeds > 1),
                ..wire
            },
            seed: 0,
            giving: Giving {
                depth_min: self.send_from,
                waiting: self.waiting,
            },
            together_from: self.together_from,
            telling: self.tell_from.map(Telling::from_depth),
        })
    }

    fn measure(&self, problems: &[Problem], alone: &[(u16, Run)], setup: &Setup) -> Result<()> {
        let (mut rows, mut points) = (Vec::new(), vec![(1.0, 1.0)]);
        for &workers in &self.workers {
            for seed in 0..self.seeds {
                let setup = Setup {
                    seed,
                    ..setup.clone()
                };
                let bar = progress_bar(problems.len(), 0)?;
                let mut together = Vec::new();
                for (problem, (depth, base)) in zip(problems, alone) {
                    let line = Line::new(problem.record.position.clone());
                    let run = simulate(&line, *depth, workers.into(), &setup)?;
                    rows.push(csv_row(
                        &problem.name(),
                        *depth,
                        (workers, setup.threads),
                        seed,
                        (base, &run),
                    ));
                    together.push(run);
                    bar.inc(1);
                }
                bar.finish_and_clear();
                let spe = show(workers, setup.threads, alone, &together)?;
                points.push((f64::from(workers) * setup.threads as f64, spe));
                let last = together.last().context("at least one position")?;
                self.draw_timeline(workers, &last.timeline)?;
            }
        }
        self.files.write_csv(&CSV_HEADER, &rows)?;
        let name = "Cc2s, delegated targets".to_owned();
        let curves = [Curve { name, points }];
        let caption = "Speedup of Cc2s on a simulated cluster";
        self.files
            .draw(Frame::of_speedups(caption, "threads", &curves), &curves)
    }

    fn draw_timeline(&self, ranks: u16, timeline: &Timeline) -> Result<()> {
        let Some(path) = &self.timeline else {
            return Ok(());
        };
        let caption = format!(
            "{ranks} ranks: blue answered, red broken off once another had answered, blank waited"
        );
        Ok(cluster::draw(path, &caption, ranks.into(), timeline)?)
    }

    /// By the clock: this process alone, then with the other ranks.
    fn real(&self, problems: &[Problem]) -> Result<()> {
        let count = ranks::count();
        ensure!(
            count > 1,
            "--real needs ranks: mpirun -n 3 cc2s lab cluster --real"
        );
        let params = self.params()?;
        let search = || {
            let (threads, hash) = (params.engine.threads, params.engine.hash_mib);
            DelegatedCc2s::new(
                params.delegation.clone(),
                &params.delegate(),
                threads as usize,
                hash as usize,
            )
        };
        let (mut alone, mut together) = (search()?, search()?.with_ranks(&params));
        ranks::keep_timeline();
        let (mut without, mut with) = (Vec::new(), Vec::new());
        for problem in problems {
            let image = Record::bare(problem.record.position.mirrored());
            let within = Budget {
                nodes: Some(self.nodes),
                ..Budget::default()
            };
            alone.new_game();
            let depth = attempt(&mut alone, &image, within).depth().max(1);
            let to_depth = Budget {
                depth: Some(depth),
                ..Budget::default()
            };
            let record = &problem.record;
            without.push(attempt(&mut alone, record, to_depth).end);
            with.push(attempt(&mut together, record, to_depth).end);
        }
        let gain = Gain::of(count as u32, &without, &with);
        say(format_args!(
            "{count} ranks, {} positions: SPE {:.2}, EFF {:.1} %, SOVD {:.1} %, {:.0} knodes/s, mean SPE {:.2} (x or / {})",
            problems.len(),
            gain.spe,
            gain.eff,
            gain.sovd,
            gain.lstg / 1e3,
            gain.mean_spe,
            gain.factor()
        ))?;
        self.draw_timeline(count as u16, &ranks::timeline())
    }
}

fn moments<'a>(runs: impl Iterator<Item = &'a Run>) -> Vec<Moment> {
    let moment = |run: &Run| Moment {
        elapsed: Duration::from_nanos(run.elapsed_ns),
        nodes: run.nodes,
    };
    runs.map(moment).collect()
}

/// A line of the table; answers the speedup.
fn show(ranks: u16, threads: usize, alone: &[(u16, Run)], together: &[Run]) -> Result<f64> {
    let workers = u32::from(ranks) * threads as u32;
    let gain = Gain::of(
        workers,
        &moments(alone.iter().map(|(_, run)| run)),
        &moments(together.iter()),
    );
    let sum = |of: fn(&Run) -> u64| together.iter().map(of).sum::<u64>() as f64;
    let elapsed_ns = sum(|run| run.elapsed_ns);
    let load = 100.0 * sum(|run| run.busy_ns) / f64::from(workers) / elapsed_ns;
    let messages = sum(|run| run.messages) * 1e9 / elapsed_ns;
    let megabytes = sum(|run| run.bytes) * 1e3 / elapsed_ns;
    let Gain {
        spe,
        eff,
        sovd,
        mean_spe,
        ..
    } = gain;
    let factor = gain.factor();
    say(format_args!(
        "{ranks:>5} {threads:>7} {spe:>8.2} {eff:>8.1} {load:>8.1} {sovd:>8.1} {messages:>12.0} {megabytes:>7.2} {mean_spe:>10.2} {factor:>7}"
    ))?;
    Ok(spe)
}

fn csv_row(
    name: &str,
    depth: u16,
    (ranks, threads): (u16, usize),
    seed: u64,
    (alone, run): (&Run, &Run),
) -> Vec<String> {
    let numbers = [
        u64::from(depth),
        u64::from(ranks),
        threads as u64,
        seed,
        alone.elapsed_ns,
        alone.nodes,
        run.elapsed_ns,
        run.busy_ns,
        run.nodes,
        run.messages,
        run.bytes,
    ];
    let numbers = numbers.iter().map(u64::to_string);
    std::iter::once(name.to_owned()).chain(numbers).collect()
}
