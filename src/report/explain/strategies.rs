//! Counts and selects leaf-disjoint strategies in the proof of a decision.

use super::evidence::{Branch, EvidenceNode};
use crate::thesis::quality::Proof;

/// Returns the maximum number of leaf-disjoint strategies for a node's claim; 0 if it is not proven,
/// [`Proof::CERTAIN`] if by the rules. Strategies through different moves share no leaf, so their numbers add up.
/// Where every move needs an answer, the minimum counts.
pub(super) fn count(node: &EvidenceNode) -> u64 {
    let below = |branch: &Branch| count(&branch.node);
    match node {
        EvidenceNode::Any { branches } => branches.iter().map(below).fold(0, u64::saturating_add),
        EvidenceNode::Every { branches } => branches.iter().map(below).min().unwrap_or(0),
        EvidenceNode::Leaf { .. } => 1,
        EvidenceNode::End { holds: true, .. } => Proof::CERTAIN,
        EvidenceNode::End { holds: false, .. } | EvidenceNode::Unknown => 0,
    }
}

/// Returns the leaves of `wanted` leaf-disjoint strategies that prove all of these claims. Each claim must have
/// that many.
pub(super) fn pick<'a>(
    claims: impl Iterator<Item = &'a EvidenceNode>,
    wanted: u64,
) -> Vec<Vec<usize>> {
    let mut picked = vec![Vec::new(); wanted as usize];
    for claim in claims {
        join(&mut picked, of_node(claim, wanted));
    }
    picked
}

fn of_node(node: &EvidenceNode, wanted: u64) -> Vec<Vec<usize>> {
    let mut picked = Vec::new();
    match node {
        EvidenceNode::Any { branches } => {
            for branch in branches {
                let open = wanted - picked.len() as u64;
                let part = count(&branch.node).min(open);
                picked.extend(of_node(&branch.node, part));
            }
        }
        EvidenceNode::Every { branches } => {
            picked.resize(wanted as usize, Vec::new());
            for branch in branches {
                join(&mut picked, of_node(&branch.node, wanted));
            }
        }
        EvidenceNode::Leaf { leaf } => picked.extend((0..wanted).map(|_| vec![*leaf])),
        EvidenceNode::End { .. } | EvidenceNode::Unknown => {
            picked.resize(wanted as usize, Vec::new());
        }
    }
    picked
}

fn join(strategies: &mut [Vec<usize>], parts: Vec<Vec<usize>>) {
    for (strategy, part) in strategies.iter_mut().zip(parts) {
        strategy.extend(part);
    }
}
