//! `cc2s tables list`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::directory::{Directory, files_in};
use crate::cli::output::{say, say_json, warn};
use crate::endgame::make::file::TableFile;

/// Which directory to list.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    directory: Directory,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct TableRow {
    class: String,
    /// Legal positions up to symmetry, with either side to move.
    positions: u64,
    bytes: u64,
    bits_per_position: f64,
    /// Longest wins of White and of Black when to move, in moves; `None` in tables without distances.
    longest_wins: [Option<u8>; 2],
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut entries = Vec::new();
    for path in files_in(arguments.directory.folder())? {
        match TableFile::open(&path) {
            Ok(file) => entries.push(entry(&file)),
            Err(error) => warn(error),
        }
    }
    if arguments.json {
        say_json(&entries)?;
        return Ok(ExitCode::SUCCESS);
    }
    for entry in &entries {
        say(line(entry))?;
    }
    let bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
    say(format_args!(
        "{} tables, {bytes} bytes, in {}",
        entries.len(),
        arguments.directory.folder().display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn line(entry: &TableRow) -> String {
    let longest = entry.longest_wins;
    let [white, black] =
        longest.map(|moves| moves.map_or("-".to_owned(), |moves| moves.to_string()));
    let longest = if longest == [None; 2] {
        String::new()
    } else {
        format!(", longest win {white} / {black} moves")
    };
    format!(
        "{:<16} {:>11} positions {:>10} bytes {:>6.3} bits/position{longest}",
        entry.class, entry.positions, entry.bytes, entry.bits_per_position
    )
}

fn entry(file: &TableFile) -> TableRow {
    let header = file.header();
    let positions = header.positions();
    TableRow {
        class: header.subject.to_string(),
        positions,
        bytes: file.length(),
        bits_per_position: file.length() as f64 * 8.0 / positions as f64,
        longest_wins: header.sides.map(|side| side.longest[0]),
    }
}
