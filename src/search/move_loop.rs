//! The moves of a node in the order in which they are searched.

use std::cell::OnceCell;
use std::collections::VecDeque;

use super::history::QuietEntries;
use super::node::{Node, NodeInfo};
use super::ordering::Picker;
use crate::chess::{CheckSquares, Move, Position};

/// A move about to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    pub(super) is_quiet: bool,
    /// Its history entries, if it is quiet.
    pub(super) entries: Option<QuietEntries>,
    /// Its place among the moves of the node, from 1.
    pub(super) number: i32,
    pub(super) gives_check: bool,
    /// Its history score.
    pub(super) history: i32,
    /// Names the move among searchers of one tree, where its node's moves are divided.
    pub(super) busy_key: Option<u64>,
}

/// The state of the loop over a node's moves.
pub(super) struct MoveLoop<'a> {
    pub(super) node: &'a Node,
    pub(super) known: &'a NodeInfo,
    pub(super) picker: Picker,
    /// Moves handed out or left out.
    pub(super) number: i32,
    /// Moves that other searchers were at when their turn came.
    pub(super) deferred: VecDeque<Candidate>,
    check_squares: OnceCell<CheckSquares>,
}

impl<'a> MoveLoop<'a> {
    pub(super) fn new(node: &'a Node, known: &'a NodeInfo, picker: Picker) -> Self {
        Self {
            node,
            known,
            picker,
            number: 0,
            deferred: VecDeque::new(),
            check_squares: OnceCell::new(),
        }
    }

    /// Whether a move of this node gives check.
    pub(super) fn gives_check(&self, position: &Position, mv: Move) -> bool {
        let squares = self.check_squares.get_or_init(|| position.check_squares());
        position.gives_check_from(mv, squares)
    }
}

/// The moves tried at a node, the first ones at least.
#[derive(Default)]
pub(super) struct Tried {
    moves: [Option<Move>; 32],
    count: usize,
}

impl Tried {
    pub(super) fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.count) {
            *slot = Some(mv);
            self.count += 1;
        }
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves[..self.count].iter().flatten().copied()
    }
}
