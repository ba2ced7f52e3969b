//! Game trees grown from a seed, with adjustable quality of the move order; random and enumerated small trees.
//!
//! A grown tree is generated on the way down and stored nowhere, so it may be as large as one likes: every node derives
//! its successors' minimax values from its own and from its key. One successor is worth as much as the node, the others
//! at most as much; hence the minimax value of every node is known before anything is searched.

use super::explicit::Sketch;
use super::{Game, Heuristic, Score, SplitMix64};

/// The shape of a grown tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Decides everything that the other fields leave open.
    pub seed: u64,
    /// Least number of successors of an inner node, at least 1.
    pub branching_min: u16,
    /// Greatest number of successors; equal to the least in a uniform tree.
    pub branching_max: u16,
    /// Level of the ends of the game, in plies from the root.
    pub depth: u16,
    /// Minimax values lie within ± this many centipawns.
    pub range_cp: u16,
    /// By how much at most a successor is worse than its best brother, in centipawns.
    pub spread_cp: u16,
    /// The probability that the best successor is generated first; otherwise its place is drawn evenly.
    pub order: f64,
    /// The heuristic score of an inner node differs from its minimax value by at most this much, in centipawns.
    pub noise_cp: u16,
}

impl Shape {
    /// A uniform tree of perfect move order and heuristic, centipawns within ±1000.
    pub fn uniform(seed: u64, branching: u16, depth: u16) -> Self {
        Self {
            seed,
            branching_min: branching,
            branching_max: branching,
            depth,
            range_cp: 1_000,
            spread_cp: 100,
            order: 1.0,
            noise_cp: 0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct GrownNode {
    key: u64,
    /// Minimax value in centipawns, seen by the side to move.
    value: i32,
}

/// A walk on a grown tree. Moves are the numbers of successors; no two nodes transpose.
#[derive(Clone, Debug)]
pub struct GrownGame {
    shape: Shape,
    path: Vec<GrownNode>,
}

impl GrownGame {
    /// Stands at the root of the tree of that shape.
    pub fn new(shape: Shape) -> Self {
        assert!(1 <= shape.branching_min && shape.branching_min <= shape.branching_max);
        assert!(
            i32::from(shape.range_cp) + i32::from(shape.noise_cp)
                <= i32::from(Score::CENTIPAWNS_MAX.raw())
        );
        let key = SplitMix64::new(shape.seed).next_u64();
        let value = signed_below(&mut SplitMix64::new(key), shape.range_cp);
        Self {
            shape,
            path: vec![GrownNode { key, value }],
        }
    }

    /// Distance of the current node from the root, in moves.
    pub fn level(&self) -> u16 {
        self.path.len() as u16 - 1
    }

    /// The minimax value of the current node, seen by the side to move.
    pub fn minimax(&self) -> Score {
        Score::centipawns(self.node().value)
    }

    fn node(&self) -> GrownNode {
        *self.path.last().expect("a walk stands somewhere")
    }

    fn ends(&self) -> bool {
        self.level() == self.shape.depth
    }

    fn branching(&self) -> u16 {
        let span = self.shape.branching_max - self.shape.branching_min;
        let drawn = SplitMix64::new(self.node().key ^ 1).below(u64::from(span) + 1);
        self.shape.branching_min + drawn as u16
    }

    fn best_successor(&self) -> u16 {
        let mut rng = SplitMix64::new(self.node().key ^ 2);
        if rng.unit() < self.shape.order {
            0
        } else {
            rng.below(u64::from(self.branching())) as u16
        }
    }
}

/// A number within ±`bound`.
fn signed_below(rng: &mut SplitMix64, bound: u16) -> i32 {
    rng.below(2 * u64::from(bound) + 1) as i32 - i32::from(bound)
}

impl Game for GrownGame {
    type Move = u16;

    fn key(&self) -> u64 {
        self.node().key
    }

    fn legal_moves(&self, moves: &mut Vec<u16>) {
        if !self.ends() {
            moves.extend(0..self.branching());
        }
    }

    fn play(&mut self, mv: u16) {
        assert!(
            !self.ends() && mv < self.branching(),
            "no such successor: {mv}"
        );
        let node = self.node();
        let mut rng = SplitMix64::new(
            node.key
                .wrapping_add(0x5851_F42D_4C95_7F2D_u64.wrapping_mul(u64::from(mv) + 1)),
        );
        let key = rng.next_u64();
        let loss = if mv == self.best_successor() {
            0
        } else {
            rng.below(u64::from(self.shape.spread_cp) + 1) as i32
        };
        let value = -(node.value - loss).max(-i32::from(self.shape.range_cp));
        self.path.push(GrownNode { key, value });
    }

    fn undo(&mut self) {
        assert!(self.path.len() > 1, "nothing to take back");
        self.path.pop();
    }

    fn end_score(&self) -> Option<Score> {
        self.ends().then(|| self.minimax())
    }

    fn pass(&mut self) -> bool {
        false
    }
}

impl Heuristic for GrownGame {
    fn heuristic(&self) -> Score {
        if self.ends() {
            return self.minimax();
        }
        let noise = signed_below(
            &mut SplitMix64::new(self.node().key ^ 3),
            self.shape.noise_cp,
        );
        Score::centipawns(self.node().value + noise)
    }
}

/// Bounds of a random or enumerated literal tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SketchBounds {
    /// Greatest number of successors of a node, at least 1.
    pub branching: u16,
    /// Greatest level, in plies.
    pub depth: u16,
    /// The scores that occur, at inner nodes and at ends alike.
    pub scores: Vec<i32>,
}

impl SketchBounds {
    /// A random tree; every node above the greatest level ends the game with the probability `end`.
    pub fn random(&self, rng: &mut SplitMix64, end: f64) -> Sketch {
        self.random_from(rng, end, self.depth)
    }

    fn random_from(&self, rng: &mut SplitMix64, end: f64, depth: u16) -> Sketch {
        let score = self.scores[rng.below(self.scores.len() as u64) as usize];
        if depth == 0 || (depth < self.depth && rng.unit() < end) {
            return Sketch::end(score);
        }
        let branching = 1 + rng.below(u64::from(self.branching));
        Sketch::inner(
            score,
            (0..branching)
                .map(|_| self.random_from(rng, end, depth - 1))
                .collect(),
        )
    }

    /// Number of trees within the bounds; `None` if it does not fit.
    pub fn count(&self) -> Option<u64> {
        self.count_from(self.depth)
    }

    fn count_from(&self, depth: u16) -> Option<u64> {
        let scores = self.scores.len() as u64;
        let mut shapes = 1_u64;
        if depth > 0 {
            let below = self.count_from(depth - 1)?;
            for branching in 1..=u32::from(self.branching) {
                shapes = shapes.checked_add(below.checked_pow(branching)?)?;
            }
        }
        shapes.checked_mul(scores)
    }

    /// The tree of that number, `index < count()`; different numbers give different trees.
    pub fn nth(&self, index: u64) -> Sketch {
        self.nth_from(index, self.depth)
    }

    fn nth_from(&self, index: u64, depth: u16) -> Sketch {
        let scores = self.scores.len() as u64;
        let score = self.scores[(index % scores) as usize];
        let mut rest = index / scores;
        if rest == 0 {
            return Sketch::end(score);
        }
        rest -= 1;
        assert!(depth > 0, "tree number out of range");
        let below = self.count_from(depth - 1).expect("fewer trees than above");
        let mut branching = 1;
        while rest >= below.pow(branching) {
            rest -= below.pow(branching);
            branching += 1;
        }
        let successor = |place| self.nth_from(rest / below.pow(place) % below, depth - 1);
        Sketch::inner(score, (0..branching).map(successor).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn assert_consistent(game: &mut GrownGame) {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        assert_eq!(moves.is_empty(), game.end_score().is_some());
        let mut best = Score::MIN;
        for &mv in &moves {
            game.play(mv);
            best = best.max(game.minimax().to_parent());
            assert_consistent(game);
            game.undo();
        }
        assert!(moves.is_empty() || best == game.minimax());
    }

    #[test]
    fn every_value_is_the_minimax_of_its_successors() {
        for seed in 0..50 {
            let shape = Shape {
                branching_min: 1,
                branching_max: 4,
                order: 0.5,
                noise_cp: 9,
                ..Shape::uniform(seed, 1, 4)
            };
            assert_consistent(&mut GrownGame::new(shape));
        }
    }

    #[test]
    fn perfect_order_puts_the_best_first() {
        let mut game = GrownGame::new(Shape::uniform(7, 5, 3));
        let value = game.minimax();
        game.play(0);
        assert_eq!(game.minimax().to_parent(), value);
    }

    #[test]
    fn enumeration_is_complete_and_without_repetition() {
        let bounds = SketchBounds {
            branching: 2,
            depth: 2,
            scores: vec![-1, 1],
        };
        let count = bounds.count().unwrap();
        assert_eq!(count, 2 + 2 * (14 + 14 * 14));
        let texts: HashSet<_> = (0..count)
            .map(|index| bounds.nth(index).to_string())
            .collect();
        assert_eq!(texts.len() as u64, count);
    }

    #[test]
    fn too_many_trees_are_not_counted() {
        assert_eq!(
            SketchBounds {
                branching: 9,
                depth: 9,
                scores: vec![0]
            }
            .count(),
            None
        );
    }
}
