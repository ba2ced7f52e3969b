//! The interface of retrograde analysis to a class of positions.

use super::in_words::InWords;
use super::{Metric, TableValue};
use std::ops::Range;

/// Properties of a position that need no other position of the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Survey {
    /// There are no moves; the rules give this value.
    End(TableValue),
    /// There are moves.
    Open {
        /// The number of different children inside the class, at most 250.
        inside: u8,
        /// The best lifted value of the moves that leave the class; `None` without such a move.
        outside: Option<TableValue>,
    },
}

/// A finite two-player graph, closed under moves except for exits into classes that are already solved.
///
/// Positions are indices `0..size`; some indices are unused (illegal placements, or mirror images of other
/// indices). Edges are *pairs of indices*: two moves that lead to mirror images of one position are one edge,
/// listed once by `children` and `parents`. The algorithms depend only on this trait, not on any game.
pub trait Class: Sync {
    /// The scale of the values.
    fn metric(&self) -> Metric;

    /// The number of indices.
    fn size(&self) -> u32;

    /// The greatest amount of any value of the class, 1 to 128.
    fn amount_max(&self) -> u8;

    /// Surveys one index; `None` if it is unused.
    fn survey(&self, index: u32) -> Option<Survey>;

    /// Appends the children inside the class of a position, without duplicates, in any order.
    fn children(&self, index: u32, children: &mut Vec<u32>);

    /// Appends the parents of a position, without duplicates, in any order. Unused indices may be among them,
    /// since their survey already shows that they are illegal. All others are exactly the positions with `index`
    /// among their children.
    fn parents(&self, index: u32, parents: &mut Vec<u32>);
}

/// A class of a game with two distinguishable sides that move in turn, on the distance scale.
pub trait TwoSided: Class {
    /// The indices with the first and with the second side to move; together they are `0..size`.
    fn sides(&self) -> [Range<u32>; 2];

    /// Returns the class for analysis of many positions at a time on `threads` threads, if supported.
    fn in_words(&self, _threads: u32) -> Option<Box<dyn InWords + '_>> {
        None
    }
}
