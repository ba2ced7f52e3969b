//! The stored tree: nodes in blocks of siblings, in one arena.

use std::ops::{Index, IndexMut};

use thiserror::Error;

use super::arena::UnusedBlocks;
use super::node::{NONE, Node};
use super::value::Value;

/// Place of a node in its [`Tree`]. It changes when a sibling is added or the root moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

/// The tree has no room for another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the stored tree is full")]
pub struct TreeFull;

/// A game tree as far as it was examined.
#[derive(Clone, Debug)]
pub struct Tree<M> {
    pub(super) nodes: Vec<Node<M>>,
    pub(super) capacity: usize,
    pub(super) unused: UnusedBlocks,
    pub(super) used: usize,
}

impl<M> Index<NodeId> for Tree<M> {
    type Output = Node<M>;
    fn index(&self, id: NodeId) -> &Node<M> {
        &self.nodes[id.0 as usize]
    }
}

impl<M> IndexMut<NodeId> for Tree<M> {
    fn index_mut(&mut self, id: NodeId) -> &mut Node<M> {
        &mut self.nodes[id.0 as usize]
    }
}

impl<M: Copy + Eq> Tree<M> {
    /// The root.
    pub const ROOT: NodeId = NodeId(0);
    /// Bytes a node takes for moves of two bytes.
    pub const NODE_BYTES: usize = size_of::<Node<M>>();

    /// An empty tree with room for `capacity` nodes. The memory is reserved at once, touched only as it is used.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub fn with_capacity(capacity: usize) -> Result<Self, std::collections::TryReserveError> {
        let capacity = capacity.clamp(1 << 10, NONE as usize - 1);
        let mut nodes = Vec::new();
        nodes.try_reserve_exact(capacity)?;
        Ok(Self {
            nodes,
            capacity,
            unused: UnusedBlocks::default(),
            used: 0,
        })
    }

    /// Forgets everything. O(1).
    pub fn empty(&mut self) {
        self.nodes.clear();
        self.unused.clear();
        self.used = 0;
    }

    /// Forgets everything but makes a root with this node. O(1).
    pub fn reset(&mut self, root: Node<M>) {
        self.empty();
        self.nodes.push(root);
        self.used = 1;
    }

    /// Whether there is not even a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Node slots taken by blocks.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Greatest number of node slots.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The valued successors of `v`.
    pub fn kids(&self, v: NodeId) -> &[Node<M>] {
        let node = &self[v];
        let first = node.first as usize;
        &self.nodes[first..first + node.kid_count()]
    }

    /// The `index`-th valued successor of `v`.
    pub fn kid(&self, v: NodeId, index: usize) -> NodeId {
        debug_assert!(index < self[v].kid_count());
        NodeId(self[v].first + index as u32)
    }

    /// The node after a null move at `v`.
    pub fn pass_kid(&self, v: NodeId) -> Option<NodeId> {
        (self[v].pass != NONE).then_some(NodeId(self[v].pass))
    }

    /// Adds a valued successor to `v`. Ids of its siblings may change.
    ///
    /// # Errors
    /// There is no room.
    pub fn add_kid(&mut self, v: NodeId, kid: Node<M>) -> Result<NodeId, TreeFull> {
        let Node {
            first,
            kid_count,
            class,
            ..
        } = self[v];
        if kid_count == 0 {
            let class = 1;
            self[v].first = self.allocate(class)?;
            self[v].class = class;
        } else if usize::from(kid_count) == 1 << class {
            let grown = self.allocate(class + 1)?;
            let from = first as usize;
            self.nodes
                .copy_within(from..from + usize::from(kid_count), grown as usize);
            self.release(first, class);
            self[v].first = grown;
            self[v].class = class + 1;
        }
        self[v].kid_count += 1;
        let id = self.kid(v, usize::from(kid_count));
        self[id] = kid;
        Ok(id)
    }

    /// Sets the node after a null move at `v`, replacing an older one.
    ///
    /// # Errors
    /// There is no room.
    pub fn set_pass_kid(&mut self, v: NodeId, kid: Node<M>) -> Result<NodeId, TreeFull> {
        let id = match self.pass_kid(v) {
            Some(id) => {
                self.forget_below(id);
                id
            }
            None => NodeId(self.allocate(0)?),
        };
        self[id] = kid;
        self[v].pass = id.0;
        Ok(id)
    }

    /// The greatest successor of `v`, seen by `v`, with its place: among equal scores one known from below, then the first.
    pub fn greatest_kid(&self, v: NodeId) -> Option<(usize, Value)> {
        self.greatest_kid_from(v, 0)
    }

    /// The same among the successors from place `start` on.
    pub fn greatest_kid_from(&self, v: NodeId, start: usize) -> Option<(usize, Value)> {
        let values = self.kids(v).iter().map(|kid| kid.value().to_parent());
        values
            .enumerate()
            .skip(start)
            .max_by_key(|&(index, value)| {
                (value.score, value.bounds_below(), std::cmp::Reverse(index))
            })
    }

    /// Moves the successor of `v` at place `from` ahead to place `to`, keeping the order of the others.
    pub fn move_kid_ahead(&mut self, v: NodeId, from: usize, to: usize) {
        let first = self[v].first as usize;
        self.nodes[first + to..=first + from].rotate_right(1);
    }

    /// Gives back everything below `v`; its value stays. O(nodes below).
    pub fn forget_below(&mut self, v: NodeId) {
        let mut open = vec![self[v]];
        self[v].detach();
        // A block's successors are read before it is given back: unused blocks carry marks.
        while let Some(node) = open.pop() {
            if node.kid_count > 0 {
                let first = node.first as usize;
                open.extend_from_slice(&self.nodes[first..first + node.kid_count()]);
                self.release(node.first, node.class);
            }
            if node.pass != NONE {
                open.push(self.nodes[node.pass as usize]);
                self.release(node.pass, 0);
            }
        }
    }

    /// Makes the successor of the root by `mv` the root, forgetting the rest; false, changing nothing, if it is not known.
    pub fn advance(&mut self, mv: M) -> bool {
        let Some(index) = self.kids(Self::ROOT).iter().position(|kid| kid.mv == mv) else {
            return false;
        };
        let chosen = self.kid(Self::ROOT, index);
        let root = self[chosen];
        // Detach the chosen subtree, so that forgetting the old root spares it.
        self[chosen].detach();
        self.forget_below(Self::ROOT);
        self[Self::ROOT] = root;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Score;

    const ZERO: Value = Value::exact(Score::DRAW);

    #[test]
    fn a_node_takes_sixteen_bytes() {
        assert_eq!(Tree::<u16>::NODE_BYTES, 16);
    }

    #[test]
    fn blocks_grow_and_come_back() {
        let mut tree = Tree::with_capacity(1024).unwrap();
        tree.reset(Node::new(0u16, ZERO));
        for mv in 0..100 {
            let kid = tree
                .add_kid(Tree::<u16>::ROOT, Node::new(mv, ZERO))
                .unwrap();
            tree.add_kid(kid, Node::new(mv, ZERO)).unwrap();
        }
        assert_eq!(tree.kids(Tree::<u16>::ROOT).len(), 100);
        assert!(
            tree.kids(Tree::<u16>::ROOT)
                .iter()
                .enumerate()
                .all(|(i, kid)| kid.mv() == i as u16)
        );
        tree.forget_below(Tree::<u16>::ROOT);
        assert_eq!(tree.used(), 1);
    }

    #[test]
    fn a_full_tree_says_so_and_stays_whole() {
        let mut tree = Tree::with_capacity(1024).unwrap();
        tree.reset(Node::new(0u16, ZERO));
        let mut at = Tree::<u16>::ROOT;
        let mut depth = 0;
        while let Ok(kid) = tree.add_kid(at, Node::new(depth, ZERO)) {
            at = kid;
            depth += 1;
        }
        assert_eq!(depth, 511);
        assert!(tree.kids(at).is_empty());
    }

    #[test]
    fn the_root_moves_along_a_known_move_only() {
        let mut tree = Tree::with_capacity(1024).unwrap();
        tree.reset(Node::new(0u16, ZERO));
        for mv in 1..=3 {
            let kid = tree
                .add_kid(Tree::<u16>::ROOT, Node::new(mv, ZERO))
                .unwrap();
            tree.add_kid(kid, Node::new(10 + mv, ZERO)).unwrap();
        }
        assert!(!tree.advance(4));
        assert!(tree.advance(2));
        assert_eq!(tree.kids(Tree::<u16>::ROOT)[0].mv(), 12);
        assert_eq!(tree.used(), 3);
    }

    #[test]
    fn what_is_given_back_can_be_had_again_in_any_size() {
        let root = Tree::<u16>::ROOT;
        let mut tree = Tree::with_capacity(1024).unwrap();
        tree.reset(Node::new(0u16, ZERO));
        let mut rng = crate::game::SplitMix64::new(1);
        for _ in 0..200 {
            let mut places = vec![root];
            for mv in 0.. {
                let at = places[rng.below(places.len() as u64) as usize];
                if tree.kids(at).len() == 255 {
                    continue;
                }
                match tree.add_kid(at, Node::new(mv, ZERO)) {
                    Ok(_) => places = all_nodes(&tree),
                    Err(TreeFull) => break,
                }
            }
            tree.forget_below(root);
            assert_eq!(tree.used(), 1);
            let largest = tree.allocate(8).expect("a block of the largest class");
            tree.release(largest, 8);
        }
    }

    fn all_nodes(tree: &Tree<u16>) -> Vec<NodeId> {
        let mut all = vec![Tree::<u16>::ROOT];
        let mut next = 0;
        while next < all.len() {
            let v = all[next];
            all.extend((0..tree.kids(v).len()).map(|index| tree.kid(v, index)));
            next += 1;
        }
        all
    }
}
