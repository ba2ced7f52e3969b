//! `cc2s tables` as a user runs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

const TRUTH: &str = include_str!("data/endgames.txt");

/// A directory of its own for each test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("cc2s-tables-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary directory");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cc2s"));
    command
        .arg("tables")
        .args(arguments)
        .arg("--dir")
        .arg(directory);
    command
}

fn run(directory: &Path, arguments: &[&str]) -> Output {
    command(directory, arguments)
        .output()
        .expect("the program runs")
}

/// What a successful command printed.
fn printed(directory: &Path, arguments: &[&str]) -> String {
    let output = run(directory, arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("text")
}

/// What a failing command complained of.
fn complaint(directory: &Path, arguments: &[&str]) -> String {
    let output = run(directory, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn three_men_are_made_checked_counted_and_asked() {
    let scratch = Scratch::new("whole");
    let report = printed(&scratch.0, &["generate", "--men", "3", "--json"]);
    assert_eq!(report.matches("\"class\"").count(), 5);
    assert!(
        printed(&scratch.0, &["generate", "KPvK"]).contains("0 tables"),
        "nothing is made twice"
    );

    let verified = printed(&scratch.0, &["verify"]);
    assert_eq!(verified.matches("sums right").count(), 5);
    assert!(
        verified.contains("KRvK sums right, 50015 entries follow"),
        "{verified}"
    );

    let stats = printed(
        &scratch.0,
        &["stats", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"],
    );
    assert_eq!(stats.lines().count(), 10);
    assert!(
        stats
            .lines()
            .all(|line| TRUTH.lines().any(|truth| truth == line)),
        "{stats}"
    );

    assert_eq!(printed(&scratch.0, &["list"]).lines().count(), 6);
    let probed = printed(&scratch.0, &["probe", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"]);
    assert!(
        probed.starts_with("win in 1 plies\nline: Qg7#\n"),
        "{probed}"
    );
    let drawn = printed(&scratch.0, &["probe", "k7/8/8/8/8/8/8/KB6 w - -"]);
    assert!(drawn.starts_with("draw\n"), "{drawn}");
}

/// From the longest win of the ending the line of best moves mates in exactly that many plies.
#[test]
fn best_play_takes_as_long_as_the_table_says() {
    let scratch = Scratch::new("line");
    printed(&scratch.0, &["generate", "KRvK"]);
    let probed = printed(&scratch.0, &["probe", "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"]);
    let plies: usize = probed
        .split_whitespace()
        .nth(2)
        .and_then(|word| word.parse().ok())
        .expect("a distance");
    let line = probed.lines().nth(1).expect("a line");
    assert_eq!(line.split_whitespace().count() - 1, plies, "{probed}");
    assert!(line.ends_with('#'), "{probed}");
}

#[test]
fn errors_name_the_trouble() {
    let scratch = Scratch::new("errors");
    assert!(complaint(&scratch.0, &["generate", "KRKQ"]).contains("unknown class \"KRKQ\""));
    assert!(
        complaint(&scratch.0, &["generate", "KQvKR", "--memory", "1"]).contains("wu-beal needs")
    );
    assert!(complaint(&scratch.0, &["stats", "KQvK"]).contains("KQvK.egt"));
    assert!(complaint(&scratch.0, &["verify"]).contains("no tables"));
    assert!(complaint(&scratch.0, &["bench", "KPvK"]).contains("needs the table of K"));
    assert!(complaint(&scratch.0, &["probe", "not a position"]).contains("illegal position"));
    assert!(
        complaint(&scratch.0, &["probe", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"]).contains("no table")
    );
    assert!(
        complaint(&scratch.0, &["probe", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]).contains("castling")
    );
    printed(&scratch.0, &["generate", "KQvK"]);
    let path = scratch.0.join("KQvK.egt");
    let mut bytes = fs::read(&path).expect("the file");
    bytes[200] ^= 4;
    fs::write(&path, bytes).expect("written");
    assert!(complaint(&scratch.0, &["verify"]).contains("wrong checksum of block 0"));
}

/// Killed again and again while it saves at every depth, the generator ends in the same files.
#[test]
fn a_killed_generator_goes_on_to_the_same_files() {
    let (whole, broken) = (Scratch::new("kill-not"), Scratch::new("kill"));
    printed(&whole.0, &["generate", "KNNvK"]);
    let algorithms = ["bal-allis", "wu-beal", "muller"];
    for round in 0..12 {
        let arguments = [
            "generate",
            "KNNvK",
            "--save-every",
            "0",
            "--algorithm",
            algorithms[round % 3],
        ];
        let mut killed = command(&broken.0, &arguments);
        let mut running = killed
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        sleep(Duration::from_millis(20 + 37 * round as u64));
        running.kill().expect("killed or ended");
        running.wait().expect("waited for");
    }
    printed(&broken.0, &["generate", "KNNvK"]);
    for name in ["KNNvK.egt", "KNvK.egt"] {
        let read = |scratch: &Scratch| fs::read(scratch.0.join(name)).expect("the file");
        assert!(read(&whole) == read(&broken), "{name}");
    }
}
