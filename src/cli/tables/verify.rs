//! `cc2s tables verify`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::Args;
use serde::Serialize;

use super::directory::{Directory, files_in};
use super::plan::TableCache;
use crate::cli::output::{say, say_json, warn};
use crate::endgame::make::file::TableFile;
use crate::endgame::make::{Metric, Subject};
use crate::endgame::probe::{Agreement, GaviotaTable};

/// Which files to check, and against what.
///
/// Verifies all checksums, the counts in the header, and every entry against its best move. The tables of captures and
/// promotions must be in the same directory.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Table files [default: all in the directory]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    directory: Directory,
    /// Compare the result of every chess position with the Syzygy tables in this directory
    #[arg(long, value_name = "DIR")]
    against_syzygy: Option<PathBuf>,
    /// Compare result and distance to mate of every chess position with Gaviota's tables in this directory, up to four
    /// men
    #[arg(long, value_name = "DIR")]
    against_gaviota: Option<PathBuf>,
    /// Check the checksums only
    #[arg(long, conflicts_with_all = ["against_syzygy", "against_gaviota"])]
    quick: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Default, Serialize)]
struct Verified {
    class: String,
    seconds: f64,
    /// Positions whose entry equals that of their best move.
    consistent: Option<u64>,
    /// Positions with the same result in the Syzygy tables.
    equal_to_syzygy: Option<u64>,
    /// Positions with the same result and distance to mate in Gaviota's tables.
    equal_to_gaviota: Option<u64>,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let given = if arguments.files.is_empty() {
        files_in(arguments.directory.folder())?
    } else {
        arguments.files.clone()
    };
    ensure!(
        !given.is_empty(),
        "no tables in {}",
        arguments.directory.folder().display()
    );
    let mut shelf = TableCache::default();
    let mut report = Vec::new();
    for path in &given {
        let verified = verify(path, arguments, &mut shelf)?;
        if !arguments.json {
            say(line(&verified))?;
        }
        report.push(verified);
    }
    if arguments.json {
        say_json(&report)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn line(verified: &Verified) -> String {
    let part = |count: Option<u64>, text: &str| {
        count.map_or(String::new(), |count| format!(", {count} {text}"))
    };
    format!(
        "{} checksums right{}{}{} ({:.2} s)",
        verified.class,
        part(verified.consistent, "entries follow from their moves"),
        part(verified.equal_to_syzygy, "results as in Syzygy"),
        part(verified.equal_to_gaviota, "distances as in Gaviota"),
        verified.seconds
    )
}

fn verify(path: &Path, arguments: &Arguments, shelf: &mut TableCache) -> Result<Verified> {
    let start = Instant::now();
    let file = TableFile::open(path)?;
    let subject = file.header().subject;
    let mut verified = Verified {
        class: subject.to_string(),
        ..Verified::default()
    };
    for side in 0..subject.sides() {
        file.load_side(side as usize)?;
    }
    if !arguments.quick {
        let class = shelf.class(subject, &[path.parent().unwrap_or(Path::new("."))])?;
        verified.consistent = Some(class.check(&file)?);
        let counted = file.header().positions();
        ensure!(
            verified.consistent == Some(counted),
            "{}: the header counts {counted} positions",
            path.display()
        );
    }
    if let (Some(directory), Subject::Chess(..)) = (&arguments.against_syzygy, subject) {
        let agreement = Agreement::with(directory)?;
        verified.equal_to_syzygy = Some(agreement.check(&file.load()?)?);
    }
    if let (Some(directory), Subject::Chess(class, Metric::Distance)) =
        (&arguments.against_gaviota, subject)
    {
        match GaviotaTable::open(directory, class)? {
            Some(theirs) => verified.equal_to_gaviota = Some(theirs.check(&file.load()?)?),
            None => warn(format_args!(
                "{class}: no Gaviota table in {}",
                directory.display()
            )),
        }
    }
    verified.seconds = start.elapsed().as_secs_f64();
    Ok(verified)
}
