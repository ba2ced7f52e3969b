//! Several best moves side by side, as chess programs show them in analysis.

use std::time::Duration;

use cc2s::chess::notation::{parse_fen, parse_uci_move};
use cc2s::game::SplitMix64;

use super::gui::Gui;
use super::mock;

const MIDDLE_GAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// One line of information on one of the best moves.
#[derive(Debug)]
struct Ranked {
    rank: usize,
    /// Centipawns; mates beyond all of them, the nearer the greater.
    score: i64,
    pv: Vec<String>,
}

impl Ranked {
    fn parse(line: &str) -> Option<Self> {
        let after = |word: &str| Some(line.split_once(word)?.1);
        let number = |text: &str| text.split(' ').next()?.parse::<i64>().ok();
        let mate = |moves: i64| moves.signum() * 1_000_000 - moves;
        Some(Self {
            rank: number(after(" multipv ")?)? as usize,
            score: match after(" score cp ") {
                Some(text) => number(text)?,
                None => mate(number(after(" score mate ")?)?),
            },
            pv: after(" pv ")?.split(' ').map(str::to_owned).collect(),
        })
    }
}

/// The last complete set of lines before the answer, which repeats the first of them.
fn last_set(lines: &[String]) -> Vec<Ranked> {
    let mut ranked: Vec<_> = lines
        .iter()
        .filter_map(|line| Ranked::parse(line))
        .collect();
    let repeated = ranked.pop().unwrap();
    let start = ranked.iter().rposition(|ranked| ranked.rank == 1).unwrap();
    assert_eq!(repeated.pv, ranked[start].pv);
    let best = lines.last().unwrap().split(' ').nth(1).unwrap();
    assert_eq!(best, repeated.pv[0]);
    ranked.split_off(start)
}

fn assert_in_order(set: &[Ranked], ranks: usize, fen: &str) {
    let found: Vec<usize> = set.iter().map(|ranked| ranked.rank).collect();
    assert_eq!(found, (1..=ranks).collect::<Vec<_>>(), "{fen}");
    let mut first: Vec<_> = set.iter().map(|ranked| &ranked.pv[0]).collect();
    first.sort_unstable();
    first.dedup();
    assert_eq!(first.len(), ranks, "a move stands twice in {set:?}");
    for ranked in set {
        let mut position = parse_fen(fen).unwrap();
        for text in &ranked.pv {
            let mv = parse_uci_move(&position, text).unwrap();
            position = position.after(mv);
        }
    }
}

fn best_moves_of(gui: &mut Gui, fen: &str, go: &str, ranks: usize) -> Vec<Ranked> {
    gui.send("ucinewgame");
    gui.send(&format!("position fen {fen}"));
    let set = last_set(&gui.search(go));
    assert_in_order(&set, ranks, fen);
    set
}

fn is_sorted(set: &[Ranked]) -> bool {
    set.is_sorted_by_key(|ranked| std::cmp::Reverse(ranked.score))
}

#[test]
fn every_search_ranks_its_best_moves() {
    for name in ["Cc2s", "Cc1s", "PVS"] {
        let mut gui = Gui::ready();
        gui.send(&format!("setoption name Search value {name}"));
        gui.send("setoption name MultiPV value 4");
        let set = best_moves_of(&mut gui, MIDDLE_GAME, "go depth 4", 4);
        assert!(is_sorted(&set), "{name}: {set:?}");
        // Fewer moves than lines: all of them.
        best_moves_of(&mut gui, MIDDLE_GAME, "go depth 3 searchmoves a2a3 e1g1", 2);
        best_moves_of(&mut gui, "7k/8/8/8/8/8/r7/7K w - - 0 1", "go depth 3", 1);
        gui.send("setoption name MultiPV value 256");
        let set = best_moves_of(&mut gui, "k7/8/8/8/8/8/8/K6R w - - 0 1", "go depth 2", 16);
        // PVS searches for each rank anew, and may see in a move what it missed when it ranked the others.
        assert!(name == "PVS" || is_sorted(&set), "{name}: {set:?}");
        gui.send("setoption name MultiPV value 1");
        best_moves_of(&mut gui, MIDDLE_GAME, "go depth 2", 1);
        gui.quit();
    }
}

#[test]
fn mates_come_first_and_their_length_ranks_them() {
    // Two rooks mate in one by Ra8, in two by many other moves.
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

#[test]
fn ranked_analysis_is_stopped_at_any_time() {
    let mut rng = SplitMix64::new(11);
    let mut gui = Gui::ready();
    for round in 0..24 {
        let ranks = [2, 5, 256][round % 3];
        gui.send(&format!("setoption name MultiPV value {ranks}"));
        gui.send("position startpos");
        let go = ["go infinite", "go ponder wtime 20 btime 20"][round % 2];
        gui.send(go);
        gui.assert_no_best_move(Duration::from_micros(rng.below(60_000)));
        gui.send(["stop", "ponderhit"][round % 2]);
        gui.best_moves(1);
    }
    gui.quit();
}

/// However many sets come at once, what is shown are whole sets, and the last of them is.
#[test]
fn sets_of_lines_are_shown_whole() {
    let mut gui = Gui::inside(mock::engine("Hasty"), mock::TOOLS);
    gui.send("setoption name MultiPV value 7");
    let lines = gui.search("go depth 30");
    let ranks: Vec<_> = lines
        .iter()
        .filter_map(|line| Ranked::parse(line))
        .map(|ranked| ranked.rank)
        .collect();
    let (_, sets) = ranks.split_last().unwrap();
    assert!(sets.len() > 7 * 9, "{}", sets.len());
    for set in sets.chunks(7) {
        assert_eq!(set, [1, 2, 3, 4, 5, 6, 7]);
    }
}
