//! The safety reported before the answer is about the move played and its last score.

use super::gui::Gui;

/// Positions whose best move changes late, and quiet ones.
const POSITIONS: [&str; 6] = [
    "2r2qkr/1p1b3p/p1n1p1pQ/P2pPp2/8/1PBR1N1P/2P2PP1/5RK1 w - - 0 1",
    "r1b2rk1/pp1nqppp/2pbpn2/3p4/2PP4/2NBPN2/PPQ2PPP/R1B2RK1 w - - 0 1",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 1",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 0 1",
    "8/pp3pk1/2p2np1/4p2p/4P2P/2P2NP1/PP3PK1/8 w - - 0 1",
    "r2q1rk1/1b1nbppp/pp1ppn2/8/2PQP3/1PN2NP1/PB3PBP/R2R2K1 w - - 0 1",
];

fn number(line: &str, word: &str) -> Option<i32> {
    let (_, rest) = line.split_once(&format!(" {word} "))?;
    rest.split(' ').next()?.parse().ok()
}

/// Checks the last report on safety; returns whether it has two strategies.
fn check(said: &[String], context: &str) -> bool {
    let safety = said.iter().rev().find(|line| line.contains(" safety "));
    let safety = safety.expect("a word on safety");
    let info = said.iter().rev().find(|line| line.contains(" score "));
    let info = info.expect("a score");
    let best = said.last().unwrap().split(' ').nth(1).unwrap();
    assert!(info.contains(&format!(" pv {best}")), "{context}: {info}");
    if number(safety, "safety") == Some(1) {
        let words: Vec<_> = safety.split(' ').collect();
        assert_eq!(words.len(), 6, "{context}: {safety}");
        return false;
    }
    let of = |word| number(safety, word).expect(word);
    let score = number(info, "cp").expect("no mate is told to be safe");
    let off = (score - of("hypothesis")).abs();
    assert!(off <= of("margin"), "{context}: {safety}, {info}");
    assert!((5..=number(info, "depth").unwrap()).contains(&of("plies")));
    assert!([10, 25, 50, 100, 200].contains(&of("margin")));
    true
}

/// After 126,000 nodes of the first position the search is between two best moves.
#[test]
fn the_safety_told_last_is_about_the_move_played() {
    let mut told = 0;
    let mut gui = Gui::ready();
    gui.send("setoption name OwnTables value false");
    for mode in [false, true] {
        gui.send(&format!("setoption name UCI_AnalyseMode value {mode}"));
        for fen in POSITIONS {
            for nodes in [50_000, 90_000, 126_000] {
                gui.send(&format!("ucinewgame\nposition fen {fen}\ngo nodes {nodes}"));
                let said = gui.until("bestmove");
                told += usize::from(check(&said, &format!("{fen}, {nodes} nodes, {mode}")));
            }
        }
    }
    assert!(told > 12, "{told}");
    gui.quit();
}

/// With several best moves, the last report is about the first of them.
#[test]
fn of_several_best_moves_the_first_is_the_one_told_safe() {
    let mut gui = Gui::ready();
    gui.send("setoption name OwnTables value false");
    gui.send("setoption name UCI_AnalyseMode value true\nsetoption name MultiPV value 3");
    for fen in POSITIONS {
        gui.send(&format!("ucinewgame\nposition fen {fen}\ngo nodes 60000"));
        let said = gui.until("bestmove");
        let of_best: Vec<String> = (said.iter())
            .filter(|line| !line.contains(" multipv ") || line.contains(" multipv 1 "))
            .cloned()
            .collect();
        check(&of_best, fen);
    }
    gui.quit();
}
