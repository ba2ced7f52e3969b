//! The state of all reference searches: the game, the evaluator, and the counters.

use crate::game::{Evaluator, Game, Score, Window};

/// The work of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeCounts {
    /// Positions visited, leaves included; a position visited twice counts twice.
    pub nodes: u64,
    /// Positions valued, by the evaluator or because the game ended there.
    pub leaves: u64,
}

/// Searches the tree below the current position of a game, which is left as it was found.
///
/// Scores are seen by the side to move. At the horizon the evaluator is asked with the window of the search, so an
/// evaluator that only knows bounds outside the window is good enough.
#[derive(Debug)]
pub struct Explorer<'a, G: Game, E> {
    pub(super) game: &'a mut G,
    pub(super) evaluator: &'a mut E,
    counts: NodeCounts,
    /// Plies from the position the search began at.
    ply: usize,
    /// By ply, the best moves found from there on.
    lines: Vec<Vec<G::Move>>,
}

impl<'a, G: Game, E: Evaluator<G>> Explorer<'a, G, E> {
    /// An explorer of the current position of `game`.
    pub fn new(game: &'a mut G, evaluator: &'a mut E) -> Self {
        Self {
            game,
            evaluator,
            counts: NodeCounts::default(),
            ply: 0,
            lines: vec![Vec::new()],
        }
    }

    /// The best moves for both sides, as the last minimax, negamax, alpha-beta, aspiration, PVS or MTD(f) search found
    /// them: a principal variation where the score was inside the window. Empty where nothing was searched, and cut off
    /// where a memory answered.
    pub fn principal_variation(&self) -> &[G::Move] {
        &self.lines[0]
    }

    /// The work of all searches so far.
    pub fn counts(&self) -> NodeCounts {
        self.counts
    }

    /// Visits the current position: its score if the game ends or the horizon lies here, `None` if it has successors to
    /// be searched.
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

    /// The legal moves, the most promising first.
    pub(super) fn moves(&mut self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.legal_moves(&mut moves);
        self.evaluator.order(self.game, &mut moves);
        moves
    }

    /// The result of `search` at a successor, seen by the successor.
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

    /// The score of a successor, found by `search` and seen by the current position.
    pub(super) fn after(&mut self, mv: G::Move, search: impl FnOnce(&mut Self) -> Score) -> Score {
        self.below(mv, search).to_parent()
    }

    /// The better of two scores; the successor's line is kept where its move is the better one.
    pub(super) fn better(&mut self, best: Score, mv: G::Move, score: Score) -> Score {
        if score <= best {
            return best;
        }
        self.note(mv);
        score
    }

    /// Notes that the current position's best line goes on with `mv`, the successor searched last.
    pub(super) fn note(&mut self, mv: G::Move) {
        let (upper, lower) = self.lines.split_at_mut(self.ply + 1);
        let line = &mut upper[self.ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    /// The line of the position the search began at.
    pub(super) fn root_line(&mut self) -> &mut Vec<G::Move> {
        &mut self.lines[0]
    }
}

/// The part of a window that is still of interest once `best` is secured; `best < window.beta()`.
pub(super) fn above(window: Window, best: Score) -> Window {
    Window::new(window.alpha().max(best), window.beta())
}
