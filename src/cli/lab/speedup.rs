//! `cc2s lab speedup`.

use std::iter::zip;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::{Args, Subcommand, ValueEnum};

use super::files::Files;
use super::positions::Selection;
use crate::cli::engine::EngineArguments;
use crate::cli::output::{file, progress_bar, say};
use crate::cluster::simulated::Wire;
use crate::cluster::{DispatchPolicy, Timeline, world};
use crate::lab::cluster::{self, Setup};
use crate::lab::plot::{Curve, PlotFrame};
use crate::lab::speedup::{
    Gain, Machine, REFERENCES, RealRanks, Run, SimulatedRanks, ThesisWorkers, Threads,
};
use crate::search::{SHARED_DEPTH_MIN, ShareThresholds};
use crate::settings::EngineParams;
use crate::thesis::simulator::{Costs, SimulationConditions};
use crate::tools::epd::suite::SuitePosition;

/// Speedup of several workers over one (thesis 3.5.3).
///
/// Each position is searched to the depth that one worker reaches within the given nodes on its mirror image. So no run
/// is selected for being short. Positions without such a depth are left out. SPE is the time of one worker for all
/// positions divided by that of several. "mean" is the geometric mean of the speedups of single positions, "average" is
/// the arithmetic mean.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    #[command(subcommand)]
    workers: Workers,
}

/// The worker.
#[derive(Debug, Subcommand)]
enum Workers {
    /// Threads of this process, in real time; the machine should be idle otherwise
    Threads(ThreadArguments),
    /// Ranks of the default search, in virtual time or as started by `mpirun`
    Ranks(RankArguments),
    /// Workers of the thesis's chapter 3 in virtual time (`--profile alone` or `thesis`)
    Thesis(ThesisArguments),
}

/// The demand, the workers, and the repetitions.
#[derive(Debug, Args)]
struct Demand {
    #[command(flatten)]
    selection: Selection,
    /// Nodes for one worker on the mirror image of each position; the depth it reaches is the requirement for all
    #[arg(long, default_value_t = 1_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Require these depths, one for each position, as printed by an earlier run; 0 leaves the position out
    #[arg(long, value_delimiter = ',', value_name = "D,D")]
    depths: Vec<u16>,
    /// Numbers of workers
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "N,N",
        default_value = "2",
        value_parser = clap::value_parser!(u16).range(1..=1_024)
    )]
    workers: Vec<u16>,
    /// Number of runs; in virtual time each run has its own seed and random message delays
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Threads and their demand.
#[derive(Debug, Args)]
struct ThreadArguments {
    #[command(flatten)]
    demand: Demand,
    /// Require two strategies within this margin, in centipawns, in analysis. The required plies are what one thread
    /// shows within the nodes. A run ends after eight times the nodes per thread
    #[arg(long, value_name = "CP")]
    safe_within: Option<u16>,
}

/// Ranks and their network, which is one of today.
#[derive(Debug, Args)]
struct RankArguments {
    #[command(flatten)]
    demand: Demand,
    /// Threads of each rank [default: the option `Threads`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The network
    #[arg(long, value_enum, default_value_t = NetworkKind::Ethernet)]
    machine: NetworkKind,
    /// Time of a thread for a node, in nanoseconds; `cc2s bench` measures it
    #[arg(long, default_value_t = 900, value_name = "NS", value_parser = clap::value_parser!(u64).range(1..))]
    node_ns: u64,
    /// The same for a thread that shares caches, memory or a processor with others [default: --node-ns]
    #[arg(long, value_name = "NS", value_parser = clap::value_parser!(u64).range(1..))]
    together_ns: Option<u64>,
    /// Jobs with fewer plies stay on the first rank
    #[arg(long, default_value_t = 4, value_name = "D")]
    send_from: u16,
    /// Jobs queued on each rank beside the current one
    #[arg(long, default_value_t = 1, value_name = "N")]
    waiting: usize,
    /// Minimum depth of nodes that threads and ranks on one job divide, in plies
    #[arg(long, default_value_t = SHARED_DEPTH_MIN, value_name = "D")]
    together_from: i32,
    /// Minimum depth of nodes whose moves the ranks share, in plies; results are shared from two plies less on
    /// [default: depends on the number of ranks]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(i32).range(2..))]
    tell_from: Option<i32>,
    /// Measure in real time with the ranks started by mpirun, instead of simulating; the base is one rank with all its
    /// threads
    #[arg(long, conflicts_with_all = ["machine", "node_ns", "together_ns", "send_from", "waiting", "workers", "together_from", "tell_from"])]
    real: bool,
    /// Draw a timeline of the ranks, for the last position and the last number of ranks, as SVG
    #[arg(long, value_name = "FILE", value_parser = file())]
    timeline: Option<PathBuf>,
}

/// Networks of today, unscaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NetworkKind {
    /// 25 microseconds, 1 gigabyte per second
    Ethernet,
    /// 2 microseconds, 10 gigabytes per second
    Infiniband,
    /// One machine without a spare core for messages; it polls every 500 to 2,000 microseconds
    Crowded,
}

/// The thesis's workers and their network, which is one of 1999.
#[derive(Debug, Args)]
struct ThesisArguments {
    #[command(flatten)]
    demand: Demand,
    /// The network
    #[arg(long, value_enum, default_value_t = OldNetwork::Sci)]
    machine: OldNetwork,
    /// Divide the times of the network by this factor, the speedup of processors since then
    #[arg(long, default_value_t = 1, value_name = "F", value_parser = clap::value_parser!(u64).range(1..))]
    scale: u64,
}

/// Networks of 1999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OldNetwork {
    /// Only the search itself costs time
    Ideal,
    /// Workstations with SCI: 10 microseconds
    Sci,
    /// Workstations with Fast Ethernet: 100 microseconds
    Ethernet,
}

pub(in crate::cli) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.workers {
        Workers::Threads(arguments) => {
            let demand = &arguments.demand;
            let mut threads = Threads::new(demand.engine.entry()?, demand.engine.params()?);
            if let Some(margin_cp) = arguments.safe_within {
                threads = threads.safe_within(margin_cp, demand.nodes.saturating_mul(8));
            }
            let curve = demand.measure(&mut threads, &demand.workers)?;
            demand.draw("Speedup of threads", &[curve])
        }
        Workers::Ranks(arguments) => arguments.run(),
        Workers::Thesis(arguments) => arguments.run(),
    }
}

impl RankArguments {
    fn run(&self) -> Result<()> {
        let mut params = self.demand.engine.params()?;
        if let Some(threads) = self.threads {
            params.engine.threads = threads.into();
        }
        let curve = if self.real {
            let mut real = RealRanks::new(&params)?;
            let count = world::count();
            let curve = self.demand.measure(&mut real, &[count as u16])?;
            self.draw_timeline(count, &world::timeline())?;
            curve
        } else {
            let mut simulated = SimulatedRanks::new(self.setup(&params));
            let curve = self.demand.measure(&mut simulated, &self.demand.workers)?;
            let last = self.demand.workers.last().copied().unwrap_or(1);
            self.draw_timeline(last.into(), &simulated.timeline)?;
            curve
        };
        self.demand.draw("Speedup of ranks", &[curve])
    }

    fn setup(&self, params: &EngineParams) -> Setup {
        let wire = match self.machine {
            NetworkKind::Ethernet => Wire::ETHERNET,
            NetworkKind::Infiniband => Wire::INFINIBAND,
            NetworkKind::Crowded => Wire::MEMORY,
        };
        Setup {
            delegation: params.delegation.clone(),
            leaf: params.delegate(),
            threads: params.engine.threads as usize,
            mebibytes: params.engine.hash_mib as usize,
            node_ns: self.node_ns,
            together_ns: self.together_ns.unwrap_or(self.node_ns),
            wire: Wire {
                jitter: self.demand.jitter(),
                ..wire
            },
            seed: 0,
            dispatch: DispatchPolicy {
                depth_min: self.send_from,
                waiting: self.waiting,
            },
            together_from: self.together_from,
            thresholds: self.tell_from.map(ShareThresholds::from_depth),
        }
    }

    fn draw_timeline(&self, ranks: usize, timeline: &Timeline) -> Result<()> {
        let Some(path) = &self.timeline else {
            return Ok(());
        };
        let caption =
            format!("{ranks} ranks: blue answered, red cancelled after another answer, blank idle");
        Ok(cluster::draw(path, &caption, ranks, timeline)?)
    }
}

impl ThesisArguments {
    fn run(&self) -> Result<()> {
        let costs = match self.machine {
            OldNetwork::Ideal => Costs::IDEAL,
            OldNetwork::Sci => Costs::SCI.scaled(self.scale),
            OldNetwork::Ethernet => Costs::ETHERNET.scaled(self.scale),
        };
        let conditions = SimulationConditions {
            costs,
            jitter: self.demand.jitter(),
            seed: 0,
        };
        let params = self.demand.engine.params()?;
        let mut workers = ThesisWorkers::new(params, conditions, self.demand.nodes);
        let mut curves = vec![self.demand.measure(&mut workers, &self.demand.workers)?];
        let most = curves[0].points.last().map_or(1.0, |end| end.0);
        for (name, points) in REFERENCES {
            let points = points.iter().filter(|point| point.0 <= most);
            let points: Vec<_> = points.copied().collect();
            if !points.is_empty() {
                let name = name.to_owned();
                curves.push(Curve { name, points });
            }
        }
        self.demand.draw("Speedup of the thesis's workers", &curves)
    }
}

const HEADER: &str = "workers processors      SPE    mean  x or / average    EFF %   LOAD %   SOVD %  knodes/s  messages/s    MB/s";

const CSV_HEADER: [&str; 12] = [
    "position",
    "depth",
    "workers",
    "processors",
    "run",
    "alone_ns",
    "alone_nodes",
    "elapsed_ns",
    "busy_ns",
    "nodes",
    "messages",
    "bytes",
];

#[derive(Clone, Default)]
struct Compared {
    alone: Vec<Run>,
    together: Vec<Run>,
}

/// A number of workers and its results in each run.
type Team = (u16, Vec<Compared>);

impl Demand {
    fn jitter(&self) -> u64 {
        u64::from(self.runs > 1)
    }

    /// Measures and reports the speedups, and returns them by number of processors.
    fn measure(&self, machine: &mut dyn Machine, workers: &[u16]) -> Result<Curve> {
        let problems = self.selection.read()?;
        let depths = self.demands(machine, &problems)?;
        ensure!(depths.iter().any(|&depth| depth > 0), "no requirement fits");
        let shown: Vec<_> = depths.iter().map(u16::to_string).collect();
        say(format_args!("required depths: {}", shown.join(",")))?;
        let runs = vec![Compared::default(); self.runs.into()];
        let mut teams: Vec<Team> = workers.iter().map(|&it| (it, runs.clone())).collect();
        let mut rows = Vec::new();
        let bar = progress_bar(problems.len(), 0)?;
        for (problem, &depth) in zip(&problems, &depths).filter(|(_, depth)| **depth > 0) {
            self.compare(machine, problem, depth, &mut teams, &mut rows)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        self.files.write_csv(&CSV_HEADER, &rows)?;
        let name = format!("{} nodes", self.nodes);
        let points = tell(machine, &teams)?;
        Ok(Curve { name, points })
    }

    /// Measures all numbers of workers alternately on a position.
    fn compare(
        &self,
        machine: &mut dyn Machine,
        problem: &SuitePosition,
        depth: u16,
        teams: &mut [Team],
        rows: &mut Vec<Vec<String>>,
    ) -> Result<()> {
        let position = &problem.record.position;
        for number in 0..self.runs {
            let alone = machine.alone(position, depth)?;
            for (workers, runs) in &mut *teams {
                let together = machine.together(position, depth, *workers, number.into())?;
                let size = [u64::from(*workers), machine.processors(*workers).into()];
                let row = csv_row(depth, size, number, &alone, &together);
                rows.push([vec![problem.name()], row].concat());
                let compared = &mut runs[usize::from(number)];
                compared.alone.push(alone);
                compared.together.push(together);
            }
        }
        Ok(())
    }

    /// The required depth of each position.
    fn demands(&self, machine: &mut dyn Machine, problems: &[SuitePosition]) -> Result<Vec<u16>> {
        let count = self.depths.len();
        if count > 0 {
            let wanted = problems.len();
            ensure!(
                count == wanted,
                "--depths: {count} depths for {wanted} positions"
            );
            return Ok(self.depths.clone());
        }
        let bar = progress_bar(problems.len(), 0)?;
        let mut depths = Vec::new();
        for problem in problems {
            let mirrored = problem.record.position.mirrored();
            let depth = machine.depth_within(&mirrored, self.nodes)?;
            depths.push(depth);
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(depths)
    }

    fn draw(&self, caption: &str, curves: &[Curve]) -> Result<()> {
        let frame = PlotFrame::of_speedups(caption, "processors", curves);
        self.files.draw(frame, curves)
    }
}

/// Prints a line for each run, and returns the mean speedup by number of processors.
fn tell(machine: &dyn Machine, teams: &[Team]) -> Result<Vec<(f64, f64)>> {
    say(HEADER)?;
    let mut points = vec![(1.0, 1.0)];
    for (workers, runs) in teams {
        let processors = machine.processors(*workers);
        let mut sum = 0.0;
        for Compared { alone, together } in runs {
            let gain = Gain::of(processors, alone, together);
            say(line(*workers, processors, &gain))?;
            sum += gain.spe;
        }
        points.push((f64::from(processors), sum / runs.len() as f64));
    }
    points.sort_by(|one, other| one.0.total_cmp(&other.0));
    Ok(points)
}

fn line(workers: u16, processors: u32, gain: &Gain) -> String {
    let Gain {
        spe,
        mean_spe,
        average_spe,
        eff,
        sovd,
        messages,
        ..
    } = gain;
    let shown = |number: Option<f64>, digits: usize| {
        number.map_or_else(|| "-".to_owned(), |number| format!("{number:.digits$}"))
    };
    let (factor, load) = (shown(gain.mean_spe_factor, 2), shown(gain.load, 1));
    let (rate, megabytes) = (gain.lstg / 1e3, gain.bytes / 1e6);
    format!(
        "{workers:>7} {processors:>10} {spe:>8.2} {mean_spe:>7.2} {factor:>7} {average_spe:>7.2} {eff:>8.1} {load:>8} {sovd:>8.1} {rate:>9.0} {messages:>11.0} {megabytes:>7.2}"
    )
}

fn csv_row(depth: u16, size: [u64; 2], number: u16, alone: &Run, run: &Run) -> Vec<String> {
    let [workers, processors] = size;
    let numbers = [
        u64::from(depth),
        workers,
        processors,
        u64::from(number),
        alone.elapsed_ns,
        alone.nodes,
        run.elapsed_ns,
    ];
    let busy = run.busy_ns.map_or_else(String::new, |ns| ns.to_string());
    let counts = [run.nodes, run.messages, run.bytes];
    let text = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>();
    [text(&numbers), vec![busy], text(&counts)].concat()
}
