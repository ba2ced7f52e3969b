//! Endgames played with tables and against tables.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use cc2s::chess::Position;
use cc2s::chess::notation::{fen, parse_fen, parse_uci_move};
use cc2s::endgame::make::prober::Prober;
use cc2s::endgame::make::{Metric, TableValue};
use cc2s::game::SplitMix64;

use super::gui::{Gui, PATIENCE};

/// An empty folder for tests.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// A folder with own tables of these classes.
pub(super) fn tables(name: &str, classes: &[&str]) -> PathBuf {
    let folder = folder(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_cc2s"));
    command.args(["tables", "generate", "--level", "1", "--dir"]);
    let output = command.arg(&folder).args(classes).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    folder
}

pub(super) fn engine(options: &[(&str, &str)]) -> Gui {
    let mut gui = Gui::ready();
    for (name, value) in options {
        gui.send(&format!("setoption name {name} value {value}"));
    }
    assert_eq!(gui.synchronise(), [""; 0]);
    gui
}

/// The answer to `go nodes 300`: the last score and the move.
pub(super) fn ask(gui: &mut Gui, position: &Position) -> (String, String) {
    gui.send(&format!("position fen {}", fen(position)));
    gui.send("go nodes 300");
    let lines = gui.until("bestmove");
    let info = lines.iter().rev().find(|line| line.contains(" score "));
    let score = info.unwrap().split(" score ").nth(1).unwrap();
    let score: Vec<&str> = score.split_whitespace().take(2).collect();
    let mv = lines.last().unwrap().split_whitespace().nth(1).unwrap();
    (score.join(" "), mv.to_owned())
}

pub(super) fn value(prober: &Prober, position: &Position) -> TableValue {
    prober.probe(position.chess()).unwrap().expect("a table")
}

/// The positions after all legal moves, each with its value for the side that moves.
fn valued(prober: &Prober, position: &Position) -> Vec<(TableValue, Position)> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let after = moves.into_iter().map(|mv| position.after(mv));
    after
        .map(|after| (Metric::Distance.lift(value(prober, &after)), after))
        .collect()
}

pub(super) fn play(position: &Position, mv: &str) -> Position {
    position.after(parse_uci_move(position, mv).unwrap())
}

/// The engine mates in the optimal number of moves against the longest resistance, and reports it all the way.
fn wins(gui: &mut Gui, prober: &Prober, start: &str) {
    let mut position = parse_fen(start).unwrap();
    while position.has_legal_move() {
        let moves = value(prober, &position).moves().expect("no draw");
        let (score, mv) = ask(gui, &position);
        assert_eq!(score, format!("mate {moves}"), "{}", fen(&position));
        position = play(&position, &mv);
        let resistance = valued(prober, &position).into_iter();
        let Some((_, next)) = resistance.max_by_key(|(value, _)| *value) else {
            break;
        };
        position = next;
    }
    assert!(
        position.is_check() && !position.has_legal_move(),
        "{}",
        fen(&position)
    );
}

#[test]
fn won_positions_are_won_as_fast_as_can_be() {
    let folder = tables("egt-wins", &["KBNvK", "KQvKR"]);
    let prober = Prober::new(&folder);
    for search in ["Cc2s", "PVS"] {
        let path = folder.display().to_string();
        let mut gui = engine(&[("TablesPath", &path), ("Search", search)]);
        for start in [
            "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1",
            "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
            "8/8/8/2k5/8/8/8/KBN5 w - - 0 1",
            "8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1",
            "8/8/2k5/5r2/8/8/8/KQ6 w - - 0 1",
        ] {
            wins(&mut gui, &prober, start);
        }
        gui.quit();
    }
}

/// The engine keeps a draw against an opponent that tries every drawing move.
fn holds(gui: &mut Gui, prober: &Prober, start: &str, rng: &mut SplitMix64) {
    let mut position = parse_fen(start).unwrap();
    for _ in 0..12 {
        assert_eq!(
            value(prober, &position),
            TableValue::DRAW,
            "{}",
            fen(&position)
        );
        let (score, mv) = ask(gui, &position);
        assert_eq!(score, "cp 0", "{}", fen(&position));
        position = play(&position, &mv);
        let mut tries = valued(prober, &position);
        tries.retain(|(value, after)| *value == TableValue::DRAW && after.has_legal_move());
        if tries.is_empty() || position.end_score().is_some() {
            return;
        }
        position = tries.swap_remove(rng.below(tries.len() as u64) as usize).1;
        if position.end_score().is_some() {
            return;
        }
    }
}

#[test]
fn drawn_positions_are_held() {
    let folder = tables("egt-draws", &["KPvK", "KRvKP"]);
    let prober = Prober::new(&folder);
    let path = folder.display().to_string();
    let mut gui = engine(&[("TablesPath", &path)]);
    let mut rng = SplitMix64::new(1);
    for _ in 0..3 {
        for start in [
            "8/8/8/3k4/8/3K4/3P4/8 b - - 0 1",
            "7k/8/6KP/8/8/8/8/8 b - - 0 1",
            "8/8/8/8/3k4/8/3p4/1R1K4 b - - 0 1",
            "8/8/8/8/8/2kp4/8/1K5R b - - 0 1",
        ] {
            let drawn = value(&prober, &parse_fen(start).unwrap()) == TableValue::DRAW;
            if drawn {
                holds(&mut gui, &prober, start, &mut rng);
            }
        }
    }
    gui.quit();
}

/// After 1... Kc4 White offers his rooks forever, and capturing one gives stalemate.
#[test]
fn nobody_walks_into_rooks_that_offer_themselves() {
    let mut gui = engine(&[]);
    for nodes in [1_000, 10_000, 100_000] {
        gui.send("ucinewgame");
        gui.send("position fen 8/8/8/8/1k6/2p2pq1/R1R5/7K b - - 9 108");
        gui.send(&format!("go nodes {nodes}"));
        let answer = gui.until("bestmove").pop().unwrap();
        assert!(!answer.starts_with("bestmove b4c4"), "{nodes}: {answer}");
    }
    gui.quit();
}

/// The messages of `go` about tables.
fn news(gui: &mut Gui, text: &str) -> String {
    gui.send(&format!("position fen {text}"));
    gui.send("go nodes 300");
    let lines = gui.until("bestmove");
    let told = lines.iter().find(|line| line.contains("tables: "));
    told.cloned().unwrap_or_default()
}

#[test]
fn the_fifty_move_rule_counts_where_it_is_in_force() {
    let rook = |clock: u32| format!("8/8/8/4k3/8/8/8/R3K3 w - - {clock} 99");
    let mut gui = engine(&[]);
    assert!(news(&mut gui, &rook(73)).contains("own tables: win in 27 plies"));
    assert!(news(&mut gui, &rook(74)).contains("own tables: win unless 50 moves pass"));
    gui.send("setoption name Syzygy50MoveRule value false");
    assert!(news(&mut gui, &rook(99)).contains("own tables: win in 27 plies"));
    gui.send("setoption name Syzygy50MoveRule value true");
    gui.send("setoption name SyzygyPath value tests/data/syzygy");
    assert!(news(&mut gui, &rook(73)).contains("own tables: win in 27 plies"));
    assert!(news(&mut gui, &rook(74)).contains("Syzygy tables: draw"));
    gui.send("setoption name OwnTables value false");
    assert!(news(&mut gui, &rook(60)).contains("Syzygy tables: win, "));
    gui.send("setoption name SyzygyProbeLimit value 2");
    assert_eq!(news(&mut gui, &rook(0)), "");
    gui.quit();
}

/// With a root position in the Syzygy tables, these suffice to win, including the mate.
#[test]
fn syzygy_tables_win_by_themselves() {
    let prober = Prober::new(&tables("egt-syzygy", &["KRvK", "KPvK"]));
    let mut gui = engine(&[("OwnTables", "false"), ("SyzygyPath", "tests/data/syzygy")]);
    for start in [
        "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
        "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1",
    ] {
        let mut position = parse_fen(start).unwrap();
        if value(&prober, &position).sign() <= 0 {
            continue;
        }
        for ply in 0.. {
            assert!(ply < 120, "no end: {}", fen(&position));
            let (_, mv) = ask(&mut gui, &position);
            position = play(&position, &mv);
            if position.end_score().is_some() {
                break;
            }
            let resistance = valued(&prober, &position).into_iter();
            position = resistance.max_by_key(|(value, _)| *value).unwrap().1;
        }
        assert!(
            position.is_check() && !position.has_legal_move(),
            "{}",
            fen(&position)
        );
    }
    gui.quit();
}

#[test]
fn what_is_wrong_with_a_path_is_told_and_hides_nothing_else() {
    let bad = folder("syzygy with a blank");
    for name in ["KRvK.rtbw", "KRvK.rtbz"] {
        fs::copy(Path::new("tests/data/syzygy").join(name), bad.join(name)).unwrap();
    }
    fs::write(bad.join("KQvK.rtbw"), [7; 80]).unwrap();
    fs::write(bad.join("KPvK.rtbw"), [7; 81]).unwrap();
    fs::write(bad.join("notes.txt"), "no table").unwrap();
    let mut gui = engine(&[("OwnTables", "false")]);
    gui.send(&format!(
        "setoption name SyzygyPath value /no/such/folder;{}",
        bad.display()
    ));
    let told = gui.synchronise();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("info string error: SyzygyPath: /no/such/folder: "));
    assert!(told[1].contains("KPvK.rtbw") && told[1].ends_with("file skipped"));
    assert!(news(&mut gui, "8/8/8/4k3/8/8/8/R3K3 w - - 0 1").contains("Syzygy tables: win"));
    // A damaged table is reported and not used.
    gui.send("position fen 8/8/8/3k4/8/8/8/Q3K3 w - - 0 1");
    gui.send("go nodes 300");
    let lines = gui.until("bestmove");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("info string error: Syzygy: ")),
        "{lines:#?}"
    );
    assert!(!lines.iter().any(|line| line.contains("tables: ")));
    gui.quit();
}

/// The move and its variation: every announced mate is shown to its end.
#[test]
fn variations_to_mate_are_complete() {
    let mut gui = engine(&[]);
    let start = parse_fen("8/8/8/4k3/8/8/8/R3K3 w - - 0 1").unwrap();
    gui.send(&format!("position fen {}", fen(&start)));
    gui.send("go infinite");
    let line = gui.until("info depth").pop().unwrap();
    gui.send("stop");
    gui.until("bestmove");
    let mut position = start;
    let moves: Vec<&str> = line
        .split(" pv ")
        .nth(1)
        .unwrap()
        .split_whitespace()
        .collect();
    for mv in &moves {
        position = play(&position, mv);
    }
    assert_eq!(moves.len(), 27);
    assert!(position.is_check() && !position.has_legal_move());
    assert!(line.contains("score mate 14") && !line.contains("tbhits 0 "));
    gui.quit();
}

/// A missing table with four men is generated in the background, once, and found from then on.
#[test]
fn missing_tables_are_made_in_the_background() {
    let folder = folder("egt-made");
    let path = folder.display().to_string();
    let mut gui = engine(&[("TablesPath", &path)]);
    let knights = "8/8/8/3k4/8/8/8/KNN5 w - - 0 1";
    assert_eq!(news(&mut gui, knights), "");
    let start = Instant::now();
    while !news(&mut gui, knights).contains("own tables: draw") {
        assert!(start.elapsed() < PATIENCE, "no table yet");
        thread::sleep(Duration::from_millis(100));
    }
    assert!(folder.join("KNNvK.egt").exists());
    gui.quit();
}
