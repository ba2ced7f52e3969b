//! Runs the binary.

#![allow(dead_code, reason = "not every test needs all of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs a command in the root of the repository.
pub fn cc2s(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cc2s"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command.args(arguments).output().unwrap()
}

/// Standard output of a successful command.
pub fn out(output: &Output) -> String {
    assert!(output.status.success(), "{}", err(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The error message of a command whose arguments must be rejected.
pub fn refusal(arguments: &[&str]) -> String {
    let output = cc2s(arguments);
    assert!(!output.status.success(), "{arguments:?} went well");
    err(&output)
}

/// The path of a nonexistent file in the folder for tests.
pub fn file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}
