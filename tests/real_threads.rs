//! Several threads in one tree, on real threads.
//!
//! `CC2S_SCHEDULES=100000 cargo test --test real_threads` runs more schedules.

mod support;

use std::time::{Duration, Instant};

use cc2s::chess::{Line, notation};
use cc2s::eval::EvaluationKind;
use cc2s::game::explicit::{Sketch, TreeGame};
use cc2s::game::synthetic::{GrownGame, Shape};
use cc2s::game::{
    Evaluator, Game, HeuristicEvaluator, Progress, Requirement, RootUpdate, SearchListener,
    SplitMix64,
};
use cc2s::search::{LeafEvaluator, LeafParams};
use cc2s::thesis::{
    Cc2sParams, TargetTables, TeamParams, Tree, Worker, WorkerId, invariants, threads,
};
use support::cc2s_run::{Run, any_tree, is_safe, lead, plain, schedules};
use support::sequential;

/// A run that takes longer hangs, even on a busy machine.
const PATIENCE: Duration = Duration::from_mins(10);

/// Stops after a number of polls or a timeout.
struct Listener {
    start: Instant,
    polls: u64,
    polls_max: u64,
    nodes: u64,
    margin_cp: i16,
}

impl Listener {
    fn new(polls_max: u64) -> Self {
        Self {
            start: Instant::now(),
            polls: 0,
            polls_max,
            nodes: 0,
            margin_cp: 0,
        }
    }
}

impl<M> SearchListener<M> for Listener {
    fn proceed(&mut self, status: &Progress) -> bool {
        assert!(status.nodes >= self.nodes, "counts only grow");
        assert!(self.start.elapsed() < PATIENCE, "no end in sight");
        self.nodes = status.nodes;
        self.polls += 1;
        self.polls < self.polls_max
    }

    fn report(&mut self, report: &RootUpdate<M>) {
        let margin_cp = report.claim.unwrap().margin_cp as i16;
        self.margin_cp = self.margin_cp.max(margin_cp);
    }
}

fn worker<G: Game + Clone>(game: &G, params: &Cc2sParams) -> Worker<G> {
    let tree = Tree::with_capacity(1 << 16).unwrap();
    let tables = TargetTables::with_entries(1 << 14).unwrap();
    Worker::new(WorkerId(0), 1, params.clone(), game.clone(), tree, tables)
}

fn evaluators(count: u16) -> Vec<HeuristicEvaluator> {
    (0..count).map(|_| HeuristicEvaluator::default()).collect()
}

/// Checks the decision in the tree shared by all threads.
fn assert_safe(
    worker: &Worker<TreeGame>,
    sketch: &Sketch,
    depth: u16,
    params: &Cc2sParams,
    margin_cp: i16,
    name: &str,
) {
    let decision = worker.decision().unwrap();
    let tree = worker.tree().clone();
    assert_eq!(invariants::first_flaw(&tree), None, "{name}: {sketch}");
    if decision.exhausted || margin_cp > params.root_margin_cp as i16 {
        return;
    }
    let conspiracy = params.conspiracy_max as u16;
    assert_eq!(decision.met, Requirement { depth, conspiracy }, "{name}");
    let mut run = Run::new(sketch, params, 1 << 10);
    (run.tree, run.decision) = (tree, decision);
    let margin = params.root_margin_cp as i16;
    assert!(
        is_safe(&mut run, sketch, depth, conspiracy, margin),
        "{name}: {sketch}"
    );
}

/// Some searches are stopped at a random moment and resumed with the tree they left.
#[test]
fn decisions_on_real_threads_are_safe() {
    for seed in 0..schedules(400) {
        let rng = &mut SplitMix64::new(seed);
        let params = Cc2sParams {
            target_tables: rng.below(2) == 0,
            principal_variation: rng.below(2) == 0,
            ..plain(1 + rng.below(3) as u16)
        };
        let sketch = any_tree(rng);
        let (depth, count) = (1 + rng.below(4) as u16, 1 + rng.below(6) as u16);
        let name = format!("seed {seed}, {count} threads, depth {depth}");
        let game = TreeGame::new(&sketch);
        let mut worker = worker(&game, &params);
        let mut evaluators = evaluators(count);
        if rng.below(2) == 0 {
            lead(&mut worker, &game, &params, depth);
            let mut impatient = Listener::new(1 + rng.below(60));
            threads::run(&mut worker, &game, &mut evaluators, &mut impatient);
            worker.prepare(game.clone(), true);
        }
        lead(&mut worker, &game, &params, depth);
        let mut listener = Listener::new(u64::MAX);
        threads::run(&mut worker, &game, &mut evaluators, &mut listener);
        assert!(worker.is_done(), "{name}");
        assert!(worker.is_at_rest(), "{name}: something is left behind");
        assert_safe(&worker, &sketch, depth, &params, listener.margin_cp, &name);
    }
}

fn grown(seed: u64) -> GrownGame {
    GrownGame::new(Shape {
        order: 0.6,
        noise_cp: 40,
        ..Shape::uniform(seed, 8, 7)
    })
}

/// The same decision after the same evaluations, if every problem is as small as expected. Otherwise it is
/// returned partly solved and visited again, which may change the number of evaluations by one.
fn assert_one_thread_is_one_worker<G, E>(game: &G, depth: u16, evaluator: impl Fn() -> E)
where
    G: Game + Clone + Send,
    G::Move: Send,
    E: Evaluator<G> + Send,
{
    let params = Cc2sParams::default();
    let team = TeamParams {
        job_nodes_max: 1 << 16,
        ..TeamParams::default()
    };
    let outcomes = [false, true].map(|by_thread| {
        let mut worker = worker(game, &params).sharing(team.clone());
        lead(&mut worker, game, &params, depth);
        let mut listener = Listener::new(u64::MAX);
        if by_thread {
            threads::run(&mut worker, game, &mut [evaluator()], &mut listener);
        } else {
            sequential::run(&mut worker, &mut evaluator(), &mut listener);
        }
        let counters = worker.counters();
        let asked = (counters.valuations, counters.revaluations);
        (counters.tree_nodes, asked, worker.decision())
    });
    let [alone, by_thread] = outcomes;
    assert_eq!(alone, by_thread);
}

#[test]
fn one_thread_does_what_one_worker_does() {
    for seed in 0..20 {
        assert_one_thread_is_one_worker(&grown(seed), 4, HeuristicEvaluator::default);
    }
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let line = Line::new(notation::parse_fen(fen).unwrap());
        let params = LeafParams {
            evaluation: EvaluationKind::Classical,
            ..LeafParams::default()
        };
        let evaluator = || LeafEvaluator::new(params.clone(), 1).unwrap();
        assert_one_thread_is_one_worker(&line, 4, evaluator);
    }
}

/// A full memory ends the analysis of all threads with a result.
#[test]
fn a_full_memory_ends_the_analysis() {
    let (game, params) = (grown(3), Cc2sParams::default());
    let tree = Tree::with_capacity(1 << 10).unwrap();
    let tables = TargetTables::with_entries(1).unwrap();
    let mut worker = Worker::new(WorkerId(0), 1, params.clone(), game.clone(), tree, tables);
    lead(&mut worker, &game, &params, 7);
    let mut listener = Listener::new(u64::MAX);
    threads::run(&mut worker, &game, &mut evaluators(3), &mut listener);
    assert!(worker.is_done() || worker.halted().is_some());
    assert!(worker.decision().is_some());
}

/// Panics after a number of evaluations.
struct Fragile(u64);

impl<G: Game + cc2s::game::Heuristic> Evaluator<G> for Fragile {
    fn evaluate(&mut self, game: &mut G, window: cc2s::game::Window) -> cc2s::game::Valuation {
        self.0 -= 1;
        assert!(self.0 > 0, "an invariant is broken (on purpose)");
        HeuristicEvaluator::default().evaluate(game, window)
    }
    fn order(&mut self, _: &mut G, _: &mut [G::Move]) -> u64 {
        1
    }
    fn is_quiet(&mut self, _: &mut G, _: G::Move) -> bool {
        false
    }
    fn threat(&mut self, _: &mut G) -> cc2s::game::Score {
        cc2s::game::Score::DRAW
    }
}

#[test]
fn a_thread_that_falls_over_takes_the_others_with_it() {
    // More work than can be done before every thread has had its share.
    let game = GrownGame::new(Shape::uniform(5, 20, 12));
    let params = Cc2sParams::default();
    for fragile in 0..3 {
        let mut worker = worker(&game, &params);
        lead(&mut worker, &game, &params, 12);
        let mut evaluators = [1_000_000, 1_000_000, 1_000_000].map(Fragile);
        evaluators[fragile] = Fragile(3);
        let run = std::panic::AssertUnwindSafe(|| {
            let mut listener = Listener::new(u64::MAX);
            threads::run(&mut worker, &game, &mut evaluators, &mut listener);
        });
        assert!(std::panic::catch_unwind(run).is_err(), "thread {fragile}");
    }
}
