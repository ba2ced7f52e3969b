//! Cc2s with delegation on trees with known minimax values. For any order of the workers' answers, the decision is
//! that of minimax at the same depth, and the reported strategies are verified by counting.

use cc2s::cc2s::{
    DelegationParams, JobId, MARGINS, Planner, Reach, SafetyGoal, Scope, ThinNodeId, ThinTree,
    WorkerInfo,
};
use cc2s::game::synthetic::{GrownGame, Shape};
use cc2s::game::{Bound, Game, Job, Response, RootUpdate, Score, SplitMix64};
use cc2s::lab::quality::read_goal;

#[path = "support/answers.rs"]
mod answers;
use answers::{Move, answer, minimax, root_moves};

fn shape(seed: u64) -> Shape {
    Shape {
        branching_min: 2,
        branching_max: 5,
        order: 0.6,
        noise_cp: 60,
        spread_cp: 80,
        ..Shape::uniform(seed, 3, 12)
    }
}

/// A requirement met: depth, rank among the best moves, value, move.
type Met = (u16, usize, Score, Move);

/// Simulates a planner and `workers` workers whose answers arrive in random order. Checks the claims after each
/// conclusion.
fn run(seed: u64, workers: usize, scope: Scope) -> (Planner<Move>, Vec<Met>) {
    run_with(1_000, seed, workers, scope)
}

/// As [`run`], with a given share of the work for second strategies, in thousandths.
fn run_with(
    secure_permille: i32,
    seed: u64,
    workers: usize,
    scope: Scope,
) -> (Planner<Move>, Vec<Met>) {
    let mut game = GrownGame::new(shape(seed));
    let params = DelegationParams {
        secure_permille,
        secure_lag: 0,
        ..DelegationParams::default()
    };
    let mut planner = Planner::new(params);
    let successors = root_moves(&game);
    let moves: Vec<Move> = successors.iter().map(|&(mv, _)| mv).collect();
    planner.begin(&successors, &moves, scope);
    let mut rng = SplitMix64::new(seed.wrapping_add(77));
    let mut at_work: Vec<(JobId, Job<Move>)> = Vec::new();
    let mut met = Vec::new();
    loop {
        while let Some(update) = planner.conclude() {
            assert_safety_is_of(&planner, &update);
            if update.bound == Bound::Exact {
                met.push((update.depth, update.multi_pv, update.score, update.pv[0]));
            }
        }
        if planner.is_finished() {
            return (planner, met);
        }
        while at_work.len() < workers {
            let Some(next) = planner.next_job(WorkerInfo::LOCAL, Reach::AnyTable) else {
                break;
            };
            at_work.push(next);
        }
        let place = rng.below(at_work.len() as u64) as usize;
        let (job_id, job) = at_work.swap_remove(place);
        let is_broken_off = workers > 1 && rng.below(8) == 0;
        let response = if is_broken_off {
            Response::Aborted(1)
        } else {
            answer(&mut game, &job)
        };
        planner.note(job_id, response);
    }
}

fn scope(depth_max: u16, multi_pv: usize) -> Scope {
    Scope {
        depth_max,
        multi_pv,
        is_analysis: false,
    }
}

/// The reported safety is about the reported best move and its value.
fn assert_safety_is_of(planner: &Planner<Move>, update: &RootUpdate<Move>) {
    let Some(goal) = planner.secured().filter(|_| update.multi_pv == 1) else {
        return;
    };
    let best = planner.tree().node(goal.best()).mv;
    assert_eq!(best, Some(update.pv[0]), "{goal:?} {update:?}");
    assert_eq!(goal.value(), update.score, "{goal:?} {update:?}");
}

/// Each value is that of minimax at its depth, and its move achieves it.
fn assert_minimax(seed: u64, met: Vec<Met>) {
    let mut game = GrownGame::new(shape(seed));
    for (depth, _, score, mv) in met {
        let expected = minimax(&mut game, depth);
        assert_eq!(score, expected, "seed {seed} depth {depth}");
        game.play(mv);
        assert_eq!(minimax(&mut game, depth - 1).to_parent(), score);
        game.undo();
    }
}

#[test]
fn one_worker_decides_as_minimax_does() {
    for seed in 0..60 {
        let (_, met) = run(seed, 1, scope(5, 1));
        assert_minimax(seed, met);
    }
}

#[test]
fn answers_in_any_order_lead_to_a_decision_at_least_as_deep() {
    for seed in 0..60 {
        let (_, met) = run(seed, 3, scope(5, 1));
        let depths: Vec<_> = met.iter().map(|&(depth, ..)| depth).collect();
        assert_eq!(depths, [1, 2, 3, 4, 5]);
        let mut game = GrownGame::new(shape(seed));
        // Late answers may have another depth than requested, and so have the bounds.
        for (depth, _, score, mv) in met {
            game.play(mv);
            let of_depths: Vec<_> = (depth..=9)
                .map(|depth| minimax(&mut game, depth - 1).to_parent())
                .collect();
            game.undo();
            let least = of_depths.iter().min().unwrap();
            let greatest = of_depths.iter().max().unwrap();
            let is_of_some_depth = (*least..=*greatest).contains(&score);
            assert!(is_of_some_depth, "seed {seed} depth {depth}");
        }
    }
}

#[test]
fn the_best_moves_are_told_in_order() {
    for seed in 0..40 {
        let (_, met) = run(seed, 1, scope(4, 3));
        let mut game = GrownGame::new(shape(seed));
        let mut values: Vec<_> = root_moves(&game)
            .into_iter()
            .map(|(mv, _)| {
                game.play(mv);
                let value = minimax(&mut game, 3).to_parent();
                game.undo();
                value
            })
            .collect();
        values.sort_by_key(|&value| std::cmp::Reverse(value));
        values.truncate(3);
        let last = met.iter().filter(|&&(depth, ..)| depth == 4);
        let found: Vec<_> = last.map(|&(_, _, score, _)| score).collect();
        assert_eq!(found, values, "seed {seed}");
    }
}

/// A reported safety: strategies that look `plies` plies ahead from the root.
#[derive(Clone, Copy)]
struct Said {
    plies: u16,
}

/// Minimum depth of a look, and maximum plies by which single moves are followed beyond the reported depth.
const LOOK_MIN: u16 = 3;
const BEYOND_MAX: u16 = 8;
/// Greater than the depth of any look.
const END: u16 = 8;

impl Said {
    /// Whether there are two leaf-disjoint strategies, by brute force and independent of the planner's own
    /// results.
    fn has_two(
        self,
        tree: &ThinTree<Move>,
        game: &mut GrownGame,
        id: ThinNodeId,
        level: u16,
        score: Score,
    ) -> bool {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        if moves.is_empty() {
            return game.end_score().is_some_and(|end| end >= score);
        }
        let plies = self.plies.saturating_sub(level).max(LOOK_MIN);
        let holding: Vec<_> = moves
            .iter()
            .copied()
            .filter(|&mv| {
                game.play(mv);
                let is_shown = |depth| minimax(game, depth - 1).to_parent() >= score;
                let holds = (plies..END).any(is_shown);
                game.undo();
                holds
            })
            .collect();
        holding.len() >= 2
            || level < self.plies + BEYOND_MAX
                && holding.iter().any(|&mv| {
                    tree.successor(id, mv).is_some_and(|below| {
                        game.play(mv);
                        let all = self.holds_against_all(
                            tree,
                            game,
                            below,
                            level + 1,
                            score.to_successor(),
                        );
                        game.undo();
                        all
                    })
                })
    }

    fn holds_against_all(
        self,
        tree: &ThinTree<Move>,
        game: &mut GrownGame,
        id: ThinNodeId,
        level: u16,
        score: Score,
    ) -> bool {
        let Some(successors) = tree.node(id).successors.clone() else {
            return false;
        };
        successors.into_iter().all(|reply| {
            game.play(tree.node(reply).mv.expect("a reply"));
            let holds = self.has_two(tree, game, reply, level + 1, score.to_successor());
            game.undo();
            holds
        })
    }

    /// Whether two strategies show the decision within the margin of `goal`.
    fn holds(self, tree: &ThinTree<Move>, game: &mut GrownGame, goal: &SafetyGoal) -> bool {
        let root = tree.node(ThinTree::<Move>::ROOT);
        let successors = root.successors.clone().unwrap();
        successors.into_iter().all(|id| {
            game.play(tree.node(id).mv.unwrap());
            let holds = if id == goal.best() {
                self.holds_against_all(tree, game, id, 1, goal.low().to_successor())
            } else {
                self.has_two(tree, game, id, 1, goal.high().to_successor())
            };
            game.undo();
            holds
        })
    }
}

#[test]
fn two_strategies_are_claimed_only_where_there_are_two() {
    let (mut margins, mut depths) = (Vec::new(), Vec::new());
    for seed in 0..120 {
        let (planner, _) = run(seed, 1, scope(7, 1));
        let Some(goal) = planner.secured() else {
            continue;
        };
        let met = planner.safety().0.unwrap();
        assert_eq!(met.conspiracy, 2);
        assert!(met.depth <= 7 && MARGINS.contains(&goal.margin_cp()));
        assert_eq!(planner.tree().node(goal.best()).mv, Some(planner.pv()[0]));
        let said = Said { plies: met.depth };
        let mut game = GrownGame::new(shape(seed));
        assert!(said.holds(planner.tree(), &mut game, &goal), "seed {seed}");
        margins.push(goal.margin_cp());
        depths.push(met.depth);
    }
    let count = |margin| margins.iter().filter(|&&other| other == margin).count();
    let is_varied = count(50) > 40 && count(25) > 3 && count(100) > 1;
    assert!(margins.len() > 60 && is_varied, "{margins:?}");
    assert!(depths.contains(&7), "{depths:?}");
}

/// A greater share of the work for second strategies gives a smaller margin or a greater depth.
#[test]
fn analysis_tells_more_of_safety() {
    let told = |seed, is_analysis| {
        let scope = Scope {
            is_analysis,
            ..scope(8, 1)
        };
        let (planner, _) = run_with(10, seed, 1, scope);
        planner.secured().map_or(0, |goal| goal.depth())
    };
    let depths = |is_analysis| -> u16 { (0..40).map(|seed| told(seed, is_analysis)).sum() };
    let (play, analysis) = (depths(false), depths(true));
    assert!(analysis > play + 20, "{play} {analysis}");
}

/// The proof read by `cc2s lab quality` has at least the claimed strategies, and reveals a wrong claim.
#[test]
fn a_wrong_claim_is_found() {
    let mut tampered = 0;
    for seed in 0..120 {
        let (planner, _) = run(seed, 1, scope(7, 1));
        let Some(goal) = planner.secured() else {
            continue;
        };
        let honest = read_goal(planner.tree(), &goal);
        assert!(honest.strategies() >= 2, "seed {seed}");
        let mut tree = planner.tree().clone();
        let successors = tree
            .node(ThinTree::<Move>::ROOT)
            .successors
            .clone()
            .unwrap();
        let (score, depth) = (goal.high().to_successor(), goal.look_depth(1));
        let plain = successors.into_iter().find_map(|id| {
            let shown = tree.node(id).strategies_for(score, depth);
            // A subtree below a move might replace the other strategy.
            let is_end = |mv| {
                let behind = tree.successor(id, mv);
                behind.is_none_or(|behind| tree.node(behind).successors.is_none())
            };
            let is_plain = shown.iter().all(|strategy| is_end(strategy.mv));
            let is_other = id != goal.best() && shown.len() == 2 && is_plain;
            is_other.then(|| (id, shown[0].mv))
        });
        let Some((other, lost)) = plain else { continue };
        tree.node_mut(other)
            .strategies
            .retain(|strategy| strategy.mv != lost);
        assert!(read_goal(&tree, &goal).strategies() < 2, "seed {seed}");
        tampered += 1;
    }
    assert!(tampered > 10, "{tampered} are too few to show anything");
}

/// A goal that cannot be met within its share of the work does not prevent the search from ending.
#[test]
fn a_search_ends_whatever_its_share_for_second_strategies() {
    for secure_permille in [0, 1, 30, 200] {
        for seed in 0..20 {
            let (_, met) = run_with(secure_permille, seed, 1, scope(5, 1));
            assert_eq!(met.len(), 5);
        }
    }
}

#[test]
fn each_question_may_ask_about_other_moves() {
    let mut game = GrownGame::new(shape(2));
    let successors = root_moves(&game);
    let mut planner = Planner::new(DelegationParams::default());
    for &(mv, _) in &successors {
        planner.begin(&successors, &[mv], scope(3, 1));
        while let Some((job_id, job)) = {
            while planner.conclude().is_some() {}
            planner.next_job(WorkerInfo::LOCAL, Reach::AnyTable)
        } {
            planner.note(job_id, answer(&mut game, &job));
        }
        assert_eq!(planner.pv()[0], mv);
    }
}

#[test]
fn what_is_known_of_a_reply_survives_the_move() {
    let (mut planner, met) = run(3, 1, scope(5, 1));
    let before = planner.tree().size();
    let mv = met.last().unwrap().3;
    planner.advance_root(&[mv]);
    assert!(planner.tree().size() < before);
    assert!(planner.tree().path(ThinTree::<Move>::ROOT).is_empty());
    planner.advance_root(&[99]);
    assert_eq!(
        planner.tree().size(),
        1,
        "nothing is known of a move never seen"
    );
}
