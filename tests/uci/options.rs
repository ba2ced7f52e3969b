//! Options, as far as they show from outside.

use std::fs;

use super::gui::Gui;
use super::mock;

#[test]
fn an_allocation_that_fails_is_reported_and_the_old_size_kept() {
    let mut gui = Gui::inside(mock::engine("Greedy"), mock::TOOLS);
    assert!(gui.synchronise().is_empty());
    assert_eq!(
        gui.ask("setoption name Hash value 2000"),
        ["info string error: option Hash: cannot allocate 2000 MiB, keeping 64 MiB"]
    );
    assert!(
        gui.search("go depth 1")
            .last()
            .unwrap()
            .starts_with("bestmove ")
    );
    assert!(gui.ask("setoption name Hash value 900").is_empty());
    gui.quit();
}

#[test]
fn a_search_can_be_chosen_and_keeps_the_hash_size() {
    let mut gui = Gui::ready();
    for name in ["Cc1s", "PVS", "cc2s"] {
        assert!(
            gui.ask(&format!("setoption name Search value {name}"))
                .is_empty()
        );
        assert!(gui.ask("setoption name Hash value 4").is_empty());
        assert!(
            gui.search("go depth 2")
                .last()
                .unwrap()
                .starts_with("bestmove "),
            "{name}"
        );
    }
}

#[test]
fn win_draw_loss_is_shown_when_wanted() {
    let mut gui = Gui::ready();
    let has_wdl = |lines: &[String]| lines.iter().any(|line| line.contains(" wdl "));
    assert!(!has_wdl(&gui.search("go depth 2")));
    gui.send("setoption name UCI_ShowWDL value true");
    assert!(has_wdl(&gui.search("go depth 2")));
}

#[test]
fn the_ponder_move_is_given_to_those_who_ponder() {
    let mut gui = Gui::inside(mock::engine("Hasty"), mock::TOOLS);
    assert!(!gui.search("go depth 3").last().unwrap().contains("ponder"));
    gui.send("setoption name Ponder value true");
    assert!(
        gui.search("go depth 3")
            .last()
            .unwrap()
            .contains(" ponder ")
    );
    // After this move the game is over: there is nothing to ponder on.
    gui.send("position fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1");
    let lines = gui.search("go depth 3 searchmoves e1e8");
    assert_eq!(lines.last().unwrap(), "bestmove e1e8");
}

#[test]
fn limited_strength_searches_few_nodes_but_analysis_is_never_limited() {
    let mut gui = Gui::inside(mock::engine("Patient"), mock::TOOLS);
    gui.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1000");
    let nodes = |lines: &[String]| -> u64 {
        let info = lines.iter().rfind(|line| line.contains(" nodes ")).unwrap();
        info.split(" nodes ")
            .nth(1)
            .unwrap()
            .split(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    let limited = nodes(&gui.search("go movetime 300"));
    gui.send("setoption name UCI_AnalyseMode value true");
    let free = nodes(&gui.search("go movetime 300"));
    assert!(limited <= 2_000 && free > 20_000, "{limited} {free}");
}

#[test]
fn the_log_holds_both_directions() {
    let path = std::env::temp_dir().join(format!("cc2s log {}.txt", std::process::id()));
    let mut gui = Gui::ready();
    gui.send(&format!(
        "setoption name Debug Log File value {}",
        path.display()
    ));
    gui.synchronise();
    gui.send("setoption name Debug Log File value <empty>");
    gui.synchronise();
    gui.quit();
    let log = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(
        log.contains(" >> isready\n") && log.contains(" << readyok\n"),
        "{log}"
    );
    assert!(!log.contains("quit"));
}
