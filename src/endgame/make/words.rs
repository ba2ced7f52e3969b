//! Wu and Beal's two steps, 64 positions at a time: predecessors of new wins may be lost, and those without an
//! escape are.
//!
//! Sets of positions are bitmaps, and both steps use one operation: finding the positions with a move *into* a
//! set. For the new wins it finds candidates, for all positions not won escapes, and for the new losses the next
//! wins. The class implements it and can move a whole bitboard of men by a shift. Depths are in moves, as in
//! [`wu_beal`](super::wu_beal): losses in n, then wins in n + 1.

use super::in_words::{InWords, Placed, for_each};
use super::solver::Solver;
use super::{TableValue, TwoSided};

struct SideSets {
    /// Neither won, lost nor ended so far.
    unknown: Vec<u64>,
    /// Not lost, or not yet: a move out of the class draws, wins or loses later.
    held: Vec<u64>,
    /// Not won so far.
    not_won: Vec<u64>,
    /// Won at the current depth.
    fresh: Vec<u64>,
    mated: Vec<u64>,
    /// Places by the number of moves in which an exit wins.
    gains: Vec<Vec<u32>>,
    /// Places by the number of moves in which the best exit loses.
    losses: Vec<Vec<u32>>,
}

impl SideSets {
    fn new(placed: Placed, ways: Ways) -> Self {
        let mut held = vec![0; placed.legal.len()];
        for &place in ways.held.iter().chain(ways.losses.iter().flatten()) {
            insert(&mut held, place);
        }
        Self {
            unknown: without(&placed.legal, &placed.ended),
            held,
            fresh: vec![0; placed.legal.len()],
            not_won: placed.legal,
            mated: placed.mated,
            gains: ways.gains,
            losses: ways.losses,
        }
    }

    fn waits(&self, depth: usize) -> bool {
        let beyond = |lists: &[Vec<u32>]| lists[depth + 1..].iter().any(|list| !list.is_empty());
        beyond(&self.gains) || beyond(&self.losses)
    }
}

/// Moves out of the class, sorted by result.
struct Ways {
    held: Vec<u32>,
    gains: Vec<Vec<u32>>,
    losses: Vec<Vec<u32>>,
}

impl Ways {
    fn new() -> Self {
        Self {
            held: Vec::new(),
            gains: vec![Vec::new(); 129],
            losses: vec![Vec::new(); 129],
        }
    }

    fn add(&mut self, place: u32, value: TableValue) {
        let moves = usize::from(value.moves().unwrap_or(0));
        match value.sign() {
            1 => {
                self.gains[moves].push(place);
                self.held.push(place);
            }
            0 => self.held.push(place),
            _ => self.losses[moves].push(place),
        }
    }
}

fn insert(set: &mut [u64], place: u32) {
    set[place as usize / 64] |= 1 << (place % 64);
}

fn remove(set: &mut [u64], place: u32) {
    set[place as usize / 64] &= !(1 << (place % 64));
}

fn without(set: &[u64], other: &[u64]) -> Vec<u64> {
    set.iter().zip(other).map(|(a, b)| a & !b).collect()
}

fn subtract(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a &= !b);
}

fn intersect(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a &= b);
}

fn is_empty(set: &[u64]) -> bool {
    set.iter().all(|&word| word == 0)
}

/// A running analysis.
pub struct WordParallel<'a> {
    class: Box<dyn InWords + 'a>,
    sides: [SideSets; 2],
    values: Vec<TableValue>,
    /// Sets for reuse: allocating new ones would cost more than the work on them.
    spare: Vec<Vec<u64>>,
    /// The next depth, in moves.
    depth: u8,
    done: bool,
}

impl<'a> WordParallel<'a> {
    /// Surveys every position of a class of `size` indices.
    pub fn new(class: Box<dyn InWords + 'a>, size: u32) -> Self {
        let mut ways = [Ways::new(), Ways::new()];
        let [first, second] = class.look(&mut |side, place, value| ways[side].add(place, value));
        let [first_ways, second_ways] = ways;
        Self {
            class,
            sides: [
                SideSets::new(first, first_ways),
                SideSets::new(second, second_ways),
            ],
            values: vec![TableValue::DRAW; size as usize],
            spare: Vec::new(),
            depth: 0,
            done: false,
        }
    }

    /// Restores a saved analysis; `None` if `saved` does not fit the class.
    pub fn restore(class: Box<dyn InWords + 'a>, size: u32, saved: &[u8]) -> Option<Self> {
        let (&depth, values) = saved.split_first()?;
        if values.len() != size as usize || depth > 127 {
            return None;
        }
        let mut words = Self::new(class, size);
        words.depth = depth;
        words.values = values
            .iter()
            .map(|&byte| TableValue::points(byte as i8))
            .collect();
        for side in 0..2 {
            words.recall(side);
        }
        Some(words)
    }

    /// Restores the sets of one side from the values.
    fn recall(&mut self, number: usize) {
        let side = &mut self.sides[number];
        let depth = usize::from(self.depth);
        side.gains[..=depth].fill(Vec::new());
        for place in side.losses[..depth].iter_mut().flat_map(std::mem::take) {
            remove(&mut side.held, place);
        }
        let unknown = side.unknown.clone();
        for_each(&unknown, |place| {
            let value = self.values[self.class.index(number, place) as usize];
            if value != TableValue::DRAW {
                remove(&mut side.unknown, place);
            }
            if value > TableValue::DRAW {
                remove(&mut side.not_won, place);
            }
            if self.depth > 0 && value == TableValue::win_in(self.depth) {
                insert(&mut side.fresh, place);
            }
        });
    }

    fn note(&mut self, side: usize, set: &[u64], value: TableValue) {
        subtract(&mut self.sides[side].unknown, set);
        self.class.note(side, set, value, &mut self.values);
    }

    fn blank(&mut self, len: usize) -> Vec<u64> {
        let mut set = self.spare.pop().unwrap_or_default();
        set.clear();
        set.resize(len, 0);
        set
    }

    /// Returns the positions of side `b` that lose at this depth.
    fn losses(&mut self, a: usize, b: usize) -> Vec<u64> {
        if self.depth == 0 {
            return std::mem::take(&mut self.sides[b].mated);
        }
        let loser = &mut self.sides[b];
        let released = std::mem::take(&mut loser.losses[usize::from(self.depth)]);
        for &place in &released {
            remove(&mut loser.held, place);
        }
        let len = loser.unknown.len();
        let (mut open, mut candidates, mut escapes) =
            (self.blank(len), self.blank(len), self.blank(len));
        let loser = &self.sides[b];
        open.copy_from_slice(&loser.unknown);
        subtract(&mut open, &loser.held);
        self.movers(b, &self.sides[a].fresh, &open, &mut candidates);
        for place in released {
            insert(&mut candidates, place);
        }
        intersect(&mut candidates, &open);
        self.movers(b, &self.sides[a].not_won, &candidates, &mut escapes);
        subtract(&mut candidates, &escapes);
        self.spare.extend([open, escapes]);
        candidates
    }

    /// Returns the wins of side `a` one move deeper, given the losses `lost` of side `b` at this depth.
    fn wins(&mut self, a: usize, lost: &[u64]) -> Vec<u64> {
        let winner = &mut self.sides[a];
        let gains = std::mem::take(&mut winner.gains[usize::from(self.depth) + 1]);
        let mut wins = self.blank(self.sides[a].unknown.len());
        let winner = &self.sides[a];
        self.movers(a, lost, &winner.unknown, &mut wins);
        for place in gains {
            insert(&mut wins, place);
        }
        intersect(&mut wins, &winner.unknown);
        wins
    }

    fn movers(&self, side: usize, targets: &[u64], wanted: &[u64], movers: &mut [u64]) {
        if !is_empty(targets) && !is_empty(wanted) {
            self.class.movers(side, targets, wanted, movers);
        }
    }
}

impl Solver for WordParallel<'_> {
    fn step(&mut self) -> bool {
        let mut added = false;
        for (a, b) in [(0, 1), (1, 0)] {
            let lost = self.losses(a, b);
            self.note(b, &lost, TableValue::loss_in(self.depth));
            let won = self.wins(a, &lost);
            added |= !is_empty(&lost) || !is_empty(&won);
            if !is_empty(&won) {
                self.note(a, &won, TableValue::win_in(self.depth + 1));
            }
            subtract(&mut self.sides[a].not_won, &won);
            let old = std::mem::replace(&mut self.sides[a].fresh, won);
            self.spare.extend([lost, old]);
        }
        // An empty depth is not the last while a deeper exit waits.
        let waits = self.sides.iter().any(|side| side.waits(self.depth.into()));
        self.depth += 1;
        self.done = !added && !waits;
        assert!(self.done || self.depth < 127, "a depth that is no distance");
        !self.done
    }

    /// Saves only the values, from which the rest is recomputed.
    fn save(&mut self) -> Vec<u8> {
        let values = self.values.iter().map(|value| value.raw() as u8);
        std::iter::once(self.depth).chain(values).collect()
    }

    fn bound(&self) -> u8 {
        128 - self.depth
    }

    fn finish(self: Box<Self>) -> Vec<TableValue> {
        assert!(self.done);
        self.values
    }
}

/// Returns the word interface of a class, for this number of threads.
pub fn of<C: TwoSided>(class: &C, threads: u32) -> Box<dyn InWords + '_> {
    class.in_words(threads).expect("a class in words")
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Graph, assert_defined};
    use super::super::{Class, Metric, reference, solver};
    use super::*;

    #[test]
    fn random_graphs_agree_with_the_definition() {
        assert_defined(Metric::Distance, |graph| {
            solver::run(Box::new(WordParallel::new(of(graph, 1), graph.size())))
        });
    }

    #[test]
    fn a_saved_analysis_goes_on() {
        for seed in 0..1_000 {
            let graph = Graph::random(Metric::Distance, seed);
            let mut running = WordParallel::new(of(&graph, 1), graph.size());
            while running.step() {
                let saved = running.save();
                running = WordParallel::restore(of(&graph, 1), graph.size(), &saved)
                    .expect("the same class");
            }
            assert_eq!(running.values, reference::solve(&graph), "seed {seed}");
        }
    }
}
