//! Muller's "grandmother" algorithm: one byte per position, escapes counted beforehand.
//!
//! It computes the wins of one side, the *winner*; two runs make the whole. From a lost position one unmove leads to a
//! won one, a second to positions that may be lost, and those count down the moves with which they escape.
//! ```text
//! byte k = label << 1 | mark      label: position k of the loser      mark: position k of the winner is won
//! label    0 .. n lost in that many moves | .. 126-e: undecided with e escapes .. 126 | 127: never lost
//! ```
//! Depths and escapes share the range of the label. Where they would meet, a wider cell takes over: one byte for the
//! label and a bitmap for the marks.

use super::bitmap::Bitmap;
use super::class::TwoSided;
use super::solver::Solver;
use super::{Survey, Value};

/// Labels and marks in memory.
trait Cells {
    /// The label of positions that are never lost; one less is an undecided position without escapes left.
    const NEVER: u8;
    fn label(&self, number: u32) -> u8;
    fn set_label(&mut self, number: u32, label: u8);
    /// Sets the mark; whether it was set before.
    fn mark(&mut self, number: u32) -> bool;
    fn is_marked(&self, number: u32) -> bool;
}

/// Label and mark in one byte.
struct Packed(Vec<u8>);

impl Cells for Packed {
    const NEVER: u8 = 127;

    #[inline]
    fn label(&self, number: u32) -> u8 {
        self.0[number as usize] >> 1
    }

    #[inline]
    fn set_label(&mut self, number: u32, label: u8) {
        let cell = &mut self.0[number as usize];
        *cell = label << 1 | *cell & 1;
    }

    #[inline]
    fn mark(&mut self, number: u32) -> bool {
        let cell = &mut self.0[number as usize];
        let before = *cell & 1 > 0;
        *cell |= 1;
        before
    }

    fn is_marked(&self, number: u32) -> bool {
        self.0[number as usize] & 1 > 0
    }
}

/// A byte for the label, a bit for the mark.
struct Wide(Vec<u8>, Bitmap);

impl Cells for Wide {
    const NEVER: u8 = 255;

    #[inline]
    fn label(&self, number: u32) -> u8 {
        self.0[number as usize]
    }

    #[inline]
    fn set_label(&mut self, number: u32, label: u8) {
        self.0[number as usize] = label;
    }

    #[inline]
    fn mark(&mut self, number: u32) -> bool {
        let before = self.1.contains(number);
        self.1.insert(number);
        before
    }

    fn is_marked(&self, number: u32) -> bool {
        self.1.contains(number)
    }
}

/// A depth has grown into the range of the escapes.
#[derive(Debug)]
struct TooDeep;

/// The run for one winner.
struct Run<'a, C, T> {
    class: &'a C,
    cells: T,
    /// First indices of the winner and of the loser, and how many they have.
    starts: [u32; 2],
    counts: [u32; 2],
    /// Labels from here on are undecided.
    undecided: u8,
    /// The greatest label given so far.
    deepest: u8,
    /// Winner's positions by the depth at which a move out of the class wins.
    conversions: Vec<Vec<u32>>,
    depth: u8,
    parents: [Vec<u32>; 2],
}

impl<'a, C: TwoSided, T: Cells> Run<'a, C, T> {
    fn new(class: &'a C, winner: usize, cells: T) -> Result<Self, TooDeep> {
        let sides = class.sides();
        let (a, b) = (&sides[winner], &sides[1 - winner]);
        let mut run = Self {
            class,
            cells,
            starts: [a.start, b.start],
            counts: [a.end - a.start, b.end - b.start],
            undecided: T::NEVER - 1,
            deepest: 0,
            conversions: vec![Vec::new(); 129],
            depth: 0,
            parents: [Vec::new(), Vec::new()],
        };
        for number in 0..run.counts[0] {
            run.look_at_winner(number);
        }
        for number in 0..run.counts[1] {
            let label = run.first_label(number);
            run.cells.set_label(number, label);
        }
        run.check_depth()?;
        Ok(run)
    }

    fn look_at_winner(&mut self, number: u32) {
        match self.class.survey(self.starts[0] + number) {
            // A mark keeps everybody away from an index that stands for nothing.
            None => drop(self.cells.mark(number)),
            Some(Survey::Open {
                outside: Some(value),
                ..
            }) if value > Value::DRAW => {
                self.conversions[usize::from(128 - value.amount())].push(number);
            }
            Some(_) => {}
        }
    }

    fn first_label(&mut self, number: u32) -> u8 {
        match self.class.survey(self.starts[1] + number) {
            Some(Survey::End(Value::MATED)) => 0,
            Some(Survey::Open { inside, outside })
                if outside.is_none_or(|value| value < Value::DRAW) =>
            {
                if inside == 0 {
                    return self.lost_label(0, outside);
                }
                self.undecided = self.undecided.min(T::NEVER - 1 - inside);
                T::NEVER - 1 - inside
            }
            _ => T::NEVER,
        }
    }

    /// The label of a position without escapes: lost no earlier than its longest way out of the class.
    fn lost_label(&mut self, depth: u8, outside: Option<Value>) -> u8 {
        let label = depth.max(outside.map_or(0, |value| 128 - value.amount()));
        self.deepest = self.deepest.max(label);
        label
    }

    fn check_depth(&self) -> Result<(), TooDeep> {
        if self.deepest >= self.undecided {
            Err(TooDeep)
        } else {
            Ok(())
        }
    }

    /// Does one depth; whether another one follows.
    fn step(&mut self) -> Result<bool, TooDeep> {
        for number in 0..self.counts[1] {
            if self.cells.label(number) == self.depth {
                let mut parents = std::mem::take(&mut self.parents[0]);
                parents.clear();
                self.class.parents(self.starts[1] + number, &mut parents);
                for &parent in &parents {
                    self.win(parent - self.starts[0]);
                }
                self.parents[0] = parents;
            }
        }
        for number in std::mem::take(&mut self.conversions[usize::from(self.depth) + 1]) {
            self.win(number);
        }
        self.check_depth()?;
        self.depth += 1;
        let waiting = self.conversions[usize::from(self.depth)..]
            .iter()
            .any(|list| !list.is_empty());
        Ok(waiting || self.deepest >= self.depth)
    }

    /// The winner's position is won one move above the present depth: one escape less for those who can go there.
    fn win(&mut self, number: u32) {
        if self.cells.mark(number) {
            return;
        }
        let mut parents = std::mem::take(&mut self.parents[1]);
        parents.clear();
        self.class.parents(self.starts[0] + number, &mut parents);
        for &parent in &parents {
            let grandmother = parent - self.starts[1];
            let label = self.cells.label(grandmother);
            if label < self.undecided || label == T::NEVER {
                continue;
            }
            let label = if label + 1 == T::NEVER - 1 {
                self.last_escape_gone(parent)
            } else {
                label + 1
            };
            self.cells.set_label(grandmother, label);
        }
        self.parents[1] = parents;
    }

    fn last_escape_gone(&mut self, index: u32) -> u8 {
        let Some(Survey::Open { outside, .. }) = self.class.survey(index) else {
            unreachable!("it had an escape")
        };
        self.lost_label(self.depth + 1, outside)
    }

    /// Writes the loser's losses and the winner's wins; a win's distance is that of its best move.
    fn write(&self, values: &mut [Value]) {
        let mut children = Vec::new();
        for number in 0..self.counts[1] {
            let label = self.cells.label(number);
            if label < self.undecided {
                values[(self.starts[1] + number) as usize] = Value::loss_in(label);
            }
        }
        for index in (0..self.counts[0])
            .filter(|&number| self.cells.is_marked(number))
            .map(|n| self.starts[0] + n)
        {
            let Some(Survey::Open { outside, .. }) = self.class.survey(index) else {
                continue;
            };
            children.clear();
            self.class.children(index, &mut children);
            let lost = children
                .iter()
                .map(|child| self.cells.label(child - self.starts[1]));
            let nearest = lost.filter(|&label| label < self.undecided).min();
            let inside = nearest.map(|label| Value::win_in(label + 1));
            values[index as usize] = inside.max(outside).expect("a winning move");
        }
    }
}

/// An analysis under way: a run for each winner.
pub struct Muller<'a, C> {
    class: &'a C,
    values: Vec<Value>,
    /// The winner whose run comes next; 2 when both are done.
    winner: usize,
}

impl<'a, C: TwoSided> Muller<'a, C> {
    /// Nothing is looked at before the first step.
    pub fn new(class: &'a C) -> Self {
        Self {
            class,
            values: vec![Value::DRAW; class.size() as usize],
            winner: 0,
        }
    }

    /// The analysis as it was saved; `None` if `saved` does not fit the class.
    pub fn restore(class: &'a C, saved: &[u8]) -> Option<Self> {
        let (&winner, values) = saved.split_first()?;
        let fits = values.len() == class.size() as usize && winner < 2;
        let values = values
            .iter()
            .map(|&byte| Value::points(byte as i8))
            .collect();
        fits.then_some(Self {
            class,
            values,
            winner: usize::from(winner),
        })
    }

    fn run<T: Cells>(&mut self, cells: T) -> Result<(), TooDeep> {
        let mut run = Run::new(self.class, self.winner, cells)?;
        while run.step()? {}
        run.write(&mut self.values);
        Ok(())
    }
}

impl<C: TwoSided> Solver for Muller<'_, C> {
    fn step(&mut self) -> bool {
        let places = self
            .class
            .sides()
            .map(|side| side.end - side.start)
            .into_iter()
            .max()
            .unwrap_or(0);
        if self
            .run(Packed(vec![Packed::NEVER << 1; places as usize]))
            .is_err()
        {
            let wide = Wide(vec![Wide::NEVER; places as usize], Bitmap::new(places));
            self.run(wide)
                .expect("the wide label holds every depth there is");
        }
        self.winner += 1;
        self.winner < 2
    }

    fn save(&self) -> Vec<u8> {
        let values = self.values.iter().map(|value| value.raw() as u8);
        std::iter::once(self.winner as u8).chain(values).collect()
    }

    fn bound(&self) -> u8 {
        if self.winner == 0 { 128 } else { 64 }
    }

    fn finish(self: Box<Self>) -> Vec<Value> {
        assert!(self.winner == 2);
        self.values
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::Graph;
    use super::super::{Metric, reference, solver};
    use super::*;

    #[test]
    fn random_graphs_agree_with_the_definition() {
        for seed in 0..10_000 {
            let graph = Graph::random(Metric::Distance, seed);
            assert_eq!(
                solver::run(Box::new(Muller::new(&graph))),
                reference::solve(&graph),
                "seed {seed}"
            );
        }
    }

    #[test]
    fn both_cells_agree() {
        for seed in 0..1_000 {
            let graph = Graph::random(Metric::Distance, seed);
            let mut wide = Muller::new(&graph);
            for winner in 0..2 {
                wide.winner = winner;
                wide.run(Wide(vec![Wide::NEVER; 40], Bitmap::new(40)))
                    .expect("shallow");
            }
            assert_eq!(wide.values, reference::solve(&graph), "seed {seed}");
        }
    }

    #[test]
    fn depths_that_meet_the_escapes_are_noticed() {
        // A position mated in 126 by a way out of the class leaves no room for the escapes in the narrow label.
        let graph = Graph::deep();
        let narrow = Run::new(&graph, 0, Packed(vec![Packed::NEVER << 1; 2]));
        assert!(narrow.is_err());
        assert_eq!(
            solver::run(Box::new(Muller::new(&graph))),
            reference::solve(&graph)
        );
    }
}
