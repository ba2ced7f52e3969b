//! Tests of the commands: runs the binary and reads its output.

#[path = "support/environment.rs"]
mod environment;

#[path = "support/skipped.rs"]
mod skipped;
use skipped::skipped;

#[path = "support/program.rs"]
mod program;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use program::{cc2s, err, file, out, refusal};

fn written(name: &str, text: &str) -> String {
    let path = file(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A user at a terminal gets a greeting; a program that starts the engine gets no unsolicited output.
#[test]
fn a_program_is_not_greeted() {
    let output = cc2s(&[]);
    assert!(output.status.success());
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    let listed = |arguments: &[&str]| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cc2s"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"uci\n").unwrap();
        let output = child.wait_with_output().unwrap();
        out(&output).matches("option name ").count()
    };
    assert!(listed(&[]) < 30);
    assert!(listed(&["--tunables"]) > 70);
    assert_eq!(listed(&["uci", "--tunables"]), listed(&["--tunables"]));
}

const MATES: &str = "\
6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"mate\";
6k1/5ppp/8/8/8/8/8/R6K w - - am Ra8#; id \"no mate\";
6k1/5ppp/8/8/8/8/8/R6K w - - dm 1; id \"announced\";
";

#[test]
fn a_suite_is_solved_and_summed_up() {
    let suite = written("suite.epd", MATES);
    let text = out(&cc2s(&["epd", &suite, "--nodes", "2000"]));
    assert!(text.contains("1/3 + mate"), "{text}");
    assert!(text.contains("2/3 - no mate"), "{text}");
    assert!(text.contains("3/3 + announced"), "{text}");
    assert!(text.contains("solved 2 of 3 (66.7 %)"), "{text}");
}

#[test]
fn an_interrupted_run_goes_on() {
    let suite = written("resumed.epd", MATES);
    let results = file("resumed.json");
    let path = results.to_str().unwrap();
    let whole = ["epd", &suite, "--nodes", "2000", "--resume", path];
    out(&cc2s(&whole));
    let text = fs::read_to_string(&results).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    json["outcomes"].as_array_mut().unwrap().remove(1);
    fs::write(&results, json.to_string()).unwrap();

    let text = out(&cc2s(&whole));
    assert!(text.contains("2 of 3 positions are already done"), "{text}");
    assert!(text.contains("3/3 - no mate"), "{text}");
    assert!(text.contains("solved 2 of 3"), "{text}");
    let other = ["epd", &suite, "--nodes", "2001", "--resume", path];
    assert!(refusal(&other).contains("budget.nodes is 2000 there and 2001 here"));
    let fewer = written("fewer.epd", MATES.lines().next().unwrap());
    let other = ["epd", &fewer, "--nodes", "2000", "--resume", path];
    let said = refusal(&other);
    assert!(
        said.contains(path) && said.contains("the result of mate ("),
        "{said}"
    );
    let text = fs::read_to_string(&results).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let outcomes = json["outcomes"].as_array_mut().unwrap();
    outcomes.push(outcomes[0].clone());
    fs::write(&results, json.to_string()).unwrap();
    assert!(refusal(&whole).contains("contains the same result twice"));
}

/// A second run on the same record fails before its work, and the first one is not affected.
#[test]
fn a_file_that_another_run_writes_is_left_alone() {
    let suite = written("claimed.epd", MATES);
    let game = written("claimed.pgn", "1. e4 e5 *\n");
    let kept = |name: &str| {
        let path = written(name, "");
        let file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        file.lock().unwrap();
        (path, file)
    };
    let (json, _json) = kept("claimed.json");
    let (journal, _journal) = kept("claimed.out.journal");
    let annotated = journal.strip_suffix(".journal").unwrap();
    let (record, _record) = kept("claimed.record");
    let players = [
        "match", "-e", "name=a", "-e", "name=b", "--nodes", "9", "--games", "2",
    ];
    for arguments in [
        &["epd", &suite, "--nodes", "9", "--resume", &json][..],
        &["epd", &suite, "--nodes", "9", "--json", &json],
        &["annotate", &game, "--nodes", "9", "--pgn", annotated],
        &[&players[..], &["--resume", &record]].concat(),
        &[&players[..], &["--pgn", &record]].concat(),
    ] {
        let said = refusal(arguments);
        assert!(
            said.contains("another run is writing this file"),
            "{arguments:?}: {said}"
        );
    }
    for path in [&json, &journal, &record] {
        assert_eq!(fs::read_to_string(path).unwrap(), "", "{path}");
    }
}

/// A record stays locked while it is replaced by a longer one.
#[test]
fn a_record_is_claimed_until_the_run_ends() {
    let suite = written("long.epd", &MATES.repeat(40));
    let json = file("long.json");
    let path = json.to_str().unwrap();
    let run = ["epd", &suite, "--movetime", "200", "--json", path];
    let mut first = Command::new(env!("CARGO_BIN_EXE_cc2s"))
        .args(run)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(first.stdout.take().unwrap()));
    for _ in 0..3 {
        lines.next().unwrap().unwrap();
    }
    let said = refusal(&run);
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(said.contains("another run is writing this file"), "{said}");
}

#[test]
fn results_are_written_for_other_programs() {
    let suite = written("written.epd", MATES);
    let (json, csv) = (file("written.json"), file("written.csv"));
    let (json_path, csv_path) = (json.to_str().unwrap(), csv.to_str().unwrap());
    let files = ["--json", json_path, "--csv", csv_path];
    let run = ["epd", &suite, "--depth", "2", "--concurrency", "2"];
    out(&cc2s(&[&run[..], &files[..]].concat()));
    let text = fs::read_to_string(json).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["summary"]["solved"], 2);
    assert_eq!(json["outcomes"][0]["name"], "mate");
    assert_eq!(json["outcomes"][0]["played"], "Ra8#");
    let text = fs::read_to_string(csv).unwrap();
    let names: Vec<&str> = text
        .lines()
        .map(|line| line.split(',').nth(2).unwrap())
        .collect();
    assert_eq!(names, ["name", "mate", "no mate", "announced"]);
}

#[test]
fn nodes_make_a_run_repeatable() {
    let run = || {
        let text = out(&cc2s(&[
            "epd",
            "positions/bk.epd",
            "--nodes",
            "3000",
            "--hash",
            "8",
        ]));
        let moves = text
            .lines()
            .filter_map(|line| line.split_whitespace().nth(3));
        moves.map(str::to_owned).collect::<Vec<String>>()
    };
    let first = run();
    assert!(first.len() >= 24);
    assert_eq!(first, run());
}

#[test]
fn thirty_positions_have_a_rating() {
    let run = [
        "epd",
        "positions/bt2630.epd",
        "--movetime",
        "1",
        "--hash",
        "8",
    ];
    let text = out(&cc2s(&[&run[..], &["--score", "bt2630"]].concat()));
    assert!(
        text.contains("BT2630 rating: ") && text.contains("scaled by 900/0.001"),
        "{text}"
    );
    let bk = [
        "epd",
        "positions/bk.epd",
        "--score",
        "bt2630",
        "--movetime",
        "1",
    ];
    assert!(refusal(&bk).contains("needs the 30 positions"));
}

/// An invalid line after valid ones, and its error message.
const BAD_LINES: [(&str, &str); 4] = [
    ("8/8 w", "a position has four fields"),
    (
        "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra9;",
        "bm: 'Ra9' is not a move",
    ),
    (
        "6k1/5ppp/8/8/8/8/8/R6K w - - id \"x\";",
        "no bm, am, dm, points or ce",
    ),
    ("R5k1/5ppp/8/8/8/8/8/7K b - - dm 1;", "the game is over"),
];

#[test]
fn bad_lines_are_told_with_file_and_line_and_left_out() {
    for (at, (line, complaint)) in BAD_LINES.into_iter().enumerate() {
        let suite = written(&format!("bad{at}.epd"), &format!("{MATES}{line}\n{MATES}"));
        let output = cc2s(&["epd", &suite, "--nodes", "500"]);
        assert!(out(&output).contains("solved 4 of 6"), "{line}");
        let complaint = format!("bad{at}.epd, line 4: {complaint}");
        assert!(
            err(&output).contains(&complaint),
            "{line}: {}",
            err(&output)
        );
        let strict = refusal(&["epd", &suite, "--nodes", "500", "--strict"]);
        assert!(strict.contains(&complaint), "{strict}");

        let suite = written(&format!("bad{at}.epd"), line);
        assert!(refusal(&["epd", &suite]).contains("line 1: "));
    }
    let suite = written("empty.epd", "# nothing\n\n");
    assert!(refusal(&["epd", &suite]).contains("empty.epd: no positions"));
    assert!(refusal(&["epd", "no/such.epd"]).contains("no/such.epd: "));
}

#[test]
fn suites_are_read_from_standard_input_and_whatever_their_age() {
    let old = b"\xef\xbb\xbf6k1/5ppp/8/8/8/8/8/R6K w - - bm a1a8; id \"M\xfcller\";\r\
                6k1/5ppp/8/8/8/8/8/1R5K w - - bm #1;\r\x1a";
    let path = file("old.epd");
    fs::write(&path, old).unwrap();
    let script = format!(
        "'{}' epd - --nodes 500 < '{}'",
        env!("CARGO_BIN_EXE_cc2s"),
        path.display()
    );
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    let text = out(&output);
    assert!(
        text.contains("Müller") && text.contains("solved 2 of 2"),
        "{text}"
    );
}

#[test]
fn bad_options_are_refused_by_name() {
    let bk = ["epd", "positions/bk.epd", "--nodes", "1"];
    let with = |more: &[&str]| refusal(&[&bk[..], more].concat());
    assert!(with(&["--search", "Guess"]).contains("unknown search 'Guess'; known are Cc2s"));
    assert!(with(&["--profile", "bold"]).contains("unknown profile 'bold'; known are safe"));
    assert!(with(&["--set", "breadth=1"]).contains("unknown parameter 'breadth'"));
    assert!(with(&["--hash", "0"]).contains("hash_mib = 0 is outside"));
    assert!(with(&["--config", "no/such.toml"]).contains("no/such.toml"));
    let mine = written("mine.toml", "# mine\n[cc2s]\nbreadth = 1\n");
    let said = with(&["--config", &mine]);
    assert!(
        said.contains("mine.toml, line 3: section 'cc2s': unknown"),
        "{said}"
    );
    assert!(refusal(&["epd", "positions/bk.epd", "--movetime", "0"]).contains("--movetime"));
    assert!(refusal(&["epd"]).contains("<FILE>..."));
}

#[test]
fn a_speedup_can_be_measured_again_with_the_demands_it_has_named() {
    fn measure<'a>(more: &[&'a str]) -> Vec<&'a str> {
        let speedup = "lab speedup thesis --nodes 4000 --pick 1,25 --profile alone";
        speedup.split(' ').chain(more.iter().copied()).collect()
    }
    let chosen = out(&cc2s(&measure(&[])));
    let named = chosen.lines().next().unwrap();
    let depths = named.strip_prefix("required depths: ").unwrap();
    assert_eq!(out(&cc2s(&measure(&["--depths", depths]))), chosen);
    assert_ne!(out(&cc2s(&measure(&["--depths", "1,1"]))), chosen);
    assert!(refusal(&measure(&["--depths", "3"])).contains("1 depths for 2 positions"));
    assert!(refusal(&measure(&["--depths", "0,0"])).contains("no requirement fits"));
}

#[test]
fn a_speedup_may_demand_two_strategies_within_a_margin() {
    let measure = |margin, nodes| {
        let speedup = "lab speedup threads --hash 8 --pick 1,4,7 --safe-within";
        let arguments: Vec<_> = speedup
            .split(' ')
            .chain([margin, "--nodes", nodes])
            .collect();
        cc2s(&arguments)
    };
    let text = out(&measure("300", "50000"));
    let named = text.lines().next().unwrap();
    let plies = named.strip_prefix("required depths: ").unwrap().split(',');
    assert!(plies.clone().count() == 3 && plies.into_iter().any(|plies| plies != "0"));
    let row = text.lines().nth(2).unwrap();
    assert_eq!(row.split_whitespace().next(), Some("2"), "{text}");
    let speedup = "lab speedup threads --hash 8 --pick 1 --safe-within 0 --nodes 10";
    let arguments: Vec<_> = speedup.split(' ').collect();
    assert!(refusal(&arguments).contains("no requirement fits"));
}

#[test]
fn a_speedup_of_the_thesis_is_drawn_beside_other_peoples() {
    let [svg, csv] = ["speedup.svg", "speedup.csv"].map(|name| file(name).display().to_string());
    let speedup = "lab speedup thesis --nodes 4000 --pick 1,25 --workers 40,2 --runs 2";
    let files = ["--profile", "alone", "--svg", &svg, "--csv", &csv];
    let text = out(&cc2s(&speedup.split(' ').chain(files).collect::<Vec<_>>()));
    let rows = text
        .lines()
        .skip(2)
        .map(|row| row.split_whitespace().next());
    let workers: Vec<_> = rows.flatten().collect();
    assert_eq!(workers, ["40", "40", "2", "2"], "{text}");
    let svg = fs::read_to_string(svg).unwrap();
    for name in ["4000 nodes", "thesis, SCI", "thesis, CC48"] {
        assert!(svg.contains(name), "{name}");
    }
    assert!(
        !svg.contains("Zugzwang"),
        "it is known from 256 processors on"
    );
    assert_eq!(fs::read_to_string(csv).unwrap().lines().count(), 1 + 2 * 4);
}

#[test]
fn perft_counts_and_divides() {
    let text = out(&cc2s(&["perft", "3"]));
    assert!(text.contains("e2e4: 600\n"), "{text}");
    assert!(
        text.lines().last().unwrap().starts_with("8902 nodes "),
        "{text}"
    );
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    let text = out(&cc2s(&["perft", "2", kiwipete]));
    assert!(
        text.contains("e1g1: 43\n") && text.contains("2039 nodes"),
        "{text}"
    );
    assert!(
        refusal(&["perft", "2", "8/8/8/8/8/8/8/8", "w", "-", "-"]).contains("illegal position")
    );
}

/// Commands with output on standard output.
const WITH_OUTPUT: [&str; 4] = [
    "config",
    "perft 3",
    "completions zsh",
    "tables list --dir .",
];

#[test]
fn a_reader_who_leaves_early_is_no_error() {
    let program = env!("CARGO_BIN_EXE_cc2s");
    for arguments in WITH_OUTPUT {
        let script = format!("'{program}' {arguments} | : ; echo ${{PIPESTATUS[0]}}");
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        assert_eq!(err(&output), "", "{arguments}");
        assert_eq!(out(&output), "0\n", "{arguments}");
    }
}

/// A full disk is reported as an error by every command.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let program = env!("CARGO_BIN_EXE_cc2s");
    for arguments in WITH_OUTPUT {
        let script = format!("'{program}' {arguments} > /dev/full");
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        let said = err(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert!(said.starts_with("error: "), "{arguments}: {said}");
        assert_eq!(said.matches("No space left").count(), 1, "{said}");
    }
}

/// Output files are checked before the work, so that no results are lost.
#[test]
fn files_to_write_are_tried_before_the_work() {
    for arguments in [
        &["epd", "positions/bk.epd", "--csv", "/no/such/place.csv"][..],
        &["epd", "positions/bk.epd", "--json", "/"],
        &["lab", "levels", "--svg", "/no/such/place.svg"],
        &[
            "match",
            "-e",
            "name=a",
            "-e",
            "name=b",
            "--nodes",
            "9",
            "--pgn",
            "/no/such/place.pgn",
        ],
    ] {
        let output = cc2s(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(err(&output).contains("<FILE>"), "{}", err(&output));
    }
}

#[test]
fn a_file_is_not_written_twice_or_over_what_is_read() {
    let suite = written("apart.epd", MATES);
    let path = file("apart.out");
    let path = path.to_str().unwrap();
    let players = ["match", "-e", "name=a", "-e", "name=b", "--nodes", "9"];
    for arguments in [
        &["epd", &suite, "--csv", path, "--json", path][..],
        &["epd", &suite, "--csv", path, "--resume", path],
        &["epd", &suite, "--csv", &suite],
        &["lab", "levels", "--csv", path, "--svg", path],
        &[&players[..], &["--pgn", path, "--resume", path]].concat(),
        &[&players[..], &["--pgn", path, "--log", path]].concat(),
        &[&players[..], &["--openings", &suite, "--pgn", &suite]].concat(),
    ] {
        let said = refusal(arguments);
        assert!(
            said.contains("would be overwritten"),
            "{arguments:?}: {said}"
        );
    }
    assert_eq!(fs::read_to_string(&suite).unwrap(), MATES);
    out(&cc2s(&[
        "epd",
        &suite,
        &suite,
        "--nodes",
        "9",
        "--csv",
        "/dev/null",
        "--json",
        "/dev/null",
    ]));
}

/// Parsing a file name does not change links.
#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_left() {
    let (link, aim) = (file("link.csv"), file("aim.csv"));
    std::os::unix::fs::symlink(&aim, &link).unwrap();
    refusal(&["epd", "no/such.epd", "--csv", link.to_str().unwrap()]);
    assert!(link.is_symlink() && !aim.exists());
    fs::remove_file(&link).unwrap();
}

/// Points may be negative, an evaluation may accompany moves, and several lines may describe one position.
#[test]
fn odd_suites_are_read() {
    let board = "6k1/5ppp/8/8/8/8/8/R6K w - -";
    let lines = [
        "id \"a\"; c0 \"Ra7=-8\";",
        "id \"b\"; bm Ra7 (+-) or Ra8# +0.35;",
        "id \"c\"; bm Ra7;",
        "id \"c\"; bm Ra8;",
    ];
    let suite = written(
        "odd.epd",
        &lines.map(|line| format!("{board} {line}\n")).concat(),
    );
    let run = cc2s(&["epd", &suite, "--nodes", "2000"]);
    let text = out(&run);
    assert!(text.contains("solved 3 of 3"), "{text}");
    assert!(text.contains("bm Ra7 Ra8"), "{text}");
    assert_eq!(err(&run), "");
    let worst = written("worst.epd", "7k/8/5K2/8/8/8/8/6R1 b - - c0 \"Kh7=-8\";\n");
    let text = out(&cc2s(&["epd", &worst, "--nodes", "100"]));
    assert!(
        text.contains("-8/-8 points") && text.contains("points: -8 of -8"),
        "{text}"
    );
}

#[test]
fn a_file_without_games_or_with_a_bad_one_is_told() {
    let (empty, bad) = (
        written("empty.pgn", "\n"),
        written("bad.pgn", "1. e4 *\n1. e5 *\n"),
    );
    let output = file("annotated.pgn");
    let path = output.to_str().unwrap();
    let said = refusal(&["annotate", &empty, "--nodes", "9", "--pgn", path]);
    assert_eq!(said, format!("error: {empty}: no games\n"));
    assert!(!output.exists());
    for command in ["wdl", "calibration"] {
        let said = refusal(&["lab", command, &bad]);
        assert_eq!(said, format!("error: {bad}, line 2: illegal move 'e5'\n"));
    }
}

#[test]
fn a_missing_file_is_told_alike_by_all() {
    let players = ["match", "-e", "name=a", "-e", "name=b", "--nodes", "9"];
    for (arguments, path) in [
        (&["epd", "no/such.epd"][..], "no/such.epd"),
        (
            &["annotate", "no/such.pgn", "--html", "/dev/null"],
            "no/such.pgn",
        ),
        (&["lab", "wdl", "no/such.pgn"], "no/such.pgn"),
        (&["lab", "calibration", "no/such.pgn"], "no/such.pgn"),
        (&["bench", "--config", "no/such.toml"], "no/such.toml"),
        (&["bench", "--eval-file", "no/such.net"], "no/such.net"),
        (&["tables", "verify", "no/such.egt"], "no/such.egt"),
        (
            &[&players[..], &["--openings", "no/such.pgn"]].concat(),
            "no/such.pgn",
        ),
    ] {
        let said = refusal(arguments);
        assert!(
            said.starts_with(&format!("error: {path}: No such file")),
            "{said}"
        );
    }
}

#[test]
fn every_complaint_begins_and_ends_alike() {
    for arguments in [
        &["perft", "50000"][..],
        &["perft", "2", "8/8/8/8/8/8/8/8 w - -"],
        &["epd", "no/such.epd"],
        &["tables", "list", "--dir", "no/such"],
        &["match", "-e", "name=a", "--nodes", "9"],
        &["lab", "wdl", "no/such.pgn"],
        &["--search", "Guess"],
    ] {
        let output = cc2s(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = err(&output);
        assert!(said.starts_with("error: "), "{arguments:?}: {said}");
    }
}

#[test]
fn every_command_explains_itself() {
    let text = out(&cc2s(&["--help"]));
    for command in [
        "uci",
        "epd",
        "explain",
        "annotate",
        "match",
        "bench",
        "perft",
        "tables",
        "lab",
        "config",
        "completions",
    ] {
        assert!(
            text.contains(&format!("\n  {command} ")),
            "{command}\n{text}"
        );
        assert!(out(&cc2s(&[command, "--help"])).contains("Usage: cc2s"));
    }
    assert!(out(&cc2s(&["--version"])).starts_with("cc2s 1."));
}

#[test]
fn the_configuration_and_completions_are_printed() {
    assert!(out(&cc2s(&["config"])) == include_str!("../engine.toml"));
    assert!(out(&cc2s(&["completions", "bash"])).contains("complete -F _cc2s"));
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let page = out(&cc2s(&["man"]));
    assert!(
        page.contains(".TH cc2s 1") && page.contains("cc2s match"),
        "{page}"
    );
    let folder = file("man");
    let _ = fs::remove_dir_all(&folder);
    out(&cc2s(&["man", "--dir", folder.to_str().unwrap()]));
    for page in [
        "cc2s.1",
        "cc2s-match.1",
        "cc2s-tables-generate.1",
        "cc2s-lab-speedup.1",
    ] {
        let text = fs::read_to_string(folder.join(page)).unwrap();
        assert!(text.contains("Examples:"), "{page}");
    }
}

#[test]
fn the_names_of_searches_are_completed() {
    let script = out(&cc2s(&["completions", "bash"]));
    assert!(script.contains("Cc2s Cc1s") && script.contains("Network Classical"));
}

/// Without `/proc`, as in a minimal container, the program uses the path it was called by.
#[test]
fn the_doctor_speaks_uci_without_proc() {
    let alone = |script: &str| {
        let program = Path::new(env!("CARGO_BIN_EXE_cc2s")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        Command::new("unshare")
            .args(["--mount", "--map-root-user", "sh", "-c"])
            .arg(format!("mount -t tmpfs none /proc && {script}"))
            .env("PATH", path)
            .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
            .output()
    };
    if !alone("true").is_ok_and(|output| output.status.success()) {
        skipped("this system does not let a test hide /proc (unshare, mount)");
        return;
    }
    let healthy = out(&alone("cc2s doctor").unwrap());
    assert!(healthy.contains("nothing is wrong"), "{healthy}");
}

/// A working engine with all kinds of invalid files.
#[test]
fn the_doctor_finds_what_is_wrong() {
    let folder = file("doctor");
    let _ = fs::remove_dir_all(&folder);
    let tables = folder.to_str().unwrap();
    let healthy = out(&cc2s(&["doctor", "--dir", tables]));
    assert!(
        healthy.contains("ok      UCI: go ponder, ponderhit"),
        "{healthy}"
    );
    assert!(healthy.contains("nothing is wrong"), "{healthy}");

    fs::create_dir_all(&folder).unwrap();
    for name in ["KRvKN.egt", "KRvKP.egt"] {
        fs::write(folder.join(name), "no table").unwrap();
    }
    let network = written("doctor.net", "no network");
    let ill = cc2s(&[
        "doctor",
        "--dir",
        tables,
        "--eval-file",
        &network,
        "--syzygy",
        "/nowhere",
    ]);
    assert_eq!(ill.status.code(), Some(2));
    let text = String::from_utf8(ill.stdout.clone()).unwrap();
    for check in ["network", "own tables", "Syzygy tables"] {
        assert!(text.contains(&format!("FAILED  {check}")), "{text}");
    }
    assert!(
        text.contains("KRvKN.egt: ") && text.contains("KRvKP.egt: "),
        "{text}"
    );
    assert!(text.contains("ok      memory"), "{text}");
    assert!(err(&ill).contains("checks failed"));
}

/// Invalid settings are distinguished from an invalid network, and the memory limit of the process from the free
/// memory.
#[test]
fn the_doctor_tells_settings_and_memory_from_the_rest() {
    let text = |output: &Output| String::from_utf8(output.stdout.clone()).unwrap();
    let ill = cc2s(&["doctor", "--set", "breadth=1"]);
    let said = text(&ill);
    assert!(
        said.contains("FAILED  settings") && said.contains("ok      network"),
        "{said}"
    );
    assert_eq!(ill.status.code(), Some(2));

    if !Path::new("/proc/self/limits").exists() {
        skipped("this system does not tell what a program may have (/proc/self/limits)");
        return;
    }
    let limited = |hash: &str| {
        Command::new("sh")
            .arg("-c")
            .arg(format!(
                "ulimit -v 2000000 && exec \"$0\" doctor --hash {hash}"
            ))
            .arg(env!("CARGO_BIN_EXE_cc2s"))
            .output()
            .unwrap()
    };
    assert!(out(&limited("64")).contains("ok      memory"));
    let said = text(&limited("4096"));
    let told = format!("FAILED  {:<22} this program may use 1953 MiB", "memory");
    assert!(said.contains(&told), "{said}");
}
