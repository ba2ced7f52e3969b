//! The host of a match's programs: the wish to stop, and a log of their complaints.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use crate::tools::ToolError;

/// Whoever started the match: it may want to stop, and it may keep what the programs write to standard error.
#[derive(Debug, Default)]
pub struct Host {
    stop: Arc<AtomicBool>,
    log: Option<Mutex<File>>,
}

impl Host {
    /// A host that stops once `stop` is set, and appends standard error to the file `log`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn new(stop: Arc<AtomicBool>, log: Option<&Path>) -> Result<Self, ToolError> {
        let open = |path: &Path| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.map_err(ToolError::file(path))
        };
        let log = log.map(open).transpose()?.map(Mutex::new);
        Ok(Self { stop, log })
    }

    /// Whether the match is to end now.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Keeps a line that a player has written to standard error.
    pub(super) fn note(&self, player: &str, line: &str) {
        if let Some(log) = &self.log {
            // A log that can no longer be written is no reason to end the match.
            let _ = writeln!(log.lock(), "{player}: {line}");
        }
    }
}
