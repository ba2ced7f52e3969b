//! Small problems worked on together: successors of one node, by one thread in a tree of its own.
//!
//! It would take longer to advance the worker for every step. What is known of the successors is copied, and what has
//! grown is grafted onto the worker's tree afterwards.

use std::ops::Range;

use super::job_size::CostModel;
use super::message::ProblemCode;
use crate::thesis::search::counters::Counters;
use crate::thesis::tree::node::TreeNode;
use crate::thesis::tree::table::Log;
use crate::thesis::tree::target::{Target, Verdict};

/// A successor, what it is to show, and what has come out.
#[derive(Clone, Debug)]
pub(crate) struct Subtree<M> {
    /// For the answer.
    pub code: ProblemCode,
    /// The move to it.
    pub mv: M,
    /// The successor, and what is known below it, among what is known in the job.
    pub known: Range<usize>,
    /// The bound it is to show.
    pub target: Target,
    /// The tree grown by the work.
    pub result: Option<SubtreeResult>,
}

/// The tree grown below a successor.
#[derive(Clone, Debug)]
pub(crate) struct SubtreeResult {
    /// `None`: it was too much work.
    pub verdict: Option<Verdict>,
    /// The nodes of its tree, among what has grown for the job.
    pub nodes: Range<usize>,
    /// The targets' outcomes, in the job's log.
    pub log: Range<usize>,
    /// Nodes that it has cost.
    pub cost: u64,
}

/// Successors of one node, to be worked on in this order until one misses its target or enough was done; the others
/// are given back.
#[derive(Clone, Debug)]
pub(crate) struct SubtreeJob<M> {
    pub subtrees: Vec<Subtree<M>>,
    /// The bounds of all of them, one after the other.
    pub known: Vec<TreeNode<M>>,
    pub grown: Vec<TreeNode<M>>,
    pub log: Log,
    /// Of the successors, in plies from the root of the analysis.
    pub level: usize,
    /// Level at which a target counts as met.
    pub level_limit: usize,
    /// The work that was done.
    pub counters: Counters,
}

impl<M> SubtreeJob<M> {
    /// Notes how much work its problems were.
    pub(crate) fn measure(&self, cost_model: &mut CostModel) {
        for subtree in &self.subtrees {
            if let Some(grown) = &subtree.result {
                cost_model.note(subtree.target.depth, grown.cost);
            }
        }
    }
}
