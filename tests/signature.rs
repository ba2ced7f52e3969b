//! The node count of `cc2s bench` against the recorded one, which changes only with an intended change of the
//! search.
//!
//! Record a new count with `CC2S_UPDATE=1 cargo test --test signature`, and explain it in the commit message.

#[path = "support/environment.rs"]
mod environment;
use environment::variable;

use std::process::Command;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/signature.txt");

fn bench() -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cc2s"));
    let output = command.arg("bench").output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let last = text.lines().last().unwrap();
    let words: Vec<&str> = last.split(' ').collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{last}");
    words[0].to_owned()
}

#[test]
fn bench_counts_the_recorded_nodes() {
    let count = bench();
    if variable("CC2S_UPDATE").is_some() {
        std::fs::write(FILE, format!("{count}\n")).unwrap();
        return;
    }
    let recorded = std::fs::read_to_string(FILE).unwrap();
    assert_eq!(
        count,
        recorded.trim(),
        "the search has changed; if that is meant: CC2S_UPDATE=1 cargo test --test signature"
    );
}
