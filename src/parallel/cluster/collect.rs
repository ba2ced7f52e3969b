//! The one tree that all workers together have grown.

use super::worker::Worker;
use crate::cc2s::tree::placement::WorkerId;
use crate::cc2s::tree::search_tree::{NodeId, Tree, TreeFull};
use crate::game::Game;

/// Puts the arenas of workers that are at rest together: every stub is replaced by the node it stands for. The worker at
/// home is the first. Null-move nodes are left out.
///
/// # Errors
/// The nodes do not fit into `capacity` slots.
pub fn union<G: Game>(workers: &[Worker<G>], capacity: usize) -> Result<Tree<G::Move>, TreeFull> {
    let mut union = Tree::with_capacity(capacity).map_err(|_| TreeFull)?;
    let home = &workers[0].tree;
    if home.is_empty() {
        return Ok(union);
    }
    let mut root = home[NodeId::ROOT];
    root.detach();
    union.reset(root);
    let mut open = vec![(WorkerId(0), NodeId::ROOT, NodeId::ROOT)];
    while let Some((owner, v, copy)) = open.pop() {
        let tree = &workers[usize::from(owner.0)].tree;
        if let Some(count) = tree[v].move_count() {
            union[copy].set_move_count(count);
        }
        let mut origins = Vec::new();
        for (index, kid) in tree.kids(v).iter().enumerate() {
            let origin = match kid.home() {
                None => (owner, tree.kid(v, index)),
                Some(home) => {
                    let other = &workers[usize::from(home.owner.0)];
                    let node = other.node_at(owner, home.address);
                    (home.owner, node.expect("every problem has arrived"))
                }
            };
            let (at, id) = origin;
            let mut leaf = *kid;
            leaf.detach();
            if !leaf.is_end() {
                leaf.set_value(workers[usize::from(at.0)].tree[id].value());
            }
            union.add_kid(copy, leaf)?;
            origins.push(origin);
        }
        for (index, (at, id)) in origins.into_iter().enumerate() {
            open.push((at, id, union.kid(copy, index)));
        }
    }
    Ok(union)
}
