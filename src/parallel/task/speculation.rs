//! What moves at the root are asked for before it is their turn, and how far that has come.

use crate::cc2s::tree::placement::WorkerId;
use crate::cc2s::tree::target::{Target, Verdict};
use crate::cc2s::tree::value::Value;
use crate::parallel::request::message::{Answer, ProblemCode};

/// What a move is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpeculativeTarget<M> {
    pub mv: M,
    /// Seen by the position after the move.
    pub target: Target,
    pub state: SpeculationState,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum SpeculationState {
    /// That worker works on it.
    Sent(WorkerId, ProblemCode),
    /// What has become of it, and what the position after the move is worth now.
    Answered(Verdict, Value),
    /// The value was taken note of: the target was met.
    Met,
}

/// What moves are asked for beside the current round.
#[derive(Clone, Debug)]
pub(crate) struct RootSpeculation<M> {
    pub targets: Vec<SpeculativeTarget<M>>,
}

impl<M: Copy + Eq> RootSpeculation<M> {
    pub(crate) const fn new() -> Self {
        Self {
            targets: Vec::new(),
        }
    }

    /// Whether something is asked of that move.
    pub(crate) fn is_about(&self, mv: M) -> bool {
        self.targets.iter().any(|one| one.mv == mv)
    }

    /// A move's worker has answered.
    pub(crate) fn handle_answer(&mut self, answer: &Answer<M>) {
        let is_answered =
            |state| matches!(state, SpeculationState::Sent(_, code) if code == answer.code);
        let speculative = self.targets.iter_mut().find(|one| is_answered(one.state));
        let speculative = speculative.expect("what is not wanted any more is not answered");
        speculative.state = SpeculationState::Answered(answer.verdict, answer.value);
    }
}
