//! The split of a target among the successors (Fig. 2.13).

use crate::game::TargetBound;
use crate::thesis::params::Cc2sParams;
use crate::thesis::tree::search_tree::{NodeId, Tree};
use crate::thesis::tree::target::{NodeKind, Target};

/// A successor, by its place among its siblings, and its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SuccessorTarget {
    pub index: usize,
    pub target: Target,
}

/// Returns the number of supporting successors that a cut node needs before its target can be split (Fig. 2.14:
/// `gamma` where a conspiracy may be shared at this depth, otherwise 1).
pub(crate) fn supporters_needed(target: Target, params: &Cc2sParams) -> usize {
    if i32::from(target.depth) < params.split_depth_max {
        usize::from(target.conspiracy).max(1)
    } else {
        1
    }
}

/// Appends the non-trivial targets of the successors of `v` to `shares`.
///
/// An all node requires the same of every successor. A cut node divides its conspiracy among the first supporters,
/// if there are several and the remaining depth allows it. The others get one strategy each, the first gets the
/// rest. No target is required of the remaining successors.
pub(crate) fn split<M: Copy + Eq>(
    tree: &Tree<M>,
    v: NodeId,
    target: Target,
    params: &Cc2sParams,
    shares: &mut Vec<SuccessorTarget>,
) {
    let needs_work = |share: &SuccessorTarget| {
        !share.target.is_trivial() || tree.successors(v)[share.index].is_unsure()
    };
    match target.kind() {
        NodeKind::All => {
            let target = target.to_successor(target.conspiracy);
            let all = (0..tree.successors(v).len()).map(|index| SuccessorTarget { index, target });
            shares.extend(all.filter(needs_work));
        }
        NodeKind::Cut => {
            let bound = target.bound.to_successor();
            if supporters(tree, v, bound).any(|index| tree.successors(v)[index].is_end()) {
                // The game itself proves the bound: no evaluation can be wrong.
                return;
            }
            let start = shares.len();
            let whole = target.to_successor(target.conspiracy);
            shares.extend(
                supporters(tree, v, bound)
                    .take(supporters_needed(target, params))
                    .map(|index| SuccessorTarget {
                        index,
                        target: whole,
                    }),
            );
            let others = (shares.len() - start).saturating_sub(1);
            for (nth, share) in shares[start..].iter_mut().enumerate() {
                share.target.conspiracy = if nth == 0 {
                    target.conspiracy.saturating_sub(others as u16)
                } else {
                    1
                };
            }
            shares.retain(needs_work);
        }
    }
}

/// Returns the places of the successors that support the bound, given in their view.
fn supporters<M: Copy + Eq>(
    tree: &Tree<M>,
    v: NodeId,
    bound: TargetBound,
) -> impl Iterator<Item = usize> {
    let successors = tree.successors(v).iter().enumerate();
    let supporting = successors.filter(move |(_, successor)| successor.value().supports(bound));
    supporting.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Score, Value};
    use crate::thesis::tree::node::TreeNode;

    /// The shares of a node's successors, given their values in the node's view: place, depth, conspiracy. The
    /// others have no target.
    fn shares(values: &[Value], bound: TargetBound, conspiracy: u16) -> Vec<(usize, u16, u16)> {
        let mut tree = Tree::with_capacity(1 << 10).unwrap();
        tree.reset(TreeNode::new(0_u16, Value::exact(Score::DRAW)));
        for (mv, value) in values.iter().enumerate() {
            let successor = TreeNode::new(mv as u16, value.to_parent());
            tree.add_successor(NodeId::ROOT, successor).unwrap();
        }
        let params = Cc2sParams {
            split_depth_max: 128,
            ..Cc2sParams::default()
        };
        let target = Target {
            bound,
            depth: 3,
            conspiracy,
        };
        let mut shares = Vec::new();
        split(&tree, NodeId::ROOT, target, &params, &mut shares);
        let shown = |share: &SuccessorTarget| {
            assert_eq!(share.target.bound, bound.to_successor());
            (share.index, share.target.depth, share.target.conspiracy)
        };
        shares.iter().map(shown).collect()
    }

    #[test]
    fn figure_2_13_targets_of_successors() {
        let (below, above) = (
            Value::exact(Score::centipawns(-9)),
            Value::at_least(Score::centipawns(9)),
        );
        let (at_least, at_most) = (
            TargetBound::AtLeast(Score::DRAW),
            TargetBound::AtMost(Score::DRAW),
        );
        // An all node requires the same of every successor (line 15).
        assert_eq!(
            shares(&[below; 3], at_most, 2),
            [(0, 2, 2), (1, 2, 2), (2, 2, 2)]
        );
        // A cut node requires one, if there is only one supporter or one strategy (9), otherwise two of them (12).
        assert_eq!(shares(&[below, above, below], at_least, 2), [(1, 2, 2)]);
        assert_eq!(shares(&[below, above, above], at_least, 1), [(1, 2, 1)]);
        assert_eq!(
            shares(&[above, below, above, above], at_least, 2),
            [(0, 2, 1), (2, 2, 1)]
        );
        // Continuation of the text: greater numbers may be divided among more.
        assert_eq!(
            shares(&[above; 3], at_least, 4),
            [(0, 2, 2), (1, 2, 1), (2, 2, 1)]
        );
    }
}
