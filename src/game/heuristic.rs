//! The evaluator of games whose positions carry their own heuristic score.

use super::{Evaluator, Game, Score, Valuation, Window};

/// A game whose positions carry the score of an evaluator: the small trees of tests and experiments.
pub trait Heuristic: Game {
    /// The heuristic score h(v) of the current position, seen by the side to move. At an end of the game it is the
    /// result.
    fn heuristic(&self) -> Score;
}

/// The precision of a [`HeuristicEvaluator`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Always h(v), like a fail-soft search with exact results.
    #[default]
    Full,
    /// h(v) clamped to the window, like a fail-hard search: outside the window the answer is only a bound, as in the
    /// examples of the thesis (2.1.3, 2.1.5).
    Clipped,
}

/// Answers with the heuristic score of the position; costs one node, without move ordering or threats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeuristicEvaluator {
    /// Its precision.
    pub precision: Precision,
}

impl<G: Heuristic> Evaluator<G> for HeuristicEvaluator {
    fn evaluate(&mut self, game: &mut G, window: Window) -> Valuation {
        let score = match self.precision {
            Precision::Full => game.heuristic(),
            Precision::Clipped => game.heuristic().clamp(window.alpha(), window.beta()),
        };
        Valuation { score, nodes: 1 }
    }

    fn order(&mut self, _game: &mut G, _moves: &mut [G::Move]) -> u64 {
        0
    }

    fn is_quiet(&mut self, _game: &mut G, _mv: G::Move) -> bool {
        false
    }

    fn threat(&mut self, _game: &mut G) -> Score {
        Score::DRAW
    }
}
