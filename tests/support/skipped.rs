//! Messages of skipped tests.

use std::io::Write as _;
use std::process::Command;

use crate::environment::variable;

/// Prints to the terminal that a test is skipped, because the harness hides the output of passing tests.
pub fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

/// A Python with python-chess. Without one the test is skipped, or fails if `CI` is set and not empty.
#[allow(dead_code)]
pub fn python_chess() -> Option<String> {
    let python = variable("CC2S_PYTHON").unwrap_or_else(|| "python3".to_owned());
    let import = ["-c", "import chess.engine, chess.pgn"];
    let output = Command::new(&python).args(import).output();
    if output.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    let why =
        format!("{python} has no python-chess (pip install chess==1.11.2, or set CC2S_PYTHON)");
    assert!(variable("CI").is_none(), "{why}");
    skipped(&why);
    None
}
