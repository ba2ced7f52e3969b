//! The stored tree: nodes in blocks of siblings, in one arena.

use std::ops::{Index, IndexMut};

use thiserror::Error;

use super::node::{NONE, TreeNode};
use super::placement::RemoteRef;
use super::unused_blocks::UnusedBlocks;
use crate::game::{Score, Value};
use crate::large_pages;

/// The index of a node in its [`Tree`]. It changes when a sibling is added or the root moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

/// The tree has no room for another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the stored tree is full")]
pub struct TreeFull;

/// The examined part of a game tree.
#[derive(Clone, Debug)]
pub struct Tree<M> {
    pub(crate) nodes: Vec<TreeNode<M>>,
    pub(crate) capacity: usize,
    pub(crate) unused: UnusedBlocks,
    pub(crate) used: usize,
    /// Roots of further trees, whose parents are stored elsewhere, with their levels.
    pub(crate) further_roots: Vec<(NodeId, u16)>,
    /// Remote references freed since the last [`Tree::take_released`].
    pub(crate) released_remotes: Vec<RemoteRef>,
}

impl NodeId {
    /// The root of the analysis in the tree that holds it.
    pub(crate) const ROOT: Self = Self(0);
}

impl<M> Index<NodeId> for Tree<M> {
    type Output = TreeNode<M>;
    fn index(&self, id: NodeId) -> &TreeNode<M> {
        &self.nodes[id.0 as usize]
    }
}

impl<M> IndexMut<NodeId> for Tree<M> {
    fn index_mut(&mut self, id: NodeId) -> &mut TreeNode<M> {
        &mut self.nodes[id.0 as usize]
    }
}

impl<M: Copy + Eq> Tree<M> {
    /// The root.
    pub const ROOT: NodeId = NodeId::ROOT;
    /// The size of a node in bytes.
    pub const NODE_BYTES: usize = size_of::<TreeNode<M>>();

    /// Creates an empty tree with room for `capacity` nodes. The memory is reserved at once, but only touched as
    /// it is used.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn with_capacity(capacity: usize) -> Result<Self, std::collections::TryReserveError> {
        let capacity = capacity.clamp(1 << 10, NONE as usize - 1);
        Ok(Self {
            nodes: large_pages::vector(capacity)?,
            capacity,
            unused: UnusedBlocks::default(),
            used: 0,
            further_roots: Vec::new(),
            released_remotes: Vec::new(),
        })
    }

    /// Removes all nodes. O(1).
    pub fn empty(&mut self) {
        self.nodes.clear();
        self.unused.clear();
        self.used = 0;
        self.further_roots.clear();
        self.released_remotes.clear();
    }

    /// Removes all nodes and stores a root with nothing below it. O(1).
    pub fn reset(&mut self, root: TreeNode<M>) {
        self.empty();
        self.nodes.push(root.detached());
        self.used = 1;
    }

    /// Whether there is not even a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the number of node slots in use.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Returns the maximum number of node slots.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns the evaluated successors of `v`.
    pub fn successors(&self, v: NodeId) -> &[TreeNode<M>] {
        let node = &self[v];
        if node.successor_count == 0 {
            return &[];
        }
        let first = node.first as usize;
        &self.nodes[first..first + node.successor_count()]
    }

    /// Returns the `index`-th evaluated successor of `v`.
    pub fn successor(&self, v: NodeId, index: usize) -> NodeId {
        debug_assert!(index < self[v].successor_count());
        NodeId(self[v].first + index as u32)
    }

    /// Whether nothing is stored below `v`.
    pub(crate) fn is_leaf(&self, v: NodeId) -> bool {
        self[v].successor_count == 0 && self.pass_successor(v).is_none()
    }

    /// Returns the node after a null move at `v`.
    pub fn pass_successor(&self, v: NodeId) -> Option<NodeId> {
        let is_stored_here = self[v].pass != NONE && self[v].remote().is_none();
        is_stored_here.then_some(NodeId(self[v].pass))
    }

    /// Adds an evaluated successor to `v`. The ids of its siblings may change.
    ///
    /// # Errors
    /// There is no room.
    pub fn add_successor(&mut self, v: NodeId, successor: TreeNode<M>) -> Result<NodeId, TreeFull> {
        let TreeNode {
            first,
            successor_count,
            class,
            ..
        } = self[v];
        if successor_count == 0 {
            let class = 1;
            self[v].first = self.allocate(class)?;
            self[v].class = class;
        } else if usize::from(successor_count) == 1 << class {
            let grown = self.allocate(class + 1)?;
            let from = first as usize;
            self.nodes
                .copy_within(from..from + usize::from(successor_count), grown as usize);
            self.release(first, class);
            self[v].first = grown;
            self[v].class = class + 1;
        }
        self[v].successor_count += 1;
        let id = self.successor(v, usize::from(successor_count));
        self[id] = successor;
        Ok(id)
    }

    /// Appends a copy of the whole tree, in the form of [`Tree::copy_onto`].
    pub(crate) fn copy_all_onto(&self, nodes: &mut Vec<TreeNode<M>>) {
        let is_copied = self.copy_onto(nodes, NodeId::ROOT, self.nodes.len());
        assert!(is_copied, "a tree has not more nodes than slots");
    }

    /// Appends a copy of `v` and of everything below to the nodes, starting with `v`. Returns `false`, adding
    /// nothing, if there are more than `nodes_max`. For [`Tree::graft`]: siblings are contiguous, but not in
    /// blocks.
    pub(crate) fn copy_onto(
        &self,
        nodes: &mut Vec<TreeNode<M>>,
        v: NodeId,
        nodes_max: usize,
    ) -> bool {
        let start = nodes.len();
        nodes.push(self[v]);
        let mut place = start;
        while let Some(&node) = nodes.get(place) {
            if node.successor_count > 0 {
                nodes[place].first = (nodes.len() - start) as u32;
                let first = node.first as usize;
                nodes.extend_from_slice(&self.nodes[first..first + node.successor_count()]);
            }
            if node.pass != NONE {
                nodes[place].pass = (nodes.len() - start) as u32;
                nodes.push(self.nodes[node.pass as usize]);
            }
            if nodes.len() - start > nodes_max {
                nodes.truncate(start);
                return false;
            }
            place += 1;
        }
        true
    }

    /// Replaces `v` and its subtree by the first of these nodes and its subtree. Nodes without room are left out,
    /// as if they had been forgotten.
    ///
    /// Nodes that exist already stay in place where possible, as most do.
    pub(crate) fn graft(&mut self, v: NodeId, nodes: &[TreeNode<M>]) {
        self.overwrite_tree(v, &nodes[0], nodes);
    }

    /// Copies one of these nodes, and its subtree, onto `v`.
    fn overwrite_tree(&mut self, v: NodeId, source: &TreeNode<M>, nodes: &[TreeNode<M>]) {
        self[v].overwrite(source);
        if source.successor_count > 0 {
            let first = source.first as usize;
            let sources = &nodes[first..first + source.successor_count()];
            if self.copy_successors(v, source.class, sources).is_err() {
                return self.forget_below(v);
            }
            self[v].move_count = source.move_count;
            for (index, source) in sources.iter().enumerate() {
                self.overwrite_tree(self.successor(v, index), source, nodes);
            }
        } else if self[v].successor_count > 0 {
            self.forget_below(v);
        }
        match (source.pass, self.pass_successor(v)) {
            (NONE, None) => {}
            (NONE, Some(_)) => self.forget_pass_successor(v),
            (place, Some(successor)) => {
                self.overwrite_tree(successor, &nodes[place as usize], nodes);
            }
            (place, None) => {
                let source = &nodes[place as usize];
                if let Ok(successor) = self.set_pass_successor(v, source.detached()) {
                    self.overwrite_tree(successor, source, nodes);
                }
            }
        }
    }

    /// Gives `v` as many successors as there are sources. Existing ones are kept, up to that number; the others
    /// are copied without their subtrees. If another block is needed, it has this class.
    fn copy_successors(
        &mut self,
        v: NodeId,
        class: u8,
        sources: &[TreeNode<M>],
    ) -> Result<(), TreeFull> {
        let old = self[v];
        let known = old.successor_count();
        for index in sources.len()..known {
            self.forget_below(self.successor(v, index));
        }
        if known == 0 || sources.len() > 1 << old.class {
            let block = self.allocate(class)?;
            if known > 0 {
                let from = old.first as usize;
                self.nodes.copy_within(from..from + known, block as usize);
                self.release(old.first, old.class);
            }
            (self[v].first, self[v].class) = (block, class);
        }
        self[v].successor_count = sources.len() as u8;
        for (index, source) in sources.iter().enumerate().skip(known) {
            let successor = self.successor(v, index);
            self[successor] = source.detached();
        }
        Ok(())
    }

    fn forget_pass_successor(&mut self, v: NodeId) {
        if let Some(successor) = self.pass_successor(v) {
            self.forget_below(successor);
            self.release(successor.0, 0);
            self[v].pass = NONE;
        }
    }

    /// Sets the node after a null move at `v`, replacing an older one.
    ///
    /// # Errors
    /// There is no room.
    pub fn set_pass_successor(
        &mut self,
        v: NodeId,
        successor: TreeNode<M>,
    ) -> Result<NodeId, TreeFull> {
        let id = match self.pass_successor(v) {
            Some(id) => {
                self.forget_below(id);
                id
            }
            None => NodeId(self.allocate(0)?),
        };
        self[id] = successor;
        self[v].pass = id.0;
        Ok(id)
    }

    /// Returns the greatest successor of `v`, in the view of `v`, with its place. Of equal scores, one with a
    /// lower bound comes first, then the first.
    pub fn greatest_successor(&self, v: NodeId) -> Option<(usize, Value)> {
        self.greatest_successor_from(v, 0)
    }

    /// Like [`Tree::greatest_successor`], among the successors from place `start` on.
    pub fn greatest_successor_from(&self, v: NodeId, start: usize) -> Option<(usize, Value)> {
        let values = self
            .successors(v)
            .iter()
            .map(|successor| successor.value().to_parent());
        values
            .enumerate()
            .skip(start)
            .max_by_key(|&(index, value)| {
                (value.score, value.bounds_below(), std::cmp::Reverse(index))
            })
    }

    /// Returns the line from the root that starts with `best` and follows the greatest successors, and the value
    /// of `best` in the root's view.
    pub(crate) fn principal_variation(&self, best: M) -> (Vec<M>, Value) {
        let mut line = vec![best];
        let Some(v) = self.root_successor(best) else {
            return (line, Value::at_least(Score::MIN));
        };
        line.extend(self.greatest_pv(v).0);
        (line, self[v].value().to_parent())
    }

    /// Returns the line of greatest successors from `v`, and the last node reached.
    pub(crate) fn greatest_pv(&self, mut v: NodeId) -> (Vec<M>, NodeId) {
        let mut line = Vec::new();
        while let Some((index, _)) = self.greatest_successor(v) {
            v = self.successor(v, index);
            line.push(self[v].mv());
        }
        (line, v)
    }

    /// Returns the evaluated successors of the root, if there is a root.
    pub(crate) fn known_root_moves(&self) -> std::slice::Iter<'_, TreeNode<M>> {
        if self.is_empty() {
            return [].iter();
        }
        self.successors(Self::ROOT).iter()
    }

    /// Returns the root's successor by this move, if it is evaluated.
    pub(crate) fn root_successor(&self, mv: M) -> Option<NodeId> {
        let index = self
            .known_root_moves()
            .position(|successor| successor.mv == mv)?;
        Some(self.successor(Self::ROOT, index))
    }

    /// Moves the successor of `v` at place `from` ahead to place `to`, keeping the order of the others.
    pub fn move_successor_ahead(&mut self, v: NodeId, from: usize, to: usize) {
        let first = self[v].first as usize;
        self.nodes[first + to..=first + from].rotate_right(1);
    }

    /// Stores the root of a further tree, `level` plies from the root of the analysis.
    ///
    /// # Errors
    /// There is no room.
    pub(crate) fn add_root(&mut self, root: TreeNode<M>, level: u16) -> Result<NodeId, TreeFull> {
        let id = NodeId(self.allocate(0)?);
        self[id] = root;
        self.further_roots.push((id, level));
        Ok(id)
    }

    /// Frees a further tree completely.
    pub(crate) fn remove_root(&mut self, root: NodeId) {
        self.forget_below(root);
        self.release(root.0, 0);
        self.further_roots.retain(|&(other, _)| other != root);
    }

    /// Takes the remote references freed since the last call.
    pub(crate) fn take_released(&mut self) -> Vec<RemoteRef> {
        std::mem::take(&mut self.released_remotes)
    }

    /// Returns the roots of all trees stored here, with their levels.
    pub(crate) fn roots(&self) -> impl Iterator<Item = (NodeId, u16)> {
        let first = (!self.is_empty()).then_some((Self::ROOT, 0));
        first.into_iter().chain(self.further_roots.iter().copied())
    }

    /// Frees everything below `v`; its value is kept, and so is a remote reference. O(nodes below).
    pub fn forget_below(&mut self, v: NodeId) {
        if self[v].remote().is_some() {
            return;
        }
        let mut open = vec![self[v]];
        self[v].detach();
        // A block's successors are read before it is freed: unused blocks contain marks.
        while let Some(node) = open.pop() {
            if let Some(remote) = node.remote() {
                self.released_remotes.push(remote);
                continue;
            }
            if node.successor_count > 0 {
                let first = node.first as usize;
                open.extend_from_slice(&self.nodes[first..first + node.successor_count()]);
                self.release(node.first, node.class);
            }
            if node.pass != NONE {
                open.push(self.nodes[node.pass as usize]);
                self.release(node.pass, 0);
            }
        }
    }

    /// Makes the root's successor by `mv` the new root and frees the rest. Returns `false`, changing nothing, if
    /// it is not known.
    pub fn advance(&mut self, mv: M) -> bool {
        let Some(index) = self
            .successors(Self::ROOT)
            .iter()
            .position(|successor| successor.mv == mv)
        else {
            return false;
        };
        let chosen = self.successor(Self::ROOT, index);
        let root = self[chosen];
        // Detach the chosen subtree, so that freeing the old root spares it.
        self[chosen].detach();
        self.forget_below(Self::ROOT);
        self[Self::ROOT] = root;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZERO: Value = Value::exact(Score::DRAW);

    #[test]
    fn a_node_takes_sixteen_bytes() {
        assert_eq!(Tree::<u16>::NODE_BYTES, 16);
    }

    #[test]
    fn blocks_grow_and_come_back() {
        let mut tree = Tree::with_capacity(1024).unwrap();
        tree.reset(TreeNode::new(0u16, ZERO));
        for mv in 0..100 {
            let successor = tree
                .add_successor(Tree::<u16>::ROOT, TreeNode::new(mv, ZERO))
                .unwrap();
            tree.add_successor(successor, TreeNode::new(mv, ZERO))
                .unwrap();
        }
        assert_eq!(tree.successors(Tree::<u16>::ROOT).len(), 100);
        assert!(
            tree.successors(Tree::<u16>::ROOT)
                .iter()
                .enumerate()
                .all(|(i, successor)| successor.mv() == i as u16)
        );
        tree.forget_below(Tree::<u16>::ROOT);
        assert_eq!(tree.used(), 1);
    }

    /// The moves from `v` on, each followed by those below it in brackets.
    fn outline(tree: &Tree<u16>, v: NodeId) -> String {
        let below = (0..tree[v].successor_count()).map(|index| tree.successor(v, index));
        let below = below.chain(tree.pass_successor(v));
        let lines: Vec<_> = below.map(|successor| outline(tree, successor)).collect();
        format!("{}({})", tree[v].mv(), lines.join(" "))
    }

    /// Three successors, the first with two successors and a node after a null move, the last with one.
    fn small_tree() -> Tree<u16> {
        let mut tree = Tree::with_capacity(1024).unwrap();
        tree.reset(TreeNode::new(0u16, ZERO));
        let add = |tree: &mut Tree<u16>, v, mv| {
            tree.add_successor(v, TreeNode::new(mv, ZERO)).unwrap();
        };
        let root = Tree::<u16>::ROOT;
        (1..=3).for_each(|mv| add(&mut tree, root, mv));
        let (first, last) = (tree.successor(root, 0), tree.successor(root, 2));
        (4..=5).for_each(|mv| add(&mut tree, first, mv));
        tree.set_pass_successor(first, TreeNode::new(6, ZERO))
            .unwrap();
        add(&mut tree, last, 7);
        tree
    }

    #[test]
    fn what_is_copied_can_be_grafted_elsewhere() {
        let tree = small_tree();
        let root = Tree::<u16>::ROOT;
        assert_eq!(outline(&tree, root), "0(1(4() 5() 6()) 2() 3(7()))");
        let mut copy = Vec::new();
        assert!(!tree.copy_onto(&mut copy, root, 7));
        assert!(copy.is_empty());
        assert!(tree.copy_onto(&mut copy, tree.successor(root, 1), 1));
        assert!(tree.copy_onto(&mut copy, root, 8));
        let mut other = small_tree();
        let (second, used) = (other.successor(root, 1), other.used());
        other.graft(second, &copy[1..]);
        let now = "0(1(4() 5() 6()) 0(1(4() 5() 6()) 2() 3(7())) 3(7()))";
        assert_eq!(outline(&other, root), now);
        // The previous subtree is freed.
        other.graft(second, &copy[..1]);
        assert_eq!(other.used(), used);
        assert_eq!(outline(&other, root), "0(1(4() 5() 6()) 2() 3(7()))");
    }

    /// A tree of some tens of nodes, some of them after null moves.
    fn random_tree(rng: &mut crate::game::SplitMix64) -> Tree<u16> {
        let mut tree = Tree::with_capacity(1024).unwrap();
        tree.reset(TreeNode::new(0u16, ZERO));
        for mv in 0..rng.below(60) as u16 {
            let mut at = Tree::<u16>::ROOT;
            while rng.below(3) > 0 && tree[at].successor_count() > 0 {
                at = tree.successor(at, rng.below(tree[at].successor_count() as u64) as usize);
                at = tree
                    .pass_successor(at)
                    .filter(|_| rng.below(2) > 0)
                    .unwrap_or(at);
            }
            let node = TreeNode::new(mv, ZERO);
            let added = match rng.below(4) {
                0 => tree.set_pass_successor(at, node),
                _ => tree.add_successor(at, node),
            };
            added.expect("room enough");
        }
        tree
    }

    #[test]
    fn whatever_grew_there_before_a_graft_is_the_same_afterwards() {
        let mut rng = crate::game::SplitMix64::new(7);
        let root = Tree::<u16>::ROOT;
        for _ in 0..500 {
            let (new, mut old) = (random_tree(&mut rng), random_tree(&mut rng));
            let mut copy = Vec::new();
            new.copy_all_onto(&mut copy);
            old.graft(root, &copy);
            assert_eq!(outline(&old, root), outline(&new, root));
            old.forget_below(root);
            assert_eq!(old.used(), 1);
        }
    }

    #[test]
    fn a_graft_without_room_leaves_nodes_out() {
        let mut copy = Vec::new();
        assert!(small_tree().copy_onto(&mut copy, Tree::<u16>::ROOT, 8));
        let mut tree = Tree::with_capacity(1024).unwrap();
        tree.reset(TreeNode::new(0u16, ZERO));
        let root = Tree::<u16>::ROOT;
        let v = tree.add_successor(root, TreeNode::new(1, ZERO)).unwrap();
        while tree.allocate(2).is_ok() {}
        tree.graft(v, &copy);
        assert_eq!(outline(&tree, v), "0()");
    }

    #[test]
    fn a_full_tree_says_so_and_stays_whole() {
        let mut tree = Tree::with_capacity(1024).unwrap();
        tree.reset(TreeNode::new(0u16, ZERO));
        let mut at = Tree::<u16>::ROOT;
        let mut depth = 0;
        while let Ok(successor) = tree.add_successor(at, TreeNode::new(depth, ZERO)) {
            at = successor;
            depth += 1;
        }
        assert_eq!(depth, 511);
        assert!(tree.successors(at).is_empty());
    }

    #[test]
    fn the_root_moves_along_a_known_move_only() {
        let mut tree = Tree::with_capacity(1024).unwrap();
        tree.reset(TreeNode::new(0u16, ZERO));
        for mv in 1..=3 {
            let successor = tree
                .add_successor(Tree::<u16>::ROOT, TreeNode::new(mv, ZERO))
                .unwrap();
            tree.add_successor(successor, TreeNode::new(10 + mv, ZERO))
                .unwrap();
        }
        assert!(!tree.advance(4));
        assert!(tree.advance(2));
        assert_eq!(tree.successors(Tree::<u16>::ROOT)[0].mv(), 12);
        assert_eq!(tree.used(), 3);
    }

    #[test]
    fn what_is_given_back_can_be_had_again_in_any_size() {
        let root = Tree::<u16>::ROOT;
        let mut tree = Tree::with_capacity(1024).unwrap();
        tree.reset(TreeNode::new(0u16, ZERO));
        let mut rng = crate::game::SplitMix64::new(1);
        for _ in 0..200 {
            let mut places = vec![root];
            for mv in 0.. {
                let at = places[rng.below(places.len() as u64) as usize];
                if tree.successors(at).len() == 255 {
                    continue;
                }
                match tree.add_successor(at, TreeNode::new(mv, ZERO)) {
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
            all.extend((0..tree.successors(v).len()).map(|index| tree.successor(v, index)));
            next += 1;
        }
        all
    }
}
