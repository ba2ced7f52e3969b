//! Games with python-chess as the host, if Python and that package are there.

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

/// Where Python cannot be had its tests are left out, unless everything is to be tested; a variable set to nothing is not set.
#[test]
fn a_variable_set_to_nothing_is_not_set() {
    let passes = |ci: &str| {
        let mut tests = Command::new(std::env::current_exe().unwrap());
        tests.args(["--exact", "python::analysis_and_options"]);
        tests.env("CC2S_PYTHON", "no-such-python").env("CI", ci);
        let output = tests.output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("running 1 test"), "{said}");
        output.status.success()
    };
    assert!(passes(""));
    assert!(!passes("1"));
}
