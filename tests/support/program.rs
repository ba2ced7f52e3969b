//! The binary as a user runs it.

#![allow(dead_code, reason = "not every test needs all of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs a command from the root of the repository.
pub fn cc2s(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cc2s"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command.args(arguments).output().unwrap()
}

/// What it said; it must have gone well.
pub fn out(output: &Output) -> String {
    assert!(output.status.success(), "{}", err(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What it complained of.
pub fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The complaint about arguments that must be refused.
pub fn refusal(arguments: &[&str]) -> String {
    let output = cc2s(arguments);
    assert!(!output.status.success(), "{arguments:?} went well");
    err(&output)
}

/// A file name in the folder for tests; nothing is there.
pub fn file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}
