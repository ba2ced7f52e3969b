//! The classical searches over UCI: equal scores as predicted by theory, and complete games.

use std::process::Command;

use super::gui::Gui;

const TEXTBOOK: [&str; 5] = ["Minimax", "Negamax", "AlphaBeta", "Aspiration", "NegaScout"];

/// Settings that reduce the tuned search to the textbook version: alpha-beta, move ordering and quiescence search.
const BARE: [&str; 18] = [
    "TranspositionTable",
    "LeafNullMove",
    "LeafFailHighReduction",
    "CheckExtension",
    "RecaptureExtension",
    "LateMoveReduction",
    "LateMovePruning",
    "Futility",
    "ReverseFutility",
    "Razoring",
    "ExchangePruning",
    "DeltaPruning",
    "QuiescenceChecks",
    "QuiescenceTable",
    "HistoryPruning",
    "InternalReduction",
    "ProbCut",
    "CorrectionHistory",
];

/// An endgame with an en passant capture, a mate in two, a promotion, and a game with a repetition.
const POSITIONS: [&str; 4] = [
    "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "fen 7k/8/8/8/8/8/R7/1R2K3 w - - 0 1",
    "fen 4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 1",
    "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3",
];

/// The last score of each depth, without tables, which would answer at once.
fn scores(gui: &mut Gui, position: &str, depth: u32) -> Vec<String> {
    gui.send("setoption name OwnTables value false");
    gui.send("ucinewgame");
    gui.send(&format!("position {position}"));
    let lines = gui.search(&format!("go depth {depth}"));
    (1..=depth)
        .map(|depth| {
            let start = format!("info depth {depth} ");
            let of_depth = |line: &&String| line.starts_with(&start) && line.contains(" score ");
            let line = lines.iter().rev().find(of_depth);
            let line = line.unwrap_or_else(|| panic!("no depth {depth} in {lines:#?}"));
            let words: Vec<&str> = line.split(' ').collect();
            let at = words.iter().position(|&word| word == "score").unwrap();
            words[at + 1..at + 3].join(" ")
        })
        .collect()
}

#[test]
fn all_sound_searches_give_the_same_scores() {
    let mut gui = Gui::ready();
    for position in POSITIONS {
        gui.ask("setoption name Search value Minimax");
        let expected = scores(&mut gui, position, 3);
        for search in &TEXTBOOK[1..] {
            gui.ask(&format!("setoption name Search value {search}"));
            assert_eq!(
                scores(&mut gui, position, 3),
                expected,
                "{search}: {position}"
            );
        }
    }
}

#[test]
fn the_tuned_search_without_its_techniques_is_alpha_beta() {
    let mut gui = Gui::ready();
    for switch in BARE {
        assert!(
            gui.ask(&format!("setoption name {switch} value false"))
                .is_empty(),
            "{switch}"
        );
    }
    let middlegame = "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for position in POSITIONS.iter().chain(&[middlegame]) {
        gui.ask("setoption name Search value AlphaBeta");
        let expected = scores(&mut gui, position, 4);
        for search in ["PVS", "MTDf"] {
            gui.ask(&format!("setoption name Search value {search}"));
            assert_eq!(
                scores(&mut gui, position, 4),
                expected,
                "{search}: {position}"
            );
        }
    }
}

#[test]
fn a_mate_is_found_by_all_of_them() {
    let mut gui = Gui::ready();
    for search in TEXTBOOK.iter().chain(&["PVS", "MTDf"]) {
        gui.ask(&format!("setoption name Search value {search}"));
        gui.send("position fen 7k/8/8/8/8/8/R7/1R2K3 w - - 0 1");
        let lines = gui.search("go mate 2");
        let found = lines
            .iter()
            .any(|line| line.contains(" score mate 2 ") && line.contains(" pv "));
        assert!(found, "{search}: {lines:#?}");
    }
}

#[test]
fn a_limit_of_nodes_is_kept() {
    let mut gui = Gui::ready();
    for search in TEXTBOOK.iter().chain(&["PVS", "MTDf"]) {
        gui.ask(&format!("setoption name Search value {search}"));
        gui.send("position startpos moves e2e4 e7e5");
        let lines = gui.search("go nodes 50000");
        let nodes = |line: &String| -> Option<u64> {
            let words: Vec<&str> = line.split(' ').collect();
            let at = words.iter().position(|&word| word == "nodes")?;
            words[at + 1].parse().ok()
        };
        let most = lines.iter().filter_map(nodes).max().unwrap();
        assert!(most < 55_000, "{search}: {most}");
    }
}

/// A round robin; the match runner reports every illegal move and crash.
#[test]
fn whole_games_are_legal() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cc2s"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.arg("match");
    for search in TEXTBOOK.iter().chain(&["MTDf"]) {
        command.args(["-e", &format!("name={search},search={search}")]);
    }
    command.args(["--nodes", "1000", "--maxmoves", "40", "--games", "2"]);
    command.args(["--openings", "positions/openings8.pgn"]);
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for search in TEXTBOOK.iter().chain(&["MTDf"]) {
        let wanted = format!("{search}: 0 time losses, 0 illegal moves, 0 crashes");
        assert!(text.contains(&wanted), "{text}");
    }
}
