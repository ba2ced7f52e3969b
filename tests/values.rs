//! Bounds, strategies and the update operator on random trees: Theorems 2.1-1 and 2.1-2 of the thesis by brute
//! force.

mod support;

use cc2s::game::explicit::{Sketch, TreeGame};
use cc2s::game::synthetic::SketchBounds;
use cc2s::game::{
    Bound, Evaluator, Game, Heuristic, HeuristicEvaluator, Precision, Relation, Score, SplitMix64,
    TargetBound, Valuation, Value, Window,
};
use cc2s::thesis::quality::{Hull, Proof};
use cc2s::thesis::{NodeId, Tree, TreeNode};
use support::brute_force::{greatest_packing, least_changes, proving_strategies};

/// Theorem 2.1-1: c leaf-disjoint strategies prove a bound if and only if at least c leaves must change to break
/// it.
#[test]
fn strategies_and_conspirators_are_equally_many_on_every_small_tree() {
    let bounds = SketchBounds {
        branching: 2,
        depth: 2,
        scores: vec![-2, 0, 1],
    };
    for index in 0..bounds.count().unwrap() {
        let sketch = bounds.nth(index);
        for splitting in -1..=2 {
            let hull = Hull::split(&sketch, splitting);
            let strategies = greatest_packing(&proving_strategies(&hull));
            assert_eq!(strategies, least_changes(&hull), "at {splitting}: {sketch}");
            assert_eq!(
                Proof::of(&hull),
                Proof {
                    won: hull.won(),
                    strategies: strategies.into()
                }
            );
        }
    }
}

/// Fig. 1.6, whose values are not preserved: MAX has two moves, each with a strategy for at least six. So a single
/// leaf cannot bring the root below six, and one strategy less does not prove it.
#[test]
fn figure_1_6_two_leaf_disjoint_strategies_prove_a_lower_bound() {
    let sketch: Sketch = "0 (0 (6 7) 0 (8 6))".parse().unwrap();
    let hull = Hull::split(&sketch.turned(), 6);
    assert!(hull.won());
    assert_eq!(greatest_packing(&proving_strategies(&hull)), 2);
    assert_eq!(least_changes(&hull), 2);
    assert!(!Hull::split(&sketch.turned(), 7).won());
}

/// A partly stored game tree, as a search could leave it, but explored at random.
struct Exploration {
    game: TreeGame,
    tree: Tree<u16>,
    evaluator: HeuristicEvaluator,
    rng: SplitMix64,
}

/// Bounds of the minimax values of the hulls below a node, from the side to move's view.
struct Hulls {
    least: Score,
    greatest: Score,
}

const ROOT: NodeId = Tree::<u16>::ROOT;

impl Exploration {
    fn new(sketch: &Sketch, seed: u64) -> Self {
        let mut exploration = Self {
            game: TreeGame::new(sketch),
            tree: Tree::with_capacity(1_024).unwrap(),
            evaluator: HeuristicEvaluator {
                precision: [Precision::Full, Precision::Clipped][seed as usize % 2],
            },
            rng: SplitMix64::new(seed),
        };
        let value = exploration.ask();
        exploration.tree.reset(TreeNode::new(0, value));
        exploration
    }

    /// Evaluates with an open window or a random null window.
    fn ask(&mut self) -> Value {
        let score = Score::centipawns(self.rng.below(21) as i32 - 10);
        let window = if self.rng.below(3) == 0 {
            Window::FULL
        } else {
            Window::null_above(score)
        };
        Value::of(self.evaluator.evaluate(&mut self.game, window), window)
    }

    /// Evaluates a new or old node below `v`, the position of `game`, and updates all values on the way back.
    fn step(&mut self, v: NodeId) {
        let mut moves = Vec::new();
        self.game.legal_moves(&mut moves);
        if moves.is_empty() {
            return;
        }
        self.tree[v].set_move_count(moves.len());
        let mv = moves[self.rng.below(moves.len() as u64) as usize];
        let known = self
            .tree
            .successors(v)
            .iter()
            .position(|successor| successor.mv() == mv);
        self.game.play(mv);
        match known {
            None => {
                let node = match self.game.end_score() {
                    Some(score) => TreeNode::end(mv, score),
                    None => TreeNode::new(mv, self.ask()),
                };
                self.tree.add_successor(v, node).unwrap();
            }
            Some(index) => {
                let successor = self.tree.successor(v, index);
                if self.rng.below(3) > 0 {
                    self.step(successor);
                } else if !self.tree[successor].is_end() {
                    let value = self.ask();
                    self.tree[successor].set_value(value);
                    self.tree.update_value(successor);
                }
            }
        }
        self.game.undo();
        self.tree.update_value(v);
    }

    /// Checks the theorem at `v`, the position of `game`, and everywhere below. Successors that were never
    /// evaluated belong to a hull as leaves.
    fn check(&mut self, v: NodeId, name: &str) -> Hulls {
        let heuristic = self.game.heuristic();
        let mut hulls = Hulls {
            least: heuristic,
            greatest: heuristic,
        };
        let mut moves = Vec::new();
        self.game.legal_moves(&mut moves);
        if !self.tree.successors(v).is_empty() {
            let (mut least, mut greatest) = (Score::MIN, Score::MIN);
            for mv in moves {
                self.game.play(mv);
                let known = self
                    .tree
                    .successors(v)
                    .iter()
                    .position(|successor| successor.mv() == mv);
                let below = match known {
                    Some(index) => self.check(self.tree.successor(v, index), name),
                    None => Hulls {
                        least: self.game.heuristic(),
                        greatest: self.game.heuristic(),
                    },
                };
                self.game.undo();
                least = least.max(below.greatest.to_parent());
                greatest = greatest.max(below.least.to_parent());
            }
            hulls = Hulls {
                least: hulls.least.min(least),
                greatest: hulls.greatest.max(greatest),
            };
        }
        let value = self.tree[v].value();
        assert!(
            !value.bounds_above() || hulls.least <= value.score,
            "{name}: no hull is at most {value:?}"
        );
        assert!(
            !value.bounds_below() || hulls.greatest >= value.score,
            "{name}: no hull is at least {value:?}"
        );
        self.check_successors(v, name);
        hulls
    }

    /// Part (d), where the value of `v` supports a bound. At an all node no successor contradicts it, and at a cut
    /// node at least one does not.
    fn check_successors(&self, v: NodeId, name: &str) {
        let value = self.tree[v].value();
        let successors = self.tree.successors(v);
        let contradicts = |bound: TargetBound| {
            successors
                .iter()
                .filter(move |successor| !successor.value().is_on_target(bound.to_successor()))
                .count()
        };
        for score in (-12..=12).map(Score::centipawns) {
            if value.supports(TargetBound::AtMost(score)) {
                assert_eq!(
                    contradicts(TargetBound::AtMost(score)),
                    0,
                    "{name}: all node at most {score}"
                );
            }
            if value.supports(TargetBound::AtLeast(score)) && self.tree[v].is_fully_known() {
                assert!(
                    contradicts(TargetBound::AtLeast(score)) < successors.len(),
                    "{name}: cut node at least {score}"
                );
            }
        }
    }
}

/// Theorem 2.1-2 after every step of random sequences of evaluations and updates.
#[test]
fn every_value_is_backed_by_hulls() {
    let bounds = SketchBounds {
        branching: 3,
        depth: 4,
        scores: (-8..=8).collect(),
    };
    let mut valued = 0;
    for seed in 0..1_500 {
        let sketch = bounds.random(&mut SplitMix64::new(seed), 0.15);
        let mut exploration = Exploration::new(&sketch, seed);
        for step in 0..40 {
            exploration.step(ROOT);
            exploration.check(ROOT, &format!("seed {seed}, step {step}, {sketch}"));
        }
        valued += exploration.tree.used();
    }
    assert!(
        valued > 1_500 * 10,
        "the trees stay too small: {valued} nodes"
    );
}

/// All values and bounds with scores within a few centipawns of 0.
fn values_and_bounds() -> Vec<(Value, TargetBound)> {
    let scores = || (-2..=2).map(Score::centipawns);
    let values = scores().flat_map(|score| {
        [
            Value::at_most(score),
            Value::at_least(score),
            Value::exact(score),
        ]
    });
    values
        .flat_map(|value| {
            scores().flat_map(move |score| {
                [TargetBound::AtMost(score), TargetBound::AtLeast(score)]
                    .map(|bound| (value, bound))
            })
        })
        .collect()
}

/// Definitions 1.8-9 and 1.8-10 by the numbers a value allows. A value supports a bound that all of them satisfy,
/// and contradicts a bound that none satisfies.
#[test]
fn relations_follow_from_what_a_value_allows() {
    let number = |score: Score| i32::from(score.raw());
    for (value, bound) in values_and_bounds() {
        let keeps = |x: i32| match bound {
            TargetBound::AtMost(score) => x <= number(score),
            TargetBound::AtLeast(score) => x >= number(score),
        };
        let allowed: Vec<i32> = (-99..=99)
            .filter(|&x| match value.bound {
                Bound::Upper => x <= number(value.score),
                Bound::Lower => x >= number(value.score),
                Bound::Exact => x == number(value.score),
            })
            .collect();
        let expected = if allowed.iter().all(|&x| keeps(x)) {
            Relation::Supports
        } else if allowed.iter().any(|&x| keeps(x)) {
            Relation::Undecided
        } else {
            Relation::Contradicts
        };
        assert_eq!(value.relation_to(bound), expected, "{value:?}, {bound:?}");
        assert_eq!(
            value.to_parent().relation_to(bound.to_successor()),
            expected,
            "{value:?}, {bound:?} seen by the parent"
        );
    }
}

/// Evaluate: at beta or above a lower bound, at alpha or below an upper bound, in between an exact value.
#[test]
fn figure_2_16_what_an_answer_says() {
    let window = Window::new(Score::centipawns(-1), Score::centipawns(2));
    for number in -3..=3 {
        let score = Score::centipawns(number);
        let expected = if number >= 2 {
            Value::at_least(score)
        } else if number <= -1 {
            Value::at_most(score)
        } else {
            Value::exact(score)
        };
        assert_eq!(Value::of(Valuation { score, nodes: 1 }, window), expected);
    }
}

#[test]
fn figure_2_17_on_target() {
    for (value, bound) in values_and_bounds() {
        let expected = match bound {
            TargetBound::AtLeast(beta) => !(beta > value.score && value.bound != Bound::Lower),
            TargetBound::AtMost(beta) => !(beta < value.score && value.bound != Bound::Upper),
        };
        assert_eq!(value.is_on_target(bound), expected, "{value:?}, {bound:?}");
    }
}
