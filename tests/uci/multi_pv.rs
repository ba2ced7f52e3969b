//! Several best moves (`MultiPV`), as shown in analysis.

use std::time::Duration;

use cc2s::chess::notation::{parse_fen, parse_uci_move};
use cc2s::game::SplitMix64;

use super::gui::Gui;
use super::mock;

const MIDDLE_GAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Quiet and sharp positions, with mates nearby, with few moves, and an endgame.
const POSITIONS: [&str; 7] = [
    MIDDLE_GAME,
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    // A later line finds a mate in two.
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "3r2r1/1k1b3n/1pp2q1b/3P1Np1/R4pp1/1Q3R1P/1PP5/2B4K w - - 0 1",
    "6k1/1R6/8/5p2/8/8/R7/7K w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/8/8/7b/8/4r3/5K2 w - - 0 1",
];

/// An info line about one of the best moves.
#[derive(Debug)]
struct Line {
    depth: u32,
    multi_pv: usize,
    /// Centipawns; mates are beyond all of them, shorter ones further.
    score: i64,
    pv: Vec<String>,
}

impl Line {
    fn parse(line: &str) -> Option<Self> {
        let after = |word: &str| Some(line.split_once(word)?.1);
        let number = |text: &str| text.split(' ').next()?.parse::<i64>().ok();
        let mate = |moves: i64| moves.signum() * 1_000_000 - moves;
        Some(Self {
            depth: number(after("info depth ")?)? as u32,
            multi_pv: number(after(" multipv ")?)? as usize,
            score: match after(" score cp ") {
                Some(text) => number(text)?,
                None => mate(number(after(" score mate ")?)?),
            },
            pv: after(" pv ")?.split(' ').map(str::to_owned).collect(),
        })
    }
}

/// The lists of a search, each checked: complete, in order, no move twice. The last one begins with the answer.
fn lists(lines: &[String], pv_count: usize, context: &str) -> Vec<Vec<Line>> {
    let mut lists: Vec<Vec<Line>> = Vec::new();
    for ranked in lines.iter().filter_map(|line| Line::parse(line)) {
        if ranked.multi_pv == 1 {
            lists.push(Vec::new());
        }
        lists.last_mut().expect("multi_pv 1 first").push(ranked);
    }
    for list in &lists {
        assert_in_order(list, pv_count, context);
    }
    let best = lines.last().unwrap().split(' ').nth(1).unwrap();
    let last = lists.last().expect("a list");
    assert_eq!(best, last[0].pv[0], "{context}: {last:?}");
    assert!(last[0].depth > 0, "{context}: {last:?}");
    lists
}

fn assert_in_order(list: &[Line], pv_count: usize, context: &str) {
    let found: Vec<usize> = list.iter().map(|ranked| ranked.multi_pv).collect();
    assert_eq!(found, (1..=pv_count).collect::<Vec<_>>(), "{context}");
    let mut first: Vec<_> = list.iter().map(|ranked| &ranked.pv[0]).collect();
    first.sort_unstable();
    first.dedup();
    assert_eq!(
        first.len(),
        pv_count,
        "{context}: a move stands twice: {list:?}"
    );
    assert!(
        list.windows(2)
            .all(|pair| pair[0].depth > pair[1].depth || pair[0].score >= pair[1].score),
        "{context}: not in order: {list:?}"
    );
}

fn assert_legal(list: &[Line], fen: &str) {
    for ranked in list {
        let mut position = parse_fen(fen).unwrap();
        for text in &ranked.pv {
            let mv = parse_uci_move(&position, text).unwrap();
            position = position.after(mv);
        }
    }
}

fn best_moves_of(gui: &mut Gui, fen: &str, go: &str, pv_count: usize) -> Vec<Line> {
    gui.send("ucinewgame");
    gui.send(&format!("position fen {fen}"));
    let lines = gui.search(go);
    let list = lists(&lines, pv_count, &format!("{go} in {fen}"))
        .pop()
        .unwrap();
    assert_legal(&list, fen);
    list
}

#[test]
fn every_search_ranks_its_best_moves() {
    for name in ["Cc2s", "Cc1s", "PVS"] {
        let mut gui = Gui::ready();
        gui.send(&format!("setoption name Search value {name}"));
        gui.send("setoption name MultiPV value 4");
        best_moves_of(&mut gui, MIDDLE_GAME, "go depth 4", 4);
        // Fewer moves than lines: all of them.
        best_moves_of(&mut gui, MIDDLE_GAME, "go depth 3 searchmoves a2a3 e1g1", 2);
        best_moves_of(&mut gui, "7k/8/8/8/8/8/r7/7K w - - 0 1", "go depth 3", 1);
        gui.send("setoption name MultiPV value 256");
        best_moves_of(&mut gui, "k7/8/8/8/8/8/8/K6R w - - 0 1", "go depth 2", 16);
        gui.send("setoption name MultiPV value 1");
        best_moves_of(&mut gui, MIDDLE_GAME, "go depth 2", 1);
        gui.quit();
    }
}

pub fn legal_moves(fen: &str) -> usize {
    let mut moves = Vec::new();
    parse_fen(fen).unwrap().legal_moves(&mut moves);
    moves.len()
}

/// Search, profile, and the depth it reaches in reasonable time.
const PLAYERS: [(&str, &str, u64); 9] = [
    ("Cc2s", "safe", 7),
    ("Cc2s", "alone", 5),
    ("Cc2s", "thesis", 4),
    ("Cc2s", "study", 6),
    ("Cc1s", "safe", 5),
    ("PVS", "cheiron97", 5),
    ("MTDf", "safe", 6),
    ("NegaScout", "safe", 3),
    ("Minimax", "safe", 2),
];

/// For any search, profile, position, limit and moment of a stop.
#[test]
fn lists_are_whole_and_in_order_whatever_ends_the_search() {
    let mut rng = SplitMix64::new(32);
    for (search, profile, depth_max) in PLAYERS {
        let mut gui = Gui::ready();
        gui.send(&format!("setoption name Search value {search}"));
        gui.send(&format!("setoption name Profile value {profile}"));
        gui.send("setoption name OwnTables value false");
        for fen in POSITIONS {
            let moves = legal_moves(fen);
            for round in 0..4 {
                let wanted = [1, 2, 4, 7][rng.below(4) as usize];
                gui.send(&format!("setoption name MultiPV value {wanted}"));
                gui.send(&format!("position fen {fen}"));
                let go = match round {
                    0 => format!("go depth {}", 1 + rng.below(depth_max)),
                    1 => format!("go nodes {}", 1 + rng.below(20_000)),
                    2 => format!("go movetime {}", 1 + rng.below(60)),
                    _ => "go infinite".to_owned(),
                };
                gui.send(&go);
                if round == 3 {
                    std::thread::sleep(Duration::from_micros(rng.below(30_000)));
                    gui.send("stop");
                }
                let lines = gui.until("bestmove");
                let context = format!("{search} {profile}, {wanted} lines, {go} in {fen}");
                for list in lists(&lines, wanted.min(moves), &context) {
                    assert_legal(&list, fen);
                }
            }
        }
        gui.quit();
    }
}

#[test]
fn mates_come_first_and_their_length_ranks_them() {
    // Two rooks mate in one by Ra8, and in two by many other moves.
    let fen = "6k1/1R6/8/8/8/8/R7/7K w - - 0 1";
    for name in ["Cc2s", "PVS"] {
        let mut gui = Gui::ready();
        gui.send(&format!("setoption name Search value {name}"));
        gui.send("setoption name MultiPV value 3");
        let set = best_moves_of(&mut gui, fen, "go depth 5", 3);
        assert_eq!(set[0].pv, ["a2a8"], "{name}");
        assert!(
            set[0].score > set[1].score && set[2].score > 900_000,
            "{name}: {set:?}"
        );
    }
}

/// A mate found by a later line is played.
#[test]
fn no_worse_move_is_played_than_a_line_shown() {
    let mut gui = Gui::ready();
    gui.send("setoption name MultiPV value 4");
    for depth in 3..=8 {
        let list = best_moves_of(&mut gui, POSITIONS[2], &format!("go depth {depth}"), 4);
        assert!(depth < 7 || list[0].score > 900_000, "{depth}: {list:?}");
    }
    gui.quit();
}

#[test]
fn ranked_analysis_is_stopped_at_any_time() {
    let mut rng = SplitMix64::new(11);
    let mut gui = Gui::ready();
    for round in 0..24 {
        let pv_count = [2, 5, 256][round % 3];
        gui.send(&format!("setoption name MultiPV value {pv_count}"));
        gui.send("position startpos");
        let go = ["go infinite", "go ponder wtime 20 btime 20"][round % 2];
        gui.send(go);
        gui.assert_no_best_move(Duration::from_micros(rng.below(60_000)));
        gui.send(["stop", "ponderhit"][round % 2]);
        gui.best_moves(1);
    }
    gui.quit();
}

/// However many lists come at once, only complete ones are shown, including the last one.
#[test]
fn sets_of_lines_are_shown_whole() {
    let mut gui = Gui::inside(mock::engine("Hasty"), mock::TOOLS);
    gui.send("setoption name MultiPV value 7");
    let lines = gui.search("go depth 30");
    let lists = lists(&lines, 7, "Hasty");
    assert!(lists.len() > 9, "{}", lists.len());
    assert_eq!(lists.last().unwrap()[0].depth, 30);
}
