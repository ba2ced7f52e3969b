//! Games with python-chess as the host, if Python and that package are there.

use std::process::Command;

/// The interpreter to use; `.ci/run` makes one that has the package.
fn interpreter() -> String {
    std::env::var("CC2S_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

fn play(mode: &str) {
    let python = interpreter();
    let has_chess = Command::new(&python)
        .args(["-c", "import chess.engine"])
        .output();
    if !has_chess.is_ok_and(|output| output.status.success()) {
        // Whoever tests everything must not take a skipped test for a passed one.
        assert!(
            std::env::var_os("CI").is_none(),
            "{python} has no python-chess"
        );
        eprintln!(
            "SKIPPED: {python} has no python-chess (pip install chess==1.11.2, or set CC2S_PYTHON)"
        );
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/play.py");
    let output = Command::new(&python)
        .args([script, env!("CARGO_BIN_EXE_cc2s"), mode])
        .output()
        .unwrap();
    let (said, errors) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{said}\n{errors}");
    eprintln!("{said}");
}

#[test]
fn a_game_with_a_clock() {
    play("clock");
}

#[test]
fn a_game_with_pondering() {
    play("ponder");
}

#[test]
fn a_game_of_chess960() {
    play("chess960");
}

#[test]
fn analysis_and_options() {
    play("analysis");
}
