//! The assignment of a successor's target, and its outcome.

use crate::thesis::messages::message::ProblemCode;
use crate::thesis::search::split::SuccessorTarget;
use crate::thesis::tree::placement::WorkerId;
use crate::thesis::tree::target::Verdict;

/// A target of a successor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assignment {
    pub share: SuccessorTarget,
    pub state: AssignmentState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AssignmentState {
    /// It has not been given to anybody, because an earlier target of the same successor is still worked on.
    Open,
    /// It will be worked on here.
    Own,
    /// The frame above works on it.
    Here,
    /// Another worker works on it.
    Sent(WorkerId, ProblemCode),
    /// Whoever worked on it has answered.
    Answered(Verdict),
    /// The answer was taken note of.
    Done(Verdict),
}

impl Assignment {
    pub(crate) fn is_answered(&self) -> bool {
        matches!(
            self.state,
            AssignmentState::Answered(_) | AssignmentState::Done(_)
        )
    }
}
