//! Errors are reported, the previous state is kept, and the engine continues.

use cc2s::chess::notation::{parse_fen, parse_uci_move};

use super::gui::Gui;
use super::mock;

/// Input and the complete answer.
const TABLE: &[(&str, &[&str])] = &[
    ("", &[]),
    ("   \t ", &[]),
    (
        "foo",
        &["info string error: unknown command 'foo' (try help)"],
    ),
    (
        "xyzzy go infinite",
        &["info string error: unknown command 'xyzzy' (try help)"],
    ),
    (
        "ucinewgames",
        &["info string error: unknown command 'ucinewgames' (try help)"],
    ),
    (
        "uci\u{0}",
        &["info string error: unknown command 'uci ' (try help)"],
    ),
    (
        "Ünïcödé ♔",
        &["info string error: unknown command 'Ünïcödé' (try help)"],
    ),
    (
        "debug",
        &["info string error: 'debug' must be followed by on or off"],
    ),
    ("stop", &[]),
    ("ponderhit", &[]),
    ("register later", &[]),
    (
        "setoption",
        &[
            "info string error: 'setoption' must be followed by name NAME, optionally followed by value VALUE",
        ],
    ),
    (
        "setoption name Nonsense value 1",
        &["info string error: no such option: 'Nonsense'"],
    ),
    (
        "setoption name Hash",
        &["info string error: option Hash needs a value: a number from 1 to 65536"],
    ),
    (
        "setoption name Hash value",
        &["info string error: option Hash cannot be '': a number from 1 to 65536"],
    ),
    (
        "setoption name Hash value lots",
        &["info string error: option Hash cannot be 'lots': a number from 1 to 65536"],
    ),
    (
        "setoption name Hash value -1",
        &["info string error: option Hash cannot be '-1': a number from 1 to 65536"],
    ),
    (
        "setoption name Hash value 99999999999999999999999",
        &[
            "info string error: option Hash cannot be '99999999999999999999999': a number from 1 to 65536",
        ],
    ),
    (
        "setoption name Ponder value maybe",
        &["info string error: option Ponder cannot be 'maybe': true or false"],
    ),
    (
        "setoption name Threads value 640",
        &["info string error: option Threads cannot be '640': a number from 1 to 256"],
    ),
    (
        "setoption name UCI_Elo value 99",
        &["info string error: option UCI_Elo cannot be '99': a number from 800 to 2600"],
    ),
    (
        "setoption name Debug Log File value /no/such/folder/log",
        &[
            "info string error: cannot log to '/no/such/folder/log': No such file or directory (os error 2)",
        ],
    ),
    (
        "position",
        &[
            "info string error: 'position' must be followed by startpos or fen FEN, optionally followed by moves; the position is not set",
        ],
    ),
    (
        "position initial",
        &[
            "info string error: 'position' must be followed by startpos or fen FEN, optionally followed by moves; the position is not set",
        ],
    ),
    (
        "position startpos e2e4",
        &[
            "info string error: 'position' must be followed by startpos or fen FEN, optionally followed by moves; the position is not set",
        ],
    ),
    (
        "position fen",
        &["info string error: a FEN has four to six fields, not 0: ''"],
    ),
    (
        "position fen 8/8/8/8 w - -",
        &["info string error: invalid board part in fen: '8/8/8/8 w - -'"],
    ),
    (
        "position fen 9/8/8/8/8/8/8/K1k5 w - - 0 1",
        &["info string error: invalid board part in fen: '9/8/8/8/8/8/8/K1k5 w - - 0 1'"],
    ),
    (
        "position fen 8/8/8/8/8/8/8/K1k5 x - - 0 1",
        &["info string error: invalid turn part in fen: '8/8/8/8/8/8/8/K1k5 x - - 0 1'"],
    ),
    (
        "position fen 8/8/8/8/8/8/8/K1k5 w - - a 1",
        &["info string error: invalid halfmove clock in fen: '8/8/8/8/8/8/8/K1k5 w - - a 1'"],
    ),
    (
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        &[
            "info string error: illegal position (the board is empty, a king is missing): '8/8/8/8/8/8/8/8 w - - 0 1'",
        ],
    ),
    (
        "position fen k7/8/8/8/8/8/8/7P w - - 0 1",
        &[
            "info string error: illegal position (a king is missing, a pawn stands on the first or last rank): \
         'k7/8/8/8/8/8/8/7P w - - 0 1'",
        ],
    ),
    (
        "position fen k6R/8/8/8/8/8/8/K7 w - - 0 1",
        &[
            "info string error: illegal position (the side not to move is in check): 'k6R/8/8/8/8/8/8/K7 w - - 0 1'",
        ],
    ),
    (
        "position startpos moves e2e4 e7e5 e1e3 d7d5",
        &["info string error: illegal move 'e1e3' at ply 3; the position is not set"],
    ),
    (
        "position startpos moves e2e4 Nf6",
        &["info string error: 'Nf6' is not a move at ply 2; the position is not set"],
    ),
    (
        "position startpos moves 0000",
        &["info string error: illegal move '0000' at ply 1; the position is not set"],
    ),
    (
        "go",
        &[
            "info string error: no valid position to search",
            "bestmove 0000",
        ],
    ),
    (
        "go depth 5",
        &[
            "info string error: no valid position to search",
            "bestmove 0000",
        ],
    ),
    ("position startpos moves e2e4", &[]),
];

#[test]
fn every_class_of_bad_input_is_answered() {
    let mut gui = Gui::ready();
    for (line, answer) in TABLE {
        assert_eq!(gui.ask(line), *answer, "{line}");
    }
    // The last valid position is still in place.
    assert!(
        gui.ask("d")
            .iter()
            .any(|line| line.starts_with("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"))
    );
    assert!(
        gui.search("go depth 2")
            .last()
            .unwrap()
            .starts_with("bestmove ")
    );
    gui.quit();
}

/// Input after `position startpos moves e2e4`, and the messages before a legal move is played.
const COMPLAINTS: &[(&str, &[&str])] = &[
    ("go depth", &["'depth' needs a number"]),
    ("go depth deep", &["'depth' needs a number, not 'deep'"]),
    ("go movetime", &["'movetime' needs a number"]),
    ("go wtime btime 100", &["'wtime' needs a number"]),
    ("go nodes 1e9", &["'nodes' needs a number, not '1e9'"]),
    ("go mate soon", &["'mate' needs a number, not 'soon'"]),
    ("go wtime 60000.0 btime 600", &[]),
    ("go wtime 100 btime 100 winc", &["'winc' needs a number"]),
    (
        "go movestogo x wtime 100 btime 100",
        &["'movestogo' needs a number, not 'x'"],
    ),
    (
        "go wtime abc btime 1,5 binc ?",
        &[
            "'wtime' needs a number, not 'abc'",
            "'btime' needs a number, not '1,5'",
            "'binc' needs a number, not '?'",
        ],
    ),
    ("go depth 2 now", &["unknown word 'now' after go"]),
    (
        "go depth 2 searchmoves e7e5 e2e4",
        &["searchmoves: illegal move 'e2e4'"],
    ),
    (
        "go searchmoves king e8e7 depth 2",
        &[
            "searchmoves: 'king' is not a move",
            "searchmoves: illegal move 'e8e7'",
        ],
    ),
];

#[test]
fn a_legal_position_is_never_forfeited() {
    let mut gui = Gui::ready();
    gui.send("position startpos moves e2e4");
    let root = parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").unwrap();
    for (go, complaints) in COMPLAINTS {
        let lines = gui.search(go);
        let said: Vec<_> = lines
            .iter()
            .filter_map(|line| line.strip_prefix("info string error: "))
            .collect();
        assert_eq!(said, *complaints, "{go}");
        let best = lines.last().unwrap().split(' ').nth(1).unwrap();
        assert!(parse_uci_move(&root, best).is_ok(), "{go}: {best}");
        assert!(!go.contains("e7e5") || best == "e7e5", "{go}: {best}");
    }
    gui.quit();
}

/// Without a legal move the answer is a score and no move, for any limits.
#[test]
fn where_no_move_is_legal_the_answer_is_always_the_same() {
    let mut gui = Gui::ready();
    for (fen, score) in [
        ("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", "mate 0"),
        ("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", "cp 0"),
    ] {
        gui.send(&format!("position fen {fen}"));
        for go in ["go depth 3", "go searchmoves a8a7 nodes 5", "go movetime x"] {
            let lines = gui.search(go);
            let end = &lines[lines.len() - 2..];
            let info = format!("info depth 0 score {score}");
            assert_eq!(end, [info.as_str(), "bestmove (none)"], "{go}");
        }
    }
    gui.quit();
}

/// A position that is not understood leaves none: a move in the one before would be illegal for the user.
#[test]
fn no_other_position_is_searched_than_the_one_asked_for() {
    let mut gui = Gui::ready();
    let too_long = format!("position startpos moves{}", " e2e4".repeat(60_000));
    for bad in [
        "position startpos e2e4",
        "position",
        "position start",
        &too_long,
    ] {
        gui.send("position startpos moves e2e4");
        gui.send(bad);
        let lines = gui.search("go depth 1");
        let is_told = lines
            .iter()
            .any(|line| line.contains("the position is not set"));
        let name = &bad[..bad.len().min(40)];
        assert!(is_told, "{name}: {lines:?}");
        assert_eq!(lines.last().unwrap(), "bestmove 0000", "{name}");
    }
    gui.send("position startpos");
    assert_ne!(gui.search("go depth 1").last().unwrap(), "bestmove 0000");
    gui.quit();
}

#[test]
fn a_search_that_cannot_be_made_still_moves() {
    let mut gui = Gui::inside(mock::engine("Hopeless"), mock::TOOLS);
    let lines = gui.search("go depth 3");
    assert!(lines[0].contains("cannot allocate"), "{lines:?}");
    assert!(lines[1].starts_with("bestmove "), "{lines:?}");
    assert_ne!(lines[1], "bestmove 0000");
    gui.quit();
}

#[test]
fn strange_but_meaningful_searches_are_carried_out() {
    let mut gui = Gui::ready();
    for go in [
        "go depth 0",
        "go infinite depth 1 ",
        "go movetime 0",
        "go movetime -100",
        "go wtime 0 btime 0",
        "go wtime -500 btime -500 winc -1",
        "go wtime 1000 btime 1000 movestogo 1",
        "go wtime 1000 btime 1000 movestogo 0",
        "go wtime 1000 btime 1000 movestogo 999999999999",
        "go btime 1000",
        "go winc 10 wtime 100",
        "go nodes 0",
        "go nodes 1 depth 256 mate 256",
        "go depth 3 wtime 99999999999999999999 btime 1",
        "go movetime 50 wtime 100000 btime 100000",
        "go depth 1 frobnicate",
        "  go   depth\t1",
        "GO depth 1",
        "go searchmoves depth 1",
        "go depth 1 searchmoves e2e4 e2e4",
    ] {
        gui.send(go);
        if go.contains("infinite") {
            gui.assert_no_best_move(std::time::Duration::from_millis(100));
            gui.send("stop");
        }
        let lines = gui.until("bestmove");
        assert_ne!(lines.last().unwrap(), "bestmove 0000", "{go}");
    }
    assert!(gui.synchronise().is_empty());
    for (go, complaint) in [
        ("go depth -3", "'depth' cannot be -3; using 1"),
        ("go wtime -100 btime 5", "'wtime' cannot be -100; using 0"),
        ("go nodes 0", "'nodes' cannot be 0; using 1"),
    ] {
        let lines = gui.search(go);
        assert_eq!(lines[0], format!("info string error: {complaint}"), "{go}");
    }
}

#[test]
fn lines_without_end_and_without_text_are_survived() {
    let mut gui = Gui::ready();
    gui.send(&"x".repeat(1 << 20));
    assert_eq!(
        gui.synchronise(),
        ["info string error: line too long, ignored"]
    );
    gui.send_bytes(&[0, 255, 254, 10, 13, 10, 7, 27, 10]);
    assert_eq!(gui.synchronise().len(), 2);
    gui.send(&format!(
        "position startpos moves {}",
        "g1f3 g8f6 f3g1 f6g8 ".repeat(2_000)
    ));
    assert!(gui.synchronise().is_empty());
    gui.quit();
}

#[test]
fn a_failing_search_costs_a_message_not_the_game() {
    let mut gui = Gui::inside(mock::engine("Broken"), mock::TOOLS);
    for _ in 0..3 {
        let lines = gui.search("go movetime 100");
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with("info string error: the search failed"))
        );
        assert_eq!(
            lines.last().unwrap().len(),
            "bestmove e2e4".len(),
            "{lines:?}"
        );
    }
    gui.ask("setoption name Search value Hasty");
    assert!(
        gui.search("go depth 3")
            .last()
            .unwrap()
            .starts_with("bestmove ")
    );
    gui.quit();
}
