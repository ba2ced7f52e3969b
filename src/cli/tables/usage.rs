//! Resource usage of the process according to the operating system.

use std::fs;

/// Ticks per second in `/proc/self/stat`, the same on every Linux.
const TICKS: f64 = 100.0;

/// User time of all threads in seconds; `None` if the system does not provide it.
pub(super) fn user_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may contain anything; user time is the 12th field after it.
    let ticks: f64 = stat
        .rsplit_once(')')?
        .1
        .split_whitespace()
        .nth(11)?
        .parse()
        .ok()?;
    Some(ticks / TICKS)
}

/// Resets the peak for [`peak_mib`], where the system supports it.
pub(super) fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Peak memory of the process in MiB; `None` if the system does not provide it.
pub(super) fn peak_mib() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}
