//! Several searchers at one question: they share a table, and each tells which moves it is at. A move that another is at is
//! put off: when its turn comes, the table knows the answer.
//!
//! That is ABDADA (Weill 1996) in the simplified form of Kerrigan, who keeps these marks beside the table. Added is that a
//! searcher leaves a node as soon as another has answered it.

use parking_lot::Mutex;

use super::table::{Entry, LeafTable};
use crate::sync::BusyMoves;

/// Least remaining depth of a node whose moves are divided, in plies.
pub const SHARED_DEPTH_MIN: i32 = 3;

/// What searchers with other tables are told, by the remaining depth of the node, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Telling {
    /// Which moves of nodes so deep somebody is at.
    pub moves_from: i32,
    /// What is found of nodes so deep.
    pub found_from: i32,
}

impl Telling {
    /// What is told among so many searchers with several tables. Each table takes in what all others tell; so where there are
    /// many, twice as many tell of nodes a ply deeper, of which there are about half as many.
    pub fn among(searchers: usize) -> Self {
        Self::from_depth((1 + searchers.max(1).ilog2() as i32).max(4))
    }

    /// Moves of nodes so deep, and what is found of nodes two plies less deep.
    pub const fn from_depth(moves_from: i32) -> Self {
        Self {
            moves_from,
            found_from: moves_from - 2,
        }
    }

    /// The same, but so little that those who take it in need next to no time for it.
    #[must_use]
    pub fn sparingly(self) -> Self {
        Self::from_depth(self.moves_from.max(SPARING_FROM))
    }
}

/// Least remaining depth of a node whose moves are told sparingly, in plies.
const SPARING_FROM: i32 = 8;

/// After so many nodes a searcher asks whether to go on, and looks whether others have answered what it is at.
pub const ASKS_EVERY: u64 = 1_024;

/// Places of marks; a power of two.
const PLACES: usize = 1 << 12;
/// Places of what is to be told: many threads tell millions of things a second, and seldom two at the same place.
const TOLD_PLACES: usize = 32;

/// Some of what is to be told, in a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct ToldPlace(Mutex<Vec<Told>>);

/// Who is at which move: the marks of all searchers that share a table.
pub struct Company {
    depth_min: i32,
    marks: Vec<BusyMoves>,
    /// `None`: there are no searchers with other tables.
    telling: Option<Telling>,
    /// After how many nodes searchers ask whether to go on.
    asks_every: u64,
    /// Not yet told. What concerns one mark or position lies in one place and in order.
    told: Vec<ToldPlace>,
}

/// What searchers with another table may want to know, or may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// A searcher is at the move of that mark.
    Entered(u64),
    /// It is not any more.
    Left(u64),
    /// What is known of the position of that key.
    Found(u64, Entry),
}

/// What a node on the path asks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) key: u64,
    pub(super) depth: i32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Company {
    /// Nobody is at anything.
    pub fn new(depth_min: i32, telling: Option<Telling>) -> Self {
        let mut marks = Vec::new();
        marks.resize_with(PLACES, Default::default);
        Self {
            depth_min,
            marks,
            telling,
            asks_every: ASKS_EVERY,
            told: (0..TOLD_PLACES).map(|_| ToldPlace::default()).collect(),
        }
    }

    /// The same, but searchers ask at every node whether to go on: so that virtual time can have them take turns, and none sees
    /// what another has yet to find.
    #[must_use]
    pub fn stepwise(self) -> Self {
        Self {
            asks_every: 1,
            ..self
        }
    }

    /// What others do not know yet.
    pub fn take_told(&self) -> Vec<Told> {
        let places = self.told.iter();
        places
            .flat_map(|place| std::mem::take(&mut *place.0.lock()))
            .collect()
    }

    /// Takes in what others have told.
    pub fn hear(&self, told: Told, table: &LeafTable) {
        match told {
            Told::Entered(mark) => self.enter(mark),
            Told::Left(mark) => self.leave(mark),
            Told::Found(key, entry) => table.store_unless_known(key, entry),
        }
    }

    /// Nobody is at anything.
    pub fn clear(&self) {
        self.told.iter().for_each(|place| place.0.lock().clear());
        self.marks.iter().for_each(BusyMoves::clear);
    }

    /// Whether nodes so deep are divided.
    pub(super) fn divides(&self, depth: i32) -> bool {
        depth >= self.depth_min
    }

    /// Whether moves of nodes so deep are told.
    pub(super) fn tells_moves(&self, depth: i32) -> bool {
        self.telling
            .is_some_and(|telling| depth >= telling.moves_from)
    }

    /// After how many nodes searchers ask whether to go on.
    pub(super) fn asks_every(&self) -> u64 {
        self.asks_every
    }

    /// Tells searchers with other tables.
    pub(super) fn tell(&self, told: Told) {
        let (Told::Entered(number) | Told::Left(number) | Told::Found(number, _)) = told;
        let place = &self.told[number as usize % TOLD_PLACES];
        place.0.lock().push(told);
    }

    /// Whether what is found of nodes so deep is told.
    pub(super) fn tells_found(&self, depth: i32) -> bool {
        self.telling
            .is_some_and(|telling| depth >= telling.found_from)
    }

    fn place(&self, mark: u64) -> &BusyMoves {
        // The high bits depend on all of the move, the low ones on its last few only.
        &self.marks[(mark >> 48) as usize % PLACES]
    }

    pub(super) fn is_marked(&self, mark: u64) -> bool {
        self.place(mark).contains(mark)
    }

    pub(super) fn enter(&self, mark: u64) {
        self.place(mark).begin(mark);
    }

    pub(super) fn leave(&self, mark: u64) {
        self.place(mark).end(mark);
    }

    /// Whether no mark is left.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.marks.iter().all(BusyMoves::is_empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_searchers_the_less_each_tells() {
        let moves_from = |searchers| Telling::among(searchers).moves_from;
        assert_eq!([1, 2, 15, 16].map(moves_from), [4, 4, 4, 5]);
        assert_eq!([39, 256, 1_024].map(moves_from), [6, 9, 11]);
        let sparing = [2, 39, 1_024].map(|searchers| Telling::among(searchers).sparingly());
        assert_eq!(sparing.map(|telling| telling.moves_from), [8, 8, 11]);
        assert_eq!(sparing.map(|telling| telling.found_from), [6, 6, 9]);
        let what = [Told::Entered(7), Told::Found(39, entry()), Told::Left(7)];
        let company = Company::new(3, Some(Telling::among(2)));
        for told in what {
            company.tell(told);
        }
        assert_eq!(
            company.take_told(),
            what,
            "in order, where the place is one"
        );
    }

    fn entry() -> Entry {
        Entry::from_word(3 << 56).expect("an exact score")
    }
}
