use super::placement::{NodeAddress, RemoteRef, WorkerId};
use crate::game::{Bound, Score, Value};

/// A node of the stored tree, 16 bytes. Only evaluated successors are stored; the others are generated again when
/// needed, which costs a fraction of one evaluation.
///
/// ```text
///  node        its block of valued successors        (power-of-two capacity, in the order they were valued)
/// [ first ] -> [ successor 0 | successor 1 | successor 2 |  -  ]
/// [ pass  ] -> [ position after a null move ]        (an extra node outside the successors)
/// ```
///
/// A *remote reference* represents a node stored at another worker. It has the last known value, and in `first`
/// and `pass` the node's address and owner.
#[derive(Clone, Copy, Debug)]
pub struct TreeNode<M> {
    /// The start of the block of successors; meaningful if `successor_count > 0`.
    pub(crate) first: u32,
    /// The node after a null move, or `NONE`.
    pub(crate) pass: u32,
    /// In the side to move's view.
    score: Score,
    pub(crate) mv: M,
    /// The number of evaluated successors.
    pub(crate) successor_count: u8,
    /// The number of legal moves; 0 until they were counted.
    pub(crate) move_count: u8,
    /// The capacity of the block is `1 << class`.
    pub(crate) class: u8,
    flags: u8,
}

pub(crate) const NONE: u32 = u32::MAX;
const ATTRIBUTE_MASK: u8 = 3;
/// The game ends here: the value is final.
const END: u8 = 4;
/// The first slot of an unused block, not a node: `class` is the block's, `first` its place in the list of such
/// blocks.
const UNUSED: u8 = 16;
/// A remote reference: `first` is the node's address, `pass` the worker that stores it.
const REMOTE: u8 = 32;
/// A remote reference whose owner was stopped at work: its value there may differ.
const UNSURE: u8 = 64;

impl<M: Copy> TreeNode<M> {
    /// Creates a node without known successors.
    pub fn new(mv: M, value: Value) -> Self {
        let mut node = Self {
            first: 0,
            pass: NONE,
            score: value.score,
            mv,
            successor_count: 0,
            move_count: 0,
            class: 0,
            flags: 0,
        };
        node.set_value(value);
        node
    }

    /// Creates a node at which the game is over.
    pub fn end(mv: M, score: Score) -> Self {
        let mut node = Self::new(mv, Value::exact(score));
        node.flags |= END;
        node
    }

    /// Returns the value, in the view of the side to move.
    pub fn value(&self) -> Value {
        let bound = match self.flags & ATTRIBUTE_MASK {
            0 => Bound::Upper,
            1 => Bound::Lower,
            _ => Bound::Exact,
        };
        Value {
            bound,
            score: self.score,
        }
    }

    /// Changes the value; that of an end node is final.
    pub fn set_value(&mut self, value: Value) {
        assert!(!self.is_end(), "the value of an end node is final");
        self.score = value.score;
        let code = match value.bound {
            Bound::Upper => 0,
            Bound::Lower => 1,
            Bound::Exact => 2,
        };
        self.flags = self.flags & !ATTRIBUTE_MASK | code;
    }

    /// Returns the move that leads here.
    pub fn mv(&self) -> M {
        self.mv
    }

    /// Whether the game is over here.
    pub fn is_end(&self) -> bool {
        self.flags & END != 0
    }

    /// Returns the number of evaluated successors.
    pub fn successor_count(&self) -> usize {
        self.successor_count as usize
    }

    /// Returns the number of legal moves, if they were counted.
    pub fn move_count(&self) -> Option<usize> {
        (self.move_count > 0).then_some(self.move_count as usize)
    }

    /// Stores the number of legal moves (1 to 255).
    pub fn set_move_count(&mut self, count: usize) {
        assert!((1..=255).contains(&count));
        self.move_count = count as u8;
    }

    /// Whether all successors are evaluated.
    pub fn is_fully_known(&self) -> bool {
        self.move_count > 0 && self.successor_count == self.move_count
    }

    /// Returns the owner and the address of a node stored at another worker.
    pub(crate) fn remote(&self) -> Option<RemoteRef> {
        (self.flags & REMOTE != 0).then_some(RemoteRef {
            owner: WorkerId(self.pass as u16),
            address: NodeAddress(self.first),
        })
    }

    /// Whether the value must be confirmed by the node's owner before it is used.
    pub(crate) fn is_unsure(&self) -> bool {
        self.flags & UNSURE != 0
    }

    pub(crate) fn set_unsure(&mut self, is_unsure: bool) {
        self.flags = self.flags & !UNSURE | if is_unsure { UNSURE } else { 0 };
    }

    /// Turns a node with nothing stored below it into a remote reference.
    pub(crate) fn make_remote(&mut self, remote: RemoteRef) {
        assert!(self.successor_count == 0 && self.pass == NONE && !self.is_end());
        self.flags |= REMOTE;
        self.first = remote.address.0;
        self.pass = u32::from(remote.owner.0);
    }

    /// Detaches the node from everything below, without freeing it.
    pub(crate) fn detach(&mut self) {
        self.flags &= !(REMOTE | UNSURE);
        (self.successor_count, self.move_count, self.class, self.pass) = (0, 0, 0, NONE);
    }

    /// Returns the same node with nothing below.
    pub(crate) fn detached(mut self) -> Self {
        self.detach();
        self
    }

    /// Overwrites everything by `source` except what is below.
    pub(crate) fn overwrite(&mut self, source: &Self) {
        if self.flags & REMOTE != 0 {
            self.detach();
        }
        *self = Self {
            score: source.score,
            mv: source.mv,
            flags: source.flags & !(REMOTE | UNSURE),
            move_count: 0,
            ..*self
        };
    }

    /// Returns the mark in the first slot of an unused block.
    pub(crate) fn unused(filler: Self, class: u8, place: usize) -> Self {
        Self {
            first: place as u32,
            class,
            flags: UNUSED,
            ..filler
        }
    }

    /// Whether this is the first slot of an unused block of this class.
    pub(crate) fn is_unused(&self, class: u8) -> bool {
        self.flags & UNUSED != 0 && self.class == class
    }
}
