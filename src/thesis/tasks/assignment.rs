use crate::thesis::messages::message::ProblemCode;
use crate::thesis::search::split::SuccessorTarget;
use crate::thesis::tree::placement::WorkerId;
use crate::thesis::tree::target::Verdict;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Assignment {
    pub share: SuccessorTarget,
    pub state: AssignmentState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AssignmentState {
    /// Not assigned to any worker yet, because an earlier target of the same successor is still worked on.
    Open,
    /// To be worked on here.
    Own,
    /// Worked on by the frame above.
    Here,
    /// Worked on elsewhere: by another worker, or by this one in a separate task or job.
    Sent(WorkerId, ProblemCode),
    /// Answered.
    Answered(Verdict),
    /// Answered, and the answer has been noted.
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
