//! What reads as a position or a move is written and read back unchanged.
//!
//! `cargo fuzz run notation --sanitizer none` (works with a stable compiler).
#![no_main]

use cc2s::chess::notation::{
    CastlingStyle, fen, parse_fen, parse_san, parse_uci_move, san, uci_move,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (board, word) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(position) = parse_fen(board) else {
        return;
    };
    let written = fen(&position);
    assert_eq!(
        fen(&parse_fen(&written).expect("what was written can be read")),
        written
    );
    for mv in [parse_uci_move(&position, word), parse_san(&position, word)]
        .into_iter()
        .flatten()
    {
        for style in [CastlingStyle::KingMoves, CastlingStyle::KingTakesRook] {
            assert_eq!(
                parse_uci_move(&position, &uci_move(&position, mv, style)),
                Ok(mv)
            );
        }
        assert_eq!(parse_san(&position, &san(&position, mv)), Ok(mv));
    }
});
