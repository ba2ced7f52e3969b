//! Several threads per search: the front end behaves as with one thread.

use std::collections::BTreeSet;
use std::time::Duration;

use super::gui::{self, Gui};

/// The searches that use threads, each in its own way.
const SEARCHES: [&str; 2] = ["PVS", "Cc2s"];

fn with_threads(search: &str, threads: usize, others: &[&str]) -> Gui {
    let mut gui = Gui::ready();
    gui.send(&format!("setoption name Search value {search}"));
    gui.send(&format!("setoption name Threads value {threads}"));
    for option in others {
        gui.send(&format!("setoption name {option}"));
    }
    assert!(gui.synchronise().is_empty(), "an option was refused");
    gui
}

/// The number after a word of the last info line before the best move.
fn number(lines: &[String], word: &str) -> u64 {
    let info = &lines[lines.len() - 2];
    gui::number(info, word).unwrap_or_else(|| panic!("{info}"))
}

fn best_move(lines: &[String]) -> &str {
    let words = lines.last().unwrap().strip_prefix("bestmove ").unwrap();
    words.split(' ').next().unwrap()
}

#[test]
fn one_thread_counts_the_same_nodes_whatever_was_set_before() {
    for search in SEARCHES {
        let nodes = |gui: &mut Gui| {
            gui.send("ucinewgame\nposition startpos");
            number(&gui.search("go depth 5"), "nodes")
        };
        let mut plain = Gui::ready();
        plain.send(&format!("setoption name Search value {search}"));
        let expected = nodes(&mut plain);
        let mut gui = with_threads(search, 4, &[]);
        nodes(&mut gui);
        gui.send("setoption name Threads value 1");
        assert_eq!(nodes(&mut gui), expected);
        gui.quit();
        plain.quit();
    }
}

#[test]
fn limits_mean_the_same_for_several_threads() {
    for search in SEARCHES {
        let mut gui = with_threads(search, 3, &["Hash value 16"]);
        let lines = gui.search("go depth 4");
        assert_eq!(number(&lines, "depth"), 4);
        let lines = gui.search("go nodes 50000");
        let nodes = number(&lines, "nodes");
        // Each thread reports its nodes every thousand nodes.
        assert!((50_000..150_000).contains(&nodes), "{nodes}");
        let lines = gui.search("go depth 5 searchmoves a2a3 h2h4");
        assert!(["a2a3", "h2h4"].contains(&best_move(&lines)), "{lines:?}");
        gui.send("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
        let lines = gui.search("go mate 1");
        assert_eq!(best_move(&lines), "a1a8");
        assert!(lines[lines.len() - 2].contains("score mate 1 "));
        gui.send("position fen 7k/8/8/8/8/5r2/r7/7K w - - 0 1");
        assert_eq!(best_move(&gui.search("go wtime 60000 btime 60000")), "h1g1");
        gui.quit();
    }
}

#[test]
fn the_last_line_before_the_best_move_belongs_to_it() {
    for search in SEARCHES {
        let mut gui = with_threads(search, 4, &[]);
        for moves in ["e2e4", "d2d4 d7d5", "g1f3 g8f6 c2c4", "e2e4 e7e5 g1f3"] {
            gui.send(&format!("ucinewgame\nposition startpos moves {moves}"));
            let lines = gui.search("go movetime 60");
            let pv = lines[lines.len() - 2].split(" pv ").nth(1).expect("a line");
            assert!(pv.starts_with(best_move(&lines)), "{lines:?}");
        }
        gui.quit();
    }
}

#[test]
fn pondering_and_infinite_searches_wait_for_their_end() {
    for search in SEARCHES {
        let mut gui = with_threads(search, 3, &["Ponder value true"]);
        gui.send("go ponder wtime 1000 btime 1000");
        gui.assert_no_best_move(Duration::from_millis(150));
        gui.send("ponderhit");
        gui.until("bestmove");
        // The answer is known long before it may be sent.
        gui.send("position fen 7k/8/8/8/8/5r2/r7/7K w - - 0 1");
        gui.send("go infinite depth 1");
        gui.assert_no_best_move(Duration::from_millis(100));
        gui.send("stop");
        gui.until("bestmove");
        assert!(gui.synchronise().is_empty());
        gui.quit();
    }
}

#[test]
fn several_threads_obey_stop_once() {
    for search in SEARCHES {
        let mut gui = with_threads(search, 2, &[]);
        gui.stop_again_and_again();
        gui.quit();
    }
}

#[test]
fn the_end_of_input_ends_all_threads() {
    for search in SEARCHES {
        let mut gui = with_threads(search, 8, &["Hash value 1"]);
        gui.send("go infinite");
        gui.assert_no_best_move(Duration::from_millis(50));
        let last = gui.close();
        assert!(last.last().unwrap().starts_with("bestmove"), "{last:?}");
    }
}

#[test]
fn several_best_moves_are_separated_by_several_threads() {
    for search in SEARCHES {
        let mut gui = with_threads(search, 3, &["MultiPV value 3"]);
        let lines = gui.search("go depth 4");
        let first_move = |rank: usize| {
            let start = format!(" multipv {rank} ");
            let mut of_rank = lines.iter().rev().filter(|line| line.contains(&start));
            let (_, pv) = of_rank.next().expect("a line").split_once(" pv ").unwrap();
            pv.split(' ').next().unwrap().to_owned()
        };
        let moves: BTreeSet<String> = (1..=3).map(first_move).collect();
        assert_eq!(moves.len(), 3, "{lines:?}");
        assert_eq!(first_move(1), best_move(&lines));
        gui.quit();
    }
}
