//! `cc2s tables bench`.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::choice::TableChoice;
use super::directory::Directory;
use super::plan::{self, TableCache};
use super::solvable::{Solvable, fits};
use super::usage;
use crate::cli::output::{say, say_json};
use crate::endgame::make::file::TableFile;
use crate::endgame::make::{Algorithm, Subject, TableValue, solver};

/// The zstd compression level, as in `generate`.
const LEVEL: i32 = 12;

/// The positions to time.
///
/// Only the analysis is timed. Each analysis runs in a separate process, so its peak memory is separate too. Missing
/// tables of captures and promotions are generated beforehand, in a temporary folder. All runs of an ending must
/// produce the same table. Prints a Markdown table with one line per ending.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    choice: TableChoice,
    /// The algorithms [default: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    algorithm: Vec<Algorithm>,
    /// Numbers of threads, for words and bal-allis; one run for each number
    #[arg(long, value_name = "N", default_value = "1", value_delimiter = ',',
          value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: Vec<u32>,
    #[command(flatten)]
    directory: Directory,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
    /// Run as the process of a single run: use this folder for tables too, and put new tables there
    #[arg(long, value_name = "FOLDER", hide = true)]
    alone: Option<PathBuf>,
}

/// An algorithm with a number of threads.
#[derive(Clone, Copy, Debug)]
struct Way {
    algorithm: Algorithm,
    threads: u32,
}

impl Way {
    /// For runs that are not timed.
    const USUAL: Self = Self {
        algorithm: Algorithm::BalAllis,
        threads: 1,
    };
}

#[derive(Debug, Serialize)]
struct Timed {
    class: String,
    /// Legal positions up to symmetry, with either side to move.
    positions: u64,
    /// Bits of the table's file per position.
    bits_per_position: f64,
    runs: Vec<SolverTiming>,
}

#[derive(Debug, Deserialize, Serialize)]
struct SolverTiming {
    algorithm: String,
    threads: u32,
    wall_seconds: f64,
    user_seconds: Option<f64>,
    /// Peak memory of the process, including smaller tables, in MiB.
    peak_mib: Option<f64>,
    /// Checksum of all values.
    checksum: u64,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let ways = ways(arguments);
    if let Some(folder) = &arguments.alone {
        return run_alone(arguments, &ways, folder);
    }
    let bench = Bench {
        directory: arguments.directory.folder(),
        folder: Folder::new()?,
    };
    let mut report = Vec::new();
    for subject in arguments.choice.subjects()? {
        let timed = bench.time(subject, &ways)?;
        if !arguments.json {
            if report.is_empty() {
                say(head(&ways))?;
            }
            say(line(&timed, &ways))?;
        }
        report.push(timed);
    }
    if arguments.json {
        say_json(&report)?;
    } else if report.len() > 1 {
        say(line(&sum(&report), &ways))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn ways(arguments: &Arguments) -> Vec<Way> {
    let mut algorithms = arguments.algorithm.clone();
    if algorithms.is_empty() {
        algorithms = Algorithm::ALL.to_vec();
    }
    let with_threads = |algorithm: Algorithm| {
        let several = algorithm.is_parallel();
        let numbers = arguments.threads.iter().copied();
        numbers
            .filter(move |&threads| threads == 1 || several)
            .map(move |threads| Way { algorithm, threads })
    };
    algorithms.into_iter().flat_map(with_threads).collect()
}

/// A temporary folder for intermediate tables, removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("cc2s-bench-{}", std::process::id()));
        fs::create_dir(&path).with_context(|| format!("{}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that cannot be removed remains among the temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Bench<'a> {
    directory: &'a Path,
    folder: Folder,
}

impl Bench<'_> {
    fn find(&self, subject: Subject) -> Option<PathBuf> {
        plan::find(&[self.directory, &self.folder.0], subject)
    }

    fn time(&self, subject: Subject, ways: &[Way]) -> Result<Timed> {
        for need in Subject::in_order(&subject.exits()) {
            if self.find(need).is_none() {
                self.start(need, Way::USUAL)?;
            }
        }
        let mut runs: Vec<SolverTiming> = Vec::new();
        for way in ways.iter().filter(|way| fits(way.algorithm, subject)) {
            let run = self.start(subject, *way)?;
            ensure!(
                runs.first()
                    .is_none_or(|first| first.checksum == run.checksum),
                "{subject}: {} on {} threads produces a different table from {}",
                run.algorithm,
                run.threads,
                runs[0].algorithm
            );
            runs.push(run);
        }
        let path = self
            .find(subject)
            .with_context(|| format!("none of these algorithms supports {subject}"))?;
        let file = TableFile::open(&path)?;
        let positions = file.header().positions();
        Ok(Timed {
            class: subject.to_string(),
            positions,
            bits_per_position: file.length() as f64 * 8.0 / positions as f64,
            runs,
        })
    }

    /// Solves a class in a new process; its smaller tables must exist.
    fn start(&self, subject: Subject, way: Way) -> Result<SolverTiming> {
        let output = Command::new(std::env::current_exe()?)
            .args(["tables", "bench", &subject.to_string()])
            .args(["--algorithm", &way.algorithm.to_string()])
            .args(["--threads", &way.threads.to_string()])
            .arg("--dir")
            .arg(self.directory)
            .arg("--alone")
            .arg(&self.folder.0)
            .stderr(Stdio::inherit())
            .output()?;
        ensure!(output.status.success(), "{subject}: {}", output.status);
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

/// Solves one class in one way and prints the result as JSON.
fn run_alone(arguments: &Arguments, ways: &[Way], folder: &Path) -> Result<ExitCode> {
    let subjects = arguments.choice.subjects()?;
    let (&[subject], &[way]) = (subjects.as_slice(), ways) else {
        bail!("no runs");
    };
    let directories = [arguments.directory.folder(), folder];
    let class = TableCache::default().class(subject, &directories)?;
    let (run, values) = time(&class, way);
    if plan::find(&directories, subject).is_none() {
        class.write_values(subject, &values, folder, LEVEL)?;
    }
    say(serde_json::to_string(&run)?)?;
    Ok(ExitCode::SUCCESS)
}

fn time(class: &Solvable, way: Way) -> (SolverTiming, Vec<TableValue>) {
    usage::forget_peak();
    let (start, before) = (Instant::now(), usage::user_seconds());
    let values = solver::run(class.start(way.algorithm, way.threads, None));
    let wall_seconds = start.elapsed().as_secs_f64();
    let user_seconds = usage::user_seconds()
        .zip(before)
        .map(|(after, before)| after - before);
    let run = SolverTiming {
        algorithm: way.algorithm.to_string(),
        threads: way.threads,
        wall_seconds,
        user_seconds,
        peak_mib: usage::peak_mib(),
        checksum: checksum(&values),
    };
    (run, values)
}

fn checksum(values: &[TableValue]) -> u64 {
    let mut hasher = DefaultHasher::new();
    values.hash(&mut hasher);
    hasher.finish()
}

/// The total times and the maximum peak memory.
fn sum(report: &[Timed]) -> Timed {
    let positions = report.iter().map(|timed| timed.positions).sum();
    let bits = report
        .iter()
        .map(|timed| timed.bits_per_position * timed.positions as f64);
    let mut runs: Vec<SolverTiming> = Vec::new();
    for run in report.iter().flat_map(|timed| &timed.runs) {
        let same =
            |sum: &&mut SolverTiming| sum.algorithm == run.algorithm && sum.threads == run.threads;
        let Some(sum) = runs.iter_mut().find(same) else {
            runs.push(SolverTiming {
                algorithm: run.algorithm.clone(),
                ..*run
            });
            continue;
        };
        sum.wall_seconds += run.wall_seconds;
        sum.user_seconds = sum.user_seconds.zip(run.user_seconds).map(|(a, b)| a + b);
        sum.peak_mib = sum.peak_mib.zip(run.peak_mib).map(|(a, b)| a.max(b));
    }
    Timed {
        class: format!("all {}", report.len()),
        positions,
        bits_per_position: bits.sum::<f64>() / positions as f64,
        runs,
    }
}

fn head(ways: &[Way]) -> String {
    let columns: Vec<_> = ways
        .iter()
        .map(|way| {
            let threads = match way.threads {
                1 => String::new(),
                several => format!(" {several} threads"),
            };
            format!(" {}{threads} user s | wall s | MiB |", way.algorithm)
        })
        .collect();
    let rule = "---|".repeat(3 + 3 * ways.len());
    format!(
        "| table | positions | bits/position |{}\n|{rule}",
        columns.concat()
    )
}

fn line(timed: &Timed, ways: &[Way]) -> String {
    let cells: Vec<_> = ways
        .iter()
        .map(|way| {
            let name = way.algorithm.to_string();
            let run = timed
                .runs
                .iter()
                .find(|run| run.algorithm == name && run.threads == way.threads);
            run.map_or(" - | - | - |".to_owned(), |run| {
                let user = number(run.user_seconds, 2);
                let peak = number(run.peak_mib, 1);
                format!(" {user} | {:.2} | {peak} |", run.wall_seconds)
            })
        })
        .collect();
    format!(
        "| {} | {} | {:.2} |{}",
        timed.class,
        timed.positions,
        timed.bits_per_position,
        cells.concat()
    )
}

fn number(number: Option<f64>, places: usize) -> String {
    number.map_or("-".to_owned(), |number| format!("{number:.places$}"))
}
