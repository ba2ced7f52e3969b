//! The state shared by the engines of a match: the stop flag and a log of standard error.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use crate::tools::ToolError;

/// The owner of a match, which may stop it and may log the engines' standard error.
#[derive(Debug, Default)]
pub struct Host {
    stop: Arc<AtomicBool>,
    /// The match is decided: running games are dropped.
    is_over: AtomicBool,
    log: Option<Mutex<File>>,
}

impl Host {
    /// Creates a host that stops once `stop` is set, and appends standard error to the file `log`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn new(stop: Arc<AtomicBool>, log: Option<&Path>) -> Result<Self, ToolError> {
        let open = |path: &Path| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.map_err(ToolError::file(path))
        };
        let log = log.map(open).transpose()?.map(Mutex::new);
        Ok(Self {
            stop,
            is_over: AtomicBool::new(false),
            log,
        })
    }

    /// Whether the match has to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.is_over.load(Ordering::Relaxed)
    }

    /// Drops the running games: the match is decided.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Logs a line of a player's standard error.
    pub(super) fn note(&self, player: &str, line: &str) {
        if let Some(log) = &self.log {
            // A failure of the log does not end the match.
            let _ = writeln!(log.lock(), "{player}: {line}");
        }
    }
}
