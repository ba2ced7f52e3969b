//! Problems being worked on: the recursion of Fig. 2.7 as data, so that it can be put aside (thesis 3.4-12, 3.4-13).

use std::collections::{BTreeMap, BTreeSet};

use super::in_progress::InProgress;
use super::priority::Priority;
use super::tree_order::TreeOrder;
use super::waste_risk::{FailureRisk, WasteRisk};
use crate::cc2s::search::expand::Expansion;
use crate::cc2s::search::split::Share;
use crate::cc2s::search::valuation::Finding;
use crate::cc2s::search::valuation::Question;
use crate::cc2s::tree::placement::WorkerId;
use crate::cc2s::tree::search_tree::NodeId;
use crate::cc2s::tree::target::{NodeKind, Target, Verdict};
use crate::cc2s::tree::value::Bound;
use crate::game::{Score, Window};
use crate::parallel::cluster::message::{ProblemCode, Step};
use crate::parallel::cluster::preemption::{Preempted, PreemptionState, Valuations};
use crate::parallel::shared_tree::batch::BatchResult;

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

impl Assignment {
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
    fn anew(&self) -> Self {
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
    fn priority(&self) -> Priority {
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

/// The tasks of a worker, and which of them is worked on.
///
/// Leftmost first, that is the one of those that need not wait which is least likely to be wasted, and of several the one that a single
/// worker would come to first. Else (thesis 3.4.1) a task is active until it can do nothing but wait; then the first in the
/// list that need not wait is taken.
#[derive(Clone, Debug)]
pub(crate) struct TaskList<M> {
    tasks: BTreeMap<TaskId, Task<M>>,
    by_client: BTreeMap<Client, TaskId>,
    /// Tasks that need not wait.
    ready: BTreeSet<TaskId>,
    /// The same in their order, if leftmost comes first.
    queue: Option<BTreeSet<(Priority, TaskId)>>,
    /// Of those, the ones that another worker has answered: to take note of that is next to no work, and may release many.
    informed: BTreeSet<TaskId>,
    active: Option<TaskId>,
    next: TaskId,
    in_progress: InProgress,
    valuations: Valuations,
}

impl<M: Copy> TaskList<M> {
    pub(crate) fn new(leftmost_first: bool) -> Self {
        Self {
            tasks: BTreeMap::new(),
            by_client: BTreeMap::new(),
            ready: BTreeSet::new(),
            queue: leftmost_first.then(BTreeSet::new),
            informed: BTreeSet::new(),
            active: None,
            next: 0,
            in_progress: InProgress::default(),
            valuations: Valuations::default(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Tasks that need not wait.
    pub(crate) fn ready_count(&self) -> usize {
        self.ready.len()
    }

    pub(crate) fn add(&mut self, task: Task<M>) {
        let id = self.next;
        self.next += 1;
        if let Some(client) = task.client {
            let older = self.by_client.insert(client, id);
            assert!(older.is_none(), "a code names one problem");
        }
        self.tasks.insert(id, task);
        self.wake(id);
    }

    pub(crate) fn of_client(&self, client: Client) -> Option<TaskId> {
        self.by_client.get(&client).copied()
    }

    pub(crate) fn get_mut(&mut self, id: TaskId) -> &mut Task<M> {
        self.tasks
            .get_mut(&id)
            .expect("requests end with their task")
    }

    pub(crate) fn remove(&mut self, id: TaskId) -> Task<M> {
        self.break_off(id);
        self.put_aside(id);
        let task = self.tasks.remove(&id).expect("a task ends once");
        if let Some(client) = task.client {
            self.by_client.remove(&client);
        }
        self.end_in_progress(id, &task.frames[0]);
        task
    }

    /// Removes the task that was added first, if there is one.
    pub(crate) fn remove_first(&mut self) -> Option<Task<M>> {
        let first = *self.tasks.keys().next()?;
        Some(self.remove(first))
    }

    /// The task to work on.
    pub(crate) fn activate(&mut self) -> Option<TaskId> {
        if let Some(id) = self.informed.pop_first() {
            self.active = Some(id);
            return self.active;
        }
        self.active = match &self.queue {
            Some(queue) => queue.first().map(|&(_, id)| id),
            None => self.active.or_else(|| self.ready.first().copied()),
        };
        self.active
    }

    /// Whether a task is begun at the position of that key.
    pub(crate) fn is_in_progress_at(&self, key: u64) -> bool {
        self.in_progress.at(key).next().is_some()
    }

    /// A begun task at the position of that key for which this one is to wait.
    pub(crate) fn forerunner(&self, id: TaskId, key: u64) -> Option<TaskId> {
        self.in_progress
            .at(key)
            .find(|&other| self.precedes(other, id))
    }

    /// The begun tasks at the position of that key which are to wait for this one.
    pub(crate) fn overtaken(&self, id: TaskId, key: u64) -> Vec<TaskId> {
        let tree_order = &self.tasks[&id].tree_order;
        let is_apart = |other: &TaskId| !tree_order.is_below(&self.tasks[other].tree_order);
        let others = self.in_progress.at(key);
        let later = others.filter(|&other| self.precedes(id, other));
        later.filter(is_apart).collect()
    }

    /// Whether the one comes first in any order, and is to show as much as the other.
    fn precedes(&self, one: TaskId, other: TaskId) -> bool {
        let (one, other) = (&self.tasks[&one], &self.tasks[&other]);
        one.priority().precedes(&other.priority())
            && (one.frames[0].demanded).is_as_demanding_as(other.frames[0].demanded)
    }

    pub(crate) fn begin(&mut self, id: TaskId, key: u64) {
        self.in_progress.begin(id, key);
        self.get_mut(id).frames[0].key = Some(key);
    }

    /// The task is to wait until the other is over.
    pub(crate) fn follow(&mut self, id: TaskId, other: TaskId) {
        self.in_progress.follow(id, other);
        self.put_aside(id);
    }

    /// The task is as if nothing had been done for it. What has been.
    pub(crate) fn take_back(&mut self, id: TaskId) -> Vec<Frame<M>> {
        self.break_off(id);
        let task = self.get_mut(id);
        task.returned = None;
        let anew = task.frames[0].anew();
        let frames = std::mem::replace(&mut task.frames, vec![anew]);
        self.end_in_progress(id, &frames[0]);
        frames
    }

    /// Lets those go on who have waited for a task.
    fn end_in_progress(&mut self, id: TaskId, first: &Frame<M>) {
        let Some(key) = first.key else {
            return;
        };
        for follower in self.in_progress.end(id, key) {
            if self.contains(follower) {
                self.wake(follower);
            }
        }
    }

    /// The task goes on when what it values now is known.
    pub(crate) fn preempt(&mut self, id: TaskId) -> Preempted {
        let goes_on = self.ready.contains(&id);
        self.put_aside(id);
        let priority = self.tasks[&id].priority();
        self.valuations.preempt(id, priority, goes_on)
    }

    /// What becomes of a preempted valuation.
    pub(crate) fn preemption_state(&self, preempted: &Preempted) -> PreemptionState {
        if !self.valuations.are_wanted(preempted) {
            PreemptionState::Dropped
        } else if self.is_before(&preempted.priority) {
            PreemptionState::Later
        } else {
            PreemptionState::Next
        }
    }

    /// Whether a task comes before what has that priority; never unless leftmost comes first.
    pub(crate) fn is_before(&self, priority: &Priority) -> bool {
        let first = self.queue.as_ref().and_then(BTreeSet::first);
        !self.informed.is_empty() || first.is_some_and(|(first, _)| first < priority)
    }

    /// What the task values is known now.
    pub(crate) fn finish(&mut self, preempted: &Preempted) {
        if self.valuations.end(preempted.task) == Some(true) {
            self.wake(preempted.task);
        }
    }

    /// What the task values is not wanted any more.
    pub(crate) fn break_off(&mut self, id: TaskId) {
        self.valuations.end(id);
    }

    /// The task can do nothing but wait.
    pub(crate) fn put_aside(&mut self, id: TaskId) {
        self.valuations.note(id, false);
        self.informed.remove(&id);
        if self.ready.remove(&id)
            && let Some(queue) = &mut self.queue
        {
            queue.remove(&(self.tasks[&id].priority(), id));
        }
        if self.active == Some(id) {
            self.active = None;
        }
    }

    /// The task need not wait any more, but for what it values.
    pub(crate) fn wake(&mut self, id: TaskId) {
        if self.valuations.note(id, true) {
            return;
        }
        if self.ready.insert(id)
            && let Some(queue) = &mut self.queue
        {
            queue.insert((self.tasks[&id].priority(), id));
        }
    }

    /// The same, and that comes before all else.
    pub(crate) fn inform(&mut self, id: TaskId) {
        self.wake(id);
        if self.ready.contains(&id) {
            self.informed.insert(id);
        }
    }

    /// Some tasks that need not wait, the first ones.
    pub(crate) fn first_ready(&self, count: usize) -> impl Iterator<Item = (TaskId, &Task<M>)> {
        let queue = self.queue.iter().flatten().map(|&(_, id)| id);
        let list = self.ready.iter().filter(|_| self.queue.is_none()).copied();
        let first = queue.chain(list).take(count);
        first.map(|id| (id, &self.tasks[&id]))
    }

    /// Whether there is such a task.
    pub(crate) fn contains(&self, id: TaskId) -> bool {
        self.tasks.contains_key(&id)
    }

    /// All tasks.
    pub(crate) fn all(&self) -> impl Iterator<Item = (TaskId, &Task<M>)> {
        self.tasks.iter().map(|(&id, task)| (id, task))
    }

    /// All nodes that tasks stand at.
    pub(crate) fn nodes(&self) -> Vec<NodeId> {
        let frames = self.tasks.values().flat_map(|task| &task.frames);
        frames.map(|frame| frame.node).collect()
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
