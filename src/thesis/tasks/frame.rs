//! One level of the recursion of Fig. 2.7 as data, so that it can be suspended (thesis 3.4-12, 3.4-13).

use super::assignment::{Assignment, AssignmentState};
use super::prefetched::{KnownAnswer, Prefetch, PrefetchState};
use crate::game::Window;
use crate::thesis::messages::batch::BatchResult;
use crate::thesis::messages::message::{ProblemCode, Step};
use crate::thesis::messages::waste_risk::{FailureRisk, WasteRisk};
use crate::thesis::search::expand::Expansion;
use crate::thesis::search::split::SuccessorTarget;
use crate::thesis::search::valuation::EvaluatorQuestion;
use crate::thesis::tree::search_tree::NodeId;
use crate::thesis::tree::target::{NodeKind, Target, Verdict};

/// A node of a current variation.
#[derive(Clone, Debug)]
pub(crate) struct Frame<M> {
    pub node: NodeId,
    /// The move that leads here from the frame below.
    pub step: Step<M>,
    /// The place in the order in which the node below visits its successors, from 1; 0 after a null move.
    pub place: usize,
    /// The probability that the node need not be worked on.
    pub waste_risk: WasteRisk,
    /// Whether the node replaces one that has failed.
    pub is_replacement: bool,
    /// The target required of the node.
    pub demanded: Target,
    /// The target worked on, perhaps at less depth.
    pub target: Target,
    /// The node's key, once it was entered.
    pub key: Option<u64>,
    /// The number of passes through expansion and split begun.
    pub passes: u16,
    pub state: FrameState<M>,
    /// Targets of the successors in this pass.
    pub assignments: Vec<Assignment>,
    /// The probability that a missed target makes the other ones superfluous.
    pub failure_risk: FailureRisk,
    /// Evaluations requested from other workers ahead of time, in the order of the requests.
    pub prefetches: Vec<Prefetch<M>>,
    /// Answers found between the steps.
    pub found: BatchResult<M>,
    /// The code of the batch in progress.
    pub asked: Option<ProblemCode>,
}

#[derive(Clone, Debug)]
pub(crate) enum FrameState<M> {
    /// The node must first get a point value, because employer and owner disagree.
    Undecided,
    Start,
    /// The node after a null move is being evaluated; this is its target.
    AskingPass(Target),
    /// The node after a null move is worked on.
    Passing,
    /// Successors are being evaluated; the question, if any, is to be answered next, perhaps by another worker.
    Expanding(Box<Expansion<M>>, Option<EvaluatorQuestion<M>>),
    /// The root must plan the targets of its successors.
    Planning,
    /// Successors are worked on: own ones one after the other, those of other workers at the same time.
    Recursion,
    /// Only answers of others are missing.
    Waiting,
}

impl<M> Frame<M> {
    pub(crate) fn new(node: NodeId, step: Step<M>, demanded: Target, state: FrameState<M>) -> Self {
        Self {
            node,
            step,
            place: 0,
            waste_risk: WasteRisk::default(),
            is_replacement: false,
            demanded,
            target: demanded,
            key: None,
            passes: 0,
            state,
            assignments: Vec::new(),
            failure_risk: FailureRisk::default(),
            prefetches: Vec::new(),
            found: BatchResult::default(),
            asked: None,
        }
    }

    /// Returns the same frame before anything was done.
    pub(super) fn anew(&self) -> Self {
        Self {
            waste_risk: self.waste_risk,
            is_replacement: self.is_replacement,
            ..Self::new(self.node, None, self.demanded, FrameState::Start)
        }
    }

    pub(crate) fn waste_risk_of(&self, place: usize) -> WasteRisk {
        self.waste_risk.of_successor(place, self.failure_risk)
    }

    /// Whether the successor that was to keep the node's bound has failed.
    pub(crate) fn seeks_replacement(&self) -> bool {
        self.passes > 1 && self.target.kind() == NodeKind::Cut
    }

    pub(crate) fn assign(&mut self, shares: Vec<SuccessorTarget>) {
        let open = |share: SuccessorTarget| Assignment {
            share,
            state: AssignmentState::Open,
        };
        self.assignments = shares.into_iter().map(open).collect();
        self.state = FrameState::Recursion;
    }

    /// Suspends the expansion until this question is answered.
    pub(crate) fn await_answer(&mut self, question: EvaluatorQuestion<M>) {
        let FrameState::Expanding(_, awaited) = &mut self.state else {
            unreachable!("successors are being valued");
        };
        *awaited = Some(question);
    }

    pub(crate) fn expansion(&self) -> (NodeId, &Expansion<M>) {
        let FrameState::Expanding(expansion, _) = &self.state else {
            unreachable!("successors are being valued");
        };
        (self.node, expansion)
    }

    /// Returns the first assignment at or after `from` that can be assigned to a worker.
    pub(crate) fn next_open(&self, from: usize) -> Option<usize> {
        (from..self.assignments.len()).find(|&place| {
            let Assignment { share, state, .. } = self.assignments[place];
            let mut earlier = self.assignments[..place].iter();
            state == AssignmentState::Open
                && earlier.all(|other| other.share.index != share.index || other.is_answered())
        })
    }

    pub(crate) fn place_of(&self, state: AssignmentState) -> Option<usize> {
        self.assignments.iter().position(|one| one.state == state)
    }

    /// Returns the verdict of all assignments together; `None` while it depends on missing answers.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        let is = |verdict| move |one: &Assignment| one.state == AssignmentState::Done(verdict);
        if self.assignments.iter().any(is(Verdict::Missed)) {
            Some(Verdict::Missed)
        } else {
            (self.assignments.iter().all(is(Verdict::Met))).then_some(Verdict::Met)
        }
    }

    /// Whether there is something to do before further answers arrive.
    pub(crate) fn can_go_on(&self) -> bool {
        use AssignmentState::{Open, Own};
        let is_to_do = |one: &Assignment| matches!(one.state, Open | Own);
        !self.awaits_answers() || self.assignments.iter().any(is_to_do)
    }

    /// Whether there is an answer not noted yet.
    pub(crate) fn has_news(&self) -> bool {
        let is_new = |one: &Assignment| matches!(one.state, AssignmentState::Answered(_));
        self.assignments.iter().any(is_new)
    }

    pub(crate) fn awaits_answers(&self) -> bool {
        (self.assignments.iter()).any(|one| matches!(one.state, AssignmentState::Sent(..)))
    }
}

impl<M: Copy + Eq> Frame<M> {
    /// Returns the known answer to the next question: from a batch, or from other workers asked ahead of time.
    pub(crate) fn known_answer(&mut self, mv: M, window: Window) -> KnownAnswer {
        if let Some(finding) = self.found.take_answer(mv, window) {
            return KnownAnswer::Found(finding);
        }
        let Some(place) = (self.prefetches.iter()).position(|one| one.answers(mv, window)) else {
            return KnownAnswer::None;
        };
        match self.prefetches[place].state {
            PrefetchState::Asked(..) => KnownAnswer::Asked,
            PrefetchState::Found(finding) => {
                self.prefetches.remove(place);
                KnownAnswer::Found(finding)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Score, TargetBound};

    #[test]
    fn all_assignments_are_needed() {
        use AssignmentState::{Done, Open};
        use Verdict::{Met, Missed};
        let verdict = |states: &[AssignmentState]| {
            let target = Target {
                bound: TargetBound::AtLeast(Score::MIN),
                depth: 2,
                conspiracy: 1,
            };
            let mut frame = Frame::<u16>::new(NodeId::ROOT, None, target, FrameState::Start);
            let share = |index| SuccessorTarget { index, target };
            frame.assign((0..states.len()).map(share).collect());
            for (assignment, &state) in frame.assignments.iter_mut().zip(states) {
                assignment.state = state;
            }
            frame.verdict()
        };
        assert_eq!(verdict(&[]), Some(Met));
        assert_eq!(verdict(&[Done(Met), Open]), None);
        assert_eq!(verdict(&[Done(Met), Done(Met)]), Some(Met));
        assert_eq!(verdict(&[Open, Done(Missed)]), Some(Missed));
    }
}
