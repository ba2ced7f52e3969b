//! Handling of Ctrl-C: the work ends and the results so far are reported. A second Ctrl-C exits at once.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::{Context as _, Result};

/// Exit code of an interrupted command, as defined by shells.
pub(super) const INTERRUPTED: u8 = 130;

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Installs the handler and returns the flag set by Ctrl-C.
pub(super) fn flag() -> Result<Arc<AtomicBool>> {
    if let Some(flag) = FLAG.get() {
        return Ok(flag.clone());
    }
    let flag = FLAG.get_or_init(Arc::default).clone();
    let seen = flag.clone();
    let handler = move || {
        if seen.swap(true, Ordering::Relaxed) {
            process::exit(INTERRUPTED.into());
        }
    };
    ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")?;
    Ok(flag)
}

pub(super) fn is_seen() -> bool {
    FLAG.get().is_some_and(|flag| flag.load(Ordering::Relaxed))
}
