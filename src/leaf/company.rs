//! Several searchers at one question: they share a table, and each tells which moves it is at. A move that another is at is
//! put off: when its turn comes, the table knows the answer.
//!
//! That is ABDADA (Weill 1996) in the simplified form of Kerrigan, who keeps these marks beside the table. Added is that a
//! searcher leaves a node as soon as another has answered it.

use parking_lot::Mutex;

use super::table::{Entry, LeafTable};
use crate::sync::Marks;

/// Least remaining depth of a node whose moves are divided, in plies.
pub const SHARED_DEPTH_MIN: i32 = 3;

/// What searchers with other tables are told and asked, by the remaining depth of the node, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Telling {
    /// All are told which moves of nodes so deep somebody is at.
    pub moves_from: i32,
    /// What is found of nodes so deep is told to their homes.
    pub kept_from: i32,
    /// Nodes so deep are asked for at their homes.
    pub asked_from: i32,
}

impl Default for Telling {
    fn default() -> Self {
        Self {
            moves_from: 8,
            kept_from: 3,
            asked_from: 4,
        }
    }
}

/// Places; a power of two.
const PLACES: usize = 1 << 12;

/// Who is at which move: the marks of all searchers that share a table.
pub struct Company {
    depth_min: i32,
    marks: Vec<Marks>,
    /// `None`: there are no searchers with other tables.
    telling: Option<Telling>,
    /// Not yet told.
    told: Mutex<Vec<Told>>,
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
    /// The same, for the place where it is asked for, which is called the position's home.
    Kept(u64, Entry),
    /// A question to the home: what is known of that position, if it was searched so deep?
    Asked(u64, i8),
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
            told: Mutex::default(),
        }
    }

    /// What others do not know yet.
    pub fn take_told(&self) -> Vec<Told> {
        std::mem::take(&mut *self.told.lock())
    }

    /// Takes in what others have told.
    pub fn hear(&self, told: Told, table: &LeafTable) {
        match told {
            Told::Entered(mark) => self.enter(mark),
            Told::Left(mark) => self.leave(mark),
            Told::Found(key, entry) | Told::Kept(key, entry) => {
                table.store_unless_known(key, entry);
            }
            // Whoever has the table answers.
            Told::Asked(..) => {}
        }
    }

    /// Nobody is at anything.
    pub fn clear(&self) {
        self.told.lock().clear();
        self.marks.iter().for_each(Marks::clear);
    }

    /// Whether nodes so deep are divided.
    pub(super) fn divides(&self, depth: i32) -> bool {
        depth >= self.depth_min
    }

    /// Whether moves of nodes so deep are told.
    pub(super) fn tells_of(&self, depth: i32) -> bool {
        self.telling
            .is_some_and(|telling| depth >= telling.moves_from)
    }

    /// Tells searchers with other tables.
    pub fn tell(&self, told: impl IntoIterator<Item = Told>) {
        self.told.lock().extend(told);
    }

    /// Whether homes of nodes so deep are told what is found.
    pub(super) fn keeps(&self, depth: i32) -> bool {
        self.telling
            .is_some_and(|telling| depth >= telling.kept_from)
    }

    /// Whether homes of nodes so deep are asked.
    pub(super) fn asks_for(&self, depth: i32) -> bool {
        self.telling
            .is_some_and(|telling| depth >= telling.asked_from)
    }

    fn place(&self, mark: u64) -> &Marks {
        // The high bits depend on all of the move, the low ones on its last few only.
        &self.marks[(mark >> 48) as usize % PLACES]
    }

    pub(super) fn is_marked(&self, mark: u64) -> bool {
        self.place(mark).has(mark)
    }

    pub(super) fn enter(&self, mark: u64) {
        self.place(mark).enter(mark);
    }

    pub(super) fn leave(&self, mark: u64) {
        self.place(mark).leave(mark);
    }

    /// Whether no mark is left.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.marks.iter().all(Marks::is_empty)
    }
}
