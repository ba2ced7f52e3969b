//! Game trees written down literally: the thesis's examples and enumerated small trees.
//!
//! ```
//! use cc2s::game::{Game, Score, explicit::{Sketch, TreeGame}};
//!
//! // The root has two successors, the second of which has two of its own; each number is the node's heuristic score.
//! let sketch: Sketch = "3 (-1 4 (2 -7))".parse().unwrap();
//! let mut game = TreeGame::new(&sketch);
//! game.play(1);
//! game.play(0);
//! assert_eq!(game.end_score(), Some(Score::centipawns(2)));
//! ```

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;

use super::{Game, Heuristic, Score, SplitMix64};

/// A node of a literal tree with all that is below it. A node without successors is an end of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// The heuristic score h(v) in centipawns, seen by the side to move; at an end of the game its result.
    pub score: i32,
    /// The successors in the order in which their moves are generated.
    pub successors: Vec<Sketch>,
}

impl Sketch {
    /// An end of the game.
    pub fn end(score: i32) -> Self {
        Self {
            score,
            successors: Vec::new(),
        }
    }

    /// A node with successors.
    pub fn inner(score: i32, successors: Vec<Sketch>) -> Self {
        Self { score, successors }
    }

    /// Turns a tree whose scores are all seen by MAX, who moves at the root, into one seen by the side to move, and
    /// back.
    #[must_use]
    pub fn turned(&self) -> Self {
        self.turned_from(1)
    }

    fn turned_from(&self, sign: i32) -> Self {
        let successors = self
            .successors
            .iter()
            .map(|successor| successor.turned_from(-sign))
            .collect();
        Self {
            score: sign * self.score,
            successors,
        }
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        1 + self.successors.iter().map(Self::size).sum::<usize>()
    }

    /// The same tree with every inner node's heuristic score replaced by its minimax value: an evaluator that is
    /// never wrong.
    #[must_use]
    pub fn with_exact_scores(&self) -> Self {
        let successors: Vec<_> = self
            .successors
            .iter()
            .map(Self::with_exact_scores)
            .collect();
        let score = successors
            .iter()
            .map(|successor| -successor.score)
            .max()
            .unwrap_or(self.score);
        Self { score, successors }
    }
}

/// The notation that [`Sketch`] is parsed from.
impl fmt::Display for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.score)?;
        for (index, successor) in self.successors.iter().enumerate() {
            write!(f, "{}{successor}", if index == 0 { " (" } else { " " })?;
        }
        if self.successors.is_empty() {
            Ok(())
        } else {
            write!(f, ")")
        }
    }
}

/// Why a text is no tree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SketchError {
    /// A score was expected.
    #[error("expected a score, found '{0}'")]
    Score(String),
    /// A parenthesis is open at the end, or holds nothing.
    #[error("a parenthesis is empty or never closed")]
    Open,
    /// There is more text after the tree.
    #[error("unexpected '{0}' after the tree")]
    Trailing(String),
}

/// `tree = score [ "(" tree tree ... ")" ]`, words separated by blanks; a score is a whole number of centipawns.
impl FromStr for Sketch {
    type Err = SketchError;

    fn from_str(text: &str) -> Result<Self, SketchError> {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut words = spaced.split_whitespace().peekable();
        let sketch = parse(&mut words)?;
        match words.next() {
            Some(word) => Err(SketchError::Trailing(word.to_owned())),
            None => Ok(sketch),
        }
    }
}

fn parse<'a>(
    words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
) -> Result<Sketch, SketchError> {
    let word = words.next().ok_or(SketchError::Open)?;
    let score = word
        .parse()
        .map_err(|_| SketchError::Score(word.to_owned()))?;
    let mut successors = Vec::new();
    if words.next_if_eq(&"(").is_some() {
        while successors.is_empty() || words.next_if_eq(&")").is_none() {
            successors.push(parse(words)?);
        }
    }
    Ok(Sketch { score, successors })
}

/// A node as stored: successors lie in one row.
#[derive(Clone, Copy, Debug)]
struct ExplicitNode {
    score: Score,
    first_successor: u32,
    successors: u16,
}

/// A walk on a literal tree. Moves are the numbers of successors, keys are hashes of node numbers, so no two nodes
/// transpose. Clones share the tree.
#[derive(Clone, Debug)]
pub struct TreeGame {
    nodes: Arc<[ExplicitNode]>,
    path: Vec<u32>,
}

impl TreeGame {
    /// Stands at the root of the tree.
    pub fn new(sketch: &Sketch) -> Self {
        let mut queue = vec![sketch];
        let mut nodes = Vec::new();
        while let Some(&sketch) = queue.get(nodes.len()) {
            nodes.push(ExplicitNode {
                score: Score::centipawns(sketch.score),
                first_successor: queue.len() as u32,
                successors: u16::try_from(sketch.successors.len())
                    .expect("a literal node has few successors"),
            });
            queue.extend(&sketch.successors);
        }
        Self {
            nodes: nodes.into(),
            path: vec![0],
        }
    }

    /// The number of the current node, breadth first from 0.
    pub fn id(&self) -> usize {
        *self.path.last().expect("a walk stands somewhere") as usize
    }

    /// Distance of the current node from the root, in moves.
    pub fn level(&self) -> usize {
        self.path.len() - 1
    }

    fn node(&self) -> ExplicitNode {
        self.nodes[self.id()]
    }
}

impl Game for TreeGame {
    type Move = u16;

    fn key(&self) -> u64 {
        SplitMix64::new(self.id() as u64).next_u64()
    }

    fn legal_moves(&self, moves: &mut Vec<u16>) {
        moves.extend(0..self.node().successors);
    }

    fn play(&mut self, mv: u16) {
        let node = self.node();
        assert!(mv < node.successors, "no such successor: {mv}");
        self.path.push(node.first_successor + u32::from(mv));
    }

    fn undo(&mut self) {
        assert!(self.path.len() > 1, "nothing to take back");
        self.path.pop();
    }

    fn end_score(&self) -> Option<Score> {
        let node = self.node();
        (node.successors == 0).then_some(node.score)
    }

    fn pass(&mut self) -> bool {
        false
    }
}

impl Heuristic for TreeGame {
    fn heuristic(&self) -> Score {
        self.node().score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_survives_a_round_trip() {
        for text in ["7", "3 (-1 4 (2 -7))", "0 (1 (2 (3)) 4)"] {
            assert_eq!(text.parse::<Sketch>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn bad_notation_is_an_error() {
        assert_eq!(
            "3 (1 x)".parse::<Sketch>(),
            Err(SketchError::Score("x".into()))
        );
        assert_eq!("3 (1 2".parse::<Sketch>(), Err(SketchError::Open));
        assert_eq!("".parse::<Sketch>(), Err(SketchError::Open));
        assert_eq!(
            "3 ()".parse::<Sketch>(),
            Err(SketchError::Score(")".into()))
        );
        assert_eq!(
            "3 4".parse::<Sketch>(),
            Err(SketchError::Trailing("4".into()))
        );
    }

    #[test]
    fn a_walk_comes_back() {
        let mut game = TreeGame::new(&"3 (-1 4 (2 -7))".parse().unwrap());
        let root = game.key();
        game.play(1);
        assert_eq!(
            (game.heuristic().raw(), game.end_score(), game.level()),
            (4, None, 1)
        );
        game.play(1);
        assert_eq!(game.end_score(), Some(Score::centipawns(-7)));
        game.undo();
        game.undo();
        assert_eq!(game.key(), root);
    }

    #[test]
    fn turning_changes_every_second_level() {
        let sketch: Sketch = "3 (-1 4 (2 -7))".parse().unwrap();
        assert_eq!(sketch.turned().to_string(), "3 (1 -4 (2 -7))");
        assert_eq!(sketch.turned().turned(), sketch);
        assert_eq!(sketch.with_exact_scores().to_string(), "1 (-1 7 (2 -7))");
    }
}
