//! Problems in progress, from the target at their node down to the current node (thesis 3.4-12, 3.4-13).

use super::frame::{Frame, FrameState};
use crate::game::{Score, TargetBound};
use crate::thesis::messages::message::{ProblemCode, Step};
use crate::thesis::messages::priority::Priority;
use crate::thesis::messages::tree_order::TreeOrder;
use crate::thesis::tree::placement::WorkerId;
use crate::thesis::tree::search_tree::NodeId;
use crate::thesis::tree::target::{Target, Verdict};

/// The number of a task of one worker.
pub(crate) type TaskId = u32;

/// A problem and the state of its work.
///
/// ```text
///  root of the analysis   the task's node           node worked on
///  o---- prefix ----------o----- frames[1].. -------o
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Task<M> {
    /// The recipient of the answer; `None` for the task of the root.
    pub client: Option<Client>,
    /// The moves from the root of the analysis to the task's node.
    pub prefix: Vec<Step<M>>,
    /// The current variation, starting with the task's own node.
    pub frames: Vec<Frame<M>>,
    /// The number of the requirement.
    pub requirement: u16,
    /// The place of the task's node in the order of a single worker.
    pub tree_order: TreeOrder,
    /// The level at which a target counts as met, in plies from the root of the analysis.
    pub level_limit: usize,
    /// The outcome of the frame that was above the last one.
    pub returned: Option<Verdict>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Client {
    pub employer: WorkerId,
    pub code: ProblemCode,
}

impl<M: Copy> Task<M> {
    /// Returns the moves from the root of the analysis to the current node.
    pub(crate) fn path(&self) -> impl Iterator<Item = Step<M>> {
        self.path_to(self.frames.len() - 1)
    }

    /// Returns the moves from the root of the analysis to the node of a frame.
    pub(crate) fn path_to(&self, frame: usize) -> impl Iterator<Item = Step<M>> {
        let steps = self.frames[1..=frame].iter().map(|frame| frame.step);
        self.prefix.iter().copied().chain(steps)
    }

    /// Returns the plies from the root of the analysis to the current node.
    pub(crate) fn level(&self) -> usize {
        self.prefix.len() + self.frames.len() - 1
    }

    pub(super) fn priority(&self) -> Priority {
        // The root's own task keeps its place while the requirements change.
        let requirement = self.client.map_or(0, |_| self.requirement);
        Priority {
            requirement,
            waste_risk: self.frames[0].waste_risk,
            tree_order: self.tree_order.clone(),
        }
    }

    /// Returns the tree order of the successor at this place of a frame.
    pub(crate) fn tree_order_of(&self, frame: usize, place: usize) -> TreeOrder {
        let places = self.frames[1..=frame].iter().map(|frame| frame.place);
        self.tree_order.below(places.chain([place]))
    }

    /// Creates the task of the leader.
    pub(crate) fn of_root() -> Self {
        // The root has no target; its director plans.
        let nothing = Target {
            bound: TargetBound::AtLeast(Score::MIN),
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

    /// Whether nothing was done yet for a problem of another task or worker.
    pub(crate) fn is_to_begin(&self) -> bool {
        let begins = self.frames.len() == 1 && matches!(self.frames[0].state, FrameState::Start);
        begins && self.client.is_some()
    }

    /// Whether the current node is the root of the analysis.
    pub(crate) fn is_root(&self) -> bool {
        self.client.is_none() && self.frames.len() == 1
    }

    pub(crate) fn tip(&mut self) -> &mut Frame<M> {
        self.frames.last_mut().expect("a task has a frame")
    }
}
