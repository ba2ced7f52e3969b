//! Positions and answers.

use super::gui::Gui;

fn fen_of(gui: &mut Gui) -> String {
    let lines = gui.ask("d");
    lines
        .iter()
        .find_map(|line| line.strip_prefix("Fen: "))
        .unwrap()
        .to_owned()
}

#[test]
fn positions_come_in_all_common_forms() {
    let mut gui = Gui::ready();
    for (command, fen) in [
        (
            "position startpos",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "position  startpos   moves  e2e4\te7e5",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        ),
        (
            "position fen 8/8/8/8/8/5k2/8/4K2R w K -",
            "8/8/8/8/8/5k2/8/4K2R w K - 0 1",
        ),
        (
            "position fen 8/8/8/8/8/5k2/8/4K2R w H - 3 40 moves e1h1",
            "8/8/8/8/8/5k2/8/5RK1 b - - 4 40",
        ),
        (
            "position fen 8/8/8/8/8/5k2/8/4K2R w KQkq e3 999999999999 0",
            "8/8/8/8/8/5k2/8/4K2R w K - 150 1",
        ),
    ] {
        assert!(gui.ask(command).is_empty(), "{command}");
        assert_eq!(fen_of(&mut gui), fen, "{command}");
    }
}

#[test]
fn chess960_castles_by_taking_the_rook_when_told_to() {
    let mut gui = Gui::ready();
    let fen = "position fen 6k1/5ppp/8/8/8/8/5PPP/4K2R w K - 0 1";
    for (option, castling) in [("false", "e1g1"), ("true", "e1h1")] {
        gui.ask(&format!("setoption name UCI_Chess960 value {option}"));
        for form in ["e1g1", "e1h1"] {
            gui.ask(fen);
            let lines = gui.search(&format!("go depth 1 searchmoves {form}"));
            let best = lines.last().unwrap();
            assert!(
                best.starts_with(&format!("bestmove {castling}")),
                "{form}: {best}"
            );
        }
    }
    gui.ask("position fen 4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1 moves e1b1");
    assert_eq!(fen_of(&mut gui), "4k3/8/8/8/8/8/8/2KR2R1 b - - 1 1");
}

#[test]
fn a_game_that_is_over_has_no_best_move() {
    let mut gui = Gui::ready();
    for (fen, score) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score cp 0"),
        (
            "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
            "info depth 0 score mate 0",
        ),
    ] {
        gui.ask(&format!("position fen {fen}"));
        assert_eq!(gui.search("go movetime 100"), [score, "bestmove (none)"]);
        gui.send("go infinite");
        assert_eq!(gui.synchronise(), [score]);
        gui.send("stop");
        assert_eq!(gui.until("bestmove"), ["bestmove (none)"]);
    }
}

#[test]
fn a_draw_by_rule_still_has_moves() {
    let mut gui = Gui::ready();
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(4);
    for position in [
        format!("position startpos moves {shuffle}"),
        "position fen 7k/8/8/8/8/8/8/KR6 w - - 100 80".to_owned(),
        "position fen 7k/8/8/8/8/8/8/KB6 w - - 0 80".to_owned(),
    ] {
        gui.ask(&position);
        let lines = gui.search("go depth 3");
        let best = lines.last().unwrap().split(' ').nth(1).unwrap();
        assert!(best.len() == 4 && best != "0000", "{position}: {best}");
    }
}

#[test]
fn past_50_moves_without_a_claim_the_game_goes_on() {
    let mut gui = Gui::ready();
    // In the first position a draw can be claimed one move later; its scores must not be used in the others.
    for count in [99, 104, 150] {
        let fen = format!("5R2/p5p1/4P1k1/5n1p/7P/5N2/3K4/r7 b - - {count} 106");
        gui.ask(&format!("position fen {fen}"));
        let lines = gui.search("go depth 12");
        // Ne3 loses the knight; any quiet move suffices if the draw is due.
        let best = lines.last().unwrap();
        assert!(count == 99 || !best.starts_with("bestmove f5e3"), "{best}");
    }
    // The queen must not be lost, and mates.
    gui.ask("position fen 8/8/8/3k4/8/8/1Q6/K7 w - - 120 160");
    let lines = gui.search("go depth 16");
    let info = lines.iter().rfind(|line| line.contains(" score ")).unwrap();
    assert!(info.contains(" score mate "), "{info}");
}

#[test]
fn mates_are_announced_in_moves_and_played() {
    let mut gui = Gui::ready();
    for (fen, mate, best) in [
        ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 1, "e1e8"),
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2, ""),
    ] {
        gui.ask("ucinewgame");
        gui.ask(&format!("position fen {fen}"));
        let lines = gui.search("go mate 2");
        let info = lines.iter().rfind(|line| line.contains(" score ")).unwrap();
        assert!(info.contains(&format!("score mate {mate} ")), "{info}");
        let pv = info.split(" pv ").nth(1).unwrap().split(' ').count();
        assert_eq!(pv, 2 * mate - 1, "{info}");
        assert!(
            lines
                .last()
                .unwrap()
                .starts_with(&format!("bestmove {best}")),
            "{lines:?}"
        );
    }
}
