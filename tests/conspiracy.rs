//! Classical conspiracy number search: correct on small trees, fast on a coarse scale, not terminating on a fine
//! one.

use cc2s::game::explicit::TreeGame;
use cc2s::game::synthetic::{GrownGame, Shape, SketchBounds};
use cc2s::game::{Heuristic, HeuristicEvaluator, Score, SplitMix64};
use cc2s::thesis::baseline::{ConspiracyReport, Explorer, Scale};

fn search<G: Heuristic>(
    game: &mut G,
    scale: Scale,
    safety: u32,
    limit: usize,
) -> ConspiracyReport<G::Move> {
    Explorer::new(game, &mut HeuristicEvaluator::default()).conspiracy_search(scale, safety, limit)
}

/// With a threshold that cannot be met before the whole tree is stored, the search returns the minimax value.
#[test]
fn an_impossible_conspiracy_solves_the_game() {
    let bounds = SketchBounds {
        branching: 3,
        depth: 4,
        scores: (-9..=9).collect(),
    };
    let scale = Scale {
        step_cp: 1,
        steps: 9,
    };
    for seed in 0..500 {
        let sketch = bounds.random(&mut SplitMix64::new(seed), 0.2);
        let mut game = TreeGame::new(&sketch);
        let value = Explorer::new(&mut game, &mut HeuristicEvaluator::default()).minimax(4);
        let report = search(&mut game, scale, 1_000, 10_000);
        assert!(report.safe, "seed {seed}");
        assert_eq!(report.score, value, "seed {seed}: {sketch}");
        assert_eq!(
            -sketch.successors[usize::from(report.best)]
                .with_exact_scores()
                .score,
            i32::from(value.raw())
        );
    }
}

/// A game with noisy heuristic scores, too deep for a complete search.
fn deep_game(seed: u64) -> GrownGame {
    let shape = Shape {
        order: 0.5,
        noise_cp: 100,
        range_cp: 300,
        spread_cp: 200,
        ..Shape::uniform(seed, 4, 60)
    };
    GrownGame::new(shape)
}

/// Thesis 1.5.2: on a fine scale the search rarely terminates. Games, threshold and range of scores are the same;
/// only the step differs.
#[test]
fn a_fine_scale_keeps_the_search_from_ending() {
    const LIMIT: usize = 2_000;
    let coarse = Scale {
        step_cp: 200,
        steps: 2,
    };
    let fine = Scale {
        step_cp: 4,
        steps: 100,
    };
    let (mut coarse_ended, mut fine_ended) = (0, 0);
    for seed in 0..20 {
        coarse_ended += u32::from(search(&mut deep_game(seed), coarse, 3, LIMIT).safe);
        fine_ended += u32::from(search(&mut deep_game(seed), fine, 3, LIMIT).safe);
    }
    assert_eq!(
        (coarse_ended, fine_ended),
        (14, 0),
        "searches of 20 that ended"
    );
}

#[test]
fn a_search_cut_off_says_so() {
    let report = search(
        &mut deep_game(1),
        Scale {
            step_cp: 1,
            steps: 300,
        },
        5,
        10,
    );
    assert_eq!(
        (report.safe, report.expansions, report.nodes),
        (false, 10, 1 + 4 * 10)
    );
    assert!(report.score.raw().abs() <= 300 && report.score != Score::MAX);
}
