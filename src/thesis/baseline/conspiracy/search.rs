//! Selection, expansion, update (Fig. 1.5).

use super::numbers::{ConspiracyNumbers, Scale};
use crate::game::{Evaluator, Game, Score, Window};
use crate::thesis::baseline::Explorer;

/// The result of a conspiracy number search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConspiracyReport<M> {
    /// The root's minimax value on the scale, in the side to move's view.
    pub score: Score,
    /// A move with this value.
    pub best: M,
    /// Whether every other score would take a conspiracy of at least the threshold; if false, the search was cut
    /// off.
    pub safe: bool,
    /// The number of leaves expanded.
    pub expansions: usize,
    /// The number of nodes in memory at the end, each with a vector as long as the scale.
    pub nodes: usize,
}

struct ConspiracyNode<M> {
    /// The move that leads here; `None` at the root.
    mv: Option<M>,
    numbers: ConspiracyNumbers,
    /// Empty at leaves.
    successors: Vec<usize>,
}

/// The search tree: every node has all of its successors or none.
struct ConspiracyTree<M> {
    nodes: Vec<ConspiracyNode<M>>,
    scale: Scale,
}

const ROOT: usize = 0;

impl<G: Game, E: Evaluator<G>> Explorer<'_, G, E> {
    /// Expands leaves until it takes at least `safety` leaves to change the root's score on the scale, or
    /// `expansions_max` leaves are expanded. The game must not have ended.
    pub fn conspiracy_search(
        &mut self,
        scale: Scale,
        safety: u32,
        expansions_max: usize,
    ) -> ConspiracyReport<G::Move> {
        let root = ConspiracyNode {
            mv: None,
            numbers: self.value(scale),
            successors: Vec::new(),
        };
        let mut tree = ConspiracyTree {
            nodes: vec![root],
            scale,
        };
        self.expand(&mut tree, &[ROOT]);
        let mut expansions = 1;
        let safe = loop {
            let Some(path) = tree.select(safety) else {
                break true;
            };
            if expansions == expansions_max {
                break false;
            }
            self.expand(&mut tree, &path);
            expansions += 1;
        };
        let place = tree.nodes[ROOT].numbers.place;
        let leads_there = |&node: &usize| scale.turned(tree.nodes[node].numbers.place) == place;
        let best = tree.nodes[ROOT]
            .successors
            .iter()
            .copied()
            .find(leads_there);
        let best = best
            .and_then(|node| tree.nodes[node].mv)
            .expect("the root's value is one of its successors'");
        ConspiracyReport {
            score: scale.score(place),
            best,
            safe,
            expansions,
            nodes: tree.nodes.len(),
        }
    }

    /// Returns the numbers of the current position as a leaf.
    fn value(&mut self, scale: Scale) -> ConspiracyNumbers {
        let score = self
            .visit(Window::FULL, 0)
            .expect("at the horizon every position has a score");
        ConspiracyNumbers::leaf(scale, score, self.game.end_score().is_some())
    }

    /// Expands the leaf at the end of a path from the root and updates the numbers on the way back.
    fn expand(&mut self, tree: &mut ConspiracyTree<G::Move>, path: &[usize]) {
        for &node in path {
            if let Some(mv) = tree.nodes[node].mv {
                self.game.play(mv);
            }
        }
        let leaf = path[path.len() - 1];
        for mv in self.moves() {
            self.game.play(mv);
            let node = ConspiracyNode {
                mv: Some(mv),
                numbers: self.value(tree.scale),
                successors: Vec::new(),
            };
            self.game.undo();
            let id = tree.nodes.len();
            tree.nodes.push(node);
            tree.nodes[leaf].successors.push(id);
        }
        for &node in path.iter().rev() {
            tree.update(node);
            if tree.nodes[node].mv.is_some() {
                self.game.undo();
            }
        }
    }
}

impl<M> ConspiracyTree<M> {
    /// Returns the path to the leaf that can most easily move the root to its most distant plausible place; `None`
    /// if no other place is plausible.
    fn select(&self, safety: u32) -> Option<Vec<usize>> {
        let root = &self.nodes[ROOT].numbers;
        let (lowest, highest) = root.plausible(safety);
        if lowest == highest {
            return None;
        }
        let mut place = if highest - root.place > root.place - lowest {
            highest
        } else {
            lowest
        };
        let mut path = vec![ROOT];
        let mut node = &self.nodes[ROOT];
        while !node.successors.is_empty() {
            // To raise a node, one successor is enough; to lower it, all successors above the place must be
            // lowered.
            let raised = place > node.numbers.place;
            place = self.scale.turned(place);
            let helps = |&&id: &&usize| raised || self.nodes[id].numbers.place < place;
            let number = |&&id: &&usize| self.nodes[id].numbers.by_place[place];
            let &next = node
                .successors
                .iter()
                .filter(helps)
                .min_by_key(number)
                .expect("a finite number has a support");
            path.push(next);
            node = &self.nodes[next];
        }
        Some(path)
    }

    fn update(&mut self, node: usize) {
        let successors = &self.nodes[node].successors;
        let numbers: Vec<_> = successors
            .iter()
            .map(|&id| &self.nodes[id].numbers)
            .collect();
        self.nodes[node].numbers = ConspiracyNumbers::inner(self.scale, &numbers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::HeuristicEvaluator;
    use crate::game::explicit::{Sketch, TreeGame};

    /// Scores 1 to 6 of the example around the middle of a scale of seven places.
    const SCALE: Scale = Scale {
        step_cp: 1,
        steps: 3,
    };

    /// A tree that fits the text about Fig. 1.3, whose numbers are not preserved: A (MAX) has the successors B, C,
    /// B has D, E, C has F, G. The scores 1 to 6 are shifted by 3, so that 3 becomes 0; each leaf has one
    /// successor.
    fn example() -> (Sketch, ConspiracyTree<u16>) {
        let sketch: Sketch = "0 (0 (2 (2) 0 (0)) -1 (-1 (-1) 1 (1)))"
            .parse::<Sketch>()
            .unwrap()
            .turned();
        let mut game = TreeGame::new(&sketch);
        let mut evaluator = HeuristicEvaluator::default();
        let mut explorer = Explorer::new(&mut game, &mut evaluator);
        let root = ConspiracyNode {
            mv: None,
            numbers: explorer.value(SCALE),
            successors: Vec::new(),
        };
        let mut tree = ConspiracyTree {
            nodes: vec![root],
            scale: SCALE,
        };
        for path in [vec![0], vec![0, 1], vec![0, 2]] {
            explorer.expand(&mut tree, &path);
        }
        (sketch, tree)
    }

    #[test]
    fn figure_1_3_numbers_of_the_example() {
        let (_, tree) = example();
        let [a, b, c] = [0, 1, 2].map(|node| &tree.nodes[node].numbers);
        assert_eq!(SCALE.score(a.place), Score::DRAW);
        // The scores 1 to 6 are at the places 1 to 6; B and C see them in the opponent's view.
        assert_eq!(a.by_place[1..], [2, 1, 0, 1, 1, 2]);
        let five = SCALE.turned(5);
        assert_eq!((b.by_place[five], c.by_place[five]), (1, 2));
        assert_eq!(a.plausible(2), (2, 5));
    }

    /// A, B, E: only under B one leaf is enough for a 5, and only E has to change.
    #[test]
    fn figure_1_5_selection_in_the_example() {
        let (_, tree) = example();
        let path = tree.select(2).unwrap();
        assert_eq!(path, [0, 1, 4]);
        assert_eq!(tree.nodes[4].mv, Some(1));
        assert!(tree.nodes[4].successors.is_empty());
    }
}
