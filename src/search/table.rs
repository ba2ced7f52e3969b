//! The transposition table.

use std::sync::atomic::AtomicU64;

use crate::chess::Move;
use crate::game::Bound;
use crate::large_pages::{self, MemoryError};
use crate::sync::{AtomicWord as _, TtSlot, prefetch};

/// An entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move found, if any.
    pub best: Option<Move>,
    /// From the point of view of the side to move; mate distances count from this position.
    pub score: i16,
    /// Static evaluation from the point of view of the side to move, or [`Entry::NO_EVALUATION`].
    pub evaluation: i16,
    /// Plies searched, 0 for quiescence.
    pub depth: i8,
    /// Bound type of the score.
    pub bound: Bound,
    /// Searched with an open window.
    pub was_pv: bool,
}

impl Entry {
    /// Marks a missing static evaluation (in check).
    pub const NO_EVALUATION: i16 = i16::MIN;

    /// Whether this entry is worth more than a newer one of the same position: much deeper, and no less certain.
    fn outweighs(&self, newer: &Self) -> bool {
        newer.bound != Bound::Exact && self.depth > newer.depth + KEPT_DEPTH
    }

    /// The entry as one word, for other processes.
    pub fn to_word(self) -> u64 {
        self.pack(0)
    }

    /// Inverse of [`Entry::to_word`]; `None` for an invalid word.
    pub fn from_word(word: u64) -> Option<Self> {
        Self::unpack(word)
    }

    fn pack(self, generation: u64) -> u64 {
        let best = self.best.map_or(0, Move::raw);
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        u64::from(best)
            | u64::from(self.score as u16) << 16
            | u64::from(self.evaluation as u16) << 32
            | u64::from(self.depth as u8) << 48
            | bound << 56
            | u64::from(self.was_pv) << 58
            | generation << GENERATION_SHIFT
    }

    /// `None` for the empty word.
    fn unpack(word: u64) -> Option<Self> {
        let bound = match word >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let best = word as u16;
        Some(Self {
            best: (best != 0).then(|| Move::from_raw(best)),
            score: (word >> 16) as i16,
            evaluation: (word >> 32) as i16,
            depth: (word >> 48) as i8,
            bound,
            was_pv: word >> 58 & 1 != 0,
        })
    }
}

/// An entry is replaced by one of the same position that is up to this many plies shallower.
const KEPT_DEPTH: i8 = 3;
/// Generations wrap at five bits.
const GENERATIONS: u64 = 32;
/// Their position in the word of an entry.
const GENERATION_SHIFT: u32 = 59;

/// Four slots share a cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([TtSlot; 4]);

/// A hash table from position keys to [`Entry`], of fixed size. All searchers of a search may share one; it tracks the
/// age of its entries.
pub struct LeafTable {
    buckets: Vec<Bucket>,
    /// Age mark of the entries now written, below [`GENERATIONS`].
    generation: AtomicU64,
}

impl LeafTable {
    /// An empty table of at most `mebibytes` MiB, at least 1.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn new(mebibytes: usize) -> Result<Self, MemoryError> {
        let error = MemoryError::of(mebibytes);
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(error)?;
        let count = bytes / size_of::<Bucket>();
        let mut buckets = large_pages::vector(count).map_err(|_| error)?;
        buckets.resize_with(count, Bucket::default);
        Ok(Self {
            buckets,
            generation: AtomicU64::new(0),
        })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.clear();
        }
        self.generation.set(0);
    }

    /// Starts a new generation of entries. One thread calls it before a new question.
    pub fn age(&self) {
        self.generation
            .set((self.generation.get() + 1) % GENERATIONS);
    }

    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// The entry of `key`.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let slots = &self.bucket(key).0;
        slots
            .iter()
            .find_map(|slot| slot.read(key).and_then(Entry::unpack))
    }

    /// Has the processor fetch the bucket of `key`, which [`LeafTable::probe`] or [`LeafTable::store`] will need soon.
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Stores an entry in the slot of the same key, unless that holds a much deeper entry of this generation. Otherwise
    /// the least valuable slot (old, shallow) is replaced.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.get();
        let mut victim = None;
        let mut least = i32::MAX;
        for slot in &self.bucket(key).0 {
            if let Some(payload) = slot.read(key) {
                if let Some(old) = Entry::unpack(payload) {
                    let is_current = payload >> GENERATION_SHIFT == generation;
                    if is_current && old.outweighs(&entry) {
                        return;
                    }
                    entry.best = entry.best.or(old.best);
                }
                victim = Some(slot);
                break;
            }
            let worth = Self::worth(slot.payload(), generation);
            if worth < least {
                (victim, least) = (Some(slot), worth);
            }
        }
        let slot = victim.expect("a bucket has slots");
        slot.write(key, entry.pack(generation));
    }

    /// Stores an entry unless the position has a deeper one, or an exact one of the same depth.
    pub fn store_unless_known(&self, key: u64, entry: Entry) {
        let says_as_much = |known: Entry| {
            known.depth > entry.depth || known.depth == entry.depth && known.bound == Bound::Exact
        };
        if !self.probe(key).is_some_and(says_as_much) {
            self.store(key, entry);
        }
    }

    /// Thousandths of a sample of slots that hold an entry of this generation.
    pub fn permille(&self) -> u16 {
        let generation = self.generation.get();
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let used = slots
            .map(TtSlot::payload)
            .filter(|&payload| payload != 0 && payload >> GENERATION_SHIFT == generation)
            .count();
        (used * 1_000 / (4 * sample.len())) as u16
    }

    /// Depth less a penalty for age; an empty slot is worth nothing.
    fn worth(payload: u64, generation: u64) -> i32 {
        match Entry::unpack(payload) {
            None => i32::MIN,
            Some(entry) => {
                let written = payload >> GENERATION_SHIFT;
                let age = (GENERATIONS + generation - written) % GENERATIONS;
                i32::from(entry.depth) - 4 * age as i32
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: i16, depth: i8) -> Entry {
        Entry {
            best: Some(Move::from_raw(796)),
            score,
            evaluation: -7,
            depth,
            bound: Bound::Lower,
            was_pv: false,
        }
    }

    #[test]
    fn keeps_what_was_stored() {
        let table = LeafTable::new(1).unwrap();
        assert_eq!(table.probe(0), None);
        table.store(17, entry(-31_000, -1));
        assert_eq!(table.probe(17), Some(entry(-31_000, -1)));
        let without_move = Entry {
            best: None,
            ..entry(5, 3)
        };
        table.store(17, without_move);
        assert_eq!(table.probe(17), Some(entry(5, 3)), "the old move is kept");
        let on_pv = Entry {
            was_pv: true,
            ..entry(9, 4)
        };
        table.store(17, on_pv);
        assert_eq!(table.probe(17), Some(on_pv));
        table.clear();
        assert_eq!(table.probe(17), None);
    }

    #[test]
    fn a_full_bucket_gives_up_its_shallowest_entry() {
        let table = LeafTable::new(1).unwrap();
        for (key, depth) in [(1, 4), (2, 1), (3, 5), (4, 6), (5, 2)] {
            table.store(key, entry(0, depth));
        }
        assert_eq!(table.probe(2), None);
        assert!([1, 3, 4, 5].iter().all(|&key| table.probe(key).is_some()));
    }

    #[test]
    fn age_outweighs_depth_and_wraps() {
        let table = LeafTable::new(1).unwrap();
        for turn in 0..3 * GENERATIONS {
            table.clear();
            (0..turn).for_each(|_| table.age());
            table.store(1, entry(0, 4));
            table.age();
            for key in 2..=4 {
                table.store(key, entry(0, 1));
            }
            assert_eq!(table.permille(), 3);
            table.store(5, entry(0, 1));
            assert_eq!(table.probe(1), None, "{turn}: deeper, but old");
        }
    }

    #[test]
    fn memory_that_cannot_be_had_is_an_error() {
        assert_eq!(
            LeafTable::new(usize::MAX).err(),
            Some(MemoryError::of(usize::MAX))
        );
        assert!(LeafTable::new(1 << 40).is_err());
    }
}
