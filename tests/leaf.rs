//! The leaf evaluator seen from outside.

use cc2s::chess::{Line, Position};
use cc2s::game::{Evaluator, Score, Window};
use cc2s::leaf::{LeafEvaluator, LeafParams};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

fn line(fen: &str) -> Line {
    let chess: Chess = fen
        .parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap();
    Line::new(Position::new(chess))
}

fn evaluator(depth: i32) -> LeafEvaluator {
    LeafEvaluator::new(
        LeafParams {
            eval_depth: depth,
            ..LeafParams::default()
        },
        1,
    )
    .unwrap()
}

#[test]
fn finds_mates_at_their_distance() {
    let mut mate_in_one = line("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1");
    assert_eq!(
        evaluator(1).evaluate(&mut mate_in_one, Window::FULL).score,
        Score::mate_in(1)
    );
    let mut mate_in_two = line("k7/8/2K5/8/8/8/8/7R w - - 0 1");
    assert_eq!(
        evaluator(3).evaluate(&mut mate_in_two, Window::FULL).score,
        Score::mate_in(3)
    );
}

#[test]
fn null_windows_agree_with_the_exact_score() {
    let mut line = line("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
    let exact = evaluator(2).evaluate(&mut line, Window::FULL).score;
    let above = evaluator(2).evaluate(&mut line, Window::null_above(exact));
    assert!(above.score <= exact && above.nodes > 0);
    assert!(
        evaluator(2)
            .evaluate(&mut line, Window::null_below(exact))
            .score
            >= exact
    );
}
