//! Fulfilled targets stored by position (Figs. 2.22 to 2.25).

use std::collections::TryReserveError;
use std::sync::atomic::AtomicU64;

use super::target::{NodeKind, Target, Verdict};
use crate::game::{Score, TargetBound};
use crate::large_pages;
use crate::sync::{AtomicWord as _, TtSlot};

#[derive(Clone, Copy, Debug)]
struct MetTarget {
    score: Score,
    /// In plies; clamped.
    depth: u8,
    conspiracy: u8,
    /// The number of the analysis that wrote it, never 0.
    generation: u8,
}

/// Two tables, one for each kind of node. Threads may share them.
///
/// Departs from Fig. 2.22: the two tables together replace the third, for two-sided targets, because such a target
/// is worked on as its two halves. An entry of an earlier analysis is replaced by any newer one.
pub struct TargetTables {
    cut: Vec<TtSlot>,
    all: Vec<TtSlot>,
    generation: AtomicU64,
}

/// Outcomes of targets in order, not stored in the tables yet.
pub(crate) type Log = Vec<(u64, Target, Verdict)>;

impl TargetTables {
    /// The bytes per entry.
    pub const ENTRY_BYTES: usize = size_of::<TtSlot>();

    /// Creates tables with room for `entries` targets each (at least one).
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn with_entries(entries: usize) -> Result<Self, TryReserveError> {
        let table = || -> Result<Vec<TtSlot>, TryReserveError> {
            let mut table = large_pages::vector(entries.max(1))?;
            table.resize_with(entries.max(1), TtSlot::default);
            Ok(table)
        };
        Ok(Self {
            cut: table()?,
            all: table()?,
            generation: AtomicU64::new(1),
        })
    }

    /// Removes all entries.
    pub fn clear(&self) {
        self.cut.iter().chain(&self.all).for_each(TtSlot::clear);
        self.generation.set(1);
    }

    /// Lets entries written from now on replace all earlier ones. One thread does this, before a new analysis.
    pub fn start_analysis(&self) {
        let generation = self.generation.get() as u8;
        self.generation
            .set(u64::from(generation.checked_add(1).unwrap_or(1)));
    }

    /// Whether a target at least as demanding as this one was met at the position of `key` (Fig. 2.23).
    pub fn is_met(&self, key: u64, target: Target) -> bool {
        let payload = self.slot(key, target.kind()).read(key);
        let entry = payload.and_then(MetTarget::unpack);
        entry.is_some_and(|entry| entry.target(target.kind()).is_as_demanding_as(target))
    }

    /// Like [`TargetTables::is_met`], but including the targets in the log.
    pub(crate) fn is_met_after(&self, log: &Log, key: u64, target: Target) -> bool {
        let is_about = |other: &Target| other.kind() == target.kind();
        let mut later = log.iter().rev();
        match later.find(|(about, other, _)| *about == key && is_about(other)) {
            Some((.., Verdict::Missed)) => false,
            Some((_, other, Verdict::Met)) if other.is_as_demanding_as(target) => true,
            _ => self.is_met(key, target),
        }
    }

    /// Stores the target as met, unless the slot has a more demanding one (Fig. 2.22).
    pub fn write(&self, key: u64, target: Target) {
        let generation = self.generation.get() as u8;
        let new = MetTarget {
            score: target.bound.score(),
            depth: target.depth.min(255) as u8,
            conspiracy: target.conspiracy.min(255) as u8,
            generation,
        };
        let slot = self.slot(key, target.kind());
        let is_better = MetTarget::unpack(slot.payload()).is_none_or(|old| {
            old.generation != generation
                || (new.conspiracy, new.depth) >= (old.conspiracy, old.depth)
        });
        if is_better {
            slot.write(key, new.pack());
        }
    }

    /// Removes the entry of the position after a target of this kind has failed there (Fig. 2.25).
    pub fn remove(&self, key: u64, target: Target) {
        let slot = self.slot(key, target.kind());
        if slot.read(key).is_some() {
            slot.clear();
        }
    }

    /// Removes all entries of the position, because work on it was abandoned.
    pub fn forget(&self, key: u64) {
        for kind in [NodeKind::Cut, NodeKind::All] {
            let slot = self.slot(key, kind);
            if slot.read(key).is_some() {
                slot.clear();
            }
        }
    }

    /// Stores the outcome of a target.
    pub(crate) fn note(&self, key: u64, target: Target, verdict: Verdict) {
        match verdict {
            Verdict::Met => self.write(key, target),
            Verdict::Missed => self.remove(key, target),
        }
    }

    fn slot(&self, key: u64, kind: NodeKind) -> &TtSlot {
        let table = match kind {
            NodeKind::Cut => &self.cut,
            NodeKind::All => &self.all,
        };
        &table[((u128::from(key) * table.len() as u128) >> 64) as usize]
    }
}

impl std::fmt::Debug for TargetTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TargetTables")
            .field("entries", &self.cut.len())
            .finish_non_exhaustive()
    }
}

impl MetTarget {
    fn target(self, kind: NodeKind) -> Target {
        Target {
            bound: match kind {
                NodeKind::Cut => TargetBound::AtLeast(self.score),
                NodeKind::All => TargetBound::AtMost(self.score),
            },
            depth: self.depth.into(),
            conspiracy: self.conspiracy.into(),
        }
    }

    fn pack(self) -> u64 {
        u64::from(self.score.raw() as u16)
            | u64::from(self.depth) << 16
            | u64::from(self.conspiracy) << 24
            | u64::from(self.generation) << 32
    }

    /// `None` for the empty word.
    fn unpack(word: u64) -> Option<Self> {
        (word != 0).then(|| Self {
            score: Score::from_raw(i32::from(word as i16)),
            depth: (word >> 16) as u8,
            conspiracy: (word >> 24) as u8,
            generation: (word >> 32) as u8,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(bound: TargetBound, depth: u16, conspiracy: u16) -> Target {
        Target {
            bound,
            depth,
            conspiracy,
        }
    }

    fn at_least(score: i32, depth: u16, conspiracy: u16) -> Target {
        target(
            TargetBound::AtLeast(Score::centipawns(score)),
            depth,
            conspiracy,
        )
    }

    fn at_most(score: i32, depth: u16, conspiracy: u16) -> Target {
        target(
            TargetBound::AtMost(Score::centipawns(score)),
            depth,
            conspiracy,
        )
    }

    /// A target is greater by its conspiracy, and by its depth if the conspiracies are equal; of equal targets the
    /// later one is written.
    #[test]
    fn figure_2_22_the_greater_target_is_written() {
        let tables = TargetTables::with_entries(1).unwrap();
        tables.write(7, at_least(10, 4, 2));
        for smaller in [at_least(10, 9, 1), at_least(10, 3, 2)] {
            tables.write(8, smaller);
            assert!(tables.is_met(7, at_least(10, 4, 2)) && !tables.is_met(8, smaller));
        }
        for (key, no_smaller) in [(9, at_least(20, 4, 2)), (10, at_least(20, 1, 3))] {
            tables.write(key, no_smaller);
            assert!(tables.is_met(key, no_smaller));
        }
        assert!(!tables.is_met(7, at_least(10, 4, 2)));
    }

    /// Beyond the figure: an entry of an earlier analysis is replaced by any newer one.
    #[test]
    fn an_aged_target_gives_way_to_a_smaller_one() {
        let tables = TargetTables::with_entries(1).unwrap();
        tables.write(7, at_least(10, 4, 2));
        tables.start_analysis();
        assert!(tables.is_met(7, at_least(10, 4, 2)));
        tables.write(8, at_least(10, 1, 1));
        assert!(tables.is_met(8, at_least(10, 1, 1)));
    }

    #[test]
    fn figure_2_23_less_demanding_targets_are_known_to_be_met() {
        let tables = TargetTables::with_entries(64).unwrap();
        tables.write(7, at_least(10, 4, 2));
        assert!(tables.is_met(7, at_least(5, 3, 1)));
        assert!(!tables.is_met(7, at_least(11, 3, 1)));
        assert!(!tables.is_met(7, at_least(10, 5, 1)));
        assert!(!tables.is_met(7, at_least(10, 1, 3)));
        assert!(!tables.is_met(8, at_least(10, 1, 1)));
        assert!(!tables.is_met(7, at_most(20, 0, 1)));
    }

    /// At least x was shown to depth 1; to depth 2 it fails. That leaves nothing in the table, not even the former
    /// entry.
    #[test]
    fn figure_2_24_a_failed_search_leaves_nothing() {
        let tables = TargetTables::with_entries(64).unwrap();
        tables.note(7, at_least(10, 1, 4), Verdict::Met);
        assert!(tables.is_met(7, at_least(10, 1, 4)));
        tables.note(7, at_least(10, 2, 4), Verdict::Missed);
        assert!(!tables.is_met(7, at_least(10, 1, 4)));
    }

    /// Only in the table for such targets, and only if the key is the same.
    #[test]
    fn figure_2_25_an_entry_is_removed() {
        let tables = TargetTables::with_entries(1).unwrap();
        let (lower, upper) = (at_least(10, 4, 2), at_most(20, 4, 2));
        tables.write(7, lower);
        tables.write(7, upper);
        tables.remove(8, lower);
        assert!(tables.is_met(7, lower));
        tables.remove(7, at_least(0, 1, 1));
        assert!(!tables.is_met(7, lower) && tables.is_met(7, upper));
    }
}
