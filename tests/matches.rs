//! Matches of the binary against itself.

#[path = "support/program.rs"]
mod program;

#[cfg(unix)]
use std::process::{Command, Output};

use program::{cc2s, err, file, out, refusal};

const MATCH: [&str; 13] = [
    "match",
    "-e",
    "name=one,option.Hash=4",
    "-e",
    "name=two,option.Hash=4,search=Cc1s",
    "--nodes",
    "300",
    // Too short for a mate: a game that is over cannot be read back as an opening.
    "--maxmoves",
    "12",
    "--games",
    "4",
    "--openings",
    "positions/openings8.pgn",
];

/// The game in a line of a record.
fn pgn_of(line: &str) -> String {
    let record: serde_json::Value = serde_json::from_str(line).unwrap();
    record["pgn"].as_str().unwrap().to_owned()
}

#[test]
fn a_match_is_played_recorded_and_continued() {
    let (journal, pgn) = (file("match.jsonl"), file("match.pgn"));
    let paths = [journal.to_str().unwrap(), pgn.to_str().unwrap()];
    let whole = [&MATCH[..], &["--resume", paths[0], "--pgn", paths[1]]].concat();
    let text = out(&cc2s(&[&whole[..], &["--concurrency", "2"]].concat()));
    assert!(text.contains("one against two: +"), "{text}");
    assert!(
        text.contains("one: 0 time losses, 0 illegal moves, 0 crashes"),
        "{text}"
    );
    assert!(
        text.contains("two: 0 time losses, 0 illegal moves, 0 crashes"),
        "{text}"
    );
    let games = std::fs::read_to_string(&pgn).unwrap();
    assert_eq!(games.matches("[Result \"").count(), 4);
    assert_eq!(games.matches("[White \"one\"]").count(), 2);

    // An interruption may truncate a line and a game; other games may precede them.
    let text = std::fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5);
    let half = &lines[3][..lines[3].len() / 2];
    let torn = format!("{}\n{}\n{}\n{half}", lines[0], lines[1], lines[2]);
    std::fs::write(&journal, torn).unwrap();
    let [kept, half] = [lines[1], lines[2]].map(pgn_of);
    let own = "[White \"I\"]\n\n1. e4 *\n\n";
    let torn = format!("{own}{kept}{}", &half[..half.len() / 2]);
    std::fs::write(&pgn, torn).unwrap();
    let text = out(&cc2s(&whole));
    assert!(text.contains("2 of 4 games are already played"), "{text}");
    assert!(text.contains("4/4 "), "{text}");
    assert_eq!(
        std::fs::read_to_string(&journal).unwrap().lines().count(),
        5
    );

    let games = std::fs::read_to_string(&pgn).unwrap();
    assert!(games.starts_with(&format!("{own}{kept}{half}[")), "{games}");
    assert_eq!(games.matches("[Result \"").count(), 4);
    out(&cc2s(&whole));
    assert!(games == std::fs::read_to_string(&pgn).unwrap());

    let other = [&whole[..], &["--margin", "5"]].concat();
    assert!(refusal(&other).contains("rules.margin_ms is 0 there and 5 here"));
}

/// The games are read back as openings: every move must be legal.
#[test]
fn recorded_games_can_be_read() {
    let pgn = file("readable.pgn");
    let path = pgn.to_str().unwrap();
    out(&cc2s(&[&MATCH[..], &["--pgn", path]].concat()));
    let games = cc2s::tools::matches::read_openings(&pgn);
    let games = games.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| game.moves().len() >= 16));
}

/// The margin covers any delay of the machine; `.ci/run` plays games without it.
#[test]
fn games_are_played_by_the_clock() {
    let arguments = [
        "match",
        "-e",
        "name=a,option.Hash=4",
        "-e",
        "name=b,option.Hash=4",
        "--tc",
        "1+0.1",
        "--margin",
        "1000000",
        "--games",
        "2",
        "--maxmoves",
        "20",
    ];
    let text = out(&cc2s(&arguments));
    assert!(
        text.contains("a: 0 time losses, 0 illegal moves, 0 crashes"),
        "{text}"
    );
    assert!(
        text.contains("b: 0 time losses, 0 illegal moves, 0 crashes"),
        "{text}"
    );
}

/// A modified record is rejected.
#[test]
fn a_damaged_record_is_named_with_its_line() {
    let record = file("damaged.jsonl");
    let path = record.to_str().unwrap();
    let players = [
        "match", "-e", "name=a", "-e", "name=b", "--nodes", "9", "--games", "2",
    ];
    let run = [&players[..], &["--resume", path]].concat();
    out(&cc2s(&run));
    let text = std::fs::read_to_string(&record).unwrap();
    let last = text.lines().last().unwrap();
    for (damaged, complaint) in [
        (format!("{text}{last}\n"), "line 4: the same game twice"),
        (
            text.replace("\"white\":0", "\"white\":7"),
            "line 2: a player that is not in this match",
        ),
        (format!("{text}smoke\n"), "line 4, column 1: expected value"),
    ] {
        std::fs::write(&record, &damaged).unwrap();
        let said = refusal(&run);
        assert!(said.contains(path) && said.contains(complaint), "{said}");
        assert_eq!(std::fs::read_to_string(&record).unwrap(), damaged);
    }
}

#[test]
fn bad_matches_are_refused() {
    let with = |more: &[&str]| refusal(&[&MATCH[..], more].concat());
    assert!(refusal(&MATCH[..3]).contains("--tc"));
    assert!(
        refusal(&["match", "-e", "name=a", "--nodes", "9"]).contains("needs at least two engines")
    );
    assert!(with(&["-e", "smoke"]).contains("'smoke': write KEY=VALUE"));
    assert!(with(&["--tc", "fast"]).contains("--tc"));
    assert!(with(&["--sprt", "5,0"]).contains("ELO0 < ELO1"));
    assert!(with(&["--sprt", "0,5", "-e", "name=c"]).contains("needs exactly two engines"));
    assert!(with(&["--sprt", "nan,5"]).contains("ELO0 < ELO1"));
    for nothing in [
        ["--games", "0"],
        ["--maxmoves", "0"],
        ["--resign", "900,0"],
        ["--draw=-1,4", "--margin=0"],
    ] {
        assert!(with(&nothing).contains(nothing[0].split('=').next().unwrap()));
    }
    let clear = ["-e", "option.Clear Hash=x"];
    assert!(with(&clear).contains("option Clear Hash is a button"));
    let missing = ["-e", "cmd=/no/such/engine"];
    assert!(with(&missing).contains("cannot start /no/such/engine"));
}

#[test]
fn settings_nobody_knows_end_a_match_before_its_first_game() {
    for (setting, complaint) in [
        (
            "search=Foo",
            "option Search: no value 'Foo'; the nearest are",
        ),
        ("search=Cc2", "the nearest are Cc2s"),
        (
            "profile=foo",
            "option Profile: no value 'foo'; the nearest are",
        ),
        ("profile=thesi", "the nearest are thesis"),
        ("option.Foo=3", "no option 'Foo'; the nearest are"),
        ("option.Hush=3", "the nearest are Hash"),
        ("option.Hash=abc", "a whole number from"),
        ("option.ConspiracyMax=99", "a whole number from 1 to 9"),
    ] {
        let log = file("settings.pgn");
        let arguments = [&MATCH[..], &["-e", setting, "--pgn", log.to_str().unwrap()]].concat();
        let output = cc2s(&arguments);
        assert_eq!(output.status.code(), Some(2), "{setting}");
        assert!(output.stdout.is_empty() && !log.exists(), "{setting}");
        let said = err(&output);
        assert!(
            said.starts_with("error: ") && said.contains(complaint),
            "{said}"
        );
    }
}

/// Castling is sent to engines as king takes rook, and the games can be read back.
#[test]
fn chess960_is_played_and_written_down() {
    let (book, pgn) = (file("960.epd"), file("960.pgn"));
    let start = "1r2k1rn/pppppppp/8/8/8/8/PPPPPPPP/1R2K1RN w GBgb - bm O-O;\n";
    std::fs::write(&book, start).unwrap();
    let mut arguments = MATCH;
    arguments[12] = book.to_str().unwrap();
    out(&cc2s(
        &[&arguments[..], &["--pgn", pgn.to_str().unwrap()]].concat(),
    ));
    let text = std::fs::read_to_string(&pgn).unwrap();
    assert_eq!(text.matches("[Variant \"Chess960\"]").count(), 4);
    assert!(!text.contains("illegal move"), "{text}");
    assert_eq!(
        cc2s::tools::matches::read_openings(&pgn).unwrap().len(),
        4,
        "{text}"
    );
}

#[cfg(unix)]
fn script(name: &str, answers: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let path = file(name);
    let text = format!(
        "#!/bin/sh\nwhile read word rest; do case $word in uci) echo uciok;; isready) echo readyok;; \
         quit) exit;; {answers} esac; done\n"
    );
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    format!("cmd={}", path.display())
}

#[cfg(unix)]
#[test]
fn a_crash_is_told_with_the_last_words_and_the_engine_started_again() {
    let (engine, log) = (
        script("crashes.sh", "go) echo out of cheese >&2; exit 7;;"),
        file("crashes.log"),
    );
    let text = out(&cc2s(&[
        "match",
        "-e",
        "name=sound,option.Hash=4",
        "-e",
        &engine,
        "--nodes",
        "100",
        "--games",
        "2",
        "--log",
        log.to_str().unwrap(),
    ]));
    let told = "the program has ended (exit status: 7); its last words: out of cheese";
    assert_eq!(text.matches(told).count(), 2, "{text}");
    assert!(text.contains("2 crashes"), "{text}");
    let log = std::fs::read_to_string(log).unwrap();
    assert_eq!(log, "crashes: out of cheese\n".repeat(2));
}

/// Engines that print no score: the length of a game is limited all the same.
#[cfg(unix)]
#[test]
fn games_of_silent_engines_end_by_the_limit() {
    let answers = "position) case $rest in *moves*) move=a7a6;; *) move=a2a3;; esac;; \
                   go) echo bestmove $move;;";
    let engine = script("silent.sh", answers);
    let players = ["match", "-e", &engine, "-e", &engine];
    let rest = ["--movetime", "900", "--maxmoves", "1", "--games", "2"];
    let text = out(&cc2s(&[&players[..], &rest].concat()));
    let told = text.matches("1/2-1/2 adjudicated draw, 1 moves").count();
    assert_eq!(told, 2, "{text}");
}

/// A decided test ends the match, also when the match is continued.
#[test]
fn a_decided_test_needs_no_more_games() {
    let record = file("decided.jsonl");
    // An earlier run has left it.
    drop(std::fs::remove_file(&record));
    let players = "match -e name=one,option.Hash=1 -e name=two,option.Hash=1";
    let rest = "--nodes 10 --maxmoves 1 --games 400 --sprt=-400,-200 --resume";
    let arguments = players.split(' ').chain(rest.split(' '));
    let arguments: Vec<&str> = arguments.chain(record.to_str()).collect();
    let text = out(&cc2s(&arguments));
    assert!(text.contains("-200 Elo accepted"), "{text}");
    let games = std::fs::read_to_string(&record).unwrap();
    assert!(games.lines().count() < 40, "{text}");
    let again = out(&cc2s(&arguments));
    assert!(again.contains("-200 Elo accepted"), "{again}");
    assert_eq!(std::fs::read_to_string(&record).unwrap(), games);
}

#[cfg(unix)]
#[test]
fn engines_without_chess960_are_refused() {
    let (engine, book) = (script("plain.sh", ""), file("plain.epd"));
    std::fs::write(&book, "1r2k1rn/8/8/8/8/8/8/1R2K1RN w GBgb -\n").unwrap();
    let mut arguments = MATCH;
    (arguments[2], arguments[12]) = (&engine, book.to_str().unwrap());
    assert!(refusal(&arguments).contains("plain: it plays no Chess960"));
}

/// Starts the program and interrupts it like a terminal when its output contains `moment`.
#[cfg(unix)]
fn interrupted(arguments: &[&str], moment: &str) -> Output {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_cc2s"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while !text.contains(moment) && reader.read_line(&mut text).unwrap() > 0 {}
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.unwrap().success());
    reader.read_to_string(&mut text).unwrap();
    Output {
        status: child.wait().unwrap(),
        stdout: text.into_bytes(),
        stderr: Vec::new(),
    }
}

#[cfg(unix)]
#[test]
fn what_is_known_is_told_when_the_user_ends_it() {
    let (one, two) = (["-e", "name=one,option.Hash=4"], ["-e", "name=two"]);
    let rest = ["--movetime", "200", "--maxmoves", "2", "--games", "2000"];
    let played = interrupted(&[&["match"][..], &one, &two, &rest].concat(), "2/2000");
    let text = String::from_utf8(played.stdout).unwrap();
    assert_eq!(played.status.code(), Some(130), "{text}");
    assert!(text.contains("one against two: +"), "{text}");
    assert!(
        text.contains("two: ") && text.contains(" 0 crashes"),
        "{text}"
    );

    let suite = [
        "epd",
        "positions/wac.epd",
        "--movetime",
        "400",
        "--hash",
        "8",
    ];
    let searched = interrupted(&suite, "2/300");
    let text = String::from_utf8(searched.stdout).unwrap();
    assert_eq!(searched.status.code(), Some(130), "{text}");
    assert!(
        text.contains("\nsolved ") && !text.contains("300/300"),
        "{text}"
    );
}

#[test]
fn openings_are_taken_in_order_or_at_random_by_seed() {
    let starts = |name: &str, order: &[&str]| {
        let pgn = file(name);
        let path = pgn.to_str().unwrap();
        let players = [
            "match",
            "-e",
            "name=one,option.Hash=1",
            "-e",
            "name=two,option.Hash=1",
        ];
        let game = ["--nodes", "10", "--maxmoves", "1", "--games", "6"];
        let book = ["--openings", "positions/book.epd", "--pgn", path];
        out(&cc2s(&[&players[..], &game, &book, order].concat()));
        let games = std::fs::read_to_string(&pgn).unwrap();
        let fens = games.lines().filter(|line| line.starts_with("[FEN "));
        fens.map(str::to_owned).collect::<Vec<_>>()
    };
    let book = std::fs::read_to_string("positions/book.epd").unwrap();
    let in_order = starts("in-order.pgn", &[]);
    assert_eq!(in_order.len(), 6);
    for (line, pair) in book.lines().zip(in_order.chunks(2)) {
        let board = line.split(' ').next().unwrap();
        assert!(
            pair.iter().all(|fen| fen.contains(board)),
            "{pair:?}, {line}"
        );
    }
    let seven = starts("seven.pgn", &["--seed", "7"]);
    assert_eq!(seven, starts("seven-again.pgn", &["--seed", "7"]));
    assert!(seven != in_order && seven != starts("eight.pgn", &["--seed", "8"]));
}
