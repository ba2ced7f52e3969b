//! What commands show: lines on standard output, progress on standard error.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};

/// Writes a line to standard output.
pub(super) fn say(line: impl Display) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
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
