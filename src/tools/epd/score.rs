//! Correct moves and their points.

use crate::chess::Move;
use crate::chess::epd::Record;
use crate::game::Score;

/// Tolerance of a score against `ce`, in centipawns.
const EVALUATION_TOLERANCE_CP: i32 = 50;

/// Whether a move solves a position: it is one of `bm` and none of `am`. Without either, the move with the most
/// points of `c0` is correct. Without points, the score must be a mate within `dm` moves, or close to `ce` if `dm`
/// is missing.
pub fn is_right(record: &Record, mv: Move, score: Option<Score>) -> bool {
    if !record.best.is_empty() || !record.avoid.is_empty() {
        let is_best = record.best.is_empty() || record.best.contains(&mv);
        return is_best && !record.avoid.contains(&mv);
    }
    if !record.points.is_empty() {
        return points(record, mv) == points_max(record);
    }
    let Some(score) = score else { return false };
    match (record.mate_in, record.evaluation_cp) {
        (Some(moves), _) => {
            let mate = score.mate_distance();
            mate.is_some_and(|plies| plies > 0 && plies < 2 * i32::from(moves))
        }
        (None, Some(evaluation)) => {
            (i32::from(score.raw()) - evaluation).abs() <= EVALUATION_TOLERANCE_CP
        }
        (None, None) => false,
    }
}

/// Returns the points of a move by `c0`; 0 if not given.
pub fn points(record: &Record, mv: Move) -> i32 {
    let found = record.points.iter().find(|(each, _)| *each == mv);
    found.map_or(0, |(_, points)| *points)
}

/// Returns the points of the best move by `c0`.
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
    fn the_score_must_come_near_an_evaluation_where_nothing_else_is_given() {
        let mv = record("bm Ra8#;").best[0];
        let is_right_at =
            |operations: &str, cp| is_right(&record(operations), mv, Some(Score::centipawns(cp)));
        assert!(is_right_at("ce 0;", 50));
        assert!(is_right_at("ce -300;", -250));
        assert!(!is_right_at("ce 0;", -51));
        assert!(!is_right_at("ce 0; dm 2;", 0));
        assert!(!is_right_at("ce 0; bm Ra7;", 0));
        assert!(!is_right_at("ce +-;", 0));
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
