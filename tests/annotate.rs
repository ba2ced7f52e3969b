//! Tests of `cc2s annotate`: runs the binary and reads the files it writes.

#[path = "support/environment.rs"]
mod environment;
use environment::number;

#[path = "support/skipped.rs"]
mod skipped;
use skipped::python_chess;

#[path = "support/program.rs"]
mod program;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use cc2s::chess::Position;
use cc2s::chess::notation::san;
use cc2s::chess::pgn::{Game, games};
use cc2s::game::SplitMix64;
use program::{cc2s, err, file, out, refusal};

const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/examples/classics.pgn");

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn written(name: &str, text: &str) -> PathBuf {
    let path = file(name);
    fs::write(&path, text).unwrap();
    path
}

fn read(path: &Path) -> Vec<Game> {
    let text = fs::read_to_string(path).unwrap();
    games(&text).collect::<Result<_, _>>().unwrap()
}

/// Annotates games and returns the PGN file.
fn annotated(input: &str, name: &str, more: &[&str]) -> PathBuf {
    let output = file(name);
    let mut arguments = vec!["annotate", input, "--pgn", text(&output), "--hash", "4"];
    arguments.extend(more);
    out(&cc2s(&arguments));
    output
}

fn moves(game: &Game) -> Vec<Option<cc2s::chess::Move>> {
    game.plies.iter().map(|ply| ply.mv).collect()
}

fn random_games(count: u64, plies: usize) -> String {
    let mut rng = SplitMix64::new(7);
    let mut text = String::new();
    for number in 1..=count {
        let tags = format!("[White \"Player {number}\"]\n[Black \"Other\"]\n\n");
        text.push_str(&tags);
        let mut position = Position::initial();
        for _ in 0..plies {
            let mut legal = Vec::new();
            position.legal_moves(&mut legal);
            if legal.is_empty() {
                break;
            }
            let mv = legal[rng.below(legal.len() as u64) as usize];
            text.push_str(&san(&position, mv));
            text.push(' ');
            position = position.after(mv);
        }
        text.push_str("*\n\n");
    }
    text
}

#[test]
fn real_games_keep_their_moves_and_gain_values() {
    let html = file("classics.html");
    let more = ["--nodes", "2000", "--html", text(&html), "--jobs", "2"];
    let output = annotated(CLASSICS, "classics.pgn", &more);
    let (before, after) = (read(Path::new(CLASSICS)), read(&output));
    assert_eq!(
        after
            .iter()
            .map(|game| game.plies.len())
            .collect::<Vec<_>>(),
        [33, 45, 103]
    );
    for (one, other) in before.iter().zip(&after) {
        assert_eq!(moves(one), moves(other));
        assert!(other.tags.starts_with(&one.tags));
        let mated = usize::from(other.plies.len() < 100);
        let valued = |ply: &&cc2s::chess::pgn::Ply| {
            ply.comments
                .first()
                .is_some_and(|first| first.starts_with("[%eval "))
        };
        assert_eq!(
            other.plies.iter().filter(valued).count(),
            other.plies.len() - mated
        );
    }
    // Black lost the first two of these games quickly, so he must have made a mistake.
    for game in &after[..2] {
        let glyphs = game
            .plies
            .iter()
            .skip(1)
            .step_by(2)
            .flat_map(|ply| &ply.glyphs);
        assert!(glyphs.into_iter().any(|glyph| [2, 4, 6].contains(glyph)));
    }
    let page = fs::read_to_string(&html).unwrap();
    assert_eq!(page.matches("data-game=").count(), 3);
    assert!(page.len() < 3_000_000 && page.contains("Capablanca"));
}

#[test]
fn a_blunder_is_one_past_50_moves_too() {
    let input = written(
        "past_claim.pgn",
        "[FEN \"5R2/p5p1/4P1k1/5n1p/7P/5N2/3K4/r7 b - - 104 106\"]\n[SetUp \"1\"]\n\n106... Ne3 107. Kxe3 *\n",
    );
    let games = read(&annotated(
        text(&input),
        "past_claim_out.pgn",
        &["--nodes", "50000"],
    ));
    assert_eq!(games[0].plies[0].glyphs, [4]);
}

#[test]
fn what_stood_in_a_game_survives() {
    let input = written(
        "own_remarks.pgn",
        "[White \"A \\\"B\\\"\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 20\"]\n[SetUp \"1\"]\n\n\
         {before} 20. O-O-O! {[%clk 0:10:00] first word} (20. O-O {or so} Kd7 (20... O-O-O $6)) 20... O-O $14 {[%eval 9.99] last word} 1/2-1/2\n\n\
         [Variant \"Chess960\"]\n[FEN \"r1k4r/pppppppp/8/8/8/8/PPPPPPPP/R1K4R w HAha - 0 1\"]\n\n1. O-O O-O-O *\n",
    );
    let games = read(&annotated(
        text(&input),
        "own_remarks_out.pgn",
        &["--nodes", "500"],
    ));
    let game = &games[0];
    assert_eq!(game.comments, ["before"]);
    let [first, second] = &game.plies[..] else {
        panic!()
    };
    assert!(first.glyphs.starts_with(&[1]) && second.glyphs.starts_with(&[14]));
    assert!(
        first.comments[0].ends_with("] [%clk 0:10:00] first word"),
        "{:?}",
        first.comments
    );
    assert!(second.comments[0].ends_with("] last word") && !second.comments[0].contains("9.99"));
    let variation = &first.variations[0];
    assert_eq!(
        (variation.plies.len(), &variation.plies[0].comments[0][..]),
        (2, "or so")
    );
    assert_eq!(variation.plies[1].variations[0].plies[0].glyphs, [6]);
    assert_eq!(game.tag("White"), Some("A \"B\""));
    assert_eq!(games[1].plies.len(), 2);
}

/// A null move is shown without a glyph; the moves around it are judged.
#[test]
fn a_game_with_null_moves_is_kept() {
    let input = written(
        "null_moves.pgn",
        "1. e4 e5 (1... Z0 2. d4 @@@@ 3. Nf3) 2. Qh5 null 3. Bc4 -- 4. Qxf7# *\n\n1. e4 f6 2. Qh5+ 0000 *\n",
    );
    let (output, html) = (file("null_moves_out.pgn"), file("null_moves.html"));
    let (from, to, page) = (text(&input), text(&output), text(&html));
    let run = cc2s(&[
        "annotate", from, "--pgn", to, "--html", page, "--nodes", "500",
    ]);
    let said = err(&run);
    assert!(
        said.contains("game 2, line 3: illegal move '0000'"),
        "{said}"
    );
    let games = read(&output);
    let [game] = &games[..] else { panic!() };
    let is_null: Vec<_> = game.plies.iter().map(|ply| ply.mv.is_none()).collect();
    assert_eq!(is_null, [false, false, false, true, false, true, false]);
    assert!(game.plies[3].glyphs.is_empty() && game.plies[5].glyphs.is_empty());
    assert!(game.plies[3].comments[0].starts_with("[%eval "));
    let words = fs::read_to_string(&output).unwrap();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("(1... -- 2. d4 -- 3. Nf3)"), "{words}");
    assert!(words.contains(" 3... -- {[%eval "), "{words}");
    let page = fs::read_to_string(&html).unwrap();
    assert!(page.contains("(1... -- 2. d4 -- 3. Nf3)"));
    assert!(page.contains(">--</a>"), "{page}");
}

#[test]
fn remarks_of_others_survive_whatever_they_look_like() {
    let remark = "2. Qh5 $4 {[%eval -0.5] Blunder. Nf3 was best.} (2. Nf3 {[%eval 0.3]} 2... Nc6)";
    for annotator in ["[Annotator \"lichess.org\"]\n\n", ""] {
        let game = format!("{annotator}1. e4 e5 {remark} 2... Nc6 *\n");
        let input = written("of_others.pgn", &game);
        let once = annotated(text(&input), "of_others_once.pgn", &["--nodes", "500"]);
        let twice = annotated(text(&once), "of_others_twice.pgn", &["--nodes", "500"]);
        let [once, twice] = [once, twice].map(|path| fs::read_to_string(path).unwrap());
        assert_eq!(once, twice);
        let ply = &games(&once).next().unwrap().unwrap().plies[2];
        assert_eq!(ply.glyphs, [4]);
        assert!(
            ply.comments[0].ends_with("] Blunder. Nf3 was best."),
            "{once}"
        );
        assert_eq!(ply.variations[0].plies.len(), 2);
        assert_eq!(ply.variations[0].plies[0].comments, ["[%eval 0.3]"]);
    }
}

#[test]
fn old_files_keep_their_characters() {
    let input = file("windows.pgn");
    fs::write(&input, b"1. e4 {\x93smart\x94 \x96 \x80} e5 *\n").unwrap();
    let output = annotated(text(&input), "windows_out.pgn", &["--nodes", "200"]);
    let said = fs::read_to_string(&output).unwrap();
    assert!(said.contains("] “smart” – €}"), "{said}");
}

#[test]
fn broken_games_are_told_by_number_and_the_rest_is_done() {
    let input = written(
        "broken.pgn",
        "[Event \"1\"]\n\n1. e4 e5 *\n\n[Event \"2\"]\n\n1. e4 e5\n2. Ke3 *\n\n[Event \"3\"]\n\n1. d4 (1. c4 *\n\n[Event \"4\"]\n\n1. c4 *\n",
    );
    let output = file("broken_out.pgn");
    let run = cc2s(&[
        "annotate",
        text(&input),
        "--pgn",
        text(&output),
        "--nodes",
        "200",
    ]);
    assert_eq!(run.status.code(), Some(2));
    let said = err(&run);
    assert!(
        said.contains("game 2, line 8: illegal move 'Ke3'"),
        "{said}"
    );
    assert!(
        said.contains("game 3, line 12: '(' is not closed"),
        "{said}"
    );
    assert!(said.contains("2 of 4 games could not be read"), "{said}");
    let events: Vec<_> = read(&output)
        .iter()
        .map(|game| game.tag("Event").unwrap().to_owned())
        .collect();
    assert_eq!(events, ["1", "4"]);
}

#[test]
fn nothing_to_write_and_no_games_are_refused() {
    assert!(refusal(&["annotate", CLASSICS]).contains("--pgn"));
    let output = file("none.pgn");
    assert!(
        refusal(&["annotate", "no such file", "--pgn", text(&output)]).contains("no such file")
    );
    assert!(!output.exists());
    let games = written("not_over_this.pgn", "1. e4 *\n");
    let same = file("same_output");
    for outputs in [[&games, &same], [&same, &games], [&same, &same]] {
        let [pgn, html] = outputs.map(|path| text(path.as_path()));
        let refused = refusal(&["annotate", text(&games), "--pgn", pgn, "--html", html]);
        assert!(refused.contains("would be overwritten"), "{refused}");
    }
    assert!(!same.exists());
    assert_eq!(fs::read_to_string(&games).unwrap(), "1. e4 *\n");
}

/// Runs a command whose CPU time is limited to `seconds`; beyond that the system kills it.
#[cfg(unix)]
fn cc2s_within(seconds: u32, arguments: &[&str]) -> Output {
    let script = format!("ulimit -t {seconds}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_cc2s")]);
    command.args(arguments).output().unwrap()
}

/// A game whose variations are nested too deeply is skipped; the time for the others is linear in their length.
#[cfg(unix)]
#[test]
fn deep_and_long_games_do_no_harm() {
    let nested = "(1. c4 (1. d4 ".repeat(2_000);
    let long = "(1. c4 {so [%a b} (1. d4) (1. c4 {[%eval 1] hm} c5)) ".repeat(20_000);
    let words = "word ".repeat(200_000);
    let input = written(
        "deep.pgn",
        &format!(
            "[Event \"1\"]\n\n1. e4 {nested}{} *\n\n[Event \"2\"]\n\n1. e4 {long} {{[%x {words}}} *\n\n[Event \"3\"]\n\n1. d4 *\n",
            ")".repeat(4_000)
        ),
    );
    let (output, page) = (file("deep_out.pgn"), file("deep.html"));
    let files = ["--pgn", text(&output), "--html", text(&page)];
    let run = [&["annotate", text(&input)], &files[..], &["--nodes", "200"]].concat();
    let run = cc2s_within(60, &run);
    let said = err(&run);
    assert_eq!(run.status.code(), Some(2), "{:?}: {said}", run.status);
    assert!(
        said.contains("game 1, line 3: variations nested more than 200 deep"),
        "{said}"
    );
    let games = read(&output);
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].plies[0].variations.len(), 20_000);
}

/// The annotations of an earlier run are replaced: nothing appears twice, and nothing outdated remains.
#[test]
fn annotating_twice_is_like_once() {
    let (page, again) = (file("once.html"), file("twice.html"));
    let nodes = ["--nodes", "2000", "--html"];
    let once = annotated(CLASSICS, "once.pgn", &[&nodes[..], &[text(&page)]].concat());
    let twice = annotated(
        text(&once),
        "twice.pgn",
        &[&nodes[..], &[text(&again)]].concat(),
    );
    let said = fs::read_to_string(&once).unwrap();
    assert!(said.contains("was best") && said.contains("The only move"));
    assert!(
        said == fs::read_to_string(&twice).unwrap(),
        "the games differ"
    );
    assert!(
        fs::read(&page).unwrap() == fs::read(&again).unwrap(),
        "the pages differ"
    );
    let other = annotated(text(&once), "other_nodes.pgn", &["--nodes", "500"]);
    let fresh = annotated(CLASSICS, "fresh_nodes.pgn", &["--nodes", "500"]);
    assert!(
        fs::read(&other).unwrap() == fs::read(&fresh).unwrap(),
        "something stale"
    );
}

/// The page shows the original comments as text, without commands.
#[test]
fn a_page_shows_what_stood_in_the_game() {
    let input = written(
        "page_remarks.pgn",
        "[White \"A\"]\n\n{[%csl Ga1] before} 1. e4 $5 {[%clk 0:10:00][%eval 9.99] ok} 1... e5 $14 {[%cal Ge2e4] [%emt 0:01] so} \
         (1... c5 $1 {[%eval 8.88] sharp} 2. Nf3 (2. c3)) *\n\n[White \"Idle\"]\n\n1. e4 *\n",
    );
    let html = file("page_remarks.html");
    let output = annotated(
        text(&input),
        "page_remarks_out.pgn",
        &["--nodes", "500", "--html", text(&html)],
    );
    assert!(
        fs::read_to_string(&output)
            .unwrap()
            .contains("[%clk 0:10:00] ok")
    );
    let page = fs::read_to_string(&html).unwrap();
    for shown in [
        ">before<",
        "clock 0:10:00",
        ">ok<",
        ">so<",
        "e4<span class=\"glyph \">!?<",
        " ⩲<",
        "(1... c5! sharp 2. Nf3 (2. c3))",
        "<td>–</td>",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    for hidden in ["[%", "9.99", "8.88"] {
        assert!(!page.contains(hidden), "{hidden}");
    }
}

/// Kills a run when its journal has six lines, and starts over if that was too late.
fn kill_in_the_middle(arguments: &[&str], journal: &Path, output: &Path) {
    loop {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cc2s"))
            .args(arguments)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let lines = || fs::read_to_string(journal).map_or(0, |text| text.lines().count());
        while lines() < 6 && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        let ended = child.wait().unwrap();
        if !ended.success() && !output.exists() {
            assert!(lines() >= 6, "{ended}");
            return;
        }
        fs::remove_file(output).unwrap();
    }
}

/// An interrupted run resumes and produces the same bytes as an uninterrupted one, with any number of jobs.
#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let input = written("many.pgn", &random_games(24, 20));
    let limits = ["--nodes", "1500"];
    let whole_page = file("whole.html");
    let whole = annotated(
        text(&input),
        "whole.pgn",
        &[&limits[..], &["--html", text(&whole_page)]].concat(),
    );
    let (output, page) = (file("killed.pgn"), file("killed.html"));
    let journal = file("killed.pgn.journal");
    let arguments = [
        "annotate",
        text(&input),
        "--pgn",
        text(&output),
        "--html",
        text(&page),
        "--hash",
        "4",
        "--jobs",
        "2",
        "--nodes",
        "1500",
    ];
    kill_in_the_middle(&arguments, &journal, &output);
    // The kill may have truncated a line.
    let mut bytes = fs::read(&journal).unwrap();
    bytes.truncate(bytes.len() - 10);
    fs::write(&journal, &bytes).unwrap();
    let other = cc2s(&[
        "annotate",
        text(&input),
        "--pgn",
        text(&output),
        "--nodes",
        "1400",
    ]);
    assert!(err(&other).contains("another run"), "{}", err(&other));
    let said = out(&cc2s(&arguments));
    assert!(said.contains("of 24 games are already done"), "{said}");
    assert!(
        fs::read(&output).unwrap() == fs::read(&whole).unwrap(),
        "the games differ"
    );
    assert!(
        fs::read(&page).unwrap() == fs::read(&whole_page).unwrap(),
        "the pages differ"
    );
    assert!(!journal.exists());
}

/// A typical collection of short games; `CC2S_GAMES` sets another number.
#[test]
fn many_games_are_annotated() {
    let count = number("CC2S_GAMES", 60);
    let input = written("generated.pgn", &random_games(count, 10));
    let html = file("generated.html");
    let output = annotated(
        text(&input),
        "generated_out.pgn",
        &["--nodes", "200", "--jobs", "2", "--html", text(&html)],
    );
    let games = read(&output);
    assert_eq!(games.len() as u64, count);
    let names = games
        .iter()
        .map(|game| game.tag("White").unwrap().to_owned());
    assert!(names.eq((1..=count).map(|number| format!("Player {number}"))));
}

/// python-chess reads the annotated games and finds the evaluations.
#[test]
fn python_chess_reads_the_games() {
    let Some(python) = python_chess() else {
        return;
    };
    let output = annotated(CLASSICS, "for_python.pgn", &["--nodes", "1000"]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/annotated.py");
    let run = Command::new(&python)
        .args([script, CLASSICS, text(&output)])
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", err(&run));
    eprintln!("{}", String::from_utf8_lossy(&run.stdout));
}
