//! The evaluator: the only source of new information in a game-tree search.

use super::{Game, Score, Window};

/// The answer to a windowed question about one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Valuation {
    /// Seen by the side to move. At least `window.beta()` means the true score is at least this; at most
    /// `window.alpha()` means at most this; in between it is exact.
    pub score: Score,
    /// Nodes visited to find it (at least 1).
    pub nodes: u64,
}

/// Evaluates positions and orders moves. `&mut self`: an evaluator may keep tables.
pub trait Evaluator<G: Game> {
    /// Values the current position of `game`, which is left as it was found.
    fn evaluate(&mut self, game: &mut G, window: Window) -> Valuation;

    /// Sorts legal moves of the current position, the most promising first, and returns the nodes this cost.
    fn order(&mut self, game: &mut G, moves: &mut [G::Move]) -> u64;

    /// Whether `mv` is quiet in the current position: no capture, promotion or check, no answer to a check.
    /// Quiescence searches leave such moves out.
    fn is_quiet(&mut self, game: &mut G, mv: G::Move) -> bool;

    /// The exact score of the current position by endgame tables, which no search can change.
    fn tb_score(&mut self, game: &mut G) -> Option<Score> {
        let _ = game;
        None
    }

    /// The opponent's greatest gain if the side to move did nothing, never negative; the greatest score where
    /// the side to move is in check. Fail-high reductions need it (thesis 2.3, [Feldmann 96]).
    fn threat(&mut self, game: &mut G) -> Score;
}

/// Endgame tables: exact scores of some positions. Several threads can probe them.
pub trait Tablebase<P>: Send + Sync + std::fmt::Debug {
    /// The score of `position` if nothing played from there can change it, rules about the path to come (such as the
    /// 50-move rule) included; `depth` is the remaining depth of the search there.
    fn score(&self, position: &P, depth: u16) -> Option<Score>;
}
