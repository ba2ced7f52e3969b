//! Variations with a mate score end in the mate.

use cc2s::chess::epd;
use cc2s::chess::notation::{fen, parse_fen, parse_uci_move};
use cc2s::game::Score;

use super::gui::Gui;

/// The announced moves to mate and the plies they take.
fn announced(line: &str) -> Option<(i32, usize)> {
    let (_, rest) = line.split_once(" score mate ")?;
    let moves: i32 = rest.split(' ').next()?.parse().ok()?;
    let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    Some((moves, plies as usize))
}

/// Returns the number of lines with a mate score; each must end in the mate.
fn check(lines: &[String], root: &str) -> usize {
    let mut count = 0;
    for line in lines {
        let Some((moves, plies)) = announced(line).filter(|_| !line.contains("bound")) else {
            continue;
        };
        let (_, pv) = line.split_once(" pv ").expect("a variation");
        let mut position = parse_fen(root).unwrap();
        for text in pv.split(' ') {
            position = position.after(parse_uci_move(&position, text).unwrap());
        }
        assert_eq!(
            pv.split(' ').count(),
            plies,
            "mate {moves} in {root}: {line}"
        );
        assert_eq!(position.end_score(), Some(Score::MATED), "{root}: {line}");
        count += 1;
    }
    count
}

#[test]
fn announced_mates_are_shown_to_their_end() {
    let records = epd::parse(include_str!("../../positions/mate.epd")).unwrap();
    for search in ["Cc2s", "PVS", "MTDf"] {
        let mut gui = Gui::ready();
        gui.send(&format!("setoption name Search value {search}"));
        let mut count = 0;
        for (_, record) in records.iter().step_by(3) {
            let root = fen(&record.position);
            gui.send(&format!("ucinewgame\nposition fen {root}"));
            let mut lines = gui.search("go depth 7");
            count += check(&lines, &root);
            // The mated side sees the mate as well.
            let best = lines.pop().unwrap().split(' ').nth(1).unwrap().to_owned();
            let after = parse_uci_move(&record.position, &best).unwrap();
            let after = record.position.after(after);
            if after.has_legal_move() {
                let root = fen(&after);
                gui.send(&format!("position fen {root}"));
                count += check(&gui.search("go depth 6"), &root);
            }
        }
        assert!(count > 30, "{search}: {count}");
        gui.quit();
    }
}

/// For all lines of a multi-PV search, also if the mate comes from tables.
#[test]
fn mates_of_all_lines_are_shown_to_their_end() {
    let mut gui = Gui::ready();
    gui.send("setoption name MultiPV value 4");
    let mut count = 0;
    for root in [
        "8/8/8/3k4/rK6/8/8/8 w - - 0 1",
        "8/8/8/3k4/8/8/1R6/1K6 w - - 0 1",
        "6k1/8/8/8/3q4/8/6K1/8 w - - 0 1",
    ] {
        gui.send(&format!("ucinewgame\nposition fen {root}"));
        count += check(&gui.search("go depth 6"), root);
    }
    assert!(count > 10, "{count}");
    gui.quit();
}

/// Endgames in which tables contain a mate after some captures. Entries from earlier moves let a search announce
/// it long before its tree contains the moves.
#[test]
fn mates_behind_captures_are_shown_to_their_end() {
    for search in ["Cc2s", "PVS"] {
        let mut gui = Gui::ready();
        gui.send(&format!("setoption name Search value {search}"));
        let mut count = 0;
        for root in [
            "8/4q3/8/2KR4/1r6/8/6k1/8 w - - 8 67",
            "8/8/6k1/4R3/4N3/5pP1/5K2/8 w - - 1 61",
            "8/5Q2/6p1/2K2kPp/7P/8/8/8 b - - 4 60",
            "1k6/3Q4/8/8/3p4/2bK4/8/8 w - - 16 78",
            "8/8/3k2K1/6b1/4p3/5p2/8/8 b - - 13 77",
        ] {
            gui.send(&format!("ucinewgame\nposition fen {root}"));
            let mut position = parse_fen(root).unwrap();
            for _ in 0..4 {
                let root = fen(&position);
                gui.send(&format!("position fen {root}"));
                let mut lines = gui.search("go nodes 10000");
                count += check(&lines, &root);
                let best = lines.pop().unwrap().split(' ').nth(1).unwrap().to_owned();
                position = position.after(parse_uci_move(&position, &best).unwrap());
            }
        }
        assert!(count > 10, "{search}: {count}");
        gui.quit();
    }
}

/// If a side is mated after every move, no move may be skipped: late moves used to be, after a losing first one.
#[test]
fn no_mate_is_shorter_than_the_shortest() {
    let records = epd::parse(include_str!("../../positions/mate.epd")).unwrap();
    let known = records.iter().step_by(5);
    let known = known.map(|(_, record)| (fen(&record.position), record.mate_in.unwrap()));
    let overlooked = "b7/8/7B/7p/8/2p3r1/2P1P1pp/4K1kq w - - 0 1";
    let questions: Vec<_> = known.chain([(overlooked.to_owned(), 5)]).collect();
    for search in ["Cc2s", "PVS"] {
        let mut gui = Gui::ready();
        gui.send(&format!("setoption name Search value {search}"));
        let mut count = 0;
        for (root, least) in &questions {
            gui.send(&format!("ucinewgame\nposition fen {root}"));
            for line in gui.search("go nodes 10000") {
                let exact = announced(&line).filter(|_| !line.contains("bound"));
                if let Some((moves, _)) = exact {
                    assert!(moves >= i32::from(*least), "{root}: {line}");
                    count += 1;
                }
            }
        }
        assert!(count > 30, "{search}: {count}");
        gui.quit();
    }
}
