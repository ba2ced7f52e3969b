//! A running search: what it says, and how it obeys.

use std::time::{Duration, Instant};

use super::gui::Gui;
use super::mock;

#[test]
fn stop_is_obeyed_at_once_and_once() {
    let mut gui = Gui::ready();
    let delays = gui.stop_delays(Duration::from_millis(13));
    // 10 ms are granted; other tests run beside this one, so the middle is held to that and the worst to much more.
    assert!(delays[7] < Duration::from_millis(10), "{delays:?}");
    assert!(delays[14] < Duration::from_millis(250), "{delays:?}");
}

#[test]
fn questions_are_answered_during_a_search() {
    let mut gui = Gui::ready();
    gui.send("go infinite");
    for _ in 0..5 {
        let asked = Instant::now();
        gui.synchronise();
        assert!(asked.elapsed() < Duration::from_secs(1));
    }
    // Commands about the time after the search wait for it.
    gui.send("setoption name Hash value 16\nposition startpos moves d2d4\nd");
    assert!(!gui.synchronise().iter().any(|line| line.starts_with("Fen")));
    // The search may report between the refusal and the next answer.
    let refusal = "info string error: a search is running that only stop can end; go ignored";
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
    gui.send("go ponder wtime 1000 btime 1000 winc 10 binc 10");
    gui.assert_no_best_move(Duration::from_millis(1_500));
    let hit = Instant::now();
    gui.send("ponderhit");
    gui.until("bestmove");
    // Time used before the hit was the opponent's.
    assert!(hit.elapsed() < Duration::from_millis(900));

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
    let lines = gui.search("go movetime 1500");
    let infos: Vec<_> = lines.iter().filter(|line| line.contains(" pv ")).collect();
    assert!((10..=30).contains(&infos.len()), "{}", infos.len());
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
    let mut last = Instant::now();
    let end = last + Duration::from_secs(4);
    while Instant::now() < end {
        if let Some((time, _)) = gui.next(Duration::from_secs(3)) {
            assert!(
                time - last < Duration::from_millis(2_500),
                "{:?}",
                time - last
            );
            last = time;
        } else {
            panic!("silent for three seconds");
        }
    }
    gui.send("stop");
    gui.until("bestmove");
}

#[test]
fn limits_end_a_search_near_where_they_should() {
    let mut gui = Gui::ready();
    for (go, at_least_ms, at_most_ms) in [
        ("go movetime 400", 300, 650),
        ("go wtime 60 btime 60 winc 0 binc 0", 0, 200),
        ("go wtime 3000 btime 3000 movestogo 1", 0, 3_000),
        ("go nodes 20000", 0, 2_000),
        ("go movetime 100000 nodes 5000", 0, 2_000),
    ] {
        gui.send("ucinewgame");
        gui.send("position startpos");
        gui.synchronise();
        let start = Instant::now();
        let lines = gui.search(go);
        let taken = start.elapsed().as_millis();
        assert!(
            (at_least_ms..at_most_ms).contains(&taken),
            "{go}: {taken} ms"
        );
        if go.contains("nodes 20000") {
            let info = &lines[lines.len() - 2];
            let nodes: u64 = info
                .split(" nodes ")
                .nth(1)
                .unwrap()
                .split(' ')
                .next()
                .unwrap()
                .parse()
                .unwrap();
            assert!((20_000..60_000).contains(&nodes), "{info}");
        }
    }
}

#[test]
fn a_single_legal_move_is_played_at_once() {
    let mut gui = Gui::ready();
    gui.send("position fen 7k/8/8/8/8/8/r7/1r5K w - - 0 1");
    gui.send("position fen 7k/8/8/8/8/5r2/r7/7K w - - 0 1");
    let start = Instant::now();
    assert!(
        gui.search("go wtime 300000 btime 300000")
            .last()
            .unwrap()
            .starts_with("bestmove h1g1")
    );
    assert!(start.elapsed() < Duration::from_secs(2));
}

/// Elementary endings demand many strategies, and where mate is near, strategies that cannot be had: a depth that is asked
/// for must end all the same.
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
        let nodes = info.split(" nodes ").nth(1).unwrap();
        let nodes: u64 = nodes.split(' ').next().unwrap().parse().unwrap();
        assert!(info.starts_with("info depth 8 "), "{fen}: {info}");
        assert!(nodes < nodes_max, "{fen}: {info}");
    }
}

/// What the search does not see in its first nodes is proved; where there is no such mate, the search ends and says so by
/// a move without one.
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
        ] {
            gui.send(&format!("ucinewgame\nposition fen {fen}"));
            let lines = gui.search(go);
            let info = &lines[lines.len() - 2];
            assert!(
                info.contains(&format!(" score mate {mate} ")),
                "{name}: {info}"
            );
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
        let info = &lines[lines.len() - 2];
        let nodes = info.split(" nodes ").nth(1).unwrap().split(' ').next();
        let nodes: u64 = nodes.unwrap().parse().unwrap();
        assert!((120_000..125_000).contains(&nodes), "{name}: {info}");
    }
}
