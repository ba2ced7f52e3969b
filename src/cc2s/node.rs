//! The stored tree: an arena of 16-byte nodes in blocks of siblings.

use std::ops::{Index, IndexMut};

use thiserror::Error;

use super::value::{Attribute, Value};
use crate::game::Score;

/// Place of a node in its [`Tree`]. It changes when a sibling is added or the root moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

/// One node of the stored tree. Only successors that have been valued are stored; the others are generated again when
/// they are needed, which costs a fraction of one valuation.
///
/// ```text
///  node        its block of valued successors        (power-of-two capacity, in the order they were valued)
/// [ first ] -> [ kid 0 | kid 1 | kid 2 |  -  ]
/// [ pass  ] -> [ position after a null move ]        (an extra node outside the successors)
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Node<M> {
    /// Start of the block of successors; meaningful if `kid_count > 0`.
    first: u32,
    /// The node after a null move, or `NONE`.
    pass: u32,
    /// Side to move's view.
    score: Score,
    /// The move that leads here.
    mv: M,
    /// Valued successors.
    kid_count: u8,
    /// Legal moves; 0 until they were counted.
    move_count: u8,
    /// Capacity of the block is `1 << class`.
    class: u8,
    flags: u8,
}

const NONE: u32 = u32::MAX;
const ATTRIBUTE_MASK: u8 = 3;
/// The game ends here: the value is final.
const END: u8 = 4;
/// The move that leads here is quiet.
const QUIET: u8 = 8;

impl<M: Copy> Node<M> {
    /// A node without known successors.
    pub fn new(mv: M, value: Value) -> Self {
        let mut node = Self {
            first: 0,
            pass: NONE,
            score: value.score,
            mv,
            kid_count: 0,
            move_count: 0,
            class: 0,
            flags: 0,
        };
        node.set_value(value);
        node
    }

    /// A node at which the game is over.
    pub fn end(mv: M, score: Score) -> Self {
        let mut node = Self::new(mv, Value::exact(score));
        node.flags |= END;
        node
    }

    /// Its value, seen by the side to move there.
    pub fn value(&self) -> Value {
        let attribute = match self.flags & ATTRIBUTE_MASK {
            0 => Attribute::AtMost,
            1 => Attribute::AtLeast,
            _ => Attribute::Exact,
        };
        Value {
            attribute,
            score: self.score,
        }
    }

    /// Changes the value; that of an end node is final.
    pub fn set_value(&mut self, value: Value) {
        assert!(!self.is_end(), "the value of an end node is final");
        self.score = value.score;
        let code = match value.attribute {
            Attribute::AtMost => 0,
            Attribute::AtLeast => 1,
            Attribute::Exact => 2,
        };
        self.flags = self.flags & !ATTRIBUTE_MASK | code;
    }

    /// The move that leads here.
    pub fn mv(&self) -> M {
        self.mv
    }

    /// Whether the move that leads here is quiet.
    pub fn is_quiet(&self) -> bool {
        self.flags & QUIET != 0
    }

    /// Marks the move that leads here as quiet.
    pub fn set_quiet(&mut self) {
        self.flags |= QUIET;
    }

    /// Whether the game is over here.
    pub fn is_end(&self) -> bool {
        self.flags & END != 0
    }

    /// Number of valued successors.
    pub fn kid_count(&self) -> usize {
        self.kid_count as usize
    }

    /// Number of legal moves, if they were counted.
    pub fn move_count(&self) -> Option<usize> {
        (self.move_count > 0).then_some(self.move_count as usize)
    }

    /// Remembers the number of legal moves (1 to 255).
    pub fn set_move_count(&mut self, count: usize) {
        assert!((1..=255).contains(&count));
        self.move_count = count as u8;
    }

    /// Whether all successors are valued.
    pub fn is_fully_known(&self) -> bool {
        self.move_count > 0 && self.kid_count == self.move_count
    }
}

/// The tree has no room for another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the stored tree is full")]
pub struct TreeFull;

/// A game tree as far as it was examined.
#[derive(Clone, Debug)]
pub struct Tree<M> {
    nodes: Vec<Node<M>>,
    capacity: usize,
    /// Starts of unused blocks, by class.
    free: [Vec<u32>; 9],
    used: usize,
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
            free: Default::default(),
            used: 0,
        })
    }

    /// Forgets everything. O(1).
    pub fn empty(&mut self) {
        self.nodes.clear();
        self.free.iter_mut().for_each(Vec::clear);
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

    /// Exchanges two successors of `v` with all that is below them.
    pub fn swap_kids(&mut self, v: NodeId, a: usize, b: usize) {
        let (a, b) = (self.kid(v, a), self.kid(v, b));
        self.nodes.swap(a.0 as usize, b.0 as usize);
    }

    /// Moves the `index`-th successor of `v` to the front, keeping the order of the others.
    pub fn move_kid_to_front(&mut self, v: NodeId, index: usize) {
        let first = self[v].first as usize;
        self.nodes[first..=first + index].rotate_right(1);
    }

    /// Gives back everything below `v`; its value stays. O(nodes below).
    pub fn forget_below(&mut self, v: NodeId) {
        let mut open = vec![v];
        while let Some(id) = open.pop() {
            let Node {
                first,
                kid_count,
                class,
                pass,
                ..
            } = self[id];
            if kid_count > 0 {
                open.extend((first..first + u32::from(kid_count)).map(NodeId));
                self.release(first, class);
            }
            if pass != NONE {
                open.push(NodeId(pass));
                self.release(pass, 0);
            }
            let node = &mut self[id];
            (node.kid_count, node.move_count, node.class, node.pass) = (0, 0, 0, NONE);
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
        let stub = &mut self[chosen];
        (stub.kid_count, stub.pass) = (0, NONE);
        self.forget_below(Self::ROOT);
        self[Self::ROOT] = root;
        true
    }

    fn allocate(&mut self, class: u8) -> Result<u32, TreeFull> {
        let size = 1usize << class;
        if let Some(start) = self.free[class as usize].pop() {
            self.used += size;
            return Ok(start);
        }
        let start = self.nodes.len();
        if start + size > self.capacity {
            return self.split_larger(class);
        }
        let filler = self.nodes[0];
        self.nodes.resize(start + size, filler);
        self.used += size;
        Ok(start as u32)
    }

    /// Halves a larger unused block until it fits.
    fn split_larger(&mut self, class: u8) -> Result<u32, TreeFull> {
        let larger = (class + 1..9)
            .find(|&larger| !self.free[larger as usize].is_empty())
            .ok_or(TreeFull)?;
        let start = self.free[larger as usize].pop().ok_or(TreeFull)?;
        for half in class..larger {
            self.free[half as usize].push(start + (1 << half));
        }
        self.used += 1 << class;
        Ok(start)
    }

    fn release(&mut self, start: u32, class: u8) {
        self.used -= 1 << class;
        self.free[class as usize].push(start);
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
}
