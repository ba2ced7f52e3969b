//! Tests of `cc2s tables`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use cc2s::game::SplitMix64;

const TRUTH: &str = include_str!("data/endgames.txt");

/// A separate directory for each test.
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

/// Standard output of a successful command.
fn printed(directory: &Path, arguments: &[&str]) -> String {
    let output = run(directory, arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("text")
}

/// Standard error of a failing command.
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
    assert_eq!(verified.matches("checksums right").count(), 5);
    assert!(
        verified.contains("KRvK checksums right, 50015 entries follow"),
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

/// Missing tables are generated on the way and removed; every algorithm ends with the same table.
#[test]
fn algorithms_are_timed_with_nothing_at_hand() {
    let scratch = Scratch::new("bench");
    let timed = printed(
        &scratch.0,
        &["bench", "KPvK", "awari-03-only", "--threads", "1,2"],
    );
    let rows: Vec<Vec<_>> = timed
        .lines()
        .map(|row| row.split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 5, "{timed}");
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{timed}");
    assert_eq!(rows[2][1..3], ["KPvK", "165676"]);
    assert!(!rows[2].contains(&"-") && rows[3].contains(&"-"), "{timed}");
    assert_eq!(rows[4][1..3], ["all 2", "166040"]);
    let mut left = fs::read_dir(&scratch.0).expect("the directory");
    assert!(left.next().is_none());
}

/// From the longest win of an endgame, the line of best moves mates in exactly that number of plies.
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
    let said = complaint(&scratch.0, &["generate", "KRPvKR", "--memory", "300"]);
    assert!(
        said.contains("KRPvKR does not fit") && said.contains("raise --memory"),
        "{said}"
    );
    assert!(complaint(&scratch.0, &["stats", "KQvK"]).contains("KQvK.egt"));
    assert!(complaint(&scratch.0, &["verify"]).contains("no tables"));
    let points = ["bench", "awari-03-only", "--algorithm", "muller"];
    assert!(complaint(&scratch.0, &points).contains("none of these algorithms"));
    assert!(complaint(&scratch.0, &["probe", "not a position"]).contains("illegal position"));
    for (question, class) in [
        (&["probe", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"][..], "KQvK"),
        (
            &["probe", "7K/8/5kq1/8/8/8/8/7R w - -", "--metric", "wdl"],
            "KQvKR.wdl",
        ),
        (
            &["probe", "--awari", "1 0 0 0 0 1 1 0 0 0 0 0"],
            "awari-03-only",
        ),
        (&["stats", "KBNvK"], "KBNvK"),
    ] {
        let said = complaint(&scratch.0, question);
        let remedy = format!("{class}.egt: make it with `cc2s tables generate {class}`");
        assert!(
            said.contains("no table") && said.contains(&remedy),
            "{said}"
        );
    }
    let nowhere = complaint(&scratch.0.join("nowhere"), &["list"]);
    assert!(
        nowhere.contains("no such directory; `cc2s tables generate`"),
        "{nowhere}"
    );
    assert!(
        complaint(&scratch.0, &["probe", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]).contains("castling")
    );
    fs::create_dir(scratch.0.join("KRvK.wu-beal.work.first")).expect("a directory");
    let no_file = ["generate", "KRvK", "--algorithm", "wu-beal"];
    assert!(complaint(&scratch.0, &no_file).contains("KRvK.wu-beal"));
    assert!(!scratch.0.join("KRvK.egt").exists());
    printed(&scratch.0, &["generate", "KQvK"]);
    let path = scratch.0.join("KQvK.egt");
    let mut bytes = fs::read(&path).expect("the file");
    bytes[200] ^= 4;
    fs::write(&path, bytes).expect("written");
    assert!(complaint(&scratch.0, &["verify"]).contains("wrong checksum of block 0"));
}

/// The values are those of an independent program.
#[test]
fn awari_is_made_checked_counted_and_asked() {
    let scratch = Scratch::new("awari");
    let report = printed(&scratch.0, &["generate", "--awari", "7"]);
    assert!(report.contains("7 tables"), "{report}");
    let verified = printed(&scratch.0, &["verify"]);
    assert!(verified.contains("awari-07-only checksums right, 31824 entries follow"));
    let stats = printed(&scratch.0, &["stats", "awari-05-only", "awari-07-only"]);
    assert_eq!(
        stats,
        "awari-05-only 4368 W 2165 D 0 L 2203\nawari-07-only 31824 W 14921 D 4487 L 12416\n"
    );
    assert!(printed(&scratch.0, &["list"]).contains("awari-07-only"));
    // The move captures both stones: a gain of two, and the game is over.
    let probed = printed(&scratch.0, &["probe", "--awari", "0 0 0 0 0 1 1 0 0 0 0 0"]);
    assert_eq!(probed, "+2\npit 6: +2\n");

    printed(
        &scratch.0,
        &[
            "generate",
            "--awari",
            "5",
            "--rule",
            "nothing",
            "--threads",
            "2",
        ],
    );
    let stats = printed(&scratch.0, &["stats", "awari-05-nothing", "--histogram"]);
    let histogram = [
        "-5 1891", "-3 2", "-2 85", "-1 229", "1 120", "2 180", "3 23", "5 1838",
    ];
    let lines: Vec<_> = stats.lines().skip(1).map(str::trim).collect();
    assert_eq!(lines, histogram);

    let distances = ["generate", "--awari", "3", "--algorithm", "muller"];
    assert!(complaint(&scratch.0, &distances).contains("use bal-allis for awari-03-only"));
    assert!(complaint(&scratch.0, &["probe", "--awari", "1", "2"]).contains("not 12 numbers"));
    let missing = ["probe", "--awari", "9 0 0 0 0 0 1 0 0 0 0 0"];
    assert!(complaint(&scratch.0, &missing).contains("awari-10-only.egt"));
    let large = ["probe", "--awari", "9 9 9 9 9 9 9 9 9 9 9 255"];
    assert!(complaint(&scratch.0, &large).contains("no table for 354 stones"));
}

/// Tables of results agree with those of distances, in a fraction of the space.
#[test]
fn tables_of_results_agree_with_those_of_distances() {
    let scratch = Scratch::new("results");
    let names = ["KPvK", "KQvK", "KRvK"];
    printed(&scratch.0, &["generate", "KPvK"]);
    printed(
        &scratch.0,
        &["generate", "KPvK", "--metric", "wdl", "--threads", "2"],
    );
    assert!(printed(&scratch.0, &["generate", "KPvK", "--bits"]).contains("0 tables"));
    let verified = printed(&scratch.0, &["verify"]);
    assert!(
        verified.contains("KRvK.wdl checksums right, 50015 entries follow"),
        "{verified}"
    );
    for name in names {
        let stats = printed(&scratch.0, &["stats", &format!("{name}.wdl")]);
        for line in stats.lines() {
            let (_, counts) = line.split_once(' ').expect("a name");
            let start = format!("{name} {counts} | maxwin");
            assert!(
                TRUTH.lines().any(|truth| truth.starts_with(&start)),
                "{line}"
            );
        }
        let length = |suffix: &str| {
            let path = scratch.0.join(format!("{name}{suffix}"));
            fs::metadata(path).expect("the file").len()
        };
        assert!(2 * length(".wdl.egt") < length(".egt"), "{name}");
    }
    let fen = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";
    let probed = printed(&scratch.0, &["probe", "--metric", "wdl", fen]);
    assert!(
        probed.starts_with("win\nR") && !probed.contains("plies"),
        "{probed}"
    );
    assert!(
        complaint(
            &scratch.0,
            &["generate", "KQvK", "--bits", "--algorithm", "wu-beal"]
        )
        .contains("use bal-allis for KQvK.wdl")
    );
}

/// Concurrent generation gives the same tables as sequential generation; tables wait for their dependencies.
#[test]
fn several_tables_at_a_time() {
    let (one, several) = (Scratch::new("one-job"), Scratch::new("three-jobs"));
    printed(&one.0, &["generate", "KPvK"]);
    let report = printed(&several.0, &["generate", "KPvK", "--jobs", "3", "--json"]);
    assert_eq!(report.matches("\"peak_mib\": null").count(), 5, "{report}");
    for name in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"] {
        let read =
            |scratch: &Scratch| fs::read(scratch.0.join(format!("{name}.egt"))).expect("the file");
        assert!(read(&one) == read(&several), "{name}");
    }
}

/// Kills a generator that saves at every depth, at random moments and `kills` times for each way to generate a
/// table. It always resumes and ends with the same file.
fn kill_again_and_again(name: &str, kills: u32, rng: &mut SplitMix64) {
    let (whole, broken) = (Scratch::new(&format!("{name}-whole")), Scratch::new(name));
    let jobs = [
        ("KPvK", "bal-allis", "1"),
        ("KPvK", "bal-allis", "2"),
        ("KPvK", "wu-beal", "1"),
        ("KPvK", "muller", "1"),
        ("KPvK", "words", "2"),
        ("KPvK.wdl", "bal-allis", "1"),
        ("awari-08-only", "bal-allis", "1"),
    ];
    for (table, algorithm, threads) in jobs {
        let arguments = [
            ["generate", table, "--save-every", "0"].as_slice(),
            &["--algorithm", algorithm, "--threads", threads],
        ]
        .concat();
        let file = format!("{table}.egt");
        printed(&broken.0, &arguments);
        fs::remove_file(broken.0.join(&file)).expect("the file");
        let start = Instant::now();
        printed(&broken.0, &arguments);
        let mut whole_time = start.elapsed();
        fs::rename(broken.0.join(&file), whole.0.join(&file)).expect("the file");

        let (mut killed, mut saved) = (0, 0);
        while killed < kills {
            let mut command = command(&broken.0, &arguments);
            let output = command.stdout(Stdio::null()).stderr(Stdio::null());
            let mut running = output.spawn().expect("the program runs");
            let start = Instant::now();
            let moment = whole_time * rng.below(1_000) as u32 / 1_000;
            while start.elapsed() < moment && running.try_wait().expect("waited for").is_none() {
                sleep(Duration::from_millis(1));
            }
            running.kill().expect("killed or ended");
            if running.wait().expect("waited for").success() {
                // The machine has become faster, so that later moments would be too late.
                whole_time = whole_time.min(start.elapsed());
                compare_and_remove(&whole.0, &broken.0, &file);
                continue;
            }
            killed += 1;
            let checkpoint = format!("{table}.{algorithm}.checkpoint");
            saved += u32::from(broken.0.join(checkpoint).exists());
        }
        printed(&broken.0, &arguments);
        compare_and_remove(&whole.0, &broken.0, &file);
        let left = fs::read_dir(&broken.0).expect("the directory");
        let mut names = left.map(|entry| entry.expect("an entry").file_name());
        assert!(
            names.all(|name| name.to_string_lossy().ends_with("egt")),
            "{table} {algorithm}: files are left behind"
        );
        // Results need a single bound, after which there is nothing to save.
        let one_bound = table == "KPvK.wdl";
        assert!(
            saved > 0 || one_bound || kills < 10,
            "{table} {algorithm}: never saved"
        );
    }
}

/// Runs the command with file sizes limited to `blocks` blocks (512 or 1024 bytes, depending on the shell).
/// Writing then fails as on a full disk, instead of a signal that kills the process.
#[cfg(unix)]
fn run_with_little_space(directory: &Path, blocks: u32, arguments: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" tables \"$@\"");
    Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_cc2s")])
        .args(arguments)
        .arg("--dir")
        .arg(directory)
        .output()
        .expect("a shell")
}

#[cfg(unix)]
fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("the directory");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<_> = entries
        .map(|entry| name(entry).to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A checkpoint is kept until a newer one is complete, and the next run resumes from it. With slightly more space
/// each time, the analysis makes progress.
#[cfg(unix)]
#[test]
fn a_full_disk_in_the_middle_of_an_analysis_costs_only_what_was_not_saved() {
    let (whole, full) = (Scratch::new("roomy"), Scratch::new("full"));
    printed(&whole.0, &["generate", "KPvK"]);
    let table = fs::read(whole.0.join("KPvK.egt")).expect("the file");
    for need in ["KQvK.egt", "KRvK.egt", "KBvK.egt", "KNvK.egt"] {
        fs::copy(whole.0.join(need), full.0.join(need)).expect("copied");
    }
    for algorithm in ["bal-allis", "muller", "wu-beal", "words"] {
        let arguments = [
            "generate",
            "KPvK",
            "--save-every",
            "0",
            "--algorithm",
            algorithm,
        ];
        let checkpoint = format!("KPvK.{algorithm}.checkpoint");
        let mut failures = 0;
        for blocks in (3..).map(|step| 1 << step) {
            assert!(blocks < 4_096, "{algorithm} never gets enough");
            let before = fs::read(full.0.join(&checkpoint)).ok();
            let output = run_with_little_space(&full.0, blocks, &arguments);
            let errors = String::from_utf8_lossy(&output.stderr);
            if output.status.success() {
                break;
            }
            failures += 1;
            assert_eq!(output.status.code(), Some(2), "{algorithm}: {errors}");
            assert!(errors.contains(&format!("KPvK.{algorithm}")), "{errors}");
            assert!(errors.contains("too large"), "{errors}");
            let after = fs::read(full.0.join(&checkpoint)).ok();
            assert!(
                before.is_none() || after.is_some(),
                "{algorithm}: a save is lost"
            );
            let mut names = names_in(&full.0);
            names.retain(|name| *name != checkpoint);
            assert_eq!(names.len(), 4, "{algorithm}: {names:?}");
        }
        assert!(failures > 1, "{algorithm}");
        assert!(fs::read(full.0.join("KPvK.egt")).expect("the file") == table);
        fs::remove_file(full.0.join("KPvK.egt")).expect("the file");
        assert_eq!(names_in(&full.0).len(), 4, "{algorithm}");
    }
}

/// A table that cannot be written leaves the old file in place.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_table_alone() {
    let scratch = Scratch::new("old-table");
    printed(&scratch.0, &["generate", "--men", "3"]);
    let path = scratch.0.join("KPvK.egt");
    let whole = fs::read(&path).expect("the file");
    // A damaged table is generated again.
    let damaged = &whole[..whole.len() - 1];
    fs::write(&path, damaged).expect("written");
    let output = run_with_little_space(&scratch.0, 8, &["generate", "KPvK"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("generating it again") && errors.contains("KPvK.egt: File too large"),
        "{errors}"
    );
    assert!(fs::read(&path).expect("the file") == damaged);
    assert_eq!(names_in(&scratch.0).len(), 5);
    printed(&scratch.0, &["generate", "KPvK"]);
    assert!(fs::read(&path).expect("the file") == whole);
}

fn compare_and_remove(whole: &Path, broken: &Path, file: &str) {
    let read = |directory: &Path| fs::read(directory.join(file)).expect("the file");
    assert!(read(whole) == read(broken), "{file}");
    fs::remove_file(broken.join(file)).expect("the file");
}

#[test]
fn a_killed_generator_goes_on_to_the_same_file() {
    kill_again_and_again("kill", 4, &mut SplitMix64::new(1));
}

#[test]
#[ignore = "700 kills, minutes"]
fn a_generator_killed_a_hundred_times_goes_on_to_the_same_file() {
    kill_again_and_again("kill-100", 100, &mut SplitMix64::new(2));
}
