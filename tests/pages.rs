//! The pages of `cc2s explain` and `cc2s annotate` in a browser: Chromium, controlled by Node.

#[path = "support/environment.rs"]
mod environment;
use environment::variable;

#[path = "support/skipped.rs"]
mod skipped;
use skipped::skipped;

#[path = "support/program.rs"]
mod program;

use std::path::{Path, PathBuf};
use std::process::Command;

use program::{cc2s, err, file, out};

const CLASSICS: &str = "docs/examples/classics.pgn";
/// The position of the tests of `explain` with a single saving move.
const ONLY_MOVE: &str = "5rk1/5p2/8/7Q/r7/1q6/5PPP/6K1 w - - 0 1";

/// The folder of playwright-core: `CC2S_BROWSER` as set by `.ci/run`, or its default.
fn modules() -> (PathBuf, bool) {
    match variable("CC2S_BROWSER") {
        Some(folder) => (folder.into(), true),
        None => (
            Path::new(env!("CARGO_MANIFEST_DIR")).join("target/browser/node_modules"),
            false,
        ),
    }
}

/// The missing requirement of the test, if any.
fn missing(modules: &Path) -> Option<&'static str> {
    let runs = |program: &str| {
        Command::new(program)
            .arg("--version")
            .output()
            .is_ok_and(|run| run.status.success())
    };
    let chromium = variable("CC2S_CHROMIUM").unwrap_or_else(|| "/usr/bin/chromium".to_owned());
    if !runs("node") {
        Some("node")
    } else if !runs(&chromium) {
        Some("chromium")
    } else if !modules.join("playwright-core").exists() {
        Some("playwright-core (npm install --prefix target/browser playwright-core)")
    } else {
        None
    }
}

#[test]
fn pages_work_in_a_browser() {
    let (modules, is_demanded) = modules();
    if let Some(missing) = missing(&modules) {
        assert!(
            !is_demanded,
            "CC2S_BROWSER is set, but there is no {missing}"
        );
        skipped(&format!("no {missing}"));
        return;
    }
    let (explained, annotated) = (file("page_explain.html"), file("page_annotate.html"));
    let (why, report) = (explained.to_str().unwrap(), annotated.to_str().unwrap());
    out(&cc2s(&[
        "explain", ONLY_MOVE, "--nodes", "150000", "-o", why,
    ]));
    out(&cc2s(&[
        "annotate", CLASSICS, "--nodes", "3000", "--html", report,
    ]));
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser/pages.js");
    let run = Command::new("node")
        .arg(script)
        .arg(&modules)
        .args([&explained, &annotated, &pictures])
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", err(&run));
    eprintln!("{}", out(&run));
}
