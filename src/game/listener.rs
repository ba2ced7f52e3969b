//! The interface between a search and its listeners: updates of the root during the search, and the answer at the end.

use super::{Progress, RootUpdate};

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestMove<M> {
    /// The move to play, one of the moves of the question.
    pub best: M,
    /// The reply to ponder on; legal after `best`, and the game is not over after it.
    pub ponder: Option<M>,
}

/// Listens to a running search and tells it when to stop.
pub trait SearchListener<M> {
    /// Called at least once every few thousand nodes; false: stop now and answer.
    fn proceed(&mut self, progress: &Progress) -> bool;
    /// Called when a requirement is met or another move has become better: once for each of the best moves, in order.
    fn report(&mut self, update: &RootUpdate<M>);
    /// Called when something is wrong that people should know, although the search goes on.
    fn complain(&mut self, _text: String) {}
    /// Called once, last of all, with the answer. A search does not wait for its helpers before that.
    fn answer(&mut self, _answer: &BestMove<M>) {}
}

/// Says stop when asked so many times.
#[cfg(test)]
pub(crate) struct Patience(pub usize);

#[cfg(test)]
impl<M> SearchListener<M> for Patience {
    fn proceed(&mut self, _: &Progress) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }

    fn report(&mut self, _: &RootUpdate<M>) {}
}
