//! Small problems solved together: successors of one node, by one thread in a tree of its own.
//!
//! Advancing the worker for every step would take longer. The known nodes of the successors are copied, and the
//! grown tree is grafted onto the worker's tree afterwards.

use std::ops::Range;

use super::job_size::CostModel;
use super::message::ProblemCode;
use crate::thesis::search::counters::Counters;
use crate::thesis::tree::node::TreeNode;
use crate::thesis::tree::table::Log;
use crate::thesis::tree::target::{Target, Verdict};

#[derive(Clone, Debug)]
pub(crate) struct Subtree<M> {
    pub code: ProblemCode,
    pub mv: M,
    /// The successor and its known subtree, as a range of [`SubtreeJob::known`].
    pub known: Range<usize>,
    pub target: Target,
    pub result: Option<SubtreeResult>,
}

#[derive(Clone, Debug)]
pub(crate) struct SubtreeResult {
    /// `None` if it was too much work.
    pub verdict: Option<Verdict>,
    /// Its nodes, as a range of [`SubtreeJob::grown`].
    pub nodes: Range<usize>,
    /// The outcomes of its targets, as a range of [`SubtreeJob::log`].
    pub log: Range<usize>,
    /// The nodes searched.
    pub cost: u64,
}

/// Successors of one node, to be solved in this order until one misses its target or enough was done; the others
/// are returned.
#[derive(Clone, Debug)]
pub(crate) struct SubtreeJob<M> {
    pub subtrees: Vec<Subtree<M>>,
    /// The known nodes of all subtrees, one subtree after another.
    pub known: Vec<TreeNode<M>>,
    pub grown: Vec<TreeNode<M>>,
    pub log: Log,
    /// The level of the successors, in plies from the root of the analysis.
    pub level: usize,
    /// The level at which a target counts as met.
    pub level_limit: usize,
    pub counters: Counters,
}

impl<M> SubtreeJob<M> {
    pub(crate) fn measure(&self, cost_model: &mut CostModel) {
        for subtree in &self.subtrees {
            if let Some(grown) = &subtree.result {
                cost_model.note(subtree.target.depth, grown.cost);
            }
        }
    }
}
