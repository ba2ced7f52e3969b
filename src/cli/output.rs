//! Output of commands: lines on standard output, progress on standard error.

use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::builder::{PathBufValueParser, TypedValueParser};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::tools::ToolError;

/// Writes a line to standard output.
pub(super) fn say(line: impl Display) -> Result<(), ToolError> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

/// Writes data for other programs to standard output.
pub(super) fn say_json(data: &impl Serialize) -> Result<()> {
    Ok(say(serde_json::to_string_pretty(data)?)?)
}

/// Reads the name of a file that is to be written when the work is done; one that cannot be is refused at once.
pub(super) fn file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let is_new = !path.exists();
        OpenOptions::new().append(true).create(true).open(&path)?;
        if is_new {
            // Of a link that leads nowhere, what it leads to goes.
            fs::remove_file(fs::canonicalize(&path)?)?;
        }
        io::Result::Ok(path)
    })
}

/// Refuses a file that would be written twice, or that is read before; links to a file are that file. What is no
/// regular file, such as `/dev/null`, loses nothing.
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

/// Where a file is, or will be.
fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let in_folder = || {
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some(folder.join(path.file_name()?))
    };
    let known = fs::canonicalize(path).ok();
    known.or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

/// Whether lines on standard output go to a file or another program, so that no bar beside them is seen there.
pub(super) fn is_piped() -> bool {
    !io::stdout().is_terminal()
}

/// Writes a line to standard error; where nobody can read it, nothing is lost.
pub(super) fn warn(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Whether an error means no more than that nobody reads on, as in `cc2s bench | head`.
pub(super) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

/// A bar on standard error, and only where that is a terminal.
pub(super) fn progress_bar(total: usize, finished: usize) -> Result<ProgressBar> {
    let template = "{bar:30} {pos}/{len} {msg} {elapsed} eta {eta}";
    let style = ProgressStyle::with_template(template).context("progress bar")?;
    let bar = ProgressBar::new(total as u64).with_style(style);
    bar.set_position(finished as u64);
    bar.reset_eta();
    Ok(bar)
}
