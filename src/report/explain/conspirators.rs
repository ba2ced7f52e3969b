//! Conspirators: the least set of leaves whose change breaks a claim.
//!
//! A strategy through one move is broken with one of its leaves, so where two are shown, one leaf of each must go. No
//! leaf stands at two places of what is exported, so the least set is found exactly, from the leaves upwards.

use super::evidence::{Branch, Conspiracy, EvidenceNode, Leaf, MoveEvidence};

/// Weight of a mate that would have to be none, in centipawns.
const MATE_CP: u32 = 30_000;

impl Conspiracy {
    fn cost(&self) -> (usize, u32) {
        (self.leaves.len(), self.change_cp)
    }

    fn join(mut self, other: Self) -> Self {
        self.leaves.extend(other.leaves);
        self.change_cp += other.change_cp;
        self
    }

    const NONE: Self = Self {
        leaves: Vec::new(),
        change_cp: 0,
    };
}

/// The least conspiracy that breaks what `node` shows; `None`: no leaf has anything to do with it.
pub(super) fn least(node: &EvidenceNode, leaves: &[Leaf]) -> Option<Conspiracy> {
    let below = |branch: &Branch| least(&branch.node, leaves);
    match node {
        EvidenceNode::Any { branches } => {
            let all = branches.iter().map(below);
            all.reduce(|one, other| Some(one?.join(other?)))?
        }
        EvidenceNode::Every { branches } => {
            let any = branches.iter().filter_map(below);
            any.min_by_key(Conspiracy::cost)
        }
        EvidenceNode::Leaf { leaf } => Some(Conspiracy {
            leaves: vec![*leaf],
            change_cp: leaves[*leaf].room_cp.unwrap_or(MATE_CP),
        }),
        EvidenceNode::End { holds: true, .. } => None,
        EvidenceNode::End { holds: false, .. } | EvidenceNode::Unknown => Some(Conspiracy::NONE),
    }
}

/// Orders claims, the one most easily broken first.
pub(super) fn sort_key(claim: &MoveEvidence) -> (usize, u32) {
    let conspirators = claim.conspirators.as_ref();
    conspirators.map_or((usize::MAX, u32::MAX), Conspiracy::cost)
}
