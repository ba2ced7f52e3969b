//! `cc2s tables generate`.

use std::fs;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use parking_lot::Mutex;
use serde::Serialize;

use super::choice::TableChoice;
use super::directory::Directory;
use super::plan::{self, TableCache};
use super::solvable::{Solvable, fits};
use super::{pool, usage};
use crate::cli::interrupt;
use crate::cli::output::{say, say_json, warn};
use crate::endgame::make::checkpoint::Checkpoint;
use crate::endgame::make::file::{TableFile, path_of};
use crate::endgame::make::{Algorithm, InFiles, Solver, Subject, TableError};

/// Which tables to make, and how.
///
/// Required smaller tables are generated too; existing tables are kept. A long analysis is saved every minute and on
/// interruption. The next run continues from there and produces the same file.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    choice: TableChoice,
    /// The algorithm; all write the same tables (awari and results: bal-allis only) [default: the fastest one that
    /// supports these tables and fits into --memory]
    #[arg(long, value_enum)]
    algorithm: Option<Algorithm>,
    /// Threads of the analysis (words and bal-allis only)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    /// Tables generated at the same time, as far as memory allows
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    jobs: u32,
    /// Reject tables that need more memory than this, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: u64,
    #[command(flatten)]
    directory: Directory,
    /// zstd compression level
    #[arg(long, value_name = "LEVEL", default_value_t = 12, value_parser = clap::value_parser!(i32).range(1..=19))]
    level: i32,
    /// Save a running analysis every S seconds
    #[arg(long, value_name = "S", default_value_t = 60)]
    save_every: u64,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

/// The algorithms, the fastest first.
const BY_SPEED: [Algorithm; 4] = [
    Algorithm::Words,
    Algorithm::BalAllis,
    Algorithm::Muller,
    Algorithm::WuBeal,
];

#[derive(Debug, Serialize)]
struct GeneratedTable {
    class: String,
    algorithm: String,
    indices: u32,
    analysis_seconds: f64,
    writing_seconds: f64,
    bytes: u64,
    /// Peak memory of the process in MiB; `None` if unknown or if other tables were generated at the same time.
    peak_mib: Option<f64>,
    /// Bits of the file per legal position, up to symmetry.
    bits_per_position: f64,
}

/// The given algorithm, or the fastest one that supports all `wanted` tables and fits into memory. If none fits,
/// the one with the least memory.
fn algorithm(arguments: &Arguments, wanted: &[Subject], missing: &[Subject]) -> Algorithm {
    if let Some(algorithm) = arguments.algorithm {
        return algorithm;
    }
    let makes = |&algorithm: &Algorithm| {
        wanted.iter().all(|&one| fits(algorithm, one))
            && (arguments.threads == 1 || algorithm.is_parallel())
    };
    let has_room =
        |&algorithm: &Algorithm| plan::check_memory(missing, algorithm, arguments.memory).is_ok();
    let able: Vec<Algorithm> = BY_SPEED.into_iter().filter(makes).collect();
    let least = |&algorithm: &Algorithm| {
        let needs = missing.iter().map(|&one| plan::memory(one, algorithm));
        needs.max()
    };
    let roomy = able.iter().copied().find(has_room);
    roomy
        .or_else(|| able.iter().copied().min_by_key(least))
        .unwrap_or(Algorithm::BalAllis)
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let directory = arguments.directory.folder();
    let wanted = arguments.choice.subjects()?;
    let classes = missing(&wanted, directory);
    let algorithm = algorithm(arguments, &wanted, &classes);
    ensure!(
        arguments.threads == 1 || algorithm.is_parallel(),
        "{algorithm} uses one thread"
    );
    if let Some(subject) = wanted.iter().find(|&&subject| !fits(algorithm, subject)) {
        bail!("{algorithm} counts moves to mate; use bal-allis for {subject}");
    }
    plan::check_memory(&classes, algorithm, arguments.memory)?;
    fs::create_dir_all(directory).with_context(|| format!("{}", directory.display()))?;
    announce(&classes, algorithm);
    let shop = Shop {
        arguments,
        algorithm,
        directory,
        stop: interrupt::flag()?,
        shelf: Mutex::default(),
        bars: MultiProgress::new(),
        count: classes.len(),
    };
    let report = pool::make_all(
        &classes,
        pool::PoolLimits {
            jobs: arguments.jobs,
            memory_bytes: arguments.memory << 20,
        },
        |class| plan::memory(class, algorithm),
        |number, class| shop.make(class, number),
        || shop.stop.store(true, Ordering::Relaxed),
    )?;
    let Some(report) = report else {
        warn("interrupted; run the same command to continue");
        return Ok(ExitCode::from(interrupt::INTERRUPTED));
    };
    if arguments.json {
        say_json(&report)?;
    } else {
        print(&report)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The classes without a valid file, in order of dependency. A damaged file is reported and counts as missing.
fn missing(chosen: &[Subject], directory: &Path) -> Vec<Subject> {
    let mut classes = Subject::in_order(chosen);
    classes.retain(|&class| {
        let path = path_of(directory, class);
        let trouble = path
            .exists()
            .then(|| TableFile::open(&path).err())
            .flatten();
        if let Some(error) = &trouble {
            warn(format_args!("generating it again: {error}"));
        }
        trouble.is_some() || !path.exists()
    });
    classes
}

fn announce(classes: &[Subject], algorithm: Algorithm) {
    let Some(largest) = classes
        .iter()
        .copied()
        .max_by_key(|&class| plan::memory(class, algorithm))
    else {
        warn("nothing to do: all tables exist");
        return;
    };
    let names: Vec<_> = classes.iter().map(ToString::to_string).collect();
    warn(format_args!(
        "{} tables to generate: {}",
        classes.len(),
        names.join(" ")
    ));
    warn(format_args!(
        "memory: at most {} MiB ({largest})",
        plan::memory(largest, algorithm).div_ceil(1 << 20)
    ));
}

fn print(report: &[GeneratedTable]) -> Result<()> {
    for made in report {
        say(format_args!(
            "{:<16} {:>10} indices {:>8.2} s analysis {:>7.2} s writing {:>9} bytes {:>6.3} bits/position",
            made.class,
            made.indices,
            made.analysis_seconds,
            made.writing_seconds,
            made.bytes,
            made.bits_per_position
        ))?;
    }
    let sum = |field: fn(&GeneratedTable) -> f64| report.iter().map(field).sum::<f64>();
    let bytes: u64 = report.iter().map(|made| made.bytes).sum();
    let (analysis, writing) = (
        sum(|made| made.analysis_seconds),
        sum(|made| made.writing_seconds),
    );
    say(format_args!(
        "{} tables, {analysis:.2} s analysis, {writing:.2} s writing, {bytes} bytes",
        report.len()
    ))?;
    Ok(())
}

struct Shop<'a> {
    arguments: &'a Arguments,
    algorithm: Algorithm,
    directory: &'a Path,
    stop: Arc<AtomicBool>,
    shelf: Mutex<TableCache>,
    bars: MultiProgress,
    /// Number of tables to generate.
    count: usize,
}

impl Shop<'_> {
    /// Solves a class and writes its table; `None` if interrupted.
    fn make(&self, subject: Subject, number: usize) -> Result<Option<GeneratedTable>> {
        let is_alone = self.arguments.jobs == 1;
        if is_alone {
            usage::forget_peak();
        }
        let start = Instant::now();
        let display = Display::new(&self.bars, subject, number, self.count);
        let class = self.shelf.lock().class(subject, &[self.directory])?;
        display.phase("looking at all positions");
        let job = Checkpoint {
            subject,
            algorithm: self.algorithm,
            size: class.size(),
        };
        let Some(finished) = self.solve(&class, job, &display)? else {
            return Ok(None);
        };
        let analysis_seconds = start.elapsed().as_secs_f64();
        display.phase("compressing");
        let start = Instant::now();
        let bytes = class.write(subject, finished, self.directory, self.arguments.level)?;
        // Another algorithm may have been interrupted on the same class before.
        for algorithm in Algorithm::ALL {
            Checkpoint { algorithm, ..job }.discard(self.directory)?;
        }
        let positions = TableFile::open(&path_of(self.directory, subject))?
            .header()
            .positions();
        display.finish(class.size());
        Ok(Some(GeneratedTable {
            class: subject.to_string(),
            algorithm: self.algorithm.to_string(),
            indices: class.size(),
            analysis_seconds,
            writing_seconds: start.elapsed().as_secs_f64(),
            bytes,
            peak_mib: usage::peak_mib().filter(|_| is_alone),
            bits_per_position: bytes as f64 * 8.0 / positions as f64,
        }))
    }

    fn solve<'c>(
        &self,
        class: &'c Solvable,
        job: Checkpoint,
        display: &Display,
    ) -> Result<Option<Box<dyn Solver + 'c>>> {
        let mut solver = self.begin(class, job)?;
        let mut saved = Instant::now();
        loop {
            let more = solver.step();
            self.check_files(solver.as_mut(), job)?;
            if !more {
                return Ok(Some(solver));
            }
            display.bound(solver.bound(), class.bounds());
            let stop = self.stop.load(Ordering::Relaxed);
            if stop || saved.elapsed() >= Duration::from_secs(self.arguments.save_every) {
                let state = solver.save();
                self.check_files(solver.as_mut(), job)?;
                job.save(self.directory, &state)?;
                saved = Instant::now();
            }
            if stop {
                return Ok(None);
            }
        }
    }

    /// A failure of the working files makes the analysis invalid.
    fn check_files(&self, solver: &mut dyn Solver, job: Checkpoint) -> Result<(), TableError> {
        let trouble = solver.in_files().and_then(InFiles::trouble);
        trouble.map_or(Ok(()), |source| {
            Err(TableError::io(&job.path(self.directory))(source))
        })
    }

    /// Resumes from a checkpoint or starts over. An invalid checkpoint is reported and removed.
    fn begin<'c>(&self, class: &'c Solvable, job: Checkpoint) -> Result<Box<dyn Solver + 'c>> {
        let threads = self.arguments.threads;
        let work = job.path(self.directory).with_extension("work");
        let resumed = match job.load(self.directory) {
            Ok(saved) => {
                saved.and_then(|state| class.resume(self.algorithm, threads, Some(&work), &state))
            }
            Err(error) => {
                warn(format_args!("{error}; starting over"));
                job.discard(self.directory)?;
                None
            }
        };
        Ok(resumed.unwrap_or_else(|| class.start(self.algorithm, threads, Some(&work))))
    }
}

/// A progress bar on a terminal, otherwise one line per class.
struct Display {
    bar: ProgressBar,
    start: Instant,
    label: String,
    lines: bool,
}

impl Display {
    fn new(bars: &MultiProgress, subject: Subject, number: usize, of: usize) -> Self {
        let bar = bars.add(ProgressBar::new(128));
        let style = ProgressStyle::with_template("{prefix} {bar:30} {msg} {elapsed} (ETA {eta})");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let label = format!("[{}/{of}] {subject}", number + 1);
        bar.set_prefix(label.clone());
        Self {
            bar,
            start: Instant::now(),
            label,
            lines: !std::io::stderr().is_terminal(),
        }
    }

    fn phase(&self, phase: &'static str) {
        self.bar.set_message(phase);
        self.bar.tick();
    }

    fn bound(&self, bound: u8, bounds: u8) {
        let depth = u64::from(bounds.saturating_sub(bound));
        self.bar.set_length(bounds.into());
        self.bar.set_message(format!("depth {depth}"));
        self.bar.set_position(depth);
    }

    fn finish(&self, indices: u32) {
        self.bar.finish_and_clear();
        if self.lines {
            let seconds = self.start.elapsed().as_secs_f64();
            let speed = f64::from(indices) / seconds.max(1e-3);
            warn(format_args!(
                "{} {seconds:.2} s, {speed:.0} indices/s",
                self.label
            ));
        }
    }
}
