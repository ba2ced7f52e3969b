//! A single worker behaves like the recursive search: the same evaluations in the same order, the same decision,
//! the same counts.

mod support;

use cc2s::chess::{Line, notation};
use cc2s::game::explicit::TreeGame;
use cc2s::game::synthetic::{GrownGame, Shape, SketchBounds};
use cc2s::game::{
    Evaluator, Game, HeuristicEvaluator, Precision, Progress, RootUpdate, SearchListener,
    SplitMix64,
};
use cc2s::search::{LeafEvaluator, LeafParams};
use cc2s::thesis::{
    Activity, Cc2sParams, Counters, Decision, Schedule, SearchState, Searcher, TargetTables, Tree,
    Worker, WorkerId,
};
use support::cc2s_run::plain;
use support::sequential;

struct Listener<M> {
    reports: Vec<RootUpdate<M>>,
    polls: usize,
    polls_max: usize,
}

impl<M: Copy> SearchListener<M> for Listener<M> {
    fn proceed(&mut self, _: &Progress) -> bool {
        self.polls += 1;
        self.polls < self.polls_max
    }

    fn report(&mut self, report: &RootUpdate<M>) {
        self.reports.push(report.clone());
    }
}

impl<M> Listener<M> {
    fn new() -> Self {
        Self {
            reports: Vec::new(),
            polls: 0,
            polls_max: usize::MAX,
        }
    }
}

/// Everything that must be equal.
type Outcome<M> = (Decision<M>, Counters, Vec<RootUpdate<M>>);

struct Question {
    params: Cc2sParams,
    schedule: Schedule,
    depth: u16,
    pv_count: usize,
}

impl Question {
    fn new(params: Cc2sParams, depth: u16, pv_count: usize) -> Self {
        let schedule = params.middle_game_schedule();
        Self {
            params,
            schedule,
            depth,
            pv_count,
        }
    }

    fn tree<G: Game>() -> (Tree<G::Move>, TargetTables) {
        let tree = Tree::with_capacity(1 << 20).unwrap();
        (tree, TargetTables::with_entries(1 << 12).unwrap())
    }

    fn moves<G: Game>(game: &G) -> Vec<G::Move> {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        moves
    }

    fn recursively<G: Game + Clone>(
        &self,
        game: &G,
        evaluator: &mut impl Evaluator<G>,
    ) -> Outcome<G::Move> {
        let (mut tree, tables) = Self::tree::<G>();
        let mut listener = Listener::new();
        let moves = Self::moves(game);
        let mut game = game.clone();
        let mut state = SearchState::default();
        let mut searcher = Searcher::new(
            &mut game,
            evaluator,
            &mut listener,
            &mut tree,
            &tables,
            &self.params,
            &mut state,
        )
        .separating(self.pv_count);
        let decision = searcher.analyse(&moves, self.schedule, self.depth);
        (decision, searcher.counters(), listener.reports)
    }

    fn by_worker<G: Game + Clone>(
        &self,
        game: &G,
        evaluator: &mut impl Evaluator<G>,
    ) -> Outcome<G::Move> {
        let (tree, tables) = Self::tree::<G>();
        let params = self.params.clone();
        let mut worker = Worker::new(WorkerId(0), 1, params, game.clone(), tree, tables);
        worker.lead(&Self::moves(game), self.schedule, self.depth, self.pv_count);
        let mut listener = Listener::new();
        sequential::run(&mut worker, evaluator, &mut listener);
        assert!(worker.is_done() && worker.is_at_rest());
        assert_eq!(worker.halted(), None);
        let decision = worker.decision().unwrap();
        (decision, worker.counters(), listener.reports)
    }
}

fn any_params(rng: &mut SplitMix64) -> Cc2sParams {
    let mut below = |bound: u64| rng.below(bound) as i32;
    Cc2sParams {
        target_tables: below(2) == 1,
        exact_on_failure: below(2) == 1,
        exact_root: below(2) == 1,
        scheduled: below(2) == 1,
        principal_variation: below(2) == 1,
        presort: below(2) == 1,
        null_move: below(2) == 1,
        fail_high_reduction: below(2) == 1,
        value_all: below(8) == 0,
        revaluation_window_cp: 3 * below(2),
        sparing_revaluation: below(2) == 1,
        split_depth_max: if below(2) == 1 { 2 } else { 128 },
        root_margin_cp: 2 * below(2),
        ..plain(1 + below(3) as u16)
    }
}

/// Nothing is done before a problem is set (lines 1 to 4). Then steps follow (6, 7) until the variation is empty,
/// and its verdict is the answer (8).
#[test]
fn figure_3_9_steps_until_the_problem_is_solved() {
    let sketch = "0 (5 (6 (5) 8 (9)) 4 (4 (8) 5 (7)))".parse().unwrap();
    let question = Question::new(plain(1), 2, 1);
    let game = TreeGame::new(&sketch);
    let (tree, tables) = Question::tree::<TreeGame>();
    let params = question.params.clone();
    let mut worker = Worker::new(WorkerId(0), 1, params, game.clone(), tree, tables);
    let evaluator = &mut HeuristicEvaluator::default();
    assert_eq!(worker.step(evaluator), Activity::Idle);
    worker.lead(
        &Question::moves(&game),
        question.schedule,
        question.depth,
        1,
    );
    assert!(!worker.is_done() && !worker.is_at_rest());
    let mut steps = 0;
    while let Activity::Worked(_) = worker.step(evaluator) {
        steps += 1;
    }
    assert!(worker.is_done() && worker.is_at_rest());
    let (decision, ..) = question.recursively(&game, evaluator);
    assert_eq!(worker.decision(), Some(decision));
    assert!(steps > 1, "the work is done in steps");
}

#[test]
fn figure_3_10_steps_are_the_recursion_of_figure_2_7_on_small_trees() {
    let bounds = SketchBounds {
        branching: 2,
        depth: 3,
        scores: vec![-1, 1],
    };
    for index in (0..bounds.count().unwrap()).step_by(11) {
        let sketch = bounds.nth(index);
        if sketch.successors.is_empty() {
            continue;
        }
        let rng = &mut SplitMix64::new(index);
        let question = Question::new(any_params(rng), 3, 1 + rng.below(2) as usize);
        let game = TreeGame::new(&sketch);
        let mut evaluator = HeuristicEvaluator::default();
        assert_eq!(
            question.by_worker(&game, &mut evaluator),
            question.recursively(&game, &mut evaluator),
            "{sketch}"
        );
    }
}

#[test]
fn figure_3_10_steps_are_the_recursion_of_figure_2_7_on_random_trees() {
    for seed in 0..3_000 {
        let rng = &mut SplitMix64::new(seed);
        let bounds = SketchBounds {
            branching: 4,
            depth: 6,
            scores: (-12..=12).collect(),
        };
        let sketch = bounds.random(rng, 0.05);
        let depth = 1 + rng.below(5) as u16;
        let question = Question::new(any_params(rng), depth, 1 + rng.below(3) as usize);
        let game = TreeGame::new(&sketch);
        let mut evaluator = HeuristicEvaluator {
            precision: [Precision::Full, Precision::Clipped][rng.below(2) as usize],
        };
        assert_eq!(
            question.by_worker(&game, &mut evaluator),
            question.recursively(&game, &mut evaluator),
            "seed {seed}: {sketch}"
        );
    }
}

#[test]
fn figure_3_10_steps_are_the_recursion_of_figure_2_7_on_grown_trees() {
    for seed in 0..30 {
        let shape = Shape {
            order: 0.6,
            noise_cp: 40,
            ..Shape::uniform(seed, 12, 8)
        };
        let game = GrownGame::new(shape);
        let params = Cc2sParams {
            conspiracy_max: 1 + (seed % 3) as i32,
            ..Cc2sParams::default()
        };
        let question = Question::new(params, 5, 1);
        let mut evaluator = HeuristicEvaluator::default();
        assert_eq!(
            question.by_worker(&game, &mut evaluator),
            question.recursively(&game, &mut evaluator),
            "seed {seed}"
        );
    }
}

/// The evaluator's table is empty at the start, so its answers also depend on the order of evaluations.
#[test]
fn figure_3_10_steps_are_the_recursion_of_figure_2_7_on_chess() {
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
        "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 1",
    ];
    for (number, fen) in fens.iter().enumerate() {
        let line = Line::new(notation::parse_fen(fen).unwrap());
        let evaluator = || LeafEvaluator::new(LeafParams::default(), 1).unwrap();
        let question = Question::new(Cc2sParams::default(), 7, 1 + number % 2);
        let (decision, counters, reports) = question.by_worker(&line, &mut evaluator());
        assert_eq!(
            (decision, counters, reports),
            question.recursively(&line, &mut evaluator()),
            "{fen}"
        );
        assert!(counters.valuations > 1_000, "{counters:?}");
    }
}
