//! A target handed down to the successors (Fig. 2.13).

use crate::cc2s::params::Cc2sParams;
use crate::cc2s::tree::node::Node;
use crate::cc2s::tree::search_tree::{NodeId, Tree};
use crate::cc2s::tree::target::{NodeKind, Target};
use crate::cc2s::tree::value::Bound;

/// A successor, by its place among its siblings, and what it is asked to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    pub index: usize,
    pub target: Target,
}

/// Supporting successors a cut node needs before its target can be split (Fig. 2.14: `gamma` where a conspiracy may be
/// shared at this depth, else 1).
pub(crate) fn supporters_needed(target: Target, params: &Cc2sParams) -> usize {
    if i32::from(target.depth) < params.split_depth_max {
        usize::from(target.conspiracy).max(1)
    } else {
        1
    }
}

/// Appends the non-trivial targets of the successors of `v` to `shares`.
///
/// An all node asks the same of every successor. A cut node shares its conspiracy between the first supporters, where
/// there are several and the remaining depth allows it: the first keeps what the others, with one strategy each, leave.
/// The rest need show nothing.
pub(crate) fn split<M: Copy + Eq>(
    tree: &Tree<M>,
    v: NodeId,
    target: Target,
    params: &Cc2sParams,
    shares: &mut Vec<Share>,
) {
    let needs_work =
        |share: &Share| !share.target.is_trivial() || tree.successors(v)[share.index].is_unsure();
    match target.kind() {
        NodeKind::All => {
            let share = |(index, successor): (usize, &Node<M>)| {
                let whole = target.to_successor(target.conspiracy);
                Share {
                    index,
                    target: reduce_late(whole, index, successor.is_quiet(), params),
                }
            };
            shares.extend(
                tree.successors(v)
                    .iter()
                    .enumerate()
                    .map(share)
                    .filter(needs_work),
            );
        }
        NodeKind::Cut => {
            let bound = target.bound.to_successor();
            if supporters(tree, v, bound).any(|index| tree.successors(v)[index].is_end()) {
                // The game itself proves the bound: no evaluation could be wrong.
                return;
            }
            let start = shares.len();
            let whole = target.to_successor(target.conspiracy);
            shares.extend(
                supporters(tree, v, bound)
                    .take(supporters_needed(target, params))
                    .map(|index| Share {
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

/// Further supporters of a cut node, asked for the same as the one that its target was handed down to: any of them does.
pub(crate) fn alternatives<M: Copy + Eq>(
    tree: &Tree<M>,
    v: NodeId,
    first: Share,
    count: usize,
) -> impl Iterator<Item = Share> {
    let others = supporters(tree, v, first.target.bound).filter(move |&index| index != first.index);
    others
        .take(count)
        .map(move |index| Share { index, ..first })
}

/// The places of the successors that support the bound, which is given in their view.
fn supporters<M: Copy + Eq>(
    tree: &Tree<M>,
    v: NodeId,
    bound: Bound,
) -> impl Iterator<Item = usize> {
    let successors = tree.successors(v).iter().enumerate();
    let supporting = successors.filter(move |(_, successor)| successor.value().supports(bound));
    supporting.map(|(index, _)| index)
}

/// Late quiet successors of an all node are looked at less deep.
fn reduce_late(mut target: Target, index: usize, is_quiet: bool, params: &Cc2sParams) -> Target {
    let first = params.late_move_first as usize;
    if params.late_move_reduction > 0 && is_quiet && index >= first && target.depth > 1 {
        let very_late = index >= 3 * first;
        let plies = params.late_move_reduction as u16 * (1 + u16::from(very_late));
        target.depth = target.depth.saturating_sub(plies).max(1);
    }
    target
}
