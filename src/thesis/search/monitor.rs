//! Reports of a search about its root, while it works and at the end.

use super::counters::Counters;
use crate::game::{Progress, Requirement, Score, Value};

/// A report on one of the best moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootReport<M> {
    /// Which of the best moves this is, from 1.
    pub multi_pv: usize,
    /// The move's value, root's view; never above that of the move ranked before it, since differences within the
    /// margin are none.
    pub value: Value,
    /// The splitting value: the move is worth at least this, those ranked after it at most (within the margin).
    pub hypothesis: Score,
    /// Margin for the move downwards and for those after it upwards, in centipawns: the root margin, or more where the
    /// search could not make up its mind.
    pub margin_cp: i16,
    /// The requirement met last; (0, 0) before the first.
    pub met: Requirement,
    /// The move and what is expected to follow; at least one move.
    pub pv: Vec<M>,
    /// Work done so far.
    pub counters: Counters,
    /// Slots of the tree in use, in thousandths.
    pub memory_permille: u16,
}

/// Watches a search and stops it.
pub trait Monitor<M> {
    /// Called after every valuation; false stops the search.
    fn proceed(&mut self, status: &Progress) -> bool;
    /// A requirement was met, or another move has been found better: one report on each of the best moves, in order.
    fn report(&mut self, report: &RootReport<M>);
}

/// Says stop when asked so many times.
#[cfg(test)]
pub(crate) struct Patience(pub usize);

#[cfg(test)]
impl<M> Monitor<M> for Patience {
    fn proceed(&mut self, _: &Progress) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }

    fn report(&mut self, _: &RootReport<M>) {}
}
