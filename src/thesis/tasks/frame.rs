//! One level of the recursion of Fig. 2.7 as data, so that it can be put aside (thesis 3.4-12, 3.4-13).

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
    /// The successor's place in the order in which the node below comes to its successors, 0 after a null move.
    pub place: usize,
    /// Probability that the node need not be worked on.
    pub waste_risk: WasteRisk,
    /// It takes the place of one that has failed.
    pub is_replacement: bool,
    /// The value asked for.
    pub demanded: Target,
    /// The target it comes to, perhaps less deep.
    pub target: Target,
    /// The node's key, once it was entered.
    pub key: Option<u64>,
    /// Passes through expansion and split begun.
    pub passes: u16,
    pub state: FrameState<M>,
    /// Targets of the successors in this pass.
    pub assignments: Vec<Assignment>,
    /// Probability that one that misses its target makes the others superfluous.
    pub failure_risk: FailureRisk,
    /// Valuations that other workers were asked for ahead of time, in the order in which they were.
    pub prefetches: Vec<Prefetch<M>>,
    /// Answers found between the steps.
    pub found: BatchResult<M>,
    /// Names what is being found out.
    pub asked: Option<ProblemCode>,
}

/// The state of the work on a node.
#[derive(Clone, Debug)]
pub(crate) enum FrameState<M> {
    /// The node's value must first be made point-shaped, because employer and owner disagree.
    Undecided,
    /// Nothing was done yet.
    Start,
    /// The value of the node after a null move is being asked; it is to show this.
    AskingPass(Target),
    /// The node after a null move is worked on.
    Passing,
    /// Successors are being valued; perhaps another worker is asked the question that must be answered next.
    Expanding(Box<Expansion<M>>, Option<EvaluatorQuestion<M>>),
    /// The root must say what its successors are asked for.
    Planning,
    /// Successors are worked on: own ones one after the other, those of others at the same time.
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

    /// The same frame before anything was done.
    pub(super) fn anew(&self) -> Self {
        Self {
            waste_risk: self.waste_risk,
            is_replacement: self.is_replacement,
            ..Self::new(self.node, None, self.demanded, FrameState::Start)
        }
    }

    /// The waste risk of the assignment in that place.
    pub(crate) fn waste_risk_of(&self, place: usize) -> WasteRisk {
        self.waste_risk.of_successor(place, self.failure_risk)
    }

    /// Whether the successor that was to keep the node's bound has failed to.
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

    /// The expansion can go on when that is answered.
    pub(crate) fn await_answer(&mut self, question: EvaluatorQuestion<M>) {
        let FrameState::Expanding(_, awaited) = &mut self.state else {
            unreachable!("successors are being valued");
        };
        *awaited = Some(question);
    }

    /// The node and the expansion that is under way there.
    pub(crate) fn expansion(&self) -> (NodeId, &Expansion<M>) {
        let FrameState::Expanding(expansion, _) = &self.state else {
            unreachable!("successors are being valued");
        };
        (self.node, expansion)
    }

    /// The first assignment from that place on that can be given to somebody.
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

    /// The verdict of all assignments together; `None` as long as others may decide.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        let is = |verdict| move |one: &Assignment| one.state == AssignmentState::Done(verdict);
        if self.assignments.iter().any(is(Verdict::Missed)) {
            Some(Verdict::Missed)
        } else {
            (self.assignments.iter().all(is(Verdict::Met))).then_some(Verdict::Met)
        }
    }

    /// Whether there is something to do before further answers come.
    pub(crate) fn can_go_on(&self) -> bool {
        use AssignmentState::{Open, Own};
        let is_to_do = |one: &Assignment| matches!(one.state, Open | Own);
        !self.awaits_answers() || self.assignments.iter().any(is_to_do)
    }

    /// Whether there is an answer of which note is to be taken.
    pub(crate) fn has_news(&self) -> bool {
        let is_new = |one: &Assignment| matches!(one.state, AssignmentState::Answered(_));
        self.assignments.iter().any(is_new)
    }

    pub(crate) fn awaits_answers(&self) -> bool {
        (self.assignments.iter()).any(|one| matches!(one.state, AssignmentState::Sent(..)))
    }
}

impl<M: Copy + Eq> Frame<M> {
    /// The next question's answer as far as it is known: by a batch, or by other workers that were asked ahead of time.
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
