//! Evaluations requested from other workers ahead of time.

use crate::game::Window;
use crate::thesis::messages::message::ProblemCode;
use crate::thesis::search::valuation::SurveyResult;
use crate::thesis::tree::placement::WorkerId;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefetch<M> {
    pub mv: M,
    pub window: Window,
    pub state: PrefetchState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PrefetchState {
    Asked(WorkerId, ProblemCode),
    Found(SurveyResult),
}

impl<M> Prefetch<M> {
    pub(crate) fn is_asked(&self) -> bool {
        matches!(self.state, PrefetchState::Asked(..))
    }
}

impl<M: Copy + Eq> Prefetch<M> {
    /// Whether this result implies the answer about a move in this window.
    pub(crate) fn answers(&self, mv: M, window: Window) -> bool {
        self.mv == mv && self.window.contains(window)
    }
}

/// The known part of the answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KnownAnswer {
    /// Not asked.
    None,
    /// Asked, but not answered yet.
    Asked,
    Found(SurveyResult),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Score;

    #[test]
    fn what_was_found_in_a_wider_window_answers_too() {
        let score = Score::centipawns;
        let prefetch = Prefetch {
            mv: 1_u16,
            window: Window::new(Score::MIN, score(20)),
            state: PrefetchState::Asked(WorkerId(1), ProblemCode(0)),
        };
        assert!(prefetch.answers(1, Window::new(Score::MIN, score(20))));
        assert!(prefetch.answers(1, Window::null_below(score(20))));
        assert!(!prefetch.answers(1, Window::null_above(score(20))));
        assert!(!prefetch.answers(1, Window::FULL));
        assert!(!prefetch.answers(2, Window::null_below(score(20))));
    }
}
