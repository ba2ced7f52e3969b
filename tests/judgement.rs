//! Positions that mislead engines.

use cc2s::chess::epd::{self, Record};
use cc2s::chess::notation::{fen, parse_fen};
use cc2s::engine::registry::SEARCHES;
use cc2s::game::Score;
use cc2s::settings::EngineParams;
use cc2s::tools::epd::trial::{SearchBudget, attempt};

/// Scores above this count as a win, in centipawns.
const DRAWN_CP: i16 = 150;

fn value(fen: &str, nodes: u64) -> Score {
    let mut params = EngineParams::default();
    params.engine.hash_mib = 16;
    let mut search = (SEARCHES[0].build)(&params).unwrap();
    let record = Record::bare(parse_fen(fen).unwrap());
    let budget = SearchBudget {
        nodes: Some(nodes),
        ..SearchBudget::default()
    };
    attempt(search.as_mut(), &record, budget).score.unwrap()
}

#[test]
fn a_bishop_that_cannot_touch_the_pawn_in_the_way_does_not_win() {
    for fen in [
        "2k5/1p6/1P6/2B5/1P4K1/8/8/8 w - - 3 6",
        "2k5/1p6/1P6/2B5/6K1/8/8/8 w - - 0 1",
    ] {
        let score = value(fen, 300_000);
        assert!(score.raw().abs() < DRAWN_CP, "{fen}: {score}");
    }
}

/// The fortresses of `positions/fortress.epd` that the evaluation recognises.
#[test]
fn known_fortresses_are_drawn() {
    let records = epd::parse(include_str!("../positions/fortress.epd")).unwrap();
    for name in ["FORT.07", "FORT.08", "FORT.11"] {
        let is_it = |record: &&Record| record.id.as_deref() == Some(name);
        let record = records
            .iter()
            .map(|(_, record)| record)
            .find(is_it)
            .unwrap();
        let score = value(&fen(&record.position), 100_000);
        assert!(score.raw().abs() < DRAWN_CP / 3, "{name}: {score}");
    }
}

/// ZPTS.09: Black's pieces are shut in, so that Black is in zugzwang after a quiet move.
#[test]
fn a_zugzwang_of_shut_in_pieces_is_seen() {
    let fen = "8/3p1p2/5Ppp/K2R2bk/4pPrr/6Pp/4B2P/3N4 w - - 0 1";
    let score = value(fen, 1_500_000);
    assert!(
        score.mate_distance().is_some_and(|plies| plies > 0),
        "{score}"
    );
}
