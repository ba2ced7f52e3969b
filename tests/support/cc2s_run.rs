//! Runs Cc2s on explicit trees, records its evaluations, and counts strategies in the stored tree.

use cc2s::game::explicit::{Sketch, TreeGame};
use cc2s::game::synthetic::SketchBounds;
use cc2s::game::{
    Evaluator, Game, Heuristic, HeuristicEvaluator, Progress, Requirement, RootUpdate, Score,
    SearchListener, SplitMix64, TargetBound, Valuation, Value, Window,
};
use cc2s::thesis::quality::Proof;
use cc2s::thesis::{
    Cc2sParams, Counters, Decision, NodeId, SearchState, Searcher, TargetTables, Tree, Worker,
};

use super::environment::number;

/// Random settings of all features of section 2.3 that preserve the guarantee of safety.
pub fn sound_params(rng: &mut SplitMix64, conspiracy_max: u16) -> Cc2sParams {
    let mut switch = || rng.below(2) == 1;
    Cc2sParams {
        target_tables: switch(),
        exact_on_failure: switch(),
        exact_root: switch(),
        scheduled: switch(),
        principal_variation: switch(),
        revaluation_window_cp: if switch() { 3 } else { 0 },
        split_depth_max: if switch() { 2 } else { 128 },
        root_margin_cp: if switch() { 2 } else { 0 },
        sparing_revaluation: switch(),
        ..plain(conspiracy_max)
    }
}

/// A tree with at most four successors per node and six plies.
pub fn any_tree(rng: &mut SplitMix64) -> Sketch {
    let bounds = SketchBounds {
        branching: 4,
        depth: 6,
        scores: (-12..=12).collect(),
    };
    bounds.random(rng, 0.05)
}

/// The number of random schedules to try: `CC2S_SCHEDULES` or `default`.
pub fn schedules(default: u64) -> u64 {
    number("CC2S_SCHEDULES", default)
}

/// Lets a worker lead an analysis of the position of `game`.
pub fn lead<G: Game>(worker: &mut Worker<G>, game: &G, params: &Cc2sParams, depth: u16) {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let schedule = params.middle_game_schedule();
    worker.lead(&moves, schedule, depth, 1);
}

/// The search of section 2.1 of the thesis, without the accelerations of section 2.3.
pub fn plain(conspiracy_max: u16) -> Cc2sParams {
    Cc2sParams {
        conspiracy_max: i32::from(conspiracy_max),
        rise_depth: 1,
        scheduled: true,
        root_margin_cp: 0,
        revaluation_window_cp: 0,
        sparing_revaluation: false,
        presort: false,
        split_depth_max: 128,
        target_tables: false,
        principal_variation: false,
        null_move: false,
        fail_high_reduction: false,
        exact_on_failure: true,
        exact_root: true,
        ply_margin: 200,
        ..Cc2sParams::default()
    }
}

/// An evaluation: node, window and result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Number of the node, breadth first.
    pub node: usize,
    pub level: usize,
    pub window: Window,
    pub score: Score,
}

/// Evaluates like a [`HeuristicEvaluator`] and records everything.
#[derive(Default)]
pub struct Recorder {
    pub evaluator: HeuristicEvaluator,
    pub asked: Vec<Asked>,
}

impl Evaluator<TreeGame> for Recorder {
    fn evaluate(&mut self, game: &mut TreeGame, window: Window) -> Valuation {
        let valuation = self.evaluator.evaluate(game, window);
        self.asked.push(Asked {
            node: game.id(),
            level: game.level(),
            window,
            score: valuation.score,
        });
        valuation
    }

    fn order(&mut self, game: &mut TreeGame, moves: &mut [u16]) -> u64 {
        self.evaluator.order(game, moves)
    }

    fn is_quiet(&mut self, game: &mut TreeGame, mv: u16) -> bool {
        Evaluator::<TreeGame>::is_quiet(&mut self.evaluator, game, mv)
    }

    fn threat(&mut self, game: &mut TreeGame) -> Score {
        Evaluator::<TreeGame>::threat(&mut self.evaluator, game)
    }
}

/// Runs the search up to a limit and records its progress after each evaluation.
pub struct Log {
    pub statuses: Vec<Progress>,
    pub reports: Vec<RootUpdate<u16>>,
    pub limit: usize,
}

impl SearchListener<u16> for Log {
    fn proceed(&mut self, status: &Progress) -> bool {
        self.statuses.push(*status);
        self.statuses.len() < self.limit
    }

    fn report(&mut self, report: &RootUpdate<u16>) {
        self.reports.push(report.clone());
    }
}

/// Analyses of an explicit tree: the state of the search, and the results of the last analysis.
pub struct Run {
    pub game: TreeGame,
    pub tree: Tree<u16>,
    tables: TargetTables,
    params: Cc2sParams,
    /// Number of best moves to separate.
    pub pv_count: usize,
    pub decision: Decision<u16>,
    pub counters: Counters,
    pub asked: Vec<Asked>,
    pub statuses: Vec<Progress>,
    pub reports: Vec<RootUpdate<u16>>,
}

impl Run {
    /// A search in its initial state, with memory for `nodes_max` nodes.
    pub fn new(sketch: &Sketch, params: &Cc2sParams, nodes_max: usize) -> Self {
        Self {
            game: TreeGame::new(sketch),
            tree: Tree::with_capacity(nodes_max).unwrap(),
            tables: TargetTables::with_entries(1 << 10).unwrap(),
            params: params.clone(),
            pv_count: 1,
            decision: Decision {
                pv: Vec::new(),
                value: Value::exact(Score::DRAW),
                met: Requirement::default(),
                exhausted: false,
            },
            counters: Counters::default(),
            asked: Vec::new(),
            statuses: Vec::new(),
            reports: Vec::new(),
        }
    }

    /// Analyses the position of the game until the depth is completed with the conspiracy of the parameters, or
    /// for `limit` evaluations.
    pub fn analyse(&mut self, evaluator: HeuristicEvaluator, depth: u16, limit: usize) {
        let mut recorder = Recorder {
            evaluator,
            ..Recorder::default()
        };
        let mut log = Log {
            statuses: Vec::new(),
            reports: Vec::new(),
            limit,
        };
        let schedule = self.params.middle_game_schedule();
        let mut moves = Vec::new();
        self.game.legal_moves(&mut moves);
        let mut state = SearchState::default();
        let mut searcher = Searcher::new(
            &mut self.game,
            &mut recorder,
            &mut log,
            &mut self.tree,
            &self.tables,
            &self.params,
            &mut state,
        )
        .separating(self.pv_count);
        self.decision = searcher.analyse(&moves, schedule, depth);
        self.counters = searcher.counters();
        (self.asked, self.statuses) = (recorder.asked, log.statuses);
        self.reports = log.reports;
    }

    /// The number of evaluations of each node.
    pub fn times_asked(&self) -> Vec<usize> {
        let mut times = Vec::new();
        for asked in &self.asked {
            times.resize(times.len().max(asked.node + 1), 0);
            times[asked.node] += 1;
        }
        times
    }
}

/// One analysis from scratch.
pub fn run_limited(
    sketch: &Sketch,
    evaluator: HeuristicEvaluator,
    params: &Cc2sParams,
    depth: u16,
    limit: usize,
) -> Run {
    let mut run = Run::new(sketch, params, 1 << 16);
    run.analyse(evaluator, depth, limit);
    run
}

/// [`run_limited`] with a limit that only an endless search reaches.
pub fn run(sketch: &Sketch, params: &Cc2sParams, depth: u16) -> Run {
    const LIMIT: usize = 200_000;
    let run = run_limited(sketch, HeuristicEvaluator::default(), params, depth, LIMIT);
    assert!(run.statuses.len() < LIMIT, "no end in sight: {sketch}");
    assert_eq!(run.counters.given_up, 0, "gave up on {sketch}");
    run
}

/// The number of leaf-disjoint strategies in the stored tree that prove `bound` at `v`, the position of `game`.
/// Their leaves are at least `depth` plies below `v` or ends of the game. Only the heuristic scores of the game
/// count, not the stored values.
fn proof(tree: &Tree<u16>, v: NodeId, game: &mut TreeGame, bound: TargetBound, depth: u16) -> u64 {
    let proof = fold(tree, v, game, bound, depth);
    if proof.won == matches!(bound, TargetBound::AtLeast(_)) {
        proof.strategies
    } else {
        0
    }
}

/// Won if the side to move can prove an `AtLeast` bound or refute an `AtMost` bound.
fn fold(tree: &Tree<u16>, v: NodeId, game: &mut TreeGame, bound: TargetBound, depth: u16) -> Proof {
    let claimed = matches!(bound, TargetBound::AtLeast(_));
    let holds = match bound {
        TargetBound::AtLeast(score) => game.heuristic() >= score,
        TargetBound::AtMost(score) => game.heuristic() <= score,
    };
    if let Some(_end) = game.end_score() {
        return Proof::end(claimed == holds);
    }
    let mut below = Vec::new();
    for (index, successor) in tree.successors(v).iter().enumerate() {
        game.play(successor.mv());
        below.push(fold(
            tree,
            tree.successor(v, index),
            game,
            bound.to_successor(),
            depth.saturating_sub(1),
        ));
        game.undo();
    }
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    if below.len() < moves.len() {
        // A successor that is not stored counts against the claim.
        below.push(Proof::leaf(claimed));
    }
    let by_successors = Proof::inner(below);
    if by_successors.won != claimed && depth == 0 && holds {
        Proof::leaf(claimed)
    } else {
        by_successors
    }
}

/// The number of leaf-disjoint strategies that prove the bound for a root move, with leaves at least `depth` plies
/// from the root.
pub fn strategies_for(run: &mut Run, index: usize, bound: TargetBound, depth: u16) -> u64 {
    let successor = run.tree.successor(Tree::<u16>::ROOT, index);
    run.game.play(run.tree[successor].mv());
    let strategies = proof(
        &run.tree,
        successor,
        &mut run.game,
        bound.to_successor(),
        depth - 1,
    );
    run.game.undo();
    strategies
}

/// Whether the stored tree makes the decision safe (Definition 1.8-8) for some score. The best move must be worth
/// at least that score minus `margin`, every other move at most that score plus `margin`. Each claim needs
/// `conspiracy` leaf-disjoint strategies with leaves at least `depth` plies from the root.
pub fn is_safe(run: &mut Run, sketch: &Sketch, depth: u16, conspiracy: u16, margin: i16) -> bool {
    let root = Tree::<u16>::ROOT;
    let mut scores = Vec::new();
    all_scores(sketch, &mut scores);
    scores.into_iter().any(|score| {
        (0..run.tree.successors(root).len()).all(|index| {
            let mv = run.tree.successors(root)[index].mv();
            let is_best = mv == run.decision.pv[0];
            let bound = if is_best {
                TargetBound::AtLeast(score - margin)
            } else {
                TargetBound::AtMost(score + margin)
            };
            strategies_for(run, index, bound, depth) >= u64::from(conspiracy)
        })
    })
}

/// All scores of the tree, in both views.
fn all_scores(sketch: &Sketch, scores: &mut Vec<Score>) {
    for score in [sketch.score, -sketch.score].map(Score::centipawns) {
        if !scores.contains(&score) {
            scores.push(score);
        }
    }
    sketch
        .successors
        .iter()
        .for_each(|successor| all_scores(successor, scores));
}

/// The minimax value at a horizon, from the side to move's view.
pub fn minimax(sketch: &Sketch, depth: u16) -> i32 {
    if depth == 0 {
        return sketch.score;
    }
    sketch
        .successors
        .iter()
        .map(|successor| -minimax(successor, depth - 1))
        .max()
        .unwrap_or(sketch.score)
}
