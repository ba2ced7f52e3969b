//! The state of all reference searches: the game, the evaluator, and the counters.

use crate::game::{Evaluator, Game, Score, Window};

/// The work of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeCounts {
    /// Positions visited, including leaves; a position visited twice counts twice.
    pub nodes: u64,
    /// Positions evaluated, by the evaluator or because the game ended there.
    pub leaves: u64,
}

/// A searcher of the tree below the current position of a game, which it restores.
///
/// Scores are in the side to move's view. At the horizon the evaluator is called with the window of the search, so
/// an evaluator that returns only bounds outside the window is sufficient.
#[derive(Debug)]
pub struct Explorer<'a, G: Game, E> {
    pub(super) game: &'a mut G,
    pub(super) evaluator: &'a mut E,
    counts: NodeCounts,
    /// The distance from the root of the search.
    ply: usize,
    /// The best line found from each ply on.
    lines: Vec<Vec<G::Move>>,
}

impl<'a, G: Game, E: Evaluator<G>> Explorer<'a, G, E> {
    /// Creates an explorer of the current position of `game`.
    pub fn new(game: &'a mut G, evaluator: &'a mut E) -> Self {
        Self {
            game,
            evaluator,
            counts: NodeCounts::default(),
            ply: 0,
            lines: vec![Vec::new()],
        }
    }

    /// Returns the best line of the last minimax, negamax, alpha-beta, aspiration, PVS or MTD(f) search: a
    /// principal variation if the score was inside the window. Empty if nothing was searched, and truncated at a
    /// table hit.
    pub fn principal_variation(&self) -> &[G::Move] {
        &self.lines[0]
    }

    /// Returns the work of all searches so far.
    pub fn counts(&self) -> NodeCounts {
        self.counts
    }

    /// Visits the current position. Returns its score at an end of the game or at the horizon, and `None` if its
    /// successors must be searched.
    pub(super) fn visit(&mut self, window: Window, depth: u16) -> Option<Score> {
        self.counts.nodes += 1;
        self.lines[self.ply].clear();
        let score = match self.game.end_score() {
            Some(score) => score,
            None if depth == 0 => self.evaluator.evaluate(self.game, window).score,
            None => return None,
        };
        self.counts.leaves += 1;
        Some(score)
    }

    /// Returns the legal moves, the most promising first.
    pub(super) fn moves(&mut self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.legal_moves(&mut moves);
        self.evaluator.order(self.game, &mut moves);
        moves
    }

    /// Returns the result of `search` at a successor, in the successor's view.
    pub(super) fn below(&mut self, mv: G::Move, search: impl FnOnce(&mut Self) -> Score) -> Score {
        self.game.play(mv);
        self.ply += 1;
        if self.lines.len() == self.ply {
            self.lines.push(Vec::new());
        }
        let score = search(self);
        self.ply -= 1;
        self.game.undo();
        score
    }

    /// Returns the result of `search` at a successor, in the current position's view.
    pub(super) fn after(&mut self, mv: G::Move, search: impl FnOnce(&mut Self) -> Score) -> Score {
        self.below(mv, search).to_parent()
    }

    /// Returns the better of two scores; if the move is better, its line becomes the best line.
    pub(super) fn better(&mut self, best: Score, mv: G::Move, score: Score) -> Score {
        if score <= best {
            return best;
        }
        self.note(mv);
        score
    }

    /// Sets the current position's best line to `mv`, the successor searched last, and its line.
    pub(super) fn note(&mut self, mv: G::Move) {
        let (upper, lower) = self.lines.split_at_mut(self.ply + 1);
        let line = &mut upper[self.ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    /// Returns the best line of the root.
    pub(super) fn root_line(&mut self) -> &mut Vec<G::Move> {
        &mut self.lines[0]
    }
}

/// Returns the part of a window above the secured score `best`; `best < window.beta()`.
pub(super) fn above(window: Window, best: Score) -> Window {
    Window::new(window.alpha().max(best), window.beta())
}
