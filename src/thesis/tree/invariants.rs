//! Checks of a whole stored tree, for tests and diagnosis. Not used by the search.

use super::search_tree::{NodeId, Tree};
use super::target::NodeKind;
use crate::game::TargetBound;

/// Returns a flaw of a stored tree, if there is one.
///
/// Checked at every node: no move is stored twice, there are no more successors than moves, and end nodes have no
/// successors.
pub fn first_flaw<M: Copy + Eq + std::fmt::Debug>(tree: &Tree<M>) -> Option<String> {
    let mut open = vec![Tree::<M>::ROOT];
    while let Some(v) = open.pop() {
        let successors = tree.successors(v);
        for (index, successor) in successors.iter().enumerate() {
            if successors[..index]
                .iter()
                .any(|other| other.mv() == successor.mv())
            {
                return Some(format!(
                    "move {:?} stands twice below one node",
                    successor.mv()
                ));
            }
        }
        if tree[v]
            .move_count()
            .is_some_and(|count| count < successors.len())
        {
            return Some(format!(
                "{} successors of {:?} moves",
                successors.len(),
                tree[v].move_count()
            ));
        }
        if tree[v].is_end() && !successors.is_empty() {
            return Some("an end node has successors".to_owned());
        }
        open.extend((0..successors.len()).map(|index| tree.successor(v, index)));
        open.extend(tree.pass_successor(v));
    }
    None
}

/// Returns the number of nodes whose values are inconsistent with their successors. O(nodes) time and additional
/// memory.
pub fn stale_values<M: Copy + Eq>(tree: &Tree<M>) -> usize {
    let mut tree = tree.clone();
    let mut open = vec![Tree::<M>::ROOT];
    let mut found = 0;
    while let Some(v) = open.pop() {
        let before = tree[v].value();
        tree.update_value(v);
        found += usize::from(tree[v].value() != before);
        open.extend((0..tree[v].successor_count()).map(|index| tree.successor(v, index)));
        open.extend(tree.pass_successor(v));
    }
    found
}

/// Returns the greatest number of leaf-disjoint strategies by which the stored tree shows `bound` at `v`. All
/// their leaves are at least `depth` plies below `v`. `None` if end nodes of the game alone show it, so that no
/// evaluation can break it.
///
/// A strategy may stop at a stored leaf whose value supports its bound. At any depth it may stop at an end node or
/// where the rules guarantee the bound (thesis, Theorem 2.2-7). Null-move nodes do not count. This is the
/// definition (1.8-8), computed from the leaves independently of the search. Leaf-disjoint strategies add up over
/// the successors of a cut node, and an all node has as many as its weakest successor.
pub fn strategies<M: Copy + Eq>(
    tree: &Tree<M>,
    v: NodeId,
    bound: TargetBound,
    depth: u16,
) -> Option<u32> {
    let node = &tree[v];
    if node.is_end() {
        return if node.value().supports(bound) {
            None
        } else {
            Some(0)
        };
    }
    if bound.is_certain() {
        return None;
    }
    // A proof may also end at an inner node, whose value is backed by the hulls below it.
    let own = u32::from(depth == 0 && node.value().supports(bound));
    if node.successor_count() == 0 {
        return Some(own);
    }
    let below = depth.saturating_sub(1);
    let by_successor = (0..node.successor_count())
        .map(|index| strategies(tree, tree.successor(v, index), bound.to_successor(), below));
    let kind = match bound {
        TargetBound::AtLeast(_) => NodeKind::Cut,
        TargetBound::AtMost(_) => NodeKind::All,
    };
    let by_successors = match kind {
        NodeKind::Cut => by_successor
            .reduce(|sum, count| Some(sum? + count?))
            .flatten(),
        NodeKind::All if node.is_fully_known() => by_successor.flatten().min(),
        NodeKind::All => Some(0),
    };
    by_successors.map(|count| count.max(own))
}
