//! Matches of the binary against itself, as a user starts them.

#[path = "support/program.rs"]
mod program;

use program::{cc2s, file, out, refusal};

const MATCH: [&str; 13] = [
    "match",
    "-e",
    "name=one,option.Hash=4",
    "-e",
    "name=two,option.Hash=4,search=Cc1s",
    "--nodes",
    "300",
    "--maxmoves",
    "30",
    "--games",
    "4",
    "--openings",
    "positions/openings8.pgn",
];

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

    // An interruption leaves half a line behind.
    let text = std::fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5);
    let half = &lines[3][..lines[3].len() / 2];
    let torn = format!("{}\n{}\n{}\n{half}", lines[0], lines[1], lines[2]);
    std::fs::write(&journal, torn).unwrap();
    let text = out(&cc2s(&whole));
    assert!(text.contains("2 of 4 games are played already"), "{text}");
    assert!(text.contains("4/4 "), "{text}");
    assert_eq!(
        std::fs::read_to_string(&journal).unwrap().lines().count(),
        5
    );

    let games = std::fs::read_to_string(&pgn).unwrap();
    assert_eq!(games.matches("[Result \"").count(), 4);

    let other = [&whole[..], &["--margin", "5"]].concat();
    assert!(refusal(&other).contains("these results were made with"));
}

/// The games are read back as openings: every move is legal, and each follows on the one before.
#[test]
fn recorded_games_can_be_read() {
    let pgn = file("readable.pgn");
    let path = pgn.to_str().unwrap();
    out(&cc2s(&[&MATCH[..], &["--pgn", path]].concat()));
    let games = cc2s::lab::contest::read_openings(&pgn);
    let games = games.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| game.moves().len() >= 16));
}

#[test]
fn a_short_time_control_is_kept() {
    let arguments = [
        "match",
        "-e",
        "name=a,option.Hash=4",
        "-e",
        "name=b,option.Hash=4",
        "--tc",
        "1+0.1",
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

#[test]
fn bad_matches_are_refused() {
    let with = |more: &[&str]| refusal(&[&MATCH[..], more].concat());
    assert!(refusal(&MATCH[..3]).contains("--tc"));
    assert!(refusal(&["match", "-e", "name=a", "--nodes", "9"]).contains("needs two engines"));
    assert!(with(&["-e", "smoke"]).contains("'smoke': write KEY=VALUE"));
    assert!(with(&["--tc", "fast"]).contains("--tc"));
    assert!(with(&["--sprt", "5,0"]).contains("ELO0 < ELO1"));
    assert!(with(&["--sprt", "0,5", "-e", "name=c"]).contains("compares two engines"));
    let missing = ["-e", "cmd=/no/such/engine"];
    assert!(with(&missing).contains("cannot start /no/such/engine"));
}
