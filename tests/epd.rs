//! All position files can be read and match positions/SOURCES.md.

use cc2s::chess::epd::{self, Record};

fn records(file: &str) -> Vec<Record> {
    let path = format!("{}/positions/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let records = epd::parse(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    records.into_iter().map(|(_, record)| record).collect()
}

#[test]
fn suites_have_their_positions_and_solutions() {
    let sizes = [
        ("bt2630.epd", 30),
        ("wac.epd", 300),
        ("kaufman.epd", 25),
        ("ccr.epd", 25),
        ("bk.epd", 24),
        ("sts.epd", 1500),
        ("eet.epd", 100),
        ("pet.epd", 48),
        ("mate.epd", 224),
        ("zugzwang.epd", 41),
    ];
    for (file, size) in sizes {
        let records = records(file);
        assert_eq!(records.len(), size, "{file}");
        for record in records {
            assert!(record.id.is_some(), "{file}");
            assert!(
                !record.best.is_empty() || !record.avoid.is_empty(),
                "{file}: {:?} has no solution",
                record.id
            );
        }
    }
}

#[test]
fn the_best_move_of_the_strategic_test_suite_has_ten_points() {
    for record in records("sts.epd") {
        let points = |mv| {
            record
                .points
                .iter()
                .find(|each| each.0 == mv)
                .map(|each| each.1)
        };
        assert!(
            record.best.iter().all(|&mv| points(mv) == Some(10)),
            "{:?}",
            record.id
        );
    }
}

#[test]
fn fortresses_are_drawn() {
    let records = records("fortress.epd");
    assert_eq!(records.len(), 30);
    for record in records {
        assert!(record.id.is_some());
        assert_eq!(record.evaluation_cp, Some(0), "{:?}", record.id);
    }
}

#[test]
fn mates_have_their_distance() {
    assert!(
        records("mate.epd")
            .iter()
            .all(|record| record.mate_in.is_some())
    );
    let own = records("mates2.epd");
    assert_eq!(own.len(), 100);
    for record in own {
        assert!(record.id.is_some());
        assert!(
            record
                .mate_in
                .is_some_and(|moves| (4..=10).contains(&moves))
        );
    }
}

#[test]
fn long_mates_have_few_men() {
    let records = records("mates8.epd");
    assert_eq!(records.len(), 14);
    for record in records {
        assert!(
            shakmaty::Position::board(record.position.chess())
                .occupied()
                .count()
                <= 4
        );
        assert!(
            record
                .mate_in
                .is_some_and(|moves| (8..=10).contains(&moves))
        );
        assert_eq!(record.position.end_score(), None);
    }
}

#[test]
fn openings_begin_with_white_and_leave_a_game_to_play() {
    for (file, size) in [("openings.epd", 350), ("openings8.epd", 300)] {
        let records = records(file);
        assert_eq!(records.len(), size, "{file}");
        for record in records {
            assert!(shakmaty::Position::turn(record.position.chess()).is_white());
            assert_eq!(record.position.end_score(), None);
        }
    }
}

#[test]
fn table_truths_carry_their_data() {
    let records = records("tbtruth.epd");
    assert_eq!(records.len(), 607);
    for record in records {
        let comment = record.operand("c0").unwrap();
        assert!(comment.starts_with("wdl="), "{comment}");
        assert!(record.points.is_empty());
    }
}
