//! Output of commands: results on standard output, progress on standard error.

use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::builder::{PathBufValueParser, TypedValueParser};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::tools::ToolError;

pub(super) fn say(line: impl Display) -> Result<(), ToolError> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

pub(super) fn say_json(data: &impl Serialize) -> Result<()> {
    Ok(say(serde_json::to_string_pretty(data)?)?)
}

/// Parses the name of an output file and checks at once that it can be written.
pub(super) fn file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let is_new = !path.exists();
        OpenOptions::new().append(true).create(true).open(&path)?;
        if is_new {
            // A dangling link is kept; the target created through it is removed.
            fs::remove_file(fs::canonicalize(&path)?)?;
        }
        io::Result::Ok(path)
    })
}

/// Rejects an output file that is also an input file or another output file, after resolving links. Files that are
/// not regular, such as `/dev/null`, are allowed.
pub(super) fn keep_apart<'a>(
    read: impl IntoIterator<Item = &'a PathBuf>,
    written: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<()> {
    let mut places: Vec<PathBuf> = read.into_iter().map(|path| place(path)).collect();
    let is_kept = |path: &&PathBuf| !path.exists() || path.is_file();
    for path in written.into_iter().filter(is_kept) {
        let place = place(path);
        if places.contains(&place) {
            bail!("{} would be overwritten", path.display());
        }
        places.push(place);
    }
    Ok(())
}

/// The resolved path of an existing or future file.
fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let in_folder = || {
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some(folder.join(path.file_name()?))
    };
    let known = fs::canonicalize(path).ok();
    known.or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

/// Whether standard output is a file or pipe, so that a progress bar does not appear between the lines.
pub(super) fn is_piped() -> bool {
    !io::stdout().is_terminal()
}

/// Writes a line to standard error, ignoring errors.
pub(super) fn warn(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Whether the reader of the output has closed the pipe, as in `cc2s bench | head`.
pub(super) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

/// Creates a progress bar on standard error, hidden unless it is a terminal.
pub(super) fn progress_bar(total: usize, finished: usize) -> Result<ProgressBar> {
    let template = "{bar:30} {pos}/{len} {msg} {elapsed} eta {eta}";
    let style = ProgressStyle::with_template(template).context("progress bar")?;
    let bar = ProgressBar::new(total as u64).with_style(style);
    bar.set_position(finished as u64);
    bar.reset_eta();
    Ok(bar)
}
