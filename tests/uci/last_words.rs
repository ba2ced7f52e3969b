//! The last info line before the answer, which match runners use for adjudication and hosts for annotations.

use cc2s::game::SplitMix64;

use super::gui::Gui;
use super::mock;
use super::multi_pv::legal_moves;

/// Words that hosts look for in `info`, some of them even after `string`.
const WORDS: [&str; 17] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "pv",
    "multipv",
    "score",
    "cp",
    "mate",
    "lowerbound",
    "upperbound",
    "currmove",
    "hashfull",
    "nps",
    "tbhits",
    "wdl",
    "refutation",
];

const POSITIONS: [&str; 4] = [
    "3r2r1/1k1b3n/1pp2q1b/3P1Np1/R4pp1/1Q3R1P/1PP5/2B4K w - - 0 1",
    "rn2kb1r/pp2qppp/2p2n2/4p3/2B1P3/1QN5/PPP2PPP/R1B1K2R w KQkq - 0 9",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "8/8/1p1k4/5p2/p4P2/P2K2P1/1P6/8 w - - 0 1",
];

fn after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!(" {key} "))?;
    rest.split(' ').next()
}

/// Checks the output before `bestmove`; returns the info line.
fn last_word<'a>(lines: &'a [String], context: &str) -> &'a str {
    let (answer, said) = lines.split_last().unwrap();
    let info = said.last().expect("a line before the answer");
    let best = answer.split(' ').nth(1).unwrap();
    assert_eq!(after(info, "pv"), Some(best), "{context}: {lines:#?}");
    let depth: u32 = after(info, "depth").unwrap().parse().unwrap();
    assert!(depth > 0 && info.contains(" score "), "{context}: {info}");
    // The ponder move is that of the variation, if it has one.
    let reply = info
        .split_once(" pv ")
        .and_then(|(_, pv)| pv.split(' ').nth(1));
    if let (Some(reply), Some(ponder)) = (reply, after(answer, "ponder")) {
        assert_eq!(reply, ponder, "{context}: {lines:#?}");
    }
    info
}

/// Wherever the last iteration is interrupted, its best move has a report of its own.
#[test]
fn the_move_played_has_a_report_wherever_the_search_is_broken_off() {
    let mut rng = SplitMix64::new(2);
    for (search, profile) in [
        ("Cc2s", "safe"),
        ("Cc2s", "alone"),
        ("PVS", "safe"),
        ("MTDf", "safe"),
        ("Aspiration", "safe"),
    ] {
        let mut gui = Gui::ready();
        gui.send(&format!("setoption name Search value {search}"));
        gui.send(&format!("setoption name Profile value {profile}"));
        for fen in POSITIONS {
            for nodes in [1, 19_000]
                .into_iter()
                .chain((0..6).map(|_| rng.below(90_000)))
            {
                gui.send(&format!("ucinewgame\nposition fen {fen}"));
                let lines = gui.search(&format!("go nodes {nodes}"));
                last_word(&lines, &format!("{search} {profile}, {nodes} nodes, {fen}"));
            }
        }
        gui.quit();
    }
}

/// A move whose score rises to a mate is reported before the mate's length is known, and not with its static score
/// afterwards.
#[test]
fn a_move_that_is_about_to_mate_has_been_told_of() {
    let mut gui = Gui::ready();
    for (fen, nodes) in [
        (
            "3N4/2KN2pB/2P3P1/4R2n/1p1p1k1P/b2P1ppP/bp2n1p1/6q1 w - - 0 1",
            [3_000, 5_000, 30_000],
        ),
        (
            "2R5/p2P4/P7/8/7p/7k/5p2/B4K2 w - - 0 1",
            [3_000, 10_000, 30_000],
        ),
        (
            "8/5p2/6pk/8/6Pq/p7/4K3/8 b - - 0 1",
            [3_000, 10_000, 30_000],
        ),
        (
            "r2q1nk1/pp2npp1/2p1p3/3pP2Q/1b1P2PN/2N1B3/PPP2PK1/7R w - - 0 1",
            [2_000, 5_000, 10_000],
        ),
    ] {
        for nodes in nodes {
            gui.send(&format!("ucinewgame\nposition fen {fen}"));
            let lines = gui.search(&format!("go nodes {nodes}"));
            let info = last_word(&lines, fen);
            let depth: u32 = after(info, "depth").unwrap().parse().unwrap();
            assert!(depth > 1, "{nodes} nodes, {fen}: {lines:#?}");
        }
    }
    gui.quit();
}

/// Depth, score, bound and variation of a line, without the numbers.
fn words(line: &str) -> Option<(String, String)> {
    let (start, rest) = line.split_once(" nodes ")?;
    let (_, pv) = rest.split_once(" pv ")?;
    let start = start.split(' ').filter(|word| *word != "seldepth");
    Some((start.collect::<Vec<_>>().join(" "), pv.to_owned()))
}

#[test]
fn no_list_comes_twice_where_nothing_was_searched_since() {
    for search in ["Cc2s", "Cc1s", "PVS"] {
        let mut gui = Gui::ready();
        gui.send(&format!("setoption name Search value {search}"));
        for pv_count in [1, 3] {
            gui.send(&format!("setoption name MultiPV value {pv_count}"));
            for (fen, go) in [
                (POSITIONS[1], "go depth 4"),
                (POSITIONS[2], "go depth 5"),
                ("7k/8/8/8/8/5r2/r7/7K w - - 0 1", "go movetime 3000"),
                ("8/8/8/8/8/3k4/4p3/4K3 w - - 0 1", "go depth 3"),
            ] {
                gui.send(&format!("ucinewgame\nposition fen {fen}"));
                let lines = gui.search(go);
                let said: Vec<_> = lines.iter().filter_map(|line| words(line)).collect();
                let wanted = pv_count.min(legal_moves(fen));
                let lists: Vec<_> = said.chunks(wanted).collect();
                let is_repeated = lists.windows(2).any(|pair| pair[0] == pair[1]);
                assert!(!is_repeated, "{search}, {go}: {lines:#?}");
            }
        }
        gui.quit();
    }
}

/// A search that is stopped before its first report still reports something.
#[test]
fn a_search_stopped_at_once_has_looked_at_something() {
    let mut gui = Gui::ready();
    for search in ["Cc2s", "Cc1s", "PVS", "Minimax"] {
        gui.send(&format!("setoption name Search value {search}"));
        for fen in POSITIONS {
            gui.send(&format!("ucinewgame\nposition fen {fen}"));
            gui.send("go infinite\nstop");
            last_word(&gui.until("bestmove"), search);
        }
    }
    let mut gui = Gui::inside(mock::engine("Patient"), mock::TOOLS);
    gui.send("go infinite\nstop");
    last_word(&gui.until("bestmove"), "Patient");
}

#[test]
fn free_text_holds_no_word_of_the_protocol() {
    let mut gui = Gui::ready();
    gui.send("debug on");
    let mut said = Vec::new();
    for line in [
        "go depth 8",
        "position fen 8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
        "go movetime 50",
        "setoption name Profile value alone",
        "position startpos moves e2e4 e7e5",
        "go nodes 60000",
        "setoption name OwnTables value false",
        "position fen 6k1/1R6/8/8/8/8/R7/7K w - - 0 1",
        "go nodes 30000",
        "go movetime ten depth 3 quickly searchmoves a1a9",
    ] {
        gui.send(line);
        if line.starts_with("go") {
            said.extend(gui.until("bestmove"));
        }
    }
    let texts: Vec<_> = (said.iter())
        .filter_map(|line| line.strip_prefix("info string "))
        .collect();
    assert!(texts.iter().any(|text| text.starts_with("safety 2 plies ")));
    for text in texts {
        let found = text.split(' ').find(|word| WORDS.contains(word));
        assert_eq!(found, None, "{text}");
    }
    gui.quit();
}
