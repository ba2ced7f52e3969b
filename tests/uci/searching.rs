//! A running search: its output and its reaction to commands.

use std::time::Duration;

use super::gui::{Gui, nodes, number};
use super::mock;

/// Maximum nodes of a single-threaded search between two polls.
const NODES_PER_QUESTION: u64 = 2_048;

#[test]
fn stop_is_obeyed_once() {
    let mut gui = Gui::ready();
    gui.stop_again_and_again();
    gui.quit();
}

/// After `stop` has been read, the search sees it at its next poll and polls no more.
#[test]
fn stop_is_heard_at_the_next_question() {
    for go in ["go infinite", "go ponder wtime 1 btime 1", "go depth 90"] {
        let mut gui = Gui::inside(mock::engine("Stepwise"), mock::TOOLS);
        gui.send(go);
        mock::STEPS.allow(5);
        mock::STEPS.wait_for(5);
        gui.send("stop");
        gui.synchronise();
        mock::STEPS.allow(1_000);
        gui.until("bestmove");
        // The fifth step may be taken before its poll.
        assert!((5..=6).contains(&mock::STEPS.end()), "{go}");
        gui.quit();
    }
}

#[test]
fn questions_are_answered_during_a_search() {
    let mut gui = Gui::ready();
    gui.send("go infinite");
    for _ in 0..5 {
        gui.synchronise();
    }
    // Commands that affect the time after the search wait for its end.
    gui.send("setoption name Hash value 16\nposition startpos moves d2d4\nd");
    assert!(!gui.synchronise().iter().any(|line| line.starts_with("Fen")));
    // The search may report between the refusal and the next answer.
    let refusal = "info string error: an infinite search is running; go ignored until stop";
    let said = gui.ask("go depth 1");
    assert!(said.iter().any(|line| line == refusal), "{said:?}");
    gui.send("stop");
    gui.until("bestmove");
    assert!(gui.until("Fen").last().unwrap().contains("3P4"));
    gui.quit();
}

#[test]
fn pondering_ends_only_after_the_hit_or_stop() {
    let mut gui = Gui::ready();
    gui.send("setoption name Ponder value true");
    gui.send("position startpos moves e2e4 e7e5");
    gui.send("go ponder wtime 100 btime 100 winc 10 binc 10");
    // The opponent's time; after the hit the own clock ends the search.
    gui.until_time(200);
    gui.send("ponderhit");
    gui.until("bestmove");

    gui.send("go ponder depth 1");
    gui.assert_no_best_move(Duration::from_millis(200));
    gui.send("ponderhit");
    gui.until("bestmove");

    gui.send("go ponder wtime 1000 btime 1000");
    gui.assert_no_best_move(Duration::from_millis(50));
    gui.send("stop");
    gui.until("bestmove");
    gui.send("ponderhit\nstop\nponderhit");
    assert!(gui.synchronise().is_empty());
    gui.quit();
}

#[test]
fn an_exhausted_search_still_waits() {
    let mut gui = Gui::inside(mock::engine("Hasty"), mock::TOOLS);
    for go in [
        "go infinite",
        "go ponder wtime 100 btime 100",
        "go infinite depth 2",
        "go infinite movetime 1",
    ] {
        gui.send(go);
        gui.assert_no_best_move(Duration::from_millis(100));
        gui.send("stop");
        gui.until("bestmove");
        assert!(gui.synchronise().is_empty());
    }
}

#[test]
fn reports_are_few_legal_and_complete() {
    let mut gui = Gui::inside(mock::engine("Patient"), mock::TOOLS);
    let lines = gui.search("go depth 2000");
    let infos: Vec<_> = lines.iter().filter(|line| line.contains(" pv ")).collect();
    assert!(infos.len() > 10, "{}", infos.len());
    // Ten may come at once, one more every 100 ms, and then the last one.
    for (before, info) in infos[..infos.len() - 1].iter().enumerate() {
        let time = number(info, "time").unwrap();
        assert!(before as u64 <= 9 + time / 100, "{before} before {info}");
    }
    let last = lines[lines.len() - 2].split(" pv ").collect::<Vec<_>>();
    assert!(last[1].split(' ').next() == lines[lines.len() - 1].split(' ').nth(1));
    for word in [
        "depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time",
    ] {
        assert!(last[0].contains(&format!("{word} ")), "{word}");
    }
}

#[test]
fn a_silent_search_gives_signs_of_life() {
    let mut gui = Gui::ready();
    gui.send("position fen 8/8/8/8/8/8/6k1/4K2R w K - 0 1");
    gui.send("go infinite");
    let mut last = 0;
    for _ in 0..3 {
        let pulse = gui.until_before_the_answer("info nodes ");
        let time = number(&pulse, "time").unwrap();
        assert!(time >= last + 1_000, "{last} ms, then {pulse}");
        last = time;
    }
    gui.send("stop");
    gui.until("bestmove");
}

#[test]
fn limits_end_a_search_where_they_should() {
    let mut gui = Gui::ready();
    gui.send("debug on");
    for (go, reason, nodes_min) in [
        ("go movetime 400", "Time", 0),
        ("go wtime 60 btime 60 winc 0 binc 0", "Time", 0),
        ("go wtime 3000 btime 3000 movestogo 1", "Time", 0),
        ("go nodes 20000", "Nodes", 20_000),
        ("go movetime 10000000 nodes 5000", "Nodes", 5_000),
    ] {
        gui.send("ucinewgame");
        gui.send("position startpos");
        gui.synchronise();
        let lines = gui.search(go);
        let stopped = format!("info string stopped by {reason}");
        assert!(lines.contains(&stopped), "{go}: {lines:?}");
        let beyond = nodes(&lines).checked_sub(nodes_min);
        let is_near = beyond.is_some_and(|beyond| reason == "Time" || beyond <= NODES_PER_QUESTION);
        assert!(is_near, "{go}: {lines:?}");
    }
}

#[test]
fn a_single_legal_move_is_played_at_once() {
    let mut gui = Gui::ready();
    gui.send("debug on");
    gui.send("setoption name OwnTables value false");
    gui.send("position fen 7k/8/8/8/8/8/r7/1r5K w - - 0 1");
    gui.send("position fen 7k/8/8/8/8/5r2/r7/7K w - - 0 1");
    let lines = gui.search("go wtime 300000 btime 300000");
    assert!(lines.last().unwrap().starts_with("bestmove h1g1"));
    assert!(lines.contains(&"info string stopped by Exhausted".to_owned()));
    assert!(nodes(&lines) <= NODES_PER_QUESTION, "{lines:?}");
}

/// Elementary endgames demand many strategies, and near a mate some cannot be found; the requested depth must be
/// reached nonetheless.
#[test]
fn a_depth_is_reached_in_elementary_endings_and_near_mates() {
    for (fen, nodes_max) in [
        ("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", 500_000),
        ("8/3PP3/8/8/6K1/2k2N2/8/8 b - - 0 1", 2_000_000),
        ("5k2/8/8/8/5K2/5Q2/8/8 b - - 0 1", 4_000_000),
        ("6K1/8/2p5/3n4/2P5/8/1k3P2/8 w - - 0 1", 2_000_000),
    ] {
        let mut gui = Gui::ready();
        gui.send("setoption name OwnTables value false");
        gui.send("setoption name Profile value alone");
        gui.send(&format!("position fen {fen}"));
        let lines = gui.search("go depth 8");
        let info = &lines[lines.len() - 2];
        let nodes = nodes(&lines);
        assert!(info.starts_with("info depth 8 "), "{fen}: {info}");
        assert!(nodes < nodes_max, "{fen}: {info}");
    }
}

/// A mate beyond the first nodes is proven; without such a mate, the search ends with a move without a mate score.
#[test]
fn a_mate_that_is_asked_for_is_found_or_refuted() {
    for name in ["Cc2s", "PVS"] {
        let mut gui = Gui::ready();
        gui.send(&format!("setoption name Search value {name}"));
        for (fen, go, mate) in [
            (
                "1b1R2B1/p1n1p3/p3P2K/N1k5/2N2P2/5P2/2PP4/R7 w - - 0 1",
                "go mate 4",
                4,
            ),
            ("7N/8/8/p5pp/p2B2kr/P5Np/4P2K/8 w - - 0 1", "go mate 5", 4),
            ("8/KBp1R3/8/1p6/1P6/N1Pk4/7r/1N6 w - - 0 1", "go mate 5", 5),
            // The last piece that can move must move, which a null move would hide.
            (
                "8/8/8/7p/5p1p/1p1B1P2/ppp5/qkbR3K w - - 0 1",
                "go mate 12",
                12,
            ),
        ] {
            gui.send(&format!("ucinewgame\nposition fen {fen}"));
            let lines = gui.search(go);
            let info = &lines[lines.len() - 2];
            // The shortest known takes 12 moves; one with 11 is as good an answer.
            let found = info.split(" score mate ").nth(1);
            let found = found.and_then(|rest| rest.split(' ').next()?.parse().ok());
            let mate = found.filter(|&found| found == mate || (mate, found) == (12, 11));
            let mate: usize = mate.unwrap_or_else(|| panic!("{name}: {info}"));
            let pv: Vec<_> = info.split(" pv ").nth(1).unwrap().split(' ').collect();
            assert_eq!(pv.len(), 2 * mate - 1, "{name}: {info}");
            let best = lines[lines.len() - 1].split(' ').nth(1);
            assert_eq!(best, Some(pv[0]), "{name}");
        }
        gui.send("position startpos");
        let lines = gui.search("go mate 2");
        assert!(
            !lines.iter().any(|line| line.contains(" mate ")),
            "{name}: {lines:?}"
        );
        let lines = gui.search("go mate 9 nodes 120000");
        assert!(
            (120_000..125_000).contains(&nodes(&lines)),
            "{name}: {lines:?}"
        );
    }
}
