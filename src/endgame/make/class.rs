//! A class of positions, as retrograde analysis sees it.

use super::in_words::InWords;
use super::{Metric, TableValue};
use std::ops::Range;

/// The facts about a position that need no other position of the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Survey {
    /// No move: the rules give this value.
    End(TableValue),
    /// There are moves.
    Open {
        /// Different children inside the class, at most 250.
        inside: u8,
        /// The best lifted value among the moves that leave the class; `None` without such a move.
        outside: Option<TableValue>,
    },
}

/// A finite two-player graph, closed under moves except for exits into classes that are solved already.
///
/// Positions are indices `0..size`; some indices stand for nothing (an illegal placement, the mirror image of another
/// index). Edges are *pairs of indices*: where two moves lead to mirror images of one position they are one edge, and
/// `children` and `parents` list it once. The algorithms know this trait and nothing of any game.
pub trait Class: Sync {
    /// The scale of the values.
    fn metric(&self) -> Metric;

    /// The number of indices.
    fn size(&self) -> u32;

    /// The greatest amount any value of the class can have, 1 to 128.
    fn amount_max(&self) -> u8;

    /// Looks at one index; `None` if it stands for nothing.
    fn survey(&self, index: u32) -> Option<Survey>;

    /// Appends the children inside the class of a position, without duplicates, in any order.
    fn children(&self, index: u32, children: &mut Vec<u32>);

    /// Appends the parents of a position, without duplicates, in any order. Indices that stand for nothing may be among
    /// them (their legality is known from the survey, there is no need to test it twice); all others are exactly the
    /// positions that have `index` among their children.
    fn parents(&self, index: u32, parents: &mut Vec<u32>);
}

/// A class of a game with two distinguishable sides that move in turn, on the distance scale.
pub trait TwoSided: Class {
    /// The indices where the first and where the second side moves; together they are `0..size`.
    fn sides(&self) -> [Range<u32>; 2];

    /// The class as one whose positions can be worked on many at a time, on so many threads, if it is one.
    fn in_words(&self, _threads: u32) -> Option<Box<dyn InWords + '_>> {
        None
    }
}
