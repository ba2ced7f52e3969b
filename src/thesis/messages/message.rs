//! Messages between workers (Fig. 3.11). Everything is plain data, so any transport can carry it.

use super::priority::Priority;
use crate::game::{Value, Window};
use crate::thesis::search::valuation::SurveyResult;
use crate::thesis::tree::placement::{NodeAddress, WorkerId};
use crate::thesis::tree::target::{Target, Verdict};

/// The number of a problem or a question to the evaluator of one employer; never used twice in an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProblemCode(pub u32);

/// A move on the way to a position; `None` is a null move.
pub type Step<M> = Option<M>;

/// A node and its target, given to another worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem<M> {
    /// The code, repeated in the answer.
    pub code: ProblemCode,
    /// The node.
    pub address: NodeAddress,
    /// The moves from the root of the analysis to the node, which give the position and its repetitions.
    pub path: Vec<Step<M>>,
    /// The employer's value of the node, in the view of the side to move there.
    pub value: Value,
    /// The claim to be shown.
    pub target: Target,
    /// The level at which a target counts as met, in plies from the root.
    pub level_limit: u16,
    /// The priority among problems.
    pub priority: Priority,
    /// Whether the node replaces one that has failed.
    pub is_replacement: bool,
}

/// The outcome of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<M> {
    /// The problem's code.
    pub code: ProblemCode,
    /// Whether the target was met.
    pub verdict: Verdict,
    /// The node's value now, in the view of the side to move there.
    pub value: Value,
    /// The principal variation from the node on; empty where it is not needed.
    pub pv: Vec<M>,
}

/// A request to evaluate a successor (3.4.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluationRequest<M> {
    /// The code, repeated in the reply.
    pub code: ProblemCode,
    /// The moves from the root of the analysis to the parent.
    pub path: Vec<Step<M>>,
    /// The move to the successor.
    pub mv: M,
    /// The window of the evaluation.
    pub window: Window,
    /// The priority among tasks and evaluations.
    pub priority: Priority,
}

/// The length of every message beside its content, in a compact encoding.
const HEADER_BYTES: u64 = 8;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message<M> {
    /// Employer to owner: a node is to be searched (PROBLEM). Answered once unless stopped before.
    Problem(Problem<M>),
    /// Owner to employer: the verdict (ANTWORT).
    Answer(Answer<M>),
    /// Employer to owner: the answer is no longer needed (STOP). Results so far are kept. Not answered.
    Stop(ProblemCode),
    /// Employer to owner: the node will never be requested again and may be freed. Not answered.
    Forget(NodeAddress),
    /// Any worker to any other: a successor is to be evaluated. Answered once unless stopped before.
    Evaluate(EvaluationRequest<M>),
    /// The reply: the value of that successor.
    Evaluated(ProblemCode, SurveyResult),
}

/// A message in transit. Between any two workers messages keep their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope<M> {
    /// The sender.
    pub from: WorkerId,
    /// The receiver.
    pub to: WorkerId,
    /// The content.
    pub message: Message<M>,
}

impl<M> Message<M> {
    /// Returns the length of a compact encoding, in bytes: two for a move, score, depth or conspiracy, four for a
    /// code or address. The requirement of a priority is not counted: it fits into the bits that its waste risk
    /// leaves.
    pub fn bytes(&self) -> u64 {
        let moves = match self {
            Self::Problem(problem) => {
                problem.path.len() + problem.priority.tree_order.bytes() / 2 + 9
            }
            Self::Answer(answer) => answer.pv.len() + 4,
            Self::Stop(_) | Self::Forget(_) => 2,
            Self::Evaluate(request) => {
                request.path.len() + request.priority.tree_order.bytes() / 2 + 6
            }
            Self::Evaluated(..) => 4,
        };
        HEADER_BYTES + 2 * moves as u64
    }
}
