//! The protocol of the workers under thousands of orders of messages: every run ends, nothing is left behind, and the
//! decision is as safe as demanded, judged on the tree that all workers together have grown.
//!
//! `CC2S_SCHEDULES=100000 cargo test --test simulation` tries more.

mod support;

use cc2s::cc2s::{
    Bound, Cc2sParams, Decision, Monitor, NodeId, Requirement, RootReport, Status, TargetTables,
    TeamParams, Tree, Worker, WorkerId, invariants, union,
};
use cc2s::chess::{Line, notation};
use cc2s::driver::sim::{Conditions, Costs, Measures, Simulation, run_hands, run_home};
use cc2s::game::explicit::TreeGame;
use cc2s::game::synthetic::{GrownGame, Shape};
use cc2s::game::{Evaluator, Game, Heuristic, HeuristicEvaluator, Precision, SplitMix64};
use cc2s::leaf::{LeafEvaluator, LeafParams};
use support::cc2s_run::{Run, any_tree, is_safe, lead, schedules, sound_params};

/// Remembers the greatest margin and keeps count of turns.
#[derive(Default)]
struct Listener {
    margin_cp: i16,
    turns: usize,
}

/// More turns than any of these little trees can take.
const TURNS_MAX: usize = 3_000_000;

impl<M> Monitor<M> for Listener {
    fn proceed(&mut self, _: &Status) -> bool {
        self.turns += 1;
        self.turns < TURNS_MAX
    }

    fn report(&mut self, report: &RootReport<M>) {
        self.margin_cp = self.margin_cp.max(report.margin_cp);
    }
}

struct Outcome<G: Game> {
    workers: Vec<Worker<G>>,
    decision: Decision<G::Move>,
    measures: Measures,
    margin_cp: i16,
}

/// Workers, the first of which leads an analysis of the position `game` stands at; each may store so many nodes.
fn team_of<G: Game + Clone>(
    count: u16,
    game: &G,
    params: &Cc2sParams,
    team: &TeamParams,
    depth: u16,
    stored_nodes_max: usize,
) -> Vec<Worker<G>> {
    let worker = |number| {
        let tree = Tree::with_capacity(stored_nodes_max).unwrap();
        let tables = TargetTables::with_entries(1 << 8).unwrap();
        let id = WorkerId(number);
        Worker::new(id, count, params.clone(), game.clone(), tree, tables).sharing(team.clone())
    };
    let mut workers: Vec<_> = (0..count).map(worker).collect();
    lead(&mut workers[0], game, params, depth);
    workers
}

/// `count` workers decide on the position `game` stands at, with an evaluator for each or a single one for all.
fn simulate<G: Game + Clone, E: Evaluator<G>>(
    game: &G,
    params: &Cc2sParams,
    team: &TeamParams,
    depth: u16,
    count: u16,
    conditions: Conditions,
    mut evaluators: Vec<E>,
) -> Outcome<G> {
    let workers = team_of(count, game, params, team, depth, 1 << 16);
    let mut simulation = Simulation::new(workers, &mut evaluators, conditions);
    let mut listener = Listener::default();
    let measures = simulation.run(&mut listener);
    assert!(listener.turns < TURNS_MAX, "no end in sight");
    simulation.settle();
    let workers = simulation.into_workers();
    assert!(workers[0].is_done());
    for worker in &workers {
        assert!(worker.is_at_rest(), "something is left behind");
        assert_eq!(worker.halted(), None);
    }
    let decision = workers[0].decision().unwrap();
    Outcome {
        workers,
        decision,
        measures,
        margin_cp: listener.margin_cp,
    }
}

/// `count` hands in one tree decide on the position `game` stands at.
fn simulate_hands<G: Game + Clone, E: Evaluator<G>>(
    game: &G,
    params: &Cc2sParams,
    team: &TeamParams,
    depth: u16,
    count: u16,
    conditions: Conditions,
    evaluator: E,
) -> Outcome<G> {
    let machine = (usize::from(count), conditions);
    decide_in_one_tree(game, params, team, depth, |worker, listener| {
        run_hands(worker, game, &mut [evaluator], machine, listener)
    })
}

/// A worker at home and `count` hands far away decide on the position `game` stands at, each with an evaluator of its own.
fn simulate_home<G: Game + Clone, E: Evaluator<G>>(
    game: &G,
    params: &Cc2sParams,
    team: &TeamParams,
    depth: u16,
    count: u16,
    conditions: Conditions,
    evaluator: impl Fn() -> E,
) -> Outcome<G> {
    let mut evaluators: Vec<_> = (0..=count).map(|_| evaluator()).collect();
    let machine = (usize::from(count), conditions);
    decide_in_one_tree(game, params, team, depth, |worker, listener| {
        run_home(worker, game, &mut evaluators, machine, listener)
    })
}

/// One worker decides on the position `game` stands at; `run` lets its hands do the work.
fn decide_in_one_tree<G: Game + Clone>(
    game: &G,
    params: &Cc2sParams,
    team: &TeamParams,
    depth: u16,
    run: impl FnOnce(&mut Worker<G>, &mut Listener) -> Measures,
) -> Outcome<G> {
    let tree = Tree::with_capacity(1 << 18).unwrap();
    let tables = TargetTables::with_entries(1 << 14).unwrap();
    let worker = Worker::new(WorkerId(0), 1, params.clone(), game.clone(), tree, tables);
    let mut worker = worker.sharing(team.clone());
    lead(&mut worker, game, params, depth);
    let mut listener = Listener::default();
    let measures = run(&mut worker, &mut listener);
    assert!(listener.turns < TURNS_MAX, "no end in sight");
    assert!(worker.is_done());
    assert!(worker.is_at_rest(), "something is left behind");
    let decision = worker.decision().unwrap();
    Outcome {
        workers: vec![worker],
        decision,
        measures,
        margin_cp: listener.margin_cp,
    }
}

/// Costs and delays of any order of magnitude, so that messages cross in every way.
fn any_conditions(rng: &mut SplitMix64) -> Conditions {
    let mut magnitude = |digits: u64| 10_u64.pow(rng.below(digits) as u32);
    let costs = Costs {
        leaf_node_ns: magnitude(4),
        tree_node_ns: 0,
        copied_node_ns: magnitude(3),
        step_ns: magnitude(3),
        overhead_ns: magnitude(3),
        latency_ns: magnitude(6),
        byte_ps: 0,
    };
    Conditions {
        costs,
        jitter: [0, 1, 10, 100][rng.below(4) as usize],
        seed: rng.next_u64(),
    }
}

fn any_team(rng: &mut SplitMix64) -> TeamParams {
    TeamParams {
        leftmost_first: rng.below(2) == 1,
        spread_levels: [0, 2, 1000][rng.below(3) as usize],
        spread_single: rng.below(2) == 1,
        on_demand: rng.below(2) == 1,
        demand_depth_min: rng.below(3) as i32,
        best_first: rng.below(2) == 1,
        speculation: rng.below(2) == 1,
        speculation_from: rng.below(4) as i32,
        speculation_tasks_max: [1, 3, 200][rng.below(3) as usize],
        packet_size: 1 + rng.below(3) as i32,
        pass_aside: rng.below(2) == 1,
        pass_aside_tasks_max: [1, 2, 100][rng.below(3) as usize],
        bundle_depth_max: rng.below(5) as i32,
        bundle_shared_depth_max: rng.below(5) as i32,
        bundle_size_max: [1, 2, 8][rng.below(3) as usize],
        bundle_work_max: rng.below(60) as i32 + 1,
        bundle_work_aim: [0, 20, 200][rng.below(3) as usize],
        bundle_known_max: [1, 10, 400][rng.below(3) as usize],
        bundle_nodes_max: [1, 10, 1000][rng.below(3) as usize],
        lessons_after: [0, 1, 100][rng.below(3) as usize],
        chores_ahead: rng.below(3) as i32,
    }
}

#[test]
fn every_order_of_messages_leads_to_a_safe_decision() {
    for seed in 0..schedules(2_000) {
        let rng = &mut SplitMix64::new(seed);
        let conspiracy_max = 1 + rng.below(3) as u16;
        let params = sound_params(rng, conspiracy_max);
        let sketch = any_tree(rng);
        let depth = 1 + rng.below(4) as u16;
        let count = 1 + rng.below(9) as u16;
        let conditions = any_conditions(rng);
        let name = format!("seed {seed}, {count} workers, {conditions:?}, {params:?}");
        let game = TreeGame::new(&sketch);
        let evaluator = HeuristicEvaluator {
            precision: [Precision::Full, Precision::Clipped][rng.below(2) as usize],
        };
        let team = any_team(rng);
        let name = format!("{name}, {team:?}");
        let outcome = match seed % 3 {
            0 => simulate(
                &game,
                &params,
                &team,
                depth,
                count,
                conditions,
                vec![evaluator],
            ),
            1 => simulate_hands(&game, &params, &team, depth, count, conditions, evaluator),
            _ => simulate_home(&game, &params, &team, depth, count, conditions, || {
                evaluator
            }),
        };
        let tree = union(&outcome.workers, 1 << 16).unwrap();
        assert_eq!(invariants::first_flaw(&tree), None, "{name}: {sketch}");
        let is_widened = outcome.margin_cp > params.root_margin_cp as i16;
        if outcome.decision.exhausted || is_widened {
            continue;
        }
        let conspiracy = params.conspiracy_max as u16;
        let met = Requirement { depth, conspiracy };
        assert_eq!(outcome.decision.met, met, "{name}: {sketch}");
        let mut run = Run::new(&sketch, &params, 1 << 10);
        (run.tree, run.decision) = (tree, outcome.decision);
        let margin = params.root_margin_cp as i16;
        assert!(
            is_safe(&mut run, &sketch, depth, conspiracy, margin),
            "{name}: {sketch}"
        );
    }
}

/// All accelerations, whatever they promise: the search ends and leaves nothing behind.
#[test]
fn default_settings_end_on_any_number_of_workers() {
    for seed in 0..schedules(2_000) / 20 {
        let rng = &mut SplitMix64::new(seed);
        let shape = Shape {
            order: 0.6,
            noise_cp: 40,
            ..Shape::uniform(seed, 8, 7)
        };
        let count = [2, 3, 7, 40, 300][rng.below(5) as usize];
        let conditions = any_conditions(rng);
        let (game, params) = (GrownGame::new(shape), Cc2sParams::default());
        let evaluator = HeuristicEvaluator::default();
        let team = any_team(rng);
        let outcome = match seed % 3 {
            0 => simulate(&game, &params, &team, 4, count, conditions, vec![evaluator]),
            1 => simulate_hands(&game, &params, &team, 4, count, conditions, evaluator),
            _ => simulate_home(&game, &params, &team, 4, count, conditions, || evaluator),
        };
        let met = outcome.decision.met.depth;
        assert!(met == 4 || outcome.decision.exhausted, "seed {seed}");
        let tree = union(&outcome.workers, 1 << 20).unwrap();
        let mut game = game.clone();
        assert_eq!(
            untrue_leaves(&tree, Tree::<usize>::ROOT, &mut game),
            0,
            "seed {seed}"
        );
    }
}

/// Leaves below `v`, where the game stands, whose values are not what the evaluator says of them.
fn untrue_leaves<G: Heuristic>(tree: &Tree<G::Move>, v: NodeId, game: &mut G) -> usize {
    if tree[v].kid_count() == 0 {
        let (value, truth) = (tree[v].value(), game.heuristic());
        let bounds = [Bound::AtLeast(truth), Bound::AtMost(truth)];
        return usize::from(!bounds.iter().all(|&bound| value.is_on_target(bound)));
    }
    let kids = (0..tree[v].kid_count()).map(|index| tree.kid(v, index));
    kids.map(|kid| {
        game.play(tree[kid].mv());
        let found = untrue_leaves(tree, kid, game);
        game.undo();
        found
    })
    .sum()
}

/// A chess position of a few.
fn any_line(rng: &mut SplitMix64) -> Line {
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    ];
    let fen = fens[rng.below(3) as usize];
    Line::new(notation::parse_fen(fen).unwrap())
}

/// Chess, where null moves and transpositions play their parts.
#[test]
fn chess_is_decided_on_any_number_of_workers() {
    for seed in 0..schedules(2_000) / 50 {
        let rng = &mut SplitMix64::new(seed);
        let line = any_line(rng);
        let count = [1, 2, 5, 30, 150][rng.below(5) as usize];
        let (team, conditions) = (any_team(rng), any_conditions(rng));
        let evaluator = || LeafEvaluator::new(LeafParams::default(), 1).unwrap();
        let params = Cc2sParams::default();
        let outcome = match seed % 3 {
            0 => {
                let own = || evaluator().learning_with_others();
                let evaluators = match rng.below(2) {
                    0 => vec![evaluator()],
                    _ => (0..count).map(|_| own()).collect(),
                };
                simulate(&line, &params, &team, 4, count, conditions, evaluators)
            }
            1 => simulate_hands(&line, &params, &team, 4, count, conditions, evaluator()),
            _ => simulate_home(&line, &params, &team, 4, count, conditions, evaluator),
        };
        assert_eq!(outcome.decision.met.depth, 4, "seed {seed}");
        let tree = union(&outcome.workers, 1 << 20).unwrap();
        assert_eq!(invariants::first_flaw(&tree), None, "seed {seed}");
    }
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    let run = |seed| {
        let shape = Shape {
            order: 0.6,
            noise_cp: 40,
            ..Shape::uniform(1, 8, 7)
        };
        let conditions = Conditions {
            costs: Costs::SCI,
            jitter: 1,
            seed,
        };
        let game = GrownGame::new(shape);
        let params = Cc2sParams::default();
        let evaluator = HeuristicEvaluator::default();
        let team = TeamParams::default();
        [
            simulate(&game, &params, &team, 4, 16, conditions, vec![evaluator]).measures,
            simulate_home(&game, &params, &team, 4, 16, conditions, || evaluator).measures,
        ]
    };
    assert_eq!(run(1), run(1));
    for (one, other) in std::iter::zip(run(1), run(2)) {
        assert_ne!(one.trace, other.trace);
    }
}

/// What a machine cannot do faster than: nobody works while nobody works, and home has one turn at a time.
#[test]
fn the_times_of_home_and_hands_fit_together() {
    let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    let line = Line::new(notation::parse_fen(fen).unwrap());
    let evaluator = || LeafEvaluator::new(LeafParams::default(), 1).unwrap();
    let (params, team) = (Cc2sParams::default(), TeamParams::default());
    let run = |hands, costs| {
        let conditions = Conditions {
            costs,
            jitter: 0,
            seed: 1,
        };
        simulate_home(&line, &params, &team, 4, hands, conditions, evaluator).measures
    };
    let alone = run(1, Costs::SCI);
    // Home and its only hand take turns, so latency is lost on every chore.
    assert!(alone.busy_ns + alone.messages * Costs::SCI.latency_ns <= alone.elapsed_ns);
    for hands in [1, 2, 5, 20] {
        let measures = run(hands, Costs::SCI);
        assert!(measures.busy_ns <= measures.elapsed_ns * u64::from(hands + 1));
        assert!(measures.messages > 0 && measures.bytes > 8 * measures.messages);
        assert!(measures.elapsed_ns > run(hands, Costs::IDEAL).elapsed_ns);
    }
    assert!(run(5, Costs::IDEAL).elapsed_ns < run(1, Costs::IDEAL).elapsed_ns);
}

/// On a machine that carries messages at once, work on wide trees is done faster by more workers.
#[test]
fn many_workers_are_faster_than_one() {
    let shape = Shape {
        order: 0.9,
        noise_cp: 10,
        ..Shape::uniform(3, 20, 9)
    };
    let elapsed = |count| {
        let conditions = Conditions {
            costs: Costs {
                leaf_node_ns: 1_000_000,
                ..Costs::SHARED_MEMORY
            },
            jitter: 0,
            seed: 1,
        };
        let game = GrownGame::new(shape.clone());
        let params = Cc2sParams::default();
        let evaluator = HeuristicEvaluator::default();
        let team = TeamParams::default();
        let outcomes = [
            simulate(&game, &params, &team, 5, count, conditions, vec![evaluator]),
            simulate_hands(&game, &params, &team, 5, count, conditions, evaluator),
            simulate_home(&game, &params, &team, 5, count, conditions, || evaluator),
        ];
        outcomes.map(|outcome| outcome.measures.elapsed_ns)
    };
    for (alone, together) in std::iter::zip(elapsed(1), elapsed(16)) {
        assert!(
            together * 3 < alone,
            "{alone} ns alone, {together} ns by 16"
        );
    }
}

/// Where memory is short, workers forget what others may be working on; nothing may go astray by that.
#[test]
fn workers_short_of_memory_keep_to_their_nodes() {
    let mut halted = 0;
    for seed in 0..schedules(2_000) / 250 {
        let rng = &mut SplitMix64::new(seed);
        let line = any_line(rng);
        let count = [1, 2, 5, 9, 30][rng.below(5) as usize];
        let (team, conditions) = (any_team(rng), any_conditions(rng));
        let params = Cc2sParams::default();
        let stored_nodes_max = 1 << (11 + seed % 3);
        let workers = team_of(count, &line, &params, &team, 20, stored_nodes_max);
        let mut evaluators = [LeafEvaluator::new(LeafParams::default(), 1).unwrap()];
        let mut simulation = Simulation::new(workers, &mut evaluators, conditions);
        let mut listener = Listener {
            turns: TURNS_MAX - 100_000,
            ..Listener::default()
        };
        simulation.run(&mut listener);
        halted += usize::from(simulation.workers().any(|worker| worker.halted().is_some()));
    }
    assert!(halted > 0, "memory was never short");
}
