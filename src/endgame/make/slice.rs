//! One owner's part of Bal and Allis's algorithm.
//!
//! The index space is divided into *slices*, each with one owner that alone accesses its positions. An update for
//! another slice becomes a message. Updates of one bound commute (a maximum and a decrement). So the result does
//! not depend on the number of slices or the order of messages.

use super::bitmap::Bitmap;
use super::{Class, Survey, TableValue};

/// Consecutive indices that stay in one slice.
const BLOCK: u32 = 1 << 12;
/// A stack below this fraction of the positions is sorted by comparison, a larger one by a bitmap.
const SPARSE: usize = 512;
/// The counter of a position whose value is final, but not propagated to its parents.
const KNOWN: u8 = 254;
/// The counter of a position that has been propagated, and of an unused index.
const DONE: u8 = 255;

/// The mapping of indices to slices: blocks in turn, which evens out the density of legal positions.
#[derive(Clone, Copy, Debug)]
pub struct Deal {
    size: u32,
    slices: u32,
}

impl Deal {
    /// Divides `size` indices among `slices` slices.
    pub fn new(size: u32, slices: u32) -> Self {
        assert!(slices > 0);
        Self { size, slices }
    }

    /// The number of indices.
    pub const fn size(self) -> u32 {
        self.size
    }

    /// Returns the owner of `index` and its local place.
    #[inline]
    const fn place(self, index: u32) -> (u32, u32) {
        if self.slices == 1 {
            return (0, index);
        }
        let block = index / BLOCK;
        (
            block % self.slices,
            block / self.slices * BLOCK + index % BLOCK,
        )
    }

    /// Returns the index at `local` in slice `owner`; beyond the last index for the tail of the last block.
    #[inline]
    const fn index(self, owner: u32, local: u32) -> u32 {
        if self.slices == 1 {
            return local;
        }
        (local / BLOCK * self.slices + owner) * BLOCK + local % BLOCK
    }

    /// Returns the number of places in slice `owner`.
    const fn places(self, owner: u32) -> u32 {
        if self.slices == 1 {
            return self.size;
        }
        let blocks = self.size.div_ceil(BLOCK);
        (blocks + self.slices - 1 - owner) / self.slices * BLOCK
    }
}

/// A message that a child of a position has this value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    /// The index of the parent.
    pub index: u32,
    /// The child's lifted value.
    pub value: TableValue,
}

/// The state of a position in the analysis: 2 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PositionState {
    /// The best lifted value so far; [`TableValue::LEAST`] before the first.
    best: TableValue,
    /// The number of children inside the class that have not reported, or [`KNOWN`] or [`DONE`].
    unknown: u8,
}

const _: () = assert!(size_of::<PositionState>() == 2);

/// One owner's part of the work. It does no input or output: messages enter by [`Slice::receive`] and leave by
/// [`Slice::outbox`].
pub struct Slice<'a, C> {
    class: &'a C,
    deal: Deal,
    owner: u32,
    bound: u8,
    states: Vec<PositionState>,
    /// Local places by the amount at which they are due; an entry may be stale, that is, already done.
    buckets: Vec<Vec<u32>>,
    /// Known positions to propagate within this bound.
    stack: Vec<u32>,
    /// Those being propagated, in ascending order; taken from the end.
    batch: Vec<u32>,
    /// A bitmap for sorting a large stack; otherwise empty.
    places: Bitmap,
    outbox: Vec<Vec<Update>>,
    parents: Vec<u32>,
    updates: u64,
}

impl<'a, C: Class> Slice<'a, C> {
    /// Restores a slice from the result of [`Slice::save`] after `bound`.
    pub fn restore(class: &'a C, deal: Deal, owner: u32, bound: u8, saved: &[u8]) -> Self {
        assert_eq!(saved.len(), 2 * deal.size as usize);
        let mut slice = Self::empty(class, deal, owner);
        slice.bound = bound;
        for local in 0..deal.places(owner) {
            let index = deal.index(owner, local) as usize;
            let state = match saved.get(2 * index..2 * index + 2) {
                Some(pair) => PositionState {
                    best: TableValue::points(pair[0] as i8),
                    unknown: pair[1],
                },
                None => PositionState {
                    best: TableValue::DRAW,
                    unknown: DONE,
                },
            };
            if state.unknown == KNOWN || (state.unknown < KNOWN && state.best > TableValue::DRAW) {
                slice.wait(local, state.best);
            }
            slice.states.push(state);
        }
        slice
    }

    /// Saves the positions of the slice, 2 bytes each, between two bounds.
    pub fn save(&self, saved: &mut [u8]) {
        assert!(!self.has_work(), "a bound is under way");
        for (local, state) in self.states.iter().enumerate() {
            let index = self.deal.index(self.owner, local as u32) as usize;
            if let Some(pair) = saved.get_mut(2 * index..2 * index + 2) {
                pair.copy_from_slice(&[state.best.raw() as u8, state.unknown]);
            }
        }
    }

    /// Surveys every position of the slice.
    pub fn new(class: &'a C, deal: Deal, owner: u32) -> Self {
        let mut slice = Self::empty(class, deal, owner);
        for local in 0..deal.places(owner) {
            let index = deal.index(owner, local);
            let survey = if index < deal.size {
                class.survey(index)
            } else {
                None
            };
            let state = slice.first_state(local, survey);
            slice.states.push(state);
        }
        slice
    }

    fn empty(class: &'a C, deal: Deal, owner: u32) -> Self {
        let bound = class.amount_max();
        Self {
            class,
            deal,
            owner,
            bound,
            states: Vec::with_capacity(deal.places(owner) as usize),
            buckets: vec![Vec::new(); usize::from(bound) + 1],
            stack: Vec::new(),
            batch: Vec::new(),
            places: Bitmap::new(deal.places(owner)),
            outbox: vec![Vec::new(); deal.slices as usize],
            parents: Vec::new(),
            updates: 0,
        }
    }

    fn first_state(&mut self, local: u32, survey: Option<Survey>) -> PositionState {
        let (best, unknown) = match survey {
            None => {
                return PositionState {
                    best: TableValue::DRAW,
                    unknown: DONE,
                };
            }
            Some(Survey::End(value)) => (value, KNOWN),
            Some(Survey::Open { inside: 0, outside }) => (outside.expect("a way out"), KNOWN),
            Some(Survey::Open { inside, outside }) => {
                assert!(inside < KNOWN);
                (outside.unwrap_or(TableValue::LEAST), inside)
            }
        };
        if unknown == KNOWN || best > TableValue::DRAW {
            self.wait(local, best);
        }
        PositionState { best, unknown }
    }

    /// Defers a position until the bound reaches its value; draws are not propagated.
    fn wait(&mut self, local: u32, value: TableValue) {
        if value != TableValue::DRAW {
            self.buckets[usize::from(value.amount())].push(local);
        }
    }

    /// Starts a bound with all positions deferred to it.
    pub fn start_bound(&mut self, bound: u8) {
        assert!(!self.has_work());
        self.bound = bound;
        for local in std::mem::take(&mut self.buckets[usize::from(bound)]) {
            let state = &mut self.states[local as usize];
            if state.unknown < KNOWN {
                // Nothing better than the bound is possible any more.
                assert!(state.best.raw() > 0);
                state.unknown = KNOWN;
            }
            if state.unknown == KNOWN {
                self.stack.push(local);
            }
        }
    }

    /// Propagates values to parents and returns false when done. Returns true early, with work left, when a buffer
    /// of the outbox holds `full` updates.
    ///
    /// Newly solved positions wait, so that positions are processed in index order, which keeps their parents
    /// close together in memory.
    pub fn work(&mut self, full: usize) -> bool {
        loop {
            while let Some(local) = self.batch.pop() {
                if self.propagate(local, full) {
                    return true;
                }
            }
            if self.stack.is_empty() {
                return false;
            }
            self.batch.clear();
            self.sort_stack();
        }
    }

    fn sort_stack(&mut self) {
        if self.stack.len() < self.states.len() / SPARSE {
            std::mem::swap(&mut self.batch, &mut self.stack);
            self.batch.sort_unstable();
            return;
        }
        for local in self.stack.drain(..) {
            self.places.insert(local);
        }
        self.places.drain_into(&mut self.batch);
    }

    fn propagate(&mut self, local: u32, full: usize) -> bool {
        let state = &mut self.states[local as usize];
        if state.unknown == DONE {
            return false;
        }
        assert!(state.unknown == KNOWN, "told before it was known");
        state.unknown = DONE;
        let value = self.class.metric().lift(state.best);
        let mut parents = std::mem::take(&mut self.parents);
        parents.clear();
        self.class
            .parents(self.deal.index(self.owner, local), &mut parents);
        self.updates += parents.len() as u64;
        let mut overflow = false;
        for &index in &parents {
            let (owner, place) = self.deal.place(index);
            if owner == self.owner {
                self.update(place, value);
            } else {
                let buffer = &mut self.outbox[owner as usize];
                buffer.push(Update { index, value });
                overflow |= buffer.len() >= full;
            }
        }
        self.parents = parents;
        overflow
    }

    fn update(&mut self, local: u32, value: TableValue) {
        let state = &mut self.states[local as usize];
        if state.unknown >= KNOWN {
            return;
        }
        assert!(state.unknown > 0, "more children reported than there are");
        state.unknown -= 1;
        let improved = value > state.best;
        state.best = state.best.max(value);
        let (best, last) = (state.best, state.unknown == 0);
        if last || best.raw() >= i8::try_from(self.bound).unwrap_or(i8::MAX) {
            state.unknown = KNOWN;
            if best != TableValue::DRAW && best.amount() >= self.bound {
                self.stack.push(local);
                return;
            }
        }
        // A waiting win is already in its bucket unless it has just improved.
        if (improved && best > TableValue::DRAW) || (last && best < TableValue::DRAW) {
            self.wait(local, best);
        }
    }

    /// Applies updates from other slices.
    pub fn receive(&mut self, updates: &[Update]) {
        for update in updates {
            let (owner, local) = self.deal.place(update.index);
            assert_eq!(owner, self.owner, "an update went astray");
            self.update(local, update.value);
        }
    }

    /// Updates for the other slices, by owner; to be removed by the caller.
    pub fn outbox(&mut self) -> &mut [Vec<Update>] {
        &mut self.outbox
    }

    /// Whether positions of this bound remain to be propagated.
    pub fn has_work(&self) -> bool {
        !(self.stack.is_empty() && self.batch.is_empty())
    }

    /// The number of updates produced so far, for any slice.
    pub const fn updates(&self) -> u64 {
        self.updates
    }

    /// Writes the final value of each index of the slice; unknown positions are draws.
    pub fn finish(&self, values: &mut [TableValue]) {
        for (local, state) in self.states.iter().enumerate() {
            let index = self.deal.index(self.owner, local as u32) as usize;
            if index < values.len() {
                values[index] = Self::final_value(*state);
            }
        }
    }

    fn final_value(state: PositionState) -> TableValue {
        if state.unknown >= KNOWN {
            return state.best;
        }
        assert!(state.best <= TableValue::DRAW, "a win was never told");
        TableValue::DRAW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dealing_is_a_bijection() {
        for (size, slices) in [(1, 1), (5 * BLOCK + 7, 2), (9 * BLOCK, 3), (3, 3)] {
            let deal = Deal::new(size, slices);
            for index in (0..size).step_by(13) {
                let (owner, local) = deal.place(index);
                assert_eq!(deal.index(owner, local), index);
                assert!(owner < slices && local < deal.places(owner));
            }
        }
    }
}
