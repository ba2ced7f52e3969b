//! The usage of the process, as the operating system counts it.

use std::fs;

/// Ticks per second of the counts in `/proc/self/stat`, the same on every Linux.
const TICKS: f64 = 100.0;

/// User time of all threads so far, in seconds; `None` where the system does not tell.
pub(super) fn user_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may hold anything; user time is the 12th field behind it.
    let ticks: f64 = stat
        .rsplit_once(')')?
        .1
        .split_whitespace()
        .nth(11)?
        .parse()
        .ok()?;
    Some(ticks / TICKS)
}

/// Forgets the peak, so that [`peak_mib`] speaks of what follows; does nothing where the system has no such thing.
pub(super) fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The most memory the process has held at once, in MiB; `None` where the system does not tell.
pub(super) fn peak_mib() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}
