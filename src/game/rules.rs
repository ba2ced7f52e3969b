//! The rules of a two-player zero-sum game, as a search sees them.

use super::Score;

/// A position together with the path that led to it; moves are played on it and taken back.
///
/// One value moves through the whole game tree, so a search plays moves instead of storing positions. Every method
/// refers to the current position; every score is from the point of view of the side to move there (negamax).
pub trait Game {
    /// A move; legal only in the position that generated it.
    type Move: Copy + Eq + std::fmt::Debug;

    /// A 64-bit key of the current position. Equal positions have equal keys; the path does not enter.
    fn key(&self) -> u64;

    /// Appends all legal moves to `moves`, in an order that depends on the position alone.
    ///
    /// Appends nothing exactly where the rules leave no move; a draw by repetition or by the 50-move rule still has
    /// moves.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);

    /// Takes back the last [`play`](Game::play) or [`pass`](Game::pass).
    fn undo(&mut self);

    /// The score if the game has ended here (mate, stalemate, draw by rule or by repetition on the path), else `None`.
    fn end_score(&self) -> Option<Score>;

    /// Hands the move to the opponent (null move) and returns true; returns false, changing nothing, where that is
    /// forbidden or meaningless (in check, too little material, a game without passing).
    fn pass(&mut self) -> bool;
}
