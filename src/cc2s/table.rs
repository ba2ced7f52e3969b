//! Fulfilled targets remembered by position (Figs. 2.22 to 2.25).

use std::collections::TryReserveError;

use super::target::{NodeKind, Target};
use super::value::Bound;
use crate::game::Score;

/// A target that was met at the position of `key`, 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    score: Score,
    /// In plies; clamped.
    depth: u8,
    conspiracy: u8,
    /// The analysis that wrote it; 0 marks an empty entry.
    generation: u8,
}

const EMPTY: Entry = Entry {
    key: 0,
    score: Score::DRAW,
    depth: 0,
    conspiracy: 0,
    generation: 0,
};

/// Two tables, one for each kind of node.
///
/// Departs from Fig. 2.22: the third table, for two-sided targets, is the conjunction of these two, because a two-sided
/// target is worked on as its two halves. An entry of an earlier analysis gives way to any newer one.
#[derive(Clone, Debug)]
pub struct TargetTables {
    cut: Vec<Entry>,
    all: Vec<Entry>,
    generation: u8,
}

impl TargetTables {
    /// Bytes per entry.
    pub const ENTRY_BYTES: usize = size_of::<Entry>();

    /// Tables with room for `entries` targets each (at least one).
    ///
    /// # Errors
    /// The memory cannot be had.
    pub fn with_entries(entries: usize) -> Result<Self, TryReserveError> {
        let table = || -> Result<Vec<Entry>, TryReserveError> {
            let mut table = Vec::new();
            table.try_reserve_exact(entries.max(1))?;
            table.resize(entries.max(1), EMPTY);
            Ok(table)
        };
        Ok(Self {
            cut: table()?,
            all: table()?,
            generation: 1,
        })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.cut.fill(EMPTY);
        self.all.fill(EMPTY);
        self.generation = 1;
    }

    /// Lets entries written from now on replace all earlier ones.
    pub fn start_analysis(&mut self) {
        self.generation = if self.generation == u8::MAX {
            1
        } else {
            self.generation + 1
        };
    }

    /// Whether a target at least as demanding as this one was met at the position of `key` (Fig. 2.23).
    pub fn is_met(&self, key: u64, target: Target) -> bool {
        let entry = &self.table(target)[self.index(key)];
        entry.generation != 0
            && entry.key == key
            && entry.bound(target.kind()).implies(target.bound)
            && u16::from(entry.depth) >= target.depth
            && u16::from(entry.conspiracy) >= target.conspiracy
    }

    /// Remembers that the target was met, unless the place is taken by a more demanding one (Fig. 2.22).
    pub fn write(&mut self, key: u64, target: Target) {
        let index = self.index(key);
        let generation = self.generation;
        let new = Entry {
            key,
            score: target.bound.score(),
            depth: target.depth.min(255) as u8,
            conspiracy: target.conspiracy.min(255) as u8,
            generation,
        };
        let old = &mut self.table_mut(target)[index];
        if old.generation != generation
            || (new.conspiracy, new.depth) >= (old.conspiracy, old.depth)
        {
            *old = new;
        }
    }

    /// Forgets what was remembered of the position: a target there has just failed (Fig. 2.25).
    pub fn remove(&mut self, key: u64, target: Target) {
        let index = self.index(key);
        let entry = &mut self.table_mut(target)[index];
        if entry.key == key {
            *entry = EMPTY;
        }
    }

    /// Forgets all that was remembered of the position: work on it was given up half done.
    pub fn forget(&mut self, key: u64) {
        let index = self.index(key);
        for entry in [&mut self.cut[index], &mut self.all[index]] {
            if entry.key == key {
                *entry = EMPTY;
            }
        }
    }

    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.cut.len() as u128) >> 64) as usize
    }

    fn table(&self, target: Target) -> &[Entry] {
        match target.kind() {
            NodeKind::Cut => &self.cut,
            NodeKind::All => &self.all,
        }
    }

    fn table_mut(&mut self, target: Target) -> &mut [Entry] {
        match target.kind() {
            NodeKind::Cut => &mut self.cut,
            NodeKind::All => &mut self.all,
        }
    }
}

impl Entry {
    fn bound(&self, kind: NodeKind) -> Bound {
        match kind {
            NodeKind::Cut => Bound::AtLeast(self.score),
            NodeKind::All => Bound::AtMost(self.score),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_least(score: i32, depth: u16, conspiracy: u16) -> Target {
        Target {
            bound: Bound::AtLeast(Score::centipawns(score)),
            depth,
            conspiracy,
        }
    }

    #[test]
    fn answers_for_less_demanding_targets_only() {
        let mut tables = TargetTables::with_entries(64).unwrap();
        tables.write(7, at_least(10, 4, 2));
        assert!(tables.is_met(7, at_least(5, 3, 1)));
        assert!(!tables.is_met(7, at_least(11, 3, 1)));
        assert!(!tables.is_met(7, at_least(10, 5, 1)));
        assert!(!tables.is_met(7, at_least(10, 1, 3)));
        assert!(!tables.is_met(8, at_least(10, 1, 1)));
        assert!(!tables.is_met(
            7,
            Target {
                bound: Bound::AtMost(Score::centipawns(20)),
                depth: 0,
                conspiracy: 1
            }
        ));
    }

    #[test]
    fn the_more_demanding_target_stays_until_it_fails_or_ages() {
        let mut tables = TargetTables::with_entries(1).unwrap();
        tables.write(7, at_least(10, 4, 2));
        tables.write(8, at_least(10, 9, 1));
        assert!(tables.is_met(7, at_least(10, 4, 2)));
        tables.start_analysis();
        assert!(tables.is_met(7, at_least(10, 4, 2)));
        tables.write(8, at_least(10, 1, 1));
        assert!(tables.is_met(8, at_least(10, 1, 1)));
        tables.remove(8, at_least(0, 1, 1));
        assert!(!tables.is_met(8, at_least(10, 1, 1)));
    }
}
