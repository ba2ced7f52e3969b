//! Several best moves: their order is that of minimax, and each is separated from the rest with the required
//! safety.

mod support;

use cc2s::game::explicit::Sketch;
use cc2s::game::synthetic::SketchBounds;
use cc2s::game::{Game, HeuristicEvaluator, RootUpdate, SplitMix64, TargetBound};
use cc2s::thesis::{Cc2sParams, Tree, invariants};
use support::cc2s_run::{Run, minimax, plain, strategies_for};

/// Number of evaluations that indicates an endless search.
const LIMIT: usize = 400_000;

fn random_tree(seed: u64, branching: u16, depth: u16) -> Sketch {
    let bounds = SketchBounds {
        branching,
        depth,
        scores: (-12..=12).collect(),
    };
    loop {
        let sketch = bounds.random(&mut SplitMix64::new(seed), 0.05);
        if !sketch.successors.is_empty() {
            return sketch;
        }
    }
}

fn run_with(sketch: &Sketch, params: &Cc2sParams, depth: u16, pv_count: usize) -> Run {
    let mut run = Run::new(sketch, params, 1 << 16);
    run.pv_count = pv_count;
    run.analyse(HeuristicEvaluator::default(), depth, LIMIT);
    assert!(run.statuses.len() < LIMIT, "no end in sight: {sketch}");
    assert_eq!(invariants::first_flaw(&run.tree), None, "{sketch}");
    run
}

/// The last report on each of the best moves.
fn last_word(run: &Run, pv_count: usize) -> Vec<RootUpdate<u16>> {
    let last = run.reports[run.reports.len() - pv_count..].to_vec();
    for (index, report) in last.iter().enumerate() {
        let safety = report.safety.unwrap_or_default();
        assert_eq!((report.multi_pv, safety), (index + 1, run.decision.met));
    }
    assert_eq!(last[0].pv, run.decision.pv);
    last
}

/// The moves are in the order of their minimax values at the horizon; the others have no greater value.
fn assert_order_of_minimax(sketch: &Sketch, last: &[RootUpdate<u16>], depth: u16, name: &str) {
    let worth = |mv: u16| -minimax(&sketch.successors[usize::from(mv)], depth - 1);
    let found: Vec<i32> = last.iter().map(|report| worth(report.pv[0])).collect();
    let mut all: Vec<i32> = (0..sketch.successors.len() as u16).map(worth).collect();
    all.sort_unstable_by_key(|&worth| -worth);
    assert_eq!(found, all[..last.len()], "{name}: {sketch}");
}

/// Each of the best moves has at least its splitting value, and all following ones at most that. The required
/// number of leaf-disjoint strategies of the required depth proves it.
fn assert_separated(run: &mut Run, last: &[RootUpdate<u16>], depth: u16, conspiracy: u64) {
    let root = Tree::<u16>::ROOT;
    for (rank, report) in last.iter().enumerate() {
        let claim = report.claim.unwrap();
        let margin = claim.margin_cp as i16;
        assert_eq!(run.tree.successors(root)[rank].mv(), report.pv[0]);
        for index in rank..run.tree.successors(root).len() {
            let bound = if index == rank {
                TargetBound::AtLeast(claim.hypothesis - margin)
            } else {
                TargetBound::AtMost(claim.hypothesis + margin)
            };
            let strategies = strategies_for(run, index, bound, depth);
            assert!(strategies >= conspiracy, "rank {rank}, place {index}");
        }
    }
}

fn assert_playable(run: &mut Run, last: &[RootUpdate<u16>]) {
    let mut moves = Vec::new();
    for report in last {
        for &mv in &report.pv {
            moves.clear();
            run.game.legal_moves(&mut moves);
            assert!(moves.contains(&mv), "{report:?}");
            run.game.play(mv);
        }
        report.pv.iter().for_each(|_| run.game.undo());
    }
}

#[test]
fn the_best_moves_stand_in_the_order_of_minimax() {
    for seed in 0..2_500 {
        let depth = 2 + (seed % 3) as u16;
        let conspiracy = 1 + (seed % 2) as u16;
        let sketch = random_tree(seed, 5, 5);
        let pv_count = (2 + seed as usize % 4).min(sketch.successors.len());
        let mut run = run_with(&sketch, &plain(conspiracy), depth, pv_count);
        if run.decision.exhausted {
            continue;
        }
        let last = last_word(&run, pv_count);
        if conspiracy == 1 {
            assert_order_of_minimax(&sketch, &last, depth, &format!("seed {seed}"));
        }
        assert_separated(&mut run, &last, depth, conspiracy.into());
        assert_playable(&mut run, &last);
    }
}

#[test]
fn with_the_accelerations_every_analysis_of_several_moves_ends() {
    for seed in 0..150 {
        let sketch = random_tree(seed, 6, 7);
        let pv_count = 1 + seed as usize % 7;
        let mut run = run_with(&sketch, &Cc2sParams::default(), 5, pv_count);
        assert!(run.decision.exhausted || run.decision.met.depth == 5);
        let last = last_word(&run, pv_count.min(sketch.successors.len()));
        assert!(last.is_sorted_by_key(|report| std::cmp::Reverse(report.score)));
        assert_playable(&mut run, &last);
    }
}

/// Additional moves have a cost only if requested.
#[test]
fn a_move_more_costs_more_and_none_more_nothing() {
    let sketch = random_tree(3, 6, 7);
    let spent = |pv_count| {
        let run = run_with(&sketch, &Cc2sParams::default(), 5, pv_count);
        (run.counters.nodes(), run.decision.pv[0])
    };
    let moves = sketch.successors.len();
    assert!(moves > 3, "{moves}");
    assert_eq!(spent(moves), spent(moves + 100));
    assert!(spent(1).0 < spent(3).0);
}
