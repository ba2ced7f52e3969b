//! Which moves are right, and what they are worth.

use crate::chess::Move;
use crate::chess::epd::Record;
use crate::game::Score;

/// Whether a move solves a position: it is one of `bm` and none of `am`. Where neither is given, the points of `c0`
/// decide (the best move is right); where these are missing too, the score must announce a mate within `dm` moves.
pub fn is_right(record: &Record, mv: Move, score: Option<Score>) -> bool {
    if !record.best.is_empty() || !record.avoid.is_empty() {
        let is_best = record.best.is_empty() || record.best.contains(&mv);
        return is_best && !record.avoid.contains(&mv);
    }
    if !record.points.is_empty() {
        return points(record, mv) == points_max(record);
    }
    let distance = score.and_then(Score::mate_distance);
    match (record.mate_in, distance) {
        (Some(moves), Some(plies)) => plies > 0 && plies < 2 * i32::from(moves),
        _ => false,
    }
}

/// Points of a move by `c0`; 0 where they are not given.
pub fn points(record: &Record, mv: Move) -> i32 {
    let found = record.points.iter().find(|(each, _)| *each == mv);
    found.map_or(0, |(_, points)| *points)
}

/// Points of the best move by `c0`.
pub fn points_max(record: &Record) -> i32 {
    let mut moves = Vec::new();
    record.position.legal_moves(&mut moves);
    let all = moves.into_iter().map(|mv| points(record, mv));
    all.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::epd::parse_line;

    const FEN: &str = "6k1/5ppp/8/8/8/8/8/R6K w - -";

    fn record(operations: &str) -> Record {
        parse_line(&format!("{FEN} {operations}")).unwrap()
    }

    #[test]
    fn a_mate_must_be_announced_in_time_where_no_move_is_given() {
        let mate = record("dm 2;");
        let mv = record("bm Ra8#;").best[0];
        assert!(is_right(&mate, mv, Some(Score::mate_in(1))));
        assert!(is_right(&mate, mv, Some(Score::mate_in(3))));
        assert!(!is_right(&mate, mv, Some(Score::mate_in(5))));
        assert!(!is_right(&mate, mv, Some(Score::mated_in(2))));
        assert!(!is_right(&mate, mv, Some(Score::centipawns(900))));
        assert!(!is_right(&mate, mv, None));
    }

    #[test]
    fn a_move_to_avoid_overrules() {
        let both = record("bm Ra8 Ra7; am Ra7;");
        assert!(is_right(&both, both.best[0], None));
        assert!(!is_right(&both, both.best[1], None));
    }

    #[test]
    fn points_are_those_of_the_comment() {
        let record = record("bm Ra8; c0 \"Ra8=10, Ra7=4\";");
        assert_eq!(points(&record, record.best[0]), 10);
        assert_eq!(points_max(&record), 10);
        assert_eq!(points(&record, record.points[1].0), 4);
    }

    #[test]
    fn any_other_move_is_better_than_one_with_negative_points() {
        let record = record("c0 \"Ra7=-8\";");
        let [worst, other] = [record.points[0].0, self::record("bm Ra8;").best[0]];
        assert_eq!((points(&record, worst), points_max(&record)), (-8, 0));
        assert!(!is_right(&record, worst, None));
        assert!(is_right(&record, other, None));
    }
}
