//! Every sound reference search returns the minimax value on small trees, with no more work than its theory
//! allows.

use cc2s::game::explicit::{Sketch, TreeGame};
use cc2s::game::synthetic::{GrownGame, Shape, SketchBounds};
use cc2s::game::{
    Evaluator, Game, Heuristic, HeuristicEvaluator, Precision, Score, SplitMix64, Window,
};
use cc2s::thesis::baseline::{BoundsTable, Explorer, NodeCounts, Prediction, Singularity};

type TreeExplorer<'a, G> = Explorer<'a, G, HeuristicEvaluator>;

/// The result and the work of one search of one game.
fn explore<G: Heuristic, T>(
    game: &mut G,
    search: impl FnOnce(&mut TreeExplorer<'_, G>) -> T,
) -> (T, NodeCounts) {
    explore_with(game, Precision::Full, search)
}

fn explore_with<G: Heuristic, T>(
    game: &mut G,
    precision: Precision,
    search: impl FnOnce(&mut TreeExplorer<'_, G>) -> T,
) -> (T, NodeCounts) {
    let mut evaluator = HeuristicEvaluator { precision };
    let mut explorer = Explorer::new(game, &mut evaluator);
    let result = search(&mut explorer);
    (result, explorer.counts())
}

fn random_score(rng: &mut SplitMix64, bound: i32) -> Score {
    Score::centipawns(rng.below(2 * bound as u64 + 1) as i32 - bound)
}

/// Compares all sound searches with minimax, each also with an evaluator that clips its answers.
fn assert_all_agree<G: Heuristic + Clone>(game: &G, depth: u16, guess: Score, name: &str) {
    let value = explore(&mut game.clone(), |e| e.minimax(depth)).0;
    for precision in [Precision::Full, Precision::Clipped] {
        let run = |search: &dyn Fn(&mut TreeExplorer<'_, G>) -> Score| {
            explore_with(&mut game.clone(), precision, |explorer| search(explorer)).0
        };
        assert_eq!(run(&|e| e.negamax(depth)), value, "negamax on {name}");
        assert_eq!(
            run(&|e| e.alphabeta(Window::FULL, depth)),
            value,
            "alpha-beta on {name}"
        );
        assert_eq!(run(&|e| e.pvs(Window::FULL, depth)), value, "PVS on {name}");
        assert_eq!(
            run(&|e| e.etc(&mut BoundsTable::default(), Window::FULL, depth)),
            value,
            "ETC on {name}"
        );
        assert_eq!(
            run(&|e| e.aspiration(guess, 2, depth)),
            value,
            "aspiration around {guess} on {name}"
        );
        assert_eq!(
            run(&|e| e.mtdf(&mut BoundsTable::default(), guess, depth)),
            value,
            "MTD(f) from {guess} on {name}"
        );
    }
}

#[test]
fn sound_searches_return_the_minimax_value_of_every_small_tree() {
    let bounds = SketchBounds {
        branching: 2,
        depth: 3,
        scores: vec![-1, 1],
    };
    let count = bounds.count().unwrap();
    for index in 0..count {
        let sketch = bounds.nth(index);
        let depth = 3 - (index % 2) as u16;
        assert_all_agree(
            &TreeGame::new(&sketch),
            depth,
            Score::centipawns(1),
            &sketch.to_string(),
        );
    }
    let bounds = SketchBounds {
        branching: 2,
        depth: 2,
        scores: vec![-2, 0, 3],
    };
    for index in 0..bounds.count().unwrap() {
        let sketch = bounds.nth(index);
        assert_all_agree(&TreeGame::new(&sketch), 2, Score::DRAW, &sketch.to_string());
    }
}

#[test]
fn sound_searches_return_the_minimax_value_of_random_trees() {
    let bounds = SketchBounds {
        branching: 4,
        depth: 5,
        scores: (-20..=20).collect(),
    };
    for seed in 0..1_000 {
        let mut rng = SplitMix64::new(seed);
        let game = TreeGame::new(&bounds.random(&mut rng, 0.2));
        let depth = rng.below(7) as u16;
        assert_all_agree(
            &game,
            depth,
            random_score(&mut rng, 25),
            &format!("seed {seed} at depth {depth}"),
        );
    }
}

#[test]
fn sound_searches_return_the_known_value_of_grown_trees() {
    for seed in 0..100 {
        let order = (seed % 5) as f64 / 4.0;
        let shape = Shape {
            branching_min: 2,
            branching_max: 4,
            order,
            noise_cp: 50,
            ..Shape::uniform(seed, 2, 5)
        };
        let mut game = GrownGame::new(shape);
        let value = game.minimax();
        assert_eq!(explore(&mut game, |e| e.minimax(5)).0, value);
        assert_all_agree(&game, 5, value + 7, &format!("seed {seed}"));
        assert_all_agree(&game, 3, value - 7, &format!("seed {seed}, cut off"));
    }
}

/// Knuth and Moore's theorem: v <= alpha gives a result in v..=alpha, v inside the window gives v, v >= beta gives
/// a result in beta..=v.
#[test]
fn windows_keep_the_three_cases() {
    let bounds = SketchBounds {
        branching: 3,
        depth: 4,
        scores: (-9..=9).collect(),
    };
    let mut seen = [0; 3];
    for seed in 0..2_000 {
        let mut rng = SplitMix64::new(seed);
        let mut game = TreeGame::new(&bounds.random(&mut rng, 0.2));
        let value = explore(&mut game, |e| e.minimax(4)).0;
        let alpha = random_score(&mut rng, 10);
        let window = Window::new(alpha, alpha + 1 + rng.below(6) as i16);
        for precision in [Precision::Full, Precision::Clipped] {
            let results = [
                explore_with(&mut game, precision, |e| e.alphabeta(window, 4)).0,
                explore_with(&mut game, precision, |e| e.pvs(window, 4)).0,
                explore_with(&mut game, precision, |e| {
                    e.etc(&mut BoundsTable::default(), window, 4)
                })
                .0,
            ];
            for result in results {
                let case =
                    usize::from(value > window.alpha()) + usize::from(value >= window.beta());
                let right = match case {
                    0 => value <= result && result <= window.alpha(),
                    1 => result == value,
                    _ => window.beta() <= result && result <= value,
                };
                assert!(
                    right,
                    "seed {seed}, {window:?}: value {value}, result {result}"
                );
                seen[case] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
}

/// The number of leaves of the minimal tree (Knuth and Moore 1975).
fn minimal_leaves(branching: u64, depth: u32) -> u64 {
    branching.pow(depth.div_ceil(2)) + branching.pow(depth / 2) - 1
}

#[test]
fn perfectly_ordered_uniform_trees_need_the_minimal_tree() {
    for branching in 1..=6 {
        for depth in 1..=6 {
            // With a spread of 100 and a range of 1000, siblings are sometimes equal, which must not matter.
            let mut game = GrownGame::new(Shape::uniform(u64::from(branching), branching, depth));
            let leaves = minimal_leaves(u64::from(branching), u32::from(depth));
            let (_, alphabeta) = explore(&mut game, |e| e.alphabeta(Window::FULL, depth));
            assert_eq!(
                alphabeta.leaves, leaves,
                "alpha-beta, {branching} successors, depth {depth}"
            );
            let (_, pvs) = explore(&mut game, |e| e.pvs(Window::FULL, depth));
            assert_eq!(
                pvs.leaves, leaves,
                "PVS, {branching} successors, depth {depth}"
            );
            let (_, all) = explore(&mut game, |e| e.minimax(depth));
            assert_eq!(all.leaves, u64::from(branching).pow(u32::from(depth)));
        }
    }
}

#[test]
fn no_order_needs_less_than_the_minimal_tree() {
    for seed in 0..50 {
        let mut game = GrownGame::new(Shape {
            order: 0.0,
            ..Shape::uniform(seed, 3, 5)
        });
        let (_, counts) = explore(&mut game, |e| e.alphabeta(Window::FULL, 5));
        assert!(
            counts.leaves >= minimal_leaves(3, 5),
            "seed {seed}: {} leaves",
            counts.leaves
        );
    }
}

#[test]
fn pvs_saves_nodes_on_well_ordered_trees() {
    for order in [0.85, 0.9, 0.95, 1.0] {
        let (mut pvs, mut alphabeta) = (0, 0);
        for seed in 0..100 {
            let mut game = GrownGame::new(Shape {
                order,
                ..Shape::uniform(seed, 5, 6)
            });
            pvs += explore(&mut game, |e| e.pvs(Window::FULL, 6)).1.nodes;
            alphabeta += explore(&mut game, |e| e.alphabeta(Window::FULL, 6)).1.nodes;
        }
        assert!(
            pvs <= alphabeta,
            "order {order}: PVS {pvs} nodes, alpha-beta {alphabeta}"
        );
    }
}

#[test]
fn mtdf_converges_from_any_first_guess() {
    for seed in 0..20 {
        let mut game = GrownGame::new(Shape {
            order: 0.5,
            ..Shape::uniform(seed, 3, 4)
        });
        let value = game.minimax();
        for guess in [
            Score::MIN,
            Score::MATED + 1,
            value - 300,
            value,
            value + 1,
            Score::CENTIPAWNS_MAX,
            Score::MAX,
        ] {
            let (found, _) = explore(&mut game, |e| e.mtdf(&mut BoundsTable::default(), guess, 4));
            assert_eq!(found, value, "seed {seed} from {guess}");
        }
    }
}

/// Two heaps of sticks: a move takes one to three from one of them, and the player who takes the last one wins.
/// The game has many transpositions, for tests of tables.
#[derive(Clone, Debug)]
struct Sticks(Vec<[u8; 2]>);

impl Game for Sticks {
    type Move = (u8, u8);

    fn key(&self) -> u64 {
        let [left, right] = *self.0.last().unwrap();
        u64::from(left) << 8 | u64::from(right)
    }

    fn legal_moves(&self, moves: &mut Vec<(u8, u8)>) {
        for heap in 0..2 {
            let sticks = self.0.last().unwrap()[usize::from(heap)];
            moves.extend((1..=sticks.min(3)).map(|taken| (heap, taken)));
        }
    }

    fn play(&mut self, mv: (u8, u8)) {
        let (heap, taken) = mv;
        let mut heaps = *self.0.last().unwrap();
        heaps[usize::from(heap)] -= taken;
        self.0.push(heaps);
    }

    fn undo(&mut self) {
        self.0.pop();
    }

    fn end_score(&self) -> Option<Score> {
        (*self.0.last().unwrap() == [0, 0]).then_some(Score::MATED)
    }

    fn pass(&mut self) -> bool {
        false
    }
}

impl Heuristic for Sticks {
    fn heuristic(&self) -> Score {
        self.end_score().unwrap_or_else(|| {
            Score::centipawns((SplitMix64::new(self.key()).next_u64() % 61) as i32 - 30)
        })
    }
}

#[test]
fn memory_and_transposition_cutoffs_save_nodes_and_change_no_value() {
    let (mut plain, mut memory, mut etc) = (0, 0, 0);
    for left in 0..=6 {
        for right in 0..=6 {
            for depth in [3, 5, 20] {
                let mut game = Sticks(vec![[left, right]]);
                let (value, counts) = explore(&mut game, |e| e.alphabeta(Window::FULL, depth));
                plain += counts.nodes;
                let remember = &mut BoundsTable::default();
                let (score, counts) = explore(&mut game, |e| {
                    e.alphabeta_with_memory(remember, Window::FULL, depth)
                });
                assert_eq!(score, value);
                memory += counts.nodes;
                let (score, counts) = explore(&mut game, |e| {
                    e.etc(&mut BoundsTable::default(), Window::FULL, depth)
                });
                assert_eq!(score, value);
                etc += counts.nodes;
                let (score, _) = explore(&mut game, |e| {
                    e.mtdf(&mut BoundsTable::default(), Score::DRAW, depth)
                });
                assert_eq!(score, value);
            }
            let (value, _) = explore(&mut Sticks(vec![[left, right]]), |e| {
                e.pvs(Window::FULL, 20)
            });
            assert_eq!(
                value > Score::DRAW,
                left % 4 != right % 4,
                "heaps of {left} and {right}: {value}"
            );
        }
    }
    assert!(
        etc < memory && memory < plain,
        "ETC {etc}, memory {memory}, plain {plain}"
    );
}

/// Only the first successor is loud, in place of captures.
struct Loudness;

impl Evaluator<TreeGame> for Loudness {
    fn evaluate(&mut self, game: &mut TreeGame, window: Window) -> cc2s::game::Valuation {
        HeuristicEvaluator::default().evaluate(game, window)
    }

    fn order(&mut self, _game: &mut TreeGame, _moves: &mut [u16]) -> u64 {
        0
    }

    fn is_quiet(&mut self, _game: &mut TreeGame, mv: u16) -> bool {
        mv > 0
    }

    fn threat(&mut self, _game: &mut TreeGame) -> Score {
        Score::DRAW
    }
}

/// Quiescence by its definition: the maximum of stand pat and the loud moves, without windows.
fn quiescence_by_definition(game: &mut TreeGame, plies: u16) -> Score {
    if let Some(score) = game.end_score() {
        return score;
    }
    if plies == 0 {
        return game.heuristic();
    }
    game.play(0);
    let loud = quiescence_by_definition(game, plies - 1).to_parent();
    game.undo();
    game.heuristic().max(loud)
}

#[test]
fn quiescence_is_the_best_of_standing_pat_and_loud_moves() {
    let bounds = SketchBounds {
        branching: 3,
        depth: 5,
        scores: (-9..=9).collect(),
    };
    for seed in 0..500 {
        let mut game = TreeGame::new(&bounds.random(&mut SplitMix64::new(seed), 0.1));
        let value = quiescence_by_definition(&mut game, 4);
        let mut evaluator = Loudness;
        assert_eq!(
            Explorer::new(&mut game, &mut evaluator).quiescence(Window::FULL, 4),
            value,
            "seed {seed}"
        );
        let null = Window::null_below(value);
        assert!(
            Explorer::new(&mut game, &mut evaluator).quiescence(null, 4) >= value,
            "seed {seed}"
        );
    }
}

fn tree(text: &str) -> TreeGame {
    TreeGame::new(&text.parse::<Sketch>().unwrap())
}

/// The first move leads by far in every shallow search, and fails just beyond the horizon of 2 plies.
#[test]
fn a_singular_move_is_searched_deeper() {
    let mut game = tree("0 (-50 (50 (90 (-90) 80)) 5 (-5 (5 (-5))))");
    let rule = Singularity {
        margin_cp: 30,
        depth_min: 2,
        reduction: 1,
        extensions_max: 2,
    };
    let plain = explore(&mut game, |e| e.alphabeta(Window::FULL, 2)).0;
    assert_eq!(plain, Score::centipawns(50));
    let extended = explore(&mut game, |e| e.singular(rule, Window::FULL, 2)).0;
    assert_eq!(
        extended,
        explore(&mut game, |e| e.alphabeta(Window::FULL, 3)).0
    );
    let never = Singularity {
        extensions_max: 0,
        ..rule
    };
    assert_eq!(
        explore(&mut game, |e| e.singular(never, Window::FULL, 2)).0,
        plain
    );
}

fn probcut_tree(seed: u64) -> GrownGame {
    GrownGame::new(Shape {
        order: 0.6,
        noise_cp: 60,
        ..Shape::uniform(seed, 4, 6)
    })
}

#[test]
fn probcut_errs_no_more_often_than_its_threshold() {
    let (deep, shallow) = (4, 2);
    let pairs: Vec<_> = (0..400)
        .map(|seed| {
            let mut game = probcut_tree(seed);
            explore(&mut game, |e| {
                (
                    e.alphabeta(Window::FULL, shallow),
                    e.alphabeta(Window::FULL, deep),
                )
            })
            .0
        })
        .collect();
    let prediction = Prediction::fit(deep, shallow, &pairs).unwrap();
    // 1.5 standard deviations: 6.7 % of normally distributed errors are greater. The held-out trees are not part
    // of the fit.
    let (mut cuts, mut wrong, mut full_nodes, mut cut_nodes) = (0, 0, 0, 0);
    for seed in 1_000..2_000 {
        let mut game = probcut_tree(seed);
        let (value, full) = explore(&mut game, |e| e.alphabeta(Window::FULL, deep));
        let window = Window::null_above(value + (SplitMix64::new(seed).below(401) as i16 - 200));
        let (cutoff, _) = explore(&mut game, |e| e.predicted_cutoff(&prediction, 1.5, window));
        if let Some(bound) = cutoff {
            cuts += 1;
            wrong += u32::from((bound == window.beta()) != (value >= window.beta()));
        }
        full_nodes += full.nodes;
        cut_nodes += explore(&mut game, |e| e.probcut(&prediction, 1.5, window, deep))
            .1
            .nodes;
    }
    assert!(cuts > 300, "{cuts} cutoffs of 1000");
    assert!(
        f64::from(wrong) <= 0.067 * f64::from(cuts),
        "{wrong} of {cuts} cutoffs wrong"
    );
    assert!(cut_nodes < full_nodes);
}

#[test]
fn a_prediction_needs_data_that_predict() {
    let pair = |x: i32, y: i32| (Score::centipawns(x), Score::centipawns(y));
    assert_eq!(Prediction::fit(4, 2, &[pair(1, 2), pair(2, 4)]), None);
    assert_eq!(
        Prediction::fit(4, 2, &[pair(1, 2), pair(1, 4), pair(1, 5)]),
        None
    );
    assert_eq!(
        Prediction::fit(4, 2, &[pair(1, 5), pair(2, 4), pair(3, 1)]),
        None
    );
    let exact = Prediction::fit(4, 2, &[pair(0, 10), pair(10, 30), pair(20, 50)]).unwrap();
    assert!(
        (exact.slope - 2.0).abs() < 1e-9
            && (exact.offset_cp - 10.0).abs() < 1e-9
            && exact.deviation_cp < 1e-6
    );
}
