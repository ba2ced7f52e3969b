//! Perft against published counts, and incremental position keys against keys computed from scratch.

use cc2s::chess::epd::{self, Record};
use cc2s::chess::perft::perft;
use cc2s::chess::{Move, Position};

fn records(file: &str) -> Vec<(usize, Record)> {
    let path = format!("{}/positions/{file}", env!("CARGO_MANIFEST_DIR"));
    epd::parse(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Checks the counts of at most `nodes_max` sequences and returns their number.
fn check(file: &str, nodes_max: u64) -> usize {
    let mut checked = 0;
    for (line, record) in records(file) {
        for operation in &record.operations {
            let depth: u32 = operation.opcode.strip_prefix('D').unwrap().parse().unwrap();
            let count: u64 = operation.operand.parse().unwrap();
            if count <= nodes_max {
                assert_eq!(
                    perft(&record.position, depth),
                    count,
                    "{file}, line {line}, depth {depth}"
                );
                checked += 1;
            }
        }
    }
    checked
}

#[test]
fn usual_positions() {
    assert!(check("perft.epd", 700_000) > 500);
}

#[test]
fn chess960_positions() {
    assert!(check("perft960.epd", 100_000) > 2800);
}

#[test]
#[ignore = "minutes"]
fn usual_positions_in_full() {
    check("perft.epd", u64::MAX);
}

#[test]
#[ignore = "minutes"]
fn chess960_positions_in_full() {
    assert!(check("perft960.epd", u64::MAX) > 4 * 960);
}

fn check_keys(position: &Position, depth: u32) {
    for position in [Some(position.clone()), position.after_pass()]
        .into_iter()
        .flatten()
    {
        let fresh = Position::new(position.chess().clone());
        assert_eq!(position.key(), fresh.key());
        assert_eq!(position.pawn_key(), fresh.pawn_key());
        assert_eq!(position.checkers(), fresh.checkers());
    }
    if depth == 0 {
        return;
    }
    let mut moves: Vec<Move> = Vec::new();
    position.legal_moves(&mut moves);
    for mv in moves {
        assert_eq!(Move::from(position.unpack(mv)), mv);
        check_keys(&position.after(mv), depth - 1);
    }
}

#[test]
fn keys_do_not_depend_on_the_path() {
    for (_, record) in records("perft.epd") {
        check_keys(&record.position, 2);
    }
    for (_, record) in records("perft960.epd").into_iter().step_by(8) {
        check_keys(&record.position, 2);
    }
}
