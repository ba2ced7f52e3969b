//! The union of the trees of all workers.

use super::worker::Worker;
use crate::game::Game;
use crate::thesis::tree::placement::WorkerId;
use crate::thesis::tree::search_tree::{NodeId, Tree, TreeFull};

/// Merges the trees of workers that are at rest: every remote reference is replaced by its node. The leader is the
/// first. Null-move nodes are left out.
///
/// # Errors
/// The nodes do not fit into `capacity` slots.
pub fn union<G: Game>(workers: &[Worker<G>], capacity: usize) -> Result<Tree<G::Move>, TreeFull> {
    let mut union = Tree::with_capacity(capacity).map_err(|_| TreeFull)?;
    let root_tree = &workers[0].search.tree;
    if root_tree.is_empty() {
        return Ok(union);
    }
    let mut root = root_tree[NodeId::ROOT];
    root.detach();
    union.reset(root);
    let mut open = vec![(WorkerId(0), NodeId::ROOT, NodeId::ROOT)];
    while let Some((owner, v, copy)) = open.pop() {
        let tree = &workers[usize::from(owner.0)].search.tree;
        if let Some(count) = tree[v].move_count() {
            union[copy].set_move_count(count);
        }
        let mut origins = Vec::new();
        for (index, successor) in tree.successors(v).iter().enumerate() {
            let origin = match successor.remote() {
                None => (owner, tree.successor(v, index)),
                Some(remote) => {
                    let other = &workers[usize::from(remote.owner.0)];
                    let node = other.node_at(owner, remote.address);
                    (remote.owner, node.expect("every problem has arrived"))
                }
            };
            let (at, id) = origin;
            let mut leaf = *successor;
            leaf.detach();
            if !leaf.is_end() {
                leaf.set_value(workers[usize::from(at.0)].search.tree[id].value());
            }
            union.add_successor(copy, leaf)?;
            origins.push(origin);
        }
        for (index, (at, id)) in origins.into_iter().enumerate() {
            open.push((at, id, union.successor(copy, index)));
        }
    }
    Ok(union)
}
