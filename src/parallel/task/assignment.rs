//! Who works on a target of a successor, and what became of it.

use crate::cc2s::search::split::Share;
use crate::cc2s::tree::placement::WorkerId;
use crate::cc2s::tree::target::{Target, Verdict};
use crate::cc2s::tree::value::Value;
use crate::parallel::request::message::ProblemCode;

/// A target of a successor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assignment {
    pub share: Share,
    /// What whoever works on it was asked for: that or more.
    pub asked: Target,
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
    /// That worker has answered, or the tables that all have in common have.
    Answered(Verdict),
    /// The answer was taken note of.
    Done(Verdict),
}

impl Assignment {
    /// Takes in what became of it; `value` is the successor's now. What was missed may be more than is needed, and the successor
    /// still on the target that is: that one is asked for next.
    pub(crate) fn take_answer(&mut self, verdict: Verdict, value: Value) {
        let needed = self.share.target;
        if verdict == Verdict::Missed && self.asked != needed && value.is_on_target(needed.bound) {
            self.asked = needed;
            self.state = AssignmentState::Open;
        } else {
            self.state = AssignmentState::Answered(verdict);
        }
    }

    pub(crate) fn is_answered(&self) -> bool {
        matches!(
            self.state,
            AssignmentState::Answered(_) | AssignmentState::Done(_)
        )
    }
}
