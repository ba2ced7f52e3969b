//! Games with python-chess as the host, if it is installed.

use std::process::Command;

use crate::skipped::python_chess;

fn play(mode: &str) {
    let Some(python) = python_chess() else {
        return;
    };
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
