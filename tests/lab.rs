//! Tests of the experiments of `cc2s lab`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn lab(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cc2s"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.arg("lab").args(arguments).output().unwrap()
}

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path.to_str().unwrap().to_owned()
}

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - -";

/// A decision with conspiracy 2 has two leaf-disjoint strategies, so no leaf is critical (Theorem 4.3-8).
#[test]
fn quality_of_a_decision_with_two_strategies() {
    let (svg, csv) = (file("quality.svg"), file("quality.csv"));
    let output = lab(&[
        "quality",
        MIDDLEGAME,
        "--depth",
        "4",
        "--profile",
        "alone",
        "--svg",
        &svg,
        "--csv",
        &csv,
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("requirement (4,2) met"), "{text}");
    assert!(
        text.contains("\ndecision: 2 strategies, 0 critical of "),
        "{text}"
    );
    assert!(text.contains(": useful\n"), "{text}");
    assert!(fs::read_to_string(svg).unwrap().starts_with("<svg"));
    let csv = fs::read_to_string(csv).unwrap();
    assert!(
        csv.starts_with("leaf_error,decision_error\n0,0\n"),
        "{}",
        &csv[..80]
    );
    assert_eq!(csv.lines().count(), 302);
}

/// With default settings, the reported strategies are confirmed by counting.
#[test]
fn quality_of_the_default_decision() {
    for position in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -",
    ] {
        let output = lab(&["quality", position, "--depth", "2", "--nodes", "2000000"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(",2) met"), "{text}");
        let decision = text.lines().find(|line| line.starts_with("decision: "));
        let strategies = decision.unwrap().split(' ').nth(1).unwrap();
        assert!(strategies.parse::<u64>().unwrap() >= 2, "{text}");
    }
}

/// With conspiracy 1 single leaves decide, and the error grows with the number of critical leaves.
#[test]
fn quality_of_a_decision_with_one_strategy() {
    let one = ["--profile", "alone", "--set", "conspiracy_max=1"];
    let output = lab(&[&["quality", MIDDLEGAME, "--depth", "4"], &one[..]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("requirement (4,1) met"), "{text}");
    assert!(text.contains("\ndecision: 1 strategies, "), "{text}");
    assert!(
        text.contains(": not useful (Definition 4.3-15)\n"),
        "{text}"
    );
}

#[test]
fn positions_without_a_decision_are_refused() {
    let refusal = |arguments: &[&str]| {
        let output = lab(arguments);
        assert!(!output.status.success(), "{arguments:?} went well");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refusal(&["quality", "7k/5Q2/6K1/8/8/8/8/8 b - -"]).contains("the game is over"));
    assert!(refusal(&["quality", "nonsense"]).contains("nonsense"));
    assert!(refusal(&["quality", "--nodes", "1"]).contains("too few nodes"));
}

/// Every version meets every requirement of the table, and exact evaluation costs more nodes.
#[test]
fn figure_2_27_targets_save_nodes() {
    let (svg, csv) = (file("fig2-27.svg"), file("fig2-27.csv"));
    let output = lab(&[
        "fig2-27", "--pick", "1,12", "--nodes", "60000", "--hash", "16", "--svg", &svg, "--csv",
        &csv,
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\nBT2630.01 "), "{text}");
    assert!(text.contains("\nBT2630.12 "), "{text}");
    assert!(text.contains(" of 2 positions (thesis 21 of 25)"), "{text}");
    assert!(fs::read_to_string(svg).unwrap().starts_with("<svg"));
    let mut nodes = std::collections::BTreeMap::<_, u64>::new();
    let mut reader = csv::Reader::from_path(csv).unwrap();
    for row in reader.records() {
        let row = row.unwrap();
        let met = (row[0].to_owned(), row[2].to_owned(), row[3].to_owned());
        *nodes.entry((met, row[1].to_owned())).or_default() += row[5].parse::<u64>().unwrap();
    }
    let sum = |version: &str| -> u64 {
        let of_version = nodes.iter().filter(|((_, each), _)| each == version);
        of_version.map(|(_, nodes)| nodes).sum()
    };
    let count = |version: &str| nodes.keys().filter(|(_, each)| each == version).count();
    assert!(count("V1") >= 4, "{nodes:?}");
    assert_eq!((count("V1"), count("V1")), (count("V2"), count("V3")));
    assert!(sum("V1") < sum("V2") && sum("V2") < sum("V3"), "{nodes:?}");
}

#[test]
fn positions_that_are_not_there_are_refused() {
    let output = lab(&["fig2-27", "--pick", "31"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success() && text.contains("holds positions 1 to 30, not 31"),
        "{text}"
    );
}

/// With equal nodes, one strategy reaches a greater required depth, and two strategies longer lines.
#[test]
fn figures_2_28_and_2_29_trees_have_their_nodes_on_levels() {
    let (svg, csv) = (file("levels.svg"), file("levels.csv"));
    let output = lab(&[
        "levels", "--pick", "2,5", "--nodes", "120000", "--hash", "16", "--svg", &svg, "--csv",
        &csv,
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("Cc1s: nodes on each level"), "{text}");
    assert!(text.contains("\nCc2s (conspiracy 2): nodes"), "{text}");
    assert!(fs::read_to_string(svg).unwrap().starts_with("<svg"));
    let mut reader = csv::Reader::from_path(csv).unwrap();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let on_level = |search: &str, level: &str| -> Vec<u64> {
        let rows = rows
            .iter()
            .filter(|row| row[0].starts_with(search) && &row[4] == level);
        rows.map(|row| row[5].parse().unwrap()).collect()
    };
    for search in ["Cc1s", "Cc2s"] {
        assert_eq!(on_level(search, "0"), [1, 1], "one root each");
        // The numbers of legal moves: all of them are evaluated.
        assert_eq!(on_level(search, "1"), [17, 23], "{search}");
    }
    for position in ["BT2630.02", "BT2630.05"] {
        // Required depth, and nodes by level.
        let shape = |search: &str| -> (usize, Vec<u64>) {
            let rows = rows
                .iter()
                .filter(|row| row[0].starts_with(search) && &row[1] == position);
            let levels = rows.map(|row| {
                (
                    row[2].parse::<usize>().unwrap(),
                    row[5].parse::<u64>().unwrap(),
                )
            });
            let (depths, nodes): (Vec<_>, Vec<_>) = levels.unzip();
            (depths[0], nodes)
        };
        let ((depth_1, one), (depth_2, two)) = (shape("Cc1s"), shape("Cc2s"));
        assert!(
            one.len() <= depth_1 + 1,
            "one strategy ends at the depth demanded"
        );
        assert!(
            depth_2 < depth_1 && two.len() > one.len(),
            "longer lines for less depth"
        );
        for nodes in [one, two] {
            assert!(nodes[0] < nodes[1] && nodes[1] < nodes[2], "{nodes:?}");
            let widest = nodes.iter().max().unwrap();
            assert!(nodes.last().unwrap() * 10 < *widest, "{nodes:?}");
        }
    }
}

/// A few positions for the profile whose accelerations are measured.
const FEW: [&str; 8] = [
    "--profile",
    "alone",
    "--positions",
    "positions/bk.epd",
    "--every",
    "8",
    "--hash",
    "8",
];

/// One line for each enabled acceleration; the savings of some of them are visible.
#[test]
fn accelerations_are_switched_off_one_at_a_time() {
    let (svg, csv) = (file("ablation.svg"), file("ablation.csv"));
    let files = ["--nodes", "200000", "--svg", &svg, "--csv", &csv];
    let output = lab(&[&["ablation"], &FEW[..], &files].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        fs::read_to_string(svg)
            .unwrap()
            .contains("cc2s.null_move=0")
    );
    let mut reader = csv::Reader::from_path(csv).unwrap();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(&rows[0][0], "as set");
    assert_eq!(&rows[0][1], "1.0000", "nothing changed: {text}");
    let ratio = |name: &str| {
        let row = rows.iter().find(|row| &row[0] == name);
        row.unwrap()[1].parse::<f64>().unwrap()
    };
    assert!(ratio("leaf.reverse_futility=0") > 1.0, "{text}");
    assert!(ratio("leaf.futility=0") > 1.0, "{text}");
}

/// A second strategy costs nodes; games are played against the unchanged settings.
#[test]
fn parameters_are_swept() {
    let games = [
        "--games",
        "2",
        "--game-nodes",
        "50",
        "--nodes",
        "40000",
        "--set",
        "rise_depth=2",
    ];
    let sweep = ["sweep", "conspiracy_max=1,3", "EvalDepth=1"];
    let output = lab(&[&sweep[..], &FEW, &games].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("cc2s.conspiracy_max=1 - as set "), "{text}");
    assert!(!text.contains("cc2s.conspiracy_max=1 - cc2s"), "{text}");
    let row = |name: &str| -> Vec<&str> {
        let mut found = text.lines().filter(|line| line.starts_with(name));
        found.next_back().unwrap().split_whitespace().collect()
    };
    let ratio = |name: &str| row(name)[1].parse::<f64>().unwrap();
    assert!(ratio("cc2s.conspiracy_max=1") < 1.0, "{text}");
    assert!(ratio("cc2s.conspiracy_max=3") > 1.0, "{text}");
    assert!(row("leaf.eval_depth=1").len() > 7, "Elo is there: {text}");

    let refusal = |value: &str| {
        let output = lab(&["sweep", value]);
        assert!(!output.status.success(), "{value} went well");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refusal("breadth=1").contains("unknown parameter 'breadth'"));
    assert!(refusal("conspiracy_max=99").contains("outside"));
    assert!(refusal("conspiracy_max").contains("'' is not a number"));
}

/// Thesis 1.5.2: on a finer scale fewer searches terminate.
#[test]
fn classical_conspiracy_numbers_need_a_coarse_scale() {
    let (svg, csv) = (file("conspiracy.svg"), file("conspiracy.csv"));
    let output = lab(&[
        "conspiracy",
        "--steps",
        "200,20",
        "--conspiracies",
        "3",
        "--expansions",
        "500",
        "--svg",
        &svg,
        "--csv",
        &csv,
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    let cells = |step: &str| -> Vec<&str> {
        let line = text
            .lines()
            .find(|line| line.trim_start().starts_with(step));
        line.unwrap().split_whitespace().collect()
    };
    assert_eq!(cells("200 ")[1..3], ["5", "20"], "{text}");
    assert_eq!(cells("20 ")[1..], ["41", "164", "0", "of", "20"], "{text}");
    assert!(cells("200 ")[3].parse::<u32>().unwrap() >= 10, "{text}");
    assert!(fs::read_to_string(svg).unwrap().starts_with("<svg"));
    assert_eq!(fs::read_to_string(csv).unwrap().lines().count(), 3);
}

/// Each position is searched from an empty state, so the number of concurrent searches has no effect.
#[test]
fn decisions_are_counted_by_depth_and_strategies() {
    let judged = |concurrency: &str| {
        let csv = file("calibration.csv");
        let output = lab(&[
            "calibration",
            "docs/examples/classics.pgn",
            "--every",
            "3",
            "--nodes",
            "1500",
            "--factor",
            "3",
            "--concurrency",
            concurrency,
            "--csv",
            &csv,
        ]);
        let text = String::from_utf8(output.stdout).unwrap();
        (text, fs::read_to_string(csv).unwrap())
    };
    let (text, csv) = judged("1");
    let rows = csv.lines().skip(1).map(|row| row.split(','));
    // The margin is empty without two strategies.
    let counted = rows.map(|row| row.skip(3).map(|count| count.parse::<u32>().unwrap()));
    let sums = counted.fold([0, 0], |[cases, kept], mut row| {
        [cases + row.next().unwrap(), kept + row.next().unwrap()]
    });
    assert!(
        text.starts_with(&format!("{} positions: ", sums[0])),
        "{text}"
    );
    assert!(
        sums[0] > 10 && 0 < sums[1] && sums[1] <= sums[0],
        "{sums:?}"
    );
    assert_eq!(judged("2"), (text, csv));
}

/// Every number of threads reaches the depth of one thread, in both parallel searches.
#[test]
fn threads_are_measured() {
    let (svg, csv) = (file("threads.svg"), file("threads.csv"));
    for search in [["--profile", "alone"], ["--search", "PVS"]] {
        let budget = "speedup threads --nodes 20000 --pick 1,12 --workers 1,2,3";
        let files = ["--svg", &svg, "--csv", &csv];
        let arguments: Vec<_> = budget.split(' ').chain(files).chain(search).collect();
        let text = String::from_utf8(lab(&arguments).stdout).unwrap();
        let row = |workers: &str| {
            let rows = text
                .lines()
                .map(|row| row.split_whitespace().collect::<Vec<_>>());
            let mut rows = rows.filter(|row| row.first() == Some(&workers));
            rows.next().unwrap_or_else(|| panic!("{workers}: {text}"))
        };
        // The same search twice: equal nodes, and no measured load.
        assert_eq!((row("1")[7], row("1")[8]), ("-", "0.0"), "{text}");
        assert_eq!((row("3")[1], row("3")[7]), ("3", "-"), "{text}");
        assert!(fs::read_to_string(&svg).unwrap().starts_with("<svg"));
        let rows = fs::read_to_string(&csv).unwrap();
        assert_eq!(rows.lines().count(), 1 + 2 * 3, "{rows}");
    }
    let refused = lab(&["speedup", "threads", "--workers", "0"]);
    assert!(!refused.status.success());
}

/// Two ranks reach the depth of one thread, and report their traffic.
#[test]
fn ranks_are_measured() {
    let svg = file("ranks.svg");
    let budget = "speedup ranks --nodes 5000 --hash 1 --pick 12 --workers 2 --threads 2 --timeline";
    let output = lab(&budget.split(' ').chain([&svg[..]]).collect::<Vec<_>>());
    let text = String::from_utf8(output.stdout).unwrap();
    let row: Vec<_> = text.lines().nth(2).unwrap().split_whitespace().collect();
    assert_eq!(row[..2], ["2", "4"], "{text}");
    let [load, messages] = [row[7], row[10]].map(|cell| cell.parse::<f64>().unwrap());
    assert!(load > 0.0 && load <= 100.0 && messages > 0.0, "{text}");
    assert!(fs::read_to_string(svg).unwrap().contains("2 ranks"));
    let refused = lab(&["speedup", "ranks", "--real"]);
    let text = String::from_utf8(refused.stderr).unwrap();
    assert!(text.contains("--real needs ranks"), "{text}");
}

/// An interrupted run ends with the same values as one without a break. Other settings are refused.
#[test]
fn parameters_are_tuned_by_games() {
    let record = file("tune.jsonl");
    // An earlier run has left it.
    drop(fs::remove_file(&record));
    let tune = |parameters: &str, seed: &str| {
        let rest =
            "--iterations 8 --rate 0.2 --nodes 400 --hash 4 --openings positions/openings8.epd";
        let rest: Vec<&str> = rest.split(' ').collect();
        let first = ["tune", &record, "-p", parameters, "--seed", seed];
        lab(&[&first, &rest[..]].concat())
    };
    let values = |output: Output| -> Vec<String> {
        let text = String::from_utf8(output.stdout).unwrap();
        let rows = text.lines().filter(|line| line.starts_with("leaf."));
        rows.map(str::to_owned).collect()
    };
    let parameters = "leaf.futility_cp=60,ReverseFutilityCp=60";
    let straight = values(tune(parameters, "1"));
    assert_eq!(straight.len(), 2, "{straight:?}");
    let moved = |row: &String| !row.ends_with("+0.00");
    assert!(straight.iter().all(moved), "{straight:?}");

    let whole = fs::read_to_string(&record).unwrap();
    assert_eq!(whole.lines().count(), 9);
    let cut: Vec<&str> = whole.lines().take(4).collect();
    fs::write(&record, cut.join("\n") + "\n").unwrap();
    assert_eq!(values(tune(parameters, "1")), straight);
    assert_eq!(fs::read_to_string(&record).unwrap(), whole);

    let refusal = |parameters: &str, seed: &str| {
        let output = tune(parameters, seed);
        assert!(!output.status.success(), "{parameters} went well");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refusal(parameters, "2").contains("made with other settings"));
    assert!(refusal("leaf.futility", "1").contains("is a switch"));
    assert!(refusal("leaf.breadth", "1").contains("unknown parameter"));
    assert!(refusal("futility_cp=-1", "1").contains("positive"));
    assert!(refusal("futility_cp,leaf.futility_cp=9", "1").contains("given twice"));
    assert_eq!(fs::read_to_string(&record).unwrap(), whole);
}

/// Games written by one command are read by the other; damaged files are rejected with the line.
#[test]
fn weights_are_fitted_to_games() {
    let (games, weights) = (file("games.cgm"), file("weights.rs"));
    // An earlier run left it damaged.
    drop(fs::remove_file(&games));
    let output = lab(&["selfplay", &games, "--games", "2", "--nodes", "200"]);
    assert!(output.status.success(), "{output:?}");
    let half = fs::read(&games).unwrap();
    let output = lab(&["selfplay", &games, "--games", "3", "--nodes", "300"]);
    assert!(!output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("200 nodes a move and seed 0 there"), "{text}");
    assert_eq!(fs::read(&games).unwrap(), half);
    let output = lab(&["selfplay", &games, "--games", "8", "--nodes", "200"]);
    assert!(output.status.success(), "{output:?}");
    let written = fs::read(&games).unwrap();
    assert!(written.starts_with(&half) && written.len() > half.len() + 32 * 10);
    let output = lab(&["fit", &games, "--passes", "2", "--out", &weights]);
    let text = String::from_utf8(output.stdout).unwrap();
    let losses: Vec<f64> = text
        .lines()
        .filter_map(|line| {
            line.strip_prefix("pass ")?
                .split([' ', ','])
                .nth(2)?
                .parse()
                .ok()
        })
        .collect();
    assert_eq!(losses.len(), 3, "{text}");
    assert!(losses[2] < losses[0], "{text}");
    let weights = fs::read_to_string(weights).unwrap();
    assert!(weights.contains("\n        tempo: 1 = [("), "{weights}");

    let mut damaged = written;
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&games, damaged).unwrap();
    let output = lab(&["fit", &games]);
    let text = String::from_utf8(output.stderr).unwrap();
    let refused = !output.status.success() && text.contains("is damaged");
    assert!(refused, "{text}");
}
