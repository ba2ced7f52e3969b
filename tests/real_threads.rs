//! The workers on real threads: what the simulation shows for thousands of schedules, for those a real machine makes.
//!
//! `CC2S_SCHEDULES=100000 cargo test --test real_threads` tries more.

mod support;

use std::time::{Duration, Instant};

use cc2s::cc2s::{
    Cc2sParams, Decision, Monitor, Progress, Requirement, RootReport, Schedule, Status,
    TargetTables, TeamParams, Tree, Worker, WorkerId, invariants, union,
};
use cc2s::driver::{sequential, threads};
use cc2s::game::explicit::{Sketch, TreeGame};
use cc2s::game::synthetic::{GrownGame, Shape};
use cc2s::game::{Game, HeuristicEvaluator, SplitMix64};
use support::cc2s_run::{Run, any_tree, is_safe, plain, schedules};

/// Longer than any of these searches takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// Stops after a number of polls or when patience ends.
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

impl<M> Monitor<M> for Listener {
    fn proceed(&mut self, status: &Status) -> bool {
        assert!(status.nodes >= self.nodes, "counts only grow");
        assert!(self.start.elapsed() < PATIENCE, "no end in sight");
        self.nodes = status.nodes;
        self.polls += 1;
        self.polls < self.polls_max
    }

    fn report(&mut self, report: &RootReport<M>) {
        self.margin_cp = self.margin_cp.max(report.margin_cp);
    }
}

fn crew<G: Game + Clone>(game: &G, params: &Cc2sParams, count: u16) -> Vec<Worker<G>> {
    let worker = |number| {
        let tree = Tree::with_capacity(1 << 16).unwrap();
        let tables = TargetTables::with_entries(1 << 8).unwrap();
        let id = WorkerId(number);
        // Also with as many letters as possible.
        let team = if count.is_multiple_of(2) {
            TeamParams::for_threads()
        } else {
            TeamParams::default()
        };
        Worker::new(id, count, params.clone(), game.clone(), tree, tables).sharing(team)
    };
    (0..count).map(worker).collect()
}

fn lead<G: Game>(worker: &mut Worker<G>, game: &G, params: &Cc2sParams, depth: u16) {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let schedule = Schedule {
        conspiracy_max: params.conspiracy_max as u16,
        rise_depth: params.rise_depth as u16,
        elementary: false,
    };
    worker.lead(&moves, schedule, depth, 1);
}

fn evaluators(count: u16) -> Vec<HeuristicEvaluator> {
    (0..count).map(|_| HeuristicEvaluator::default()).collect()
}

/// Lets everybody finish what was begun: the decision is taken, but some still work on what nobody wants any more.
fn settle<G: Game>(workers: &mut [Worker<G>])
where
    HeuristicEvaluator: cc2s::game::Evaluator<G>,
{
    let mut evaluator = HeuristicEvaluator::default();
    while !workers.iter().all(Worker::is_at_rest) {
        for place in 0..workers.len() {
            let progress = workers[place].step(&mut evaluator);
            let outbox = workers[place].take_outbox();
            let is_stuck = progress == Progress::Idle && outbox.is_empty();
            assert!(!is_stuck || workers.len() > 1, "a lone worker waits");
            for envelope in outbox {
                workers[usize::from(envelope.to.0)].receive(envelope);
            }
        }
    }
}

/// Checks the decision on the tree that all have grown together.
fn assert_safe(
    workers: &[Worker<TreeGame>],
    (sketch, depth): (&Sketch, u16),
    params: &Cc2sParams,
    margin_cp: i16,
    name: &str,
) {
    let decision: Decision<_> = workers[0].decision().unwrap();
    let tree = union(workers, 1 << 16).unwrap();
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

/// Some of the searches are stopped at any moment and taken up again with the tree they left behind.
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
        let name = format!("seed {seed}, {count} workers, depth {depth}");
        let game = TreeGame::new(&sketch);
        let mut workers = crew(&game, &params, count);
        let mut evaluators = evaluators(count);
        if rng.below(2) == 0 {
            lead(&mut workers[0], &game, &params, depth);
            let mut impatient = Listener::new(1 + rng.below(60));
            threads::run(&mut workers, &mut evaluators, &mut impatient);
            for worker in &mut workers {
                worker.prepare(game.clone(), true);
            }
        }
        lead(&mut workers[0], &game, &params, depth);
        let mut listener = Listener::new(u64::MAX);
        threads::run(&mut workers, &mut evaluators, &mut listener);
        assert!(workers[0].is_done(), "{name}");
        settle(&mut workers);
        assert_safe(
            &workers,
            (&sketch, depth),
            &params,
            listener.margin_cp,
            &name,
        );
    }
}

fn grown(seed: u64) -> GrownGame {
    GrownGame::new(Shape {
        order: 0.6,
        noise_cp: 40,
        ..Shape::uniform(seed, 8, 7)
    })
}

#[test]
fn one_thread_does_what_one_worker_does() {
    for seed in 0..20 {
        let (game, params) = (grown(seed), Cc2sParams::default());
        let outcomes = [false, true].map(|on_thread| {
            let mut workers = crew(&game, &params, 1);
            lead(&mut workers[0], &game, &params, 4);
            let mut listener = Listener::new(u64::MAX);
            if on_thread {
                threads::run(&mut workers, &mut evaluators(1), &mut listener);
            } else {
                sequential::run(&mut workers[0], &mut evaluators(1)[0], &mut listener);
            }
            (workers[0].counters(), workers[0].decision())
        });
        let [alone, threaded] = outcomes;
        assert_eq!(alone, threaded, "seed {seed}");
    }
}

/// A full memory ends the analysis for all, with an answer.
#[test]
fn a_worker_without_memory_ends_the_analysis() {
    let (game, params) = (grown(3), Cc2sParams::default());
    let worker = |number| {
        let tree = Tree::with_capacity(1 << 10).unwrap();
        let tables = TargetTables::with_entries(1).unwrap();
        Worker::new(
            WorkerId(number),
            3,
            params.clone(),
            game.clone(),
            tree,
            tables,
        )
    };
    let mut workers: Vec<_> = (0..3).map(worker).collect();
    lead(&mut workers[0], &game, &params, 7);
    threads::run(
        &mut workers,
        &mut evaluators(3),
        &mut Listener::new(u64::MAX),
    );
    assert!(workers[0].is_done() || workers.iter().any(|worker| worker.halted().is_some()));
    assert!(workers[0].decision().is_some());
}

/// Falls over after a number of questions.
struct Fragile(u64);

impl<G: Game + cc2s::game::Heuristic> cc2s::game::Evaluator<G> for Fragile {
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
fn a_worker_that_falls_over_takes_the_others_with_it() {
    let (game, params) = (grown(5), Cc2sParams::default());
    for fragile in 0..3 {
        let mut workers = crew(&game, &params, 3);
        lead(&mut workers[0], &game, &params, 6);
        let mut evaluators = [1_000_000, 1_000_000, 1_000_000].map(Fragile);
        evaluators[fragile] = Fragile(20);
        let run = std::panic::AssertUnwindSafe(|| {
            threads::run(&mut workers, &mut evaluators, &mut Listener::new(u64::MAX));
        });
        assert!(std::panic::catch_unwind(run).is_err(), "worker {fragile}");
    }
}
