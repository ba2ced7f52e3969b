//! Start and end of a conversation.

use std::time::Duration;

use super::gui::{Gui, nodes};

#[test]
fn says_nothing_before_it_is_asked_and_introduces_itself() {
    let mut gui = Gui::spawn();
    gui.send("uci");
    let lines = gui.until("uciok");
    assert!(lines[0].starts_with("id name cc2s "));
    assert!(lines[1].starts_with("id author "));
    assert!(
        lines[2..lines.len() - 1]
            .iter()
            .all(|line| line.starts_with("option name "))
    );

    let mut silent = Gui::spawn();
    assert!(silent.next(Duration::from_millis(200)).is_err());
    assert!(silent.close().is_empty());
}

/// These searches would run for days.
#[test]
fn quits_whatever_it_does() {
    for before in [
        "",
        "go infinite",
        "go ponder wtime 100 btime 100",
        "go depth 90",
        "go perft 12",
    ] {
        let mut gui = Gui::ready();
        gui.send(before);
        let lines = gui.quit();
        let moves = lines
            .iter()
            .filter(|line| line.starts_with("bestmove"))
            .count();
        assert!(moves <= 1, "{lines:?}");
    }
}

#[test]
fn the_end_of_the_input_lets_a_finite_search_finish_and_stops_an_endless_one() {
    for (go, nodes_min) in [
        ("go nodes 300000", 300_000),
        ("go infinite", 0),
        ("go ponder movetime 99999999", 0),
        ("go", 0),
    ] {
        let mut gui = Gui::ready();
        gui.send(go);
        let lines = gui.close();
        assert!(
            lines.last().unwrap().starts_with("bestmove"),
            "{go}: {lines:?}"
        );
        assert!(nodes(&lines) >= nodes_min, "{go}: {lines:?}");
    }
}

#[test]
fn commands_in_one_go_are_all_carried_out() {
    let mut gui = Gui::ready();
    gui.send("position startpos\ngo depth 2\nposition startpos moves e2e4\ngo depth 2\nsetoption name Hash value 8\nd");
    let lines = gui.close();
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.starts_with("bestmove"))
            .count(),
        2
    );
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("Fen: rnbqkbnr/pppppppp/8/8/4P3"))
    );
}

#[test]
fn help_bench_and_the_board_are_there_for_people() {
    let mut gui = Gui::ready();
    assert!(gui.ask("help").iter().any(|line| line.contains("go perft")));
    assert!(gui.ask("d").iter().any(|line| line == "1 R N B Q K B N R"));
    assert!(gui.ask("eval")[0].starts_with("Static evaluation: cp "));
    gui.send("go perft 3");
    assert_eq!(gui.until("Nodes").last().unwrap(), "Nodes searched: 8902");
    gui.send("go perft 12");
    gui.send("stop");
    assert!(gui.until("Nodes").last().unwrap().ends_with("(stopped)"));
    gui.quit();
}
