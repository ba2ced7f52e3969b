//! Properties of the search, verified on small trees by brute force. It terminates, needs few evaluations and
//! finds the right move, and its decision has the required safety.

mod support;

use cc2s::game::explicit::Sketch;
use cc2s::game::synthetic::{GrownGame, Shape, SketchBounds};
use cc2s::game::{Game, HeuristicEvaluator, Requirement, SplitMix64};
use cc2s::thesis::{Cc2sParams, Tree, invariants};
use support::cc2s_run::{Run, is_safe, minimax, plain, run, sound_params};

/// All trees within the bounds whose root has a successor.
fn enumerated(bounds: &SketchBounds) -> impl Iterator<Item = Sketch> + '_ {
    (0..bounds.count().unwrap())
        .map(|index| bounds.nth(index))
        .filter(|sketch| !sketch.successors.is_empty())
}

/// A random tree; with `end` = 0 all of its ends are on the last level.
fn random_tree(seed: u64, branching: u16, depth: u16, end: f64) -> Sketch {
    SketchBounds {
        branching,
        depth,
        scores: (-12..=12).collect(),
    }
    .random(&mut SplitMix64::new(seed), end)
}

/// Theorem 2.2-5 at a horizon: the best move has the minimax value of the root.
fn assert_right_move(sketch: &Sketch, run: &Run, depth: u16, name: &str) {
    assert_eq!(run.decision.met.depth, depth, "{name}: {sketch}");
    let best = &sketch.successors[usize::from(run.decision.pv[0])];
    let root = minimax(sketch, depth);
    assert_eq!(
        -minimax(best, depth - 1),
        root,
        "{name}, depth {depth}, move {}: {sketch}",
        run.decision.pv[0]
    );
}

/// Theorem 2.2-4: without accelerations no node is evaluated three times, and ends of the game are not evaluated.
fn assert_few_questions(sketch: &Sketch, run: &Run, name: &str) {
    assert!(
        run.times_asked().iter().all(|&times| times <= 2),
        "{name}: {sketch}"
    );
    assert_eq!(invariants::first_flaw(&run.tree), None, "{name}: {sketch}");
}

#[test]
fn cc1s_is_right_on_every_small_tree() {
    let bounds = SketchBounds {
        branching: 2,
        depth: 3,
        scores: vec![-1, 1],
    };
    for sketch in enumerated(&bounds) {
        let run = run(&sketch, &plain(1), 3);
        if !run.decision.exhausted {
            assert_right_move(&sketch, &run, 3, "two scores");
        }
        assert_few_questions(&sketch, &run, "two scores");
    }
    let bounds = SketchBounds {
        branching: 3,
        depth: 2,
        scores: vec![-2, 0, 1],
    };
    for sketch in enumerated(&bounds).step_by(7) {
        let run = run(&sketch, &plain(1), 2);
        if !run.decision.exhausted {
            assert_right_move(&sketch, &run, 2, "three scores");
        }
        assert_few_questions(&sketch, &run, "three scores");
    }
}

#[test]
fn cc1s_is_right_on_random_trees() {
    for seed in 0..5_000 {
        let depth = 2 + (seed % 4) as u16;
        let sketch = random_tree(seed, 4, 5, if seed % 2 == 0 { 0.0 } else { 0.15 });
        let run = run(&sketch, &plain(1), depth);
        if !run.decision.exhausted {
            assert_right_move(&sketch, &run, depth, &format!("seed {seed}"));
        }
        assert_few_questions(&sketch, &run, &format!("seed {seed}"));
    }
}

fn assert_safe(sketch: &Sketch, params: &Cc2sParams, depth: u16, name: &str) {
    let mut run = run(sketch, params, depth);
    let conspiracy = params.conspiracy_max as u16;
    // A margin widens when the decision changes too often; then the guarantee is weaker.
    let widened =
        params.root_margin_cp > 0 && run.statuses.iter().any(|status| status.overturned > 6);
    if run.decision.exhausted || widened {
        return;
    }
    assert_eq!(
        run.decision.met,
        Requirement { depth, conspiracy },
        "{name}: {sketch}"
    );
    let safe = is_safe(
        &mut run,
        sketch,
        depth,
        conspiracy,
        params.root_margin_cp as i16,
    );
    assert!(safe, "{name}: ({depth},{conspiracy}) on {sketch}");
}

#[test]
fn decisions_are_safe_on_every_small_tree() {
    let bounds = SketchBounds {
        branching: 2,
        depth: 3,
        scores: vec![-1, 1],
    };
    for sketch in enumerated(&bounds).step_by(3) {
        assert_safe(&sketch, &plain(2), 2, "every tree");
    }
}

#[test]
fn decisions_are_safe_on_random_trees() {
    for seed in 0..4_000 {
        let rng = &mut SplitMix64::new(seed);
        let conspiracy = 1 + rng.below(3) as u16;
        let depth = 1 + rng.below(4) as u16;
        let params = sound_params(rng, conspiracy);
        let sketch = random_tree(seed, 4, 6, 0.05);
        assert_safe(&sketch, &params, depth, &format!("seed {seed}, {params:?}"));
    }
}

/// An explicit tree with perfect move order and perfect heuristic scores.
fn grown(seed: u64, branching: u16, depth: u16) -> Sketch {
    fn copy(game: &mut GrownGame) -> Sketch {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let successors = moves.into_iter().map(|mv| {
            game.play(mv);
            let successor = copy(game);
            game.undo();
            successor
        });
        let successors = successors.collect();
        Sketch {
            score: i32::from(game.minimax().raw()),
            successors,
        }
    }
    copy(&mut GrownGame::new(Shape::uniform(seed, branching, depth)))
}

fn nodes_by_level(tree: &Tree<u16>) -> Vec<u64> {
    let mut levels = Vec::new();
    let mut level = vec![Tree::<u16>::ROOT];
    while !level.is_empty() {
        levels.push(level.len() as u64);
        level = level
            .iter()
            .flat_map(|&v| (0..tree.successors(v).len()).map(move |index| tree.successor(v, index)))
            .collect();
    }
    levels
}

/// Theorem 2.2-3: if no hypothesis fails, Cc1s evaluates b^ceil((d-1)/2) + (b-1) b^floor((d-1)/2) leaves.
#[test]
fn cc1s_needs_no_more_than_the_best_case() {
    for branching in 2..=5 {
        for depth in 2..=6 {
            let run = run(
                &grown(u64::from(branching), branching, depth),
                &plain(1),
                depth,
            );
            assert!(run.statuses.iter().all(|status| status.overturned == 0));
            let (b, d) = (u64::from(branching), u32::from(depth));
            let leaves = b.pow((d - 1).div_ceil(2)) + (b - 1) * b.pow((d - 1) / 2);
            let levels = nodes_by_level(&run.tree);
            assert_eq!(
                levels.get(usize::from(depth)),
                Some(&leaves),
                "{branching} successors, depth {depth}"
            );
        }
    }
}

/// The number of Theorem 2.2-3 is a lower bound for any move order.
#[test]
fn cc1s_never_needs_less_than_the_best_case() {
    for seed in 0..300 {
        let bounds = SketchBounds {
            branching: 1,
            depth: 0,
            scores: (-50..=50).collect(),
        };
        let mut rng = SplitMix64::new(seed);
        let (b, d) = (2 + seed % 2, 2 + (seed % 3) as u32);
        let sketch = uniform(&bounds, &mut rng, b, d);
        let run = run(&sketch, &plain(1), d as u16);
        let leaves = b.pow((d - 1).div_ceil(2)) + (b - 1) * b.pow((d - 1) / 2);
        assert!(
            nodes_by_level(&run.tree)[d as usize] >= leaves,
            "seed {seed}: {sketch}"
        );
    }
}

/// A uniform tree with scores drawn from `bounds`.
fn uniform(bounds: &SketchBounds, rng: &mut SplitMix64, branching: u64, depth: u32) -> Sketch {
    let score = bounds.random(rng, 1.0).score;
    let below = if depth == 0 { 0 } else { branching };
    Sketch::inner(
        score,
        (0..below)
            .map(|_| uniform(bounds, rng, branching, depth - 1))
            .collect(),
    )
}

/// The default settings without the reductions of a target's depth, which no guarantee survives.
#[test]
fn default_settings_are_safe_where_no_target_is_reduced() {
    for seed in 0..2_000 {
        let bounds = SketchBounds {
            branching: 4,
            depth: 7,
            scores: (-60..=60).collect(),
        };
        let sketch = bounds.random(&mut SplitMix64::new(seed), 0.05);
        let params = Cc2sParams {
            conspiracy_max: 1 + (seed % 3) as i32,
            fail_high_reduction: false,
            null_move: false,
            ..Cc2sParams::default()
        };
        // With the schedule the conspiracy rises at depth 4.
        assert_safe(
            &sketch,
            &params,
            4 + (seed % 2) as u16,
            &format!("seed {seed}"),
        );
    }
}

/// The search with all reductions terminates on finite trees.
#[test]
fn default_settings_end() {
    for seed in 0..1_000 {
        let bounds = SketchBounds {
            branching: 4,
            depth: 7,
            scores: (-60..=60).collect(),
        };
        let sketch = bounds.random(&mut SplitMix64::new(seed), 0.05);
        let run = run(&sketch, &Cc2sParams::default(), 6);
        assert!(
            run.decision.exhausted || run.decision.met.depth == 6,
            "seed {seed}: {:?}",
            run.decision
        );
        assert_eq!(invariants::first_flaw(&run.tree), None, "seed {seed}");
    }
}

/// With any conspiracy, no node is evaluated three times without accelerations (Theorem 2.2-7).
#[test]
fn more_strategies_need_no_third_valuation() {
    for seed in 0..2_000 {
        let sketch = random_tree(seed, 4, 6, 0.1);
        let run = run(
            &sketch,
            &plain(2 + (seed % 3) as u16),
            1 + (seed % 4) as u16,
        );
        assert_few_questions(&sketch, &run, &format!("seed {seed}"));
    }
}

/// The tree is kept from move to move, and the following decisions are as safe.
#[test]
fn decisions_stay_safe_when_the_game_goes_on() {
    let mut moves_played = 0;
    for seed in 0..500 {
        let rng = &mut SplitMix64::new(seed);
        let conspiracy = 1 + rng.below(2) as u16;
        let params = Cc2sParams {
            root_margin_cp: 0,
            ..sound_params(rng, conspiracy)
        };
        let mut sketch = random_tree(seed, 3, 8, 0.02);
        let mut run = run(&sketch, &params, 3);
        while run.decision.pv.len() > 1 && !run.decision.exhausted {
            let mv = run.decision.pv[0];
            assert!(run.tree.advance(mv), "seed {seed}");
            run.game.play(mv);
            sketch = sketch.successors[usize::from(mv)].clone();
            assert_eq!(invariants::first_flaw(&run.tree), None, "seed {seed}");
            run.analyse(HeuristicEvaluator::default(), 3, 200_000);
            moves_played += 1;
            if !run.decision.exhausted {
                assert_eq!(
                    run.decision.met,
                    Requirement {
                        depth: 3,
                        conspiracy
                    },
                    "seed {seed}"
                );
                assert!(
                    is_safe(&mut run, &sketch, 3, conspiracy, 0),
                    "seed {seed}, {params:?}: {sketch}"
                );
            }
        }
    }
    assert!(moves_played > 500, "{moves_played} moves");
}

/// With a tree too large for the memory, the search removes nodes and continues until it finishes or is stopped.
/// It returns a legal line.
#[test]
fn a_full_memory_leaves_the_tree_whole() {
    for seed in 0..40 {
        let bounds = SketchBounds {
            branching: 1,
            depth: 0,
            scores: (-50..=50).collect(),
        };
        let sketch = uniform(&bounds, &mut SplitMix64::new(seed), 5, 6);
        let params = sound_params(&mut SplitMix64::new(seed), 2);
        let mut run = Run::new(&sketch, &params, 1 << 10);
        let limit = 20_000;
        run.analyse(HeuristicEvaluator::default(), 6, limit);
        let done = run.decision.met.depth == 6 || run.decision.exhausted;
        assert!(
            done || run.statuses.len() == limit,
            "seed {seed}: gave up for want of memory"
        );
        assert!(run.counters.forgettings > 0, "seed {seed}");
        assert_eq!(invariants::first_flaw(&run.tree), None, "seed {seed}");
        assert!(run.tree.used() <= run.tree.capacity(), "seed {seed}");
        assert_eq!(run.game.level(), 0, "seed {seed}");
        assert!(
            run.decision.met.depth >= 3,
            "seed {seed}: {:?}",
            run.decision
        );
        for mv in run.decision.pv {
            run.game.play(mv);
        }
    }
}
