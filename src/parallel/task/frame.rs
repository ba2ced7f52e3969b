//! Problems being worked on: the recursion of Fig. 2.7 as data, so that it can be put aside (thesis 3.4-12, 3.4-13).

use crate::cc2s::search::expand::Expansion;
use crate::cc2s::search::split::Share;
use crate::cc2s::search::valuation::{Finding, Question};
use crate::cc2s::tree::placement::WorkerId;
use crate::cc2s::tree::search_tree::NodeId;
use crate::cc2s::tree::target::{NodeKind, Target, Verdict};
use crate::cc2s::tree::value::{Bound, Value};
use crate::game::{Score, Window};
use crate::parallel::request::batch::BatchResult;
use crate::parallel::request::message::{ProblemCode, Step};
use crate::parallel::request::priority::Priority;
use crate::parallel::request::tree_order::TreeOrder;
use crate::parallel::request::waste_risk::{FailureRisk, WasteRisk};

/// Names a task of one worker.
pub(crate) type TaskId = u32;

/// A problem and how far the work on it has come.
///
/// ```text
///  root of the analysis   the task's node           node worked on
///  o---- prefix ----------o----- frames[1].. -------o
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Task<M> {
    /// Who waits for the answer; nobody does for that of the root.
    pub client: Option<Client>,
    /// The moves from the root of the analysis to the task's node.
    pub prefix: Vec<Step<M>>,
    /// The current variation, the task's own node first.
    pub frames: Vec<Frame<M>>,
    /// Which requirement it is about.
    pub requirement: u16,
    /// When a single worker would come to the task's node.
    pub tree_order: TreeOrder,
    /// Level at which a target counts as met, in plies from the root of the analysis.
    pub level_limit: usize,
    /// What became of the frame that was above the last one.
    pub returned: Option<Verdict>,
}

/// The employer of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Client {
    pub employer: WorkerId,
    pub code: ProblemCode,
}

/// A node of a current variation.
#[derive(Clone, Debug)]
pub(crate) struct Frame<M> {
    pub node: NodeId,
    /// The move that leads here from the frame below.
    pub step: Step<M>,
    /// The successor's place in the order in which the node below comes to its successors, 0 after a null move.
    pub place: usize,
    /// How likely it is that the node need not be worked on.
    pub waste_risk: WasteRisk,
    /// It takes the place of one that has failed.
    pub is_replacement: bool,
    /// What was asked for.
    pub demanded: Target,
    /// What that comes to: perhaps less deep.
    pub goal: Target,
    /// What is worked on: the goal, or an iteration on the way to it.
    pub target: Target,
    /// The node's key, once it was entered.
    pub key: Option<u64>,
    /// Passes through expansion and split begun.
    pub passes: u16,
    pub state: FrameState<M>,
    /// What the successors are asked for in this pass.
    pub assignments: Vec<Assignment>,
    /// One of them is enough.
    pub are_alternatives: bool,
    /// How likely it is that one that misses its target makes the others superfluous.
    pub failure_risk: FailureRisk,
    /// Valuations that other workers were asked for ahead of time, in the order in which they were.
    pub prefetches: Vec<Prefetch<M>>,
    /// What was found out between the steps.
    pub found: BatchResult<M>,
    /// Names what is being found out.
    pub asked: Option<ProblemCode>,
}

/// A valuation asked for ahead of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefetch<M> {
    pub mv: M,
    pub window: Window,
    pub state: PrefetchState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PrefetchState {
    Asked(WorkerId, ProblemCode),
    Found(Finding),
}

/// How far the work on a node has come.
#[derive(Clone, Debug)]
pub(crate) enum FrameState<M> {
    /// The node's value must first be made point-shaped, because employer and owner disagree.
    Undecided,
    /// Nothing was done yet.
    Start,
    /// What the node after a null move is worth is being asked; it is to show this.
    AskingPass(Target),
    /// The node after a null move is worked on.
    Passing,
    /// Successors are being valued; perhaps another worker is asked the question that must be answered next.
    Expanding(Box<Expansion<M>>, Option<Question<M>>),
    /// The root must say what its successors are asked for.
    Planning,
    /// Successors are worked on: own ones one after the other, those of others at the same time.
    Recursion,
    /// Only answers of others are missing.
    Waiting,
}

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

impl<M> Prefetch<M> {
    pub(crate) fn is_asked(&self) -> bool {
        matches!(self.state, PrefetchState::Asked(..))
    }
}

impl<M: Copy + Eq> Prefetch<M> {
    /// Whether what is found here says as much of a move as an answer in that window would.
    pub(crate) fn answers(&self, mv: M, window: Window) -> bool {
        self.mv == mv && self.window.contains(window)
    }
}

/// What is known of a question's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KnownAnswer {
    /// Nobody was asked.
    None,
    /// It will come.
    Asked,
    /// This.
    Found(Finding),
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

impl<M> Frame<M> {
    pub(crate) fn new(node: NodeId, step: Step<M>, demanded: Target, state: FrameState<M>) -> Self {
        Self {
            node,
            step,
            place: 0,
            waste_risk: WasteRisk::default(),
            is_replacement: false,
            demanded,
            goal: demanded,
            target: demanded,
            key: None,
            passes: 0,
            state,
            assignments: Vec::new(),
            are_alternatives: false,
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

    /// Whether more is to be shown than what is worked on.
    pub(crate) fn is_below_goal(&self) -> bool {
        self.target != self.goal
    }

    /// Whether the successor that was to keep the node's bound has failed to.
    pub(crate) fn seeks_replacement(&self) -> bool {
        self.passes > 1 && self.target.kind() == NodeKind::Cut
    }

    pub(crate) fn assign(&mut self, shares: Vec<Share>, are_alternatives: bool) {
        let open = |share: Share| Assignment {
            share,
            asked: share.target,
            state: AssignmentState::Open,
        };
        self.assignments = shares.into_iter().map(open).collect();
        self.are_alternatives = are_alternatives;
        self.state = FrameState::Recursion;
    }

    /// The expansion can go on when that is answered.
    pub(crate) fn await_answer(&mut self, question: Question<M>) {
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

    /// The verdict for which one assignment is enough, and that for which all are needed.
    fn verdicts(&self) -> (Verdict, Verdict) {
        if self.are_alternatives {
            (Verdict::Met, Verdict::Missed)
        } else {
            (Verdict::Missed, Verdict::Met)
        }
    }

    /// Whether that verdict on one assignment is one on all of them.
    pub(crate) fn is_decided_by(&self, verdict: Verdict) -> bool {
        verdict == self.verdicts().0
    }

    /// What is known of all assignments together; `None` as long as others may decide.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        let (by_one, by_all) = self.verdicts();
        let is = |verdict| move |one: &Assignment| one.state == AssignmentState::Done(verdict);
        if self.assignments.iter().any(is(by_one)) {
            Some(by_one)
        } else {
            (self.assignments.iter().all(is(by_all))).then_some(by_all)
        }
    }

    /// Whether somebody works on an assignment, or is to.
    pub(crate) fn is_under_way(&self) -> bool {
        use AssignmentState::{Here, Own, Sent};
        (self.assignments.iter()).any(|one| matches!(one.state, Own | Here | Sent(..)))
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
    /// What is known of the next question's answer: by a batch, or by other workers that were asked ahead of time.
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
                // What is found of a packet comes in the order in which it was asked.
                self.prefetches.remove(place);
                KnownAnswer::Found(finding)
            }
        }
    }
}

impl<M: Copy> Task<M> {
    /// The moves from the root of the analysis to the node worked on.
    pub(crate) fn path(&self) -> impl Iterator<Item = Step<M>> {
        self.path_to(self.frames.len() - 1)
    }

    /// The moves from the root of the analysis to the node of a frame.
    pub(crate) fn path_to(&self, frame: usize) -> impl Iterator<Item = Step<M>> {
        let steps = self.frames[1..=frame].iter().map(|frame| frame.step);
        self.prefix.iter().copied().chain(steps)
    }

    /// Plies from the root of the analysis to the node worked on.
    pub(crate) fn level(&self) -> usize {
        self.prefix.len() + self.frames.len() - 1
    }

    /// When it is to be worked on.
    pub(super) fn priority(&self) -> Priority {
        // The root's own task keeps its place while requirements come and go.
        let requirement = self.client.map_or(0, |_| self.requirement);
        Priority {
            requirement,
            waste_risk: self.frames[0].waste_risk,
            tree_order: self.tree_order.clone(),
        }
    }

    /// When a single worker would come to the successor at that place of a frame.
    pub(crate) fn tree_order_of(&self, frame: usize, place: usize) -> TreeOrder {
        let places = self.frames[1..=frame].iter().map(|frame| frame.place);
        self.tree_order.below(places.chain([place]))
    }

    /// The task of the leader.
    pub(crate) fn of_root() -> Self {
        // The root is asked for nothing; its director knows what is wanted.
        let nothing = Target {
            bound: Bound::AtLeast(Score::MIN),
            depth: 0,
            conspiracy: 0,
        };
        Self {
            client: None,
            requirement: 0,
            prefix: Vec::new(),
            tree_order: TreeOrder::default(),
            frames: vec![Frame::new(
                NodeId::ROOT,
                None,
                nothing,
                FrameState::Planning,
            )],
            level_limit: usize::MAX,
            returned: None,
        }
    }

    pub(crate) fn in_state(mut self, state: FrameState<M>) -> Self {
        self.tip().state = state;
        self
    }

    /// Whether nothing was done yet for a problem that somebody else has set.
    pub(crate) fn is_to_begin(&self) -> bool {
        let begins = self.frames.len() == 1 && matches!(self.frames[0].state, FrameState::Start);
        begins && self.client.is_some()
    }

    /// Whether the node worked on is the root of the analysis.
    pub(crate) fn is_root(&self) -> bool {
        self.client.is_none() && self.frames.len() == 1
    }

    pub(crate) fn tip(&mut self) -> &mut Frame<M> {
        self.frames.last_mut().expect("a task has a frame")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn one_alternative_is_enough_of_others_all_are_needed() {
        use AssignmentState::{Done, Open};
        use Verdict::{Met, Missed};
        let verdict = |are_alternatives, states: &[AssignmentState]| {
            let target = Target {
                bound: Bound::AtLeast(Score::MIN),
                depth: 2,
                conspiracy: 1,
            };
            let mut frame = Frame::<u16>::new(NodeId::ROOT, None, target, FrameState::Start);
            let share = |index| Share { index, target };
            frame.assign((0..states.len()).map(share).collect(), are_alternatives);
            for (assignment, &state) in frame.assignments.iter_mut().zip(states) {
                assignment.state = state;
            }
            frame.verdict()
        };
        assert_eq!(verdict(false, &[]), Some(Met));
        assert_eq!(verdict(false, &[Done(Met), Open]), None);
        assert_eq!(verdict(false, &[Done(Met), Done(Met)]), Some(Met));
        assert_eq!(verdict(false, &[Open, Done(Missed)]), Some(Missed));
        assert_eq!(verdict(true, &[Open, Done(Met)]), Some(Met));
        assert_eq!(verdict(true, &[Done(Missed), Open]), None);
        assert_eq!(verdict(true, &[Done(Missed), Done(Missed)]), Some(Missed));
    }
}
