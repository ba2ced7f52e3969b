//! The protocol of the workers with thousands of message orders. Every run terminates and leaves nothing behind.
//! The decision has the required safety in the combined tree of all workers.
//!
//! `CC2S_SCHEDULES=100000 cargo test --test simulation` runs more schedules.

mod support;

use cc2s::chess::{Line, epd, notation};
use cc2s::eval::EvaluationKind;
use cc2s::game::explicit::TreeGame;
use cc2s::game::synthetic::{GrownGame, Shape};
use cc2s::game::{
    Evaluator, Game, Heuristic, HeuristicEvaluator, Precision, Progress, Requirement, RootUpdate,
    SearchListener, SplitMix64, TargetBound,
};
use cc2s::search::{LeafEvaluator, LeafParams};
use cc2s::thesis::simulator::{Costs, Measures, Simulation, SimulationConditions};
use cc2s::thesis::{
    Cc2sParams, Decision, NodeId, TargetTables, TeamParams, Tree, Worker, WorkerId, invariants,
    union,
};
use support::cc2s_run::{Run, any_tree, is_safe, lead, schedules, sound_params};

/// Records the maximum margin and counts turns.
#[derive(Default)]
struct Listener {
    margin_cp: i16,
    turns: usize,
}

/// More turns than any of these small trees needs.
const TURNS_MAX: usize = 3_000_000;

impl<M> SearchListener<M> for Listener {
    fn proceed(&mut self, _: &Progress) -> bool {
        self.turns += 1;
        self.turns < TURNS_MAX
    }

    fn report(&mut self, report: &RootUpdate<M>) {
        let margin_cp = report.claim.unwrap().margin_cp as i16;
        self.margin_cp = self.margin_cp.max(margin_cp);
    }
}

struct Outcome<G: Game> {
    workers: Vec<Worker<G>>,
    decision: Decision<G::Move>,
    measures: Measures,
    margin_cp: i16,
}

/// The position and the settings of a decision.
struct Trial<'a, G> {
    game: &'a G,
    params: &'a Cc2sParams,
    team: TeamParams,
    depth: u16,
    conditions: SimulationConditions,
}

impl<G: Game + Clone> Trial<'_, G> {
    /// Creates workers, the first of which leads the analysis. Each may store `nodes_max` nodes and `targets_max`
    /// targets.
    fn workers(&self, count: u16, nodes_max: usize, targets_max: usize) -> Vec<Worker<G>> {
        let worker = |number| {
            let tree = Tree::with_capacity(nodes_max).unwrap();
            let tables = TargetTables::with_entries(targets_max).unwrap();
            let (id, params) = (WorkerId(number), self.params.clone());
            let worker = Worker::new(id, count, params, self.game.clone(), tree, tables);
            worker.sharing(self.team.clone())
        };
        let mut workers: Vec<_> = (0..count).map(worker).collect();
        lead(&mut workers[0], self.game, self.params, self.depth);
        workers
    }

    /// Decides with `count` workers by messages, with one evaluator each or a shared one.
    fn by_messages<E: Evaluator<G>>(&self, count: u16, mut evaluators: Vec<E>) -> Outcome<G> {
        let workers = self.workers(count, 1 << 16, 1 << 8);
        let mut simulation = Simulation::new(workers, &mut evaluators, self.conditions);
        let mut listener = Listener::default();
        let measures = simulation.run(&mut listener);
        assert!(listener.turns < TURNS_MAX, "no end in sight");
        simulation.settle();
        let workers = simulation.into_workers();
        Outcome::of(workers, measures, listener.margin_cp)
    }

    /// Decides with `count` threads in one tree, in random order.
    fn by_threads<E: Evaluator<G>>(&self, count: u16, mut evaluator: E) -> Outcome<G> {
        let mut workers = self.workers(1, 1 << 18, 1 << 14);
        let leader = &mut workers[0];
        let context = |_| leader.new_context(self.game.clone());
        let mut contexts: Vec<_> = (0..count).map(context).collect();
        let rng = &mut SplitMix64::new(self.conditions.seed);
        let mut listener = Listener::default();
        while !leader.is_done()
            && SearchListener::<G::Move>::proceed(&mut listener, &leader.status())
        {
            let context = &mut contexts[rng.below(count.into()) as usize];
            context.evaluate(&mut evaluator);
            leader.advance(context, &mut evaluator);
            for report in leader.take_reports() {
                listener.report(&report);
            }
        }
        assert!(listener.turns < TURNS_MAX, "no end in sight");
        Outcome::of(workers, Measures::default(), listener.margin_cp)
    }

    /// Decides by messages or threads; only a few threads, because more of them obstruct each other.
    fn in_any_way<E: Evaluator<G>>(&self, seed: u64, count: u16, evaluator: E) -> Outcome<G> {
        if seed.is_multiple_of(2) {
            self.by_messages(count, vec![evaluator])
        } else {
            self.by_threads(count.min(16), evaluator)
        }
    }
}

impl<G: Game> Outcome<G> {
    fn of(workers: Vec<Worker<G>>, measures: Measures, margin_cp: i16) -> Self {
        assert!(workers[0].is_done());
        for worker in &workers {
            assert!(worker.is_at_rest(), "something is left behind");
            assert_eq!(worker.halted(), None);
        }
        let decision = workers[0].decision().unwrap();
        Self {
            workers,
            decision,
            measures,
            margin_cp,
        }
    }
}

/// Costs and delays of any order of magnitude, so that messages overtake each other in all ways.
fn any_conditions(rng: &mut SplitMix64) -> SimulationConditions {
    let mut magnitude = |digits: u64| 10_u64.pow(rng.below(digits) as u32);
    let costs = Costs {
        leaf_node_ns: magnitude(4),
        tree_node_ns: 0,
        step_ns: magnitude(3),
        overhead_ns: magnitude(3),
        latency_ns: magnitude(6),
        byte_ps: 0,
    };
    SimulationConditions {
        costs,
        jitter: [0, 1, 10, 100][rng.below(4) as usize],
        seed: rng.next_u64(),
    }
}

fn any_team(rng: &mut SplitMix64) -> TeamParams {
    TeamParams {
        leftmost_first: rng.below(2) == 1,
        waste_risk_last: rng.below(2) == 1,
        same_position_waits: rng.below(2) == 1,
        stealing_depth_min: rng.below(3) as i32,
        prefetch: rng.below(2) == 1,
        prefetch_from: rng.below(4) as i32,
        prefetch_tasks_max: [1, 3, 200][rng.below(3) as usize],
        job_depth_max: rng.below(5) as i32,
        job_shared_depth_max: rng.below(5) as i32,
        job_size_max: [1, 2, 8][rng.below(3) as usize],
        job_work_max: rng.below(60) as i32 + 1,
        job_work_aim: [0, 20, 200][rng.below(3) as usize],
        job_known_max: [1, 10, 400][rng.below(3) as usize],
        job_nodes_max: [1, 10, 1000][rng.below(3) as usize],
    }
}

/// An evaluator with the hand-crafted evaluation, so that the results do not depend on the network.
fn by_hand() -> LeafEvaluator {
    let params = LeafParams {
        evaluation: EvaluationKind::Classical,
        ..LeafParams::default()
    };
    LeafEvaluator::new(params, 1).unwrap()
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
        let trial = Trial {
            game: &game,
            params: &params,
            team,
            depth,
            conditions,
        };
        let outcome = trial.in_any_way(seed, count, evaluator);
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

/// With all accelerations the search terminates and leaves nothing behind, whatever their guarantees.
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
        let trial = Trial {
            game: &game,
            params: &params,
            team: any_team(rng),
            depth: 4,
            conditions,
        };
        let outcome = trial.in_any_way(seed, count, evaluator);
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

/// The number of leaves below `v`, the position of `game`, whose values are not those of the evaluator.
fn untrue_leaves<G: Heuristic>(tree: &Tree<G::Move>, v: NodeId, game: &mut G) -> usize {
    if tree[v].successor_count() == 0 {
        let (value, truth) = (tree[v].value(), game.heuristic());
        let bounds = [TargetBound::AtLeast(truth), TargetBound::AtMost(truth)];
        return usize::from(!bounds.iter().all(|&bound| value.is_on_target(bound)));
    }
    let successors = (0..tree[v].successor_count()).map(|index| tree.successor(v, index));
    successors
        .map(|successor| {
            game.play(tree[successor].mv());
            let found = untrue_leaves(tree, successor, game);
            game.undo();
            found
        })
        .sum()
}

/// A random position out of a few.
fn any_line(rng: &mut SplitMix64) -> Line {
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    ];
    let fen = fens[rng.below(3) as usize];
    Line::new(notation::parse_fen(fen).unwrap())
}

/// Chess involves null moves and transpositions.
#[test]
fn chess_is_decided_on_any_number_of_workers() {
    for seed in 0..schedules(2_000) / 50 {
        let rng = &mut SplitMix64::new(seed);
        let line = any_line(rng);
        let count = [1, 2, 5, 30, 150][rng.below(5) as usize];
        let (team, conditions) = (any_team(rng), any_conditions(rng));
        let trial = Trial {
            game: &line,
            params: &Cc2sParams::default(),
            team,
            depth: 4,
            conditions,
        };
        let outcome = if rng.below(3) == 0 {
            trial.by_messages(count, (0..count).map(|_| by_hand()).collect())
        } else {
            trial.in_any_way(seed, count, by_hand())
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
        let conditions = SimulationConditions {
            costs: Costs::SCI,
            jitter: 1,
            seed,
        };
        let trial = Trial {
            game: &GrownGame::new(shape),
            params: &Cc2sParams::default(),
            team: TeamParams::default(),
            depth: 4,
            conditions,
        };
        let evaluator = HeuristicEvaluator::default();
        trial.by_messages(16, vec![evaluator]).measures
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1).trace, run(2).trace);
}

/// Physical limits: no worker is busy for more than the whole time, and messages take their time.
#[test]
fn the_times_of_workers_and_messages_fit_together() {
    let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    let line = Line::new(notation::parse_fen(fen).unwrap());
    let run = |count, costs| {
        let trial = Trial {
            game: &line,
            params: &Cc2sParams::default(),
            team: TeamParams::default(),
            depth: 4,
            conditions: SimulationConditions {
                costs,
                jitter: 0,
                seed: 1,
            },
        };
        let evaluators = (0..count).map(|_| by_hand()).collect();
        trial.by_messages(count, evaluators).measures
    };
    for count in [2, 6, 21] {
        let measures = run(count, Costs::SCI);
        assert!(measures.busy_ns <= measures.elapsed_ns * u64::from(count));
        assert!(measures.messages > 0 && measures.bytes > 8 * measures.messages);
        assert!(measures.elapsed_ns > run(count, Costs::IDEAL).elapsed_ns);
    }
    assert!(run(6, Costs::IDEAL).elapsed_ns < run(2, Costs::IDEAL).elapsed_ns);
}

/// With instantaneous messages, more workers are faster on wide trees.
#[test]
fn many_workers_are_faster_than_one() {
    let shape = Shape {
        order: 0.9,
        noise_cp: 10,
        ..Shape::uniform(3, 20, 9)
    };
    let elapsed = |count| {
        let conditions = SimulationConditions {
            costs: Costs {
                leaf_node_ns: 1_000_000,
                ..Costs::IDEAL
            },
            jitter: 0,
            seed: 1,
        };
        let trial = Trial {
            game: &GrownGame::new(shape.clone()),
            params: &Cc2sParams::default(),
            team: TeamParams::default(),
            depth: 5,
            conditions,
        };
        let evaluator = HeuristicEvaluator::default();
        let outcome = trial.by_messages(count, vec![evaluator]);
        outcome.measures.elapsed_ns
    };
    let (alone, together) = (elapsed(1), elapsed(16));
    assert!(
        together * 3 < alone,
        "{alone} ns alone, {together} ns by 16"
    );
}

/// The time of `count` workers with their own evaluators on an ideal network, for BT2630 positions to `depth`
/// plies.
fn time_for_chess(team: &TeamParams, count: u16, depth: u16, positions: usize) -> u64 {
    let suite = include_str!("../positions/bt2630.epd");
    let one = |record: Result<(_, epd::Record), _>| {
        let (_, record) = record.unwrap();
        let trial = Trial {
            game: &Line::new(record.position),
            params: &Cc2sParams::default(),
            team: team.clone(),
            depth,
            conditions: SimulationConditions {
                costs: Costs::IDEAL,
                jitter: 0,
                seed: 0,
            },
        };
        let evaluator = |_| by_hand();
        let evaluators = (0..count).map(evaluator).collect();
        trial.by_messages(count, evaluators).measures.elapsed_ns
    };
    epd::records(suite).take(positions).map(one).sum()
}

/// The evaluation of the root moves takes one worker longer than anything else at small depths.
#[test]
fn moves_at_the_root_are_valued_by_all() {
    let elapsed = |prefetch| {
        let team = TeamParams {
            prefetch,
            ..TeamParams::default()
        };
        time_for_chess(&team, 40, 1, 6)
    };
    let (by_all, by_one) = (elapsed(true), elapsed(false));
    assert!(4 * by_all < 3 * by_one, "{by_all} ns, by one {by_one} ns");
}

/// With little memory, workers free nodes that others may be working on, which must not lose anything.
#[test]
fn workers_short_of_memory_keep_to_their_nodes() {
    let (mut forgetful, mut halted) = (0, 0);
    let least = schedules(2_000) / 125;
    for seed in 0..least.max(200) {
        // One in twenty halts.
        if seed >= least && halted > 0 {
            break;
        }
        let rng = &mut SplitMix64::new(seed);
        let line = any_line(rng);
        let count = [1, 2, 5, 9, 30][rng.below(5) as usize];
        let (team, conditions) = (any_team(rng), any_conditions(rng));
        let trial = Trial {
            game: &line,
            params: &Cc2sParams::default(),
            team,
            depth: 20,
            conditions,
        };
        let workers = trial.workers(count, 1 << (10 + seed % 3), 1 << 8);
        let mut evaluators = [by_hand()];
        let mut simulation = Simulation::new(workers, &mut evaluators, conditions);
        let mut listener = Listener {
            turns: TURNS_MAX - 40_000,
            ..Listener::default()
        };
        simulation.run(&mut listener);
        let mut counters = simulation.workers().map(Worker::counters);
        forgetful += usize::from(counters.any(|counters| counters.forgettings > 0));
        halted += usize::from(simulation.workers().any(|worker| worker.halted().is_some()));
    }
    assert!(forgetful > 0, "memory was never short");
    assert!(halted > 0, "memory was always enough for what must be kept");
}
