//! The engine from a UCI host's view. Some tests start the binary, some run the front end with their own search.

#[path = "../support/environment.rs"]
mod environment;
#[path = "../support/skipped.rs"]
mod skipped;

mod arbitrary;
mod bad_input;
mod classical;
mod endings;
mod gui;
mod handshake;
mod last_words;
mod mate_lines;
mod mock;
mod multi_pv;
mod network;
mod nonsense;
mod options;
mod positions;
mod preparation;
mod protocol;
mod python;
mod safety;
mod searching;
mod sequences;
mod strength;
mod threads;
mod truths;

/// Runs one of these tests with these environment variables; returns whether it passes.
fn passes(test: &str, variables: [(&str, &str); 2]) -> bool {
    let mut tests = std::process::Command::new(std::env::current_exe().unwrap());
    tests.args(["--include-ignored", "--exact", test]);
    let output = tests.envs(variables).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("running 1 test"), "{said}");
    output.status.success()
}

#[test]
fn a_variable_set_to_nothing_is_not_set() {
    let needs_python = "python::analysis_and_options";
    let no_python = ("CC2S_PYTHON", "no-such-python");
    assert!(passes(needs_python, [no_python, ("CI", "")]));
    assert!(!passes(needs_python, [no_python, ("CI", "1")]));
    let takes_numbers = "sequences::ten_thousand_sequences_with_eight_threads";
    let one = ("CC2S_SEQUENCES", "1");
    assert!(passes(takes_numbers, [one, ("CC2S_SEED", "")]));
    assert!(!passes(takes_numbers, [one, ("CC2S_SEED", "five")]));
}
