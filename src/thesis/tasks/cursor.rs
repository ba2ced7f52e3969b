//! A game handle that moves from one node of the tree to another.

use crate::game::Game;
use crate::thesis::messages::message::Step;

/// The game handle of a worker and its position.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<G: Game> {
    pub game: G,
    /// The moves from the root of the analysis to the current position.
    steps: Vec<Step<G::Move>>,
}

impl<G: Game> Cursor<G> {
    /// Creates a cursor with the game at the root.
    pub(crate) fn new(game: G) -> Self {
        Self {
            game,
            steps: Vec::new(),
        }
    }

    /// Moves to the end of a path from the root of the analysis, via the last position that both paths share.
    pub(crate) fn go_to(&mut self, path: impl Iterator<Item = Step<G::Move>>) {
        let mut path = path.peekable();
        let mut shared = 0;
        while path
            .next_if(|step| self.steps.get(shared) == Some(step))
            .is_some()
        {
            shared += 1;
        }
        self.retreat(shared);
        for step in path {
            self.advance(step);
        }
    }

    fn retreat(&mut self, plies: usize) {
        while self.steps.len() > plies {
            self.steps.pop();
            self.game.undo();
        }
    }

    fn advance(&mut self, step: Step<G::Move>) {
        match step {
            Some(mv) => self.game.play(mv),
            None => assert!(self.game.pass(), "a null move was possible before"),
        }
        self.steps.push(step);
    }
}
