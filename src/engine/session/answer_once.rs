//! The answer of a search, given exactly once.

use crossbeam::channel::Sender;

use super::event::{SearchEvent, SearchOutcome, send};
use crate::chess::Move;

/// Gives the answer. A search that panics still gives its best move, so the game continues.
pub(super) struct AnswerOnce {
    events: Sender<SearchEvent>,
    /// The best move known.
    fallback: Option<Move>,
    is_given: bool,
}

impl AnswerOnce {
    pub(super) fn new(events: Sender<SearchEvent>, fallback: Option<Move>) -> Self {
        Self {
            events,
            fallback,
            is_given: false,
        }
    }

    pub(super) const fn is_given(&self) -> bool {
        self.is_given
    }

    /// Records the current best move.
    pub(super) fn note_best(&mut self, best: Option<Move>) {
        self.fallback = best.or(self.fallback);
    }

    pub(super) fn give(&mut self, outcome: SearchOutcome) {
        self.is_given = true;
        send(&self.events, SearchEvent::Decided(Box::new(outcome)));
    }
}

impl Drop for AnswerOnce {
    fn drop(&mut self) {
        if !self.is_given {
            let best = self.fallback;
            send(&self.events, SearchEvent::Failed { best });
        }
    }
}
