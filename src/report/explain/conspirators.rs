//! Conspirators: the smallest set of leaves whose change refutes a claim.
//!
//! A strategy through one move fails if one of its leaves changes; where two are shown, one leaf of each must
//! change. No leaf occurs twice in the exported tree, so the smallest set is found exactly, bottom-up.

use super::evidence::{Branch, Conspiracy, EvidenceNode, Leaf, MoveEvidence};

/// Cost of changing a mate score, in centipawns.
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

/// Returns the smallest conspiracy that refutes `node`; `None` if no change of leaves does.
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

/// Sorts claims by how easily they are refuted, the easiest first.
pub(super) fn sort_key(claim: &MoveEvidence) -> (usize, u32) {
    let conspirators = claim.conspirators.as_ref();
    conspirators.map_or((usize::MAX, u32::MAX), Conspiracy::cost)
}
