//! Muller's "grandmother" algorithm: one byte per position, escapes counted beforehand.
//!
//! One run computes the wins of one side, the *winner*; two runs cover both. One unmove from a lost position leads
//! to a won one, a second to positions that may be lost. These count down their escapes.
//! ```text
//! byte k = label << 1 | mark      label: position k of the loser      mark: position k of the winner is won
//! label    0 .. n lost in that many moves | .. 126-e: undecided with e escapes .. 126 | 127: never lost
//! ```
//! Depths and escapes share the range of the label. If they would overlap, a wider cell is used: one byte for the
//! label and a bitmap for the marks.

use super::bitmap::Bitmap;
use super::class::TwoSided;
use super::solver::Solver;
use super::{Survey, TableValue};

trait Cells: Sized {
    /// The label of positions that are never lost; one less is an undecided position without escapes.
    const NEVER: u8;
    /// Creates cells for this many positions, never lost and unmarked.
    fn new(places: u32) -> Self;
    fn save(&self) -> Vec<u8>;
    /// The inverse of `save`; `None` if the number of bytes is wrong.
    fn restore(places: u32, saved: &[u8]) -> Option<Self>;
    fn label(&self, number: u32) -> u8;
    fn set_label(&mut self, number: u32, label: u8);
    /// Sets the mark and returns whether it was set before.
    fn mark(&mut self, number: u32) -> bool;
    fn is_marked(&self, number: u32) -> bool;
}

struct Packed(Vec<u8>);

impl Cells for Packed {
    const NEVER: u8 = 127;

    fn new(places: u32) -> Self {
        Self(vec![Self::NEVER << 1; places as usize])
    }

    fn save(&self) -> Vec<u8> {
        self.0.clone()
    }

    fn restore(places: u32, saved: &[u8]) -> Option<Self> {
        (saved.len() == places as usize).then(|| Self(saved.to_vec()))
    }

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

struct Wide(Vec<u8>, Bitmap);

impl Cells for Wide {
    const NEVER: u8 = 255;

    fn new(places: u32) -> Self {
        Self(vec![Self::NEVER; places as usize], Bitmap::new(places))
    }

    fn save(&self) -> Vec<u8> {
        [self.0.clone(), self.1.to_bytes()].concat()
    }

    fn restore(places: u32, saved: &[u8]) -> Option<Self> {
        let (labels, marks) = saved.split_at_checked(places as usize)?;
        Some(Self(labels.to_vec(), Bitmap::from_bytes(places, marks)?))
    }

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

/// A depth has reached the range of the escapes.
#[derive(Debug)]
struct TooDeep;

struct WinnerRun<'a, C, T> {
    class: &'a C,
    cells: T,
    /// First indices and numbers of positions of the winner and of the loser.
    starts: [u32; 2],
    counts: [u32; 2],
    /// The smallest label of undecided positions.
    undecided: u8,
    /// The greatest depth used as a label so far.
    deepest: u8,
    /// Positions of the winner by the depth at which a move out of the class wins.
    conversions: Vec<Vec<u32>>,
    depth: u8,
    parents: [Vec<u32>; 2],
}

impl<'a, C: TwoSided, T: Cells> WinnerRun<'a, C, T> {
    fn new(class: &'a C, winner: usize) -> Result<Self, TooDeep> {
        let mut run = Self::blank(class, winner);
        for number in 0..run.counts[0] {
            if !run.look_at_winner(number) {
                // Marks exclude unused indices.
                run.cells.mark(number);
            }
        }
        for number in 0..run.counts[1] {
            let label = run.first_label(number);
            run.cells.set_label(number, label);
        }
        run.check_depth()?;
        Ok(run)
    }

    /// Creates an uninitialised run.
    fn blank(class: &'a C, winner: usize) -> Self {
        let sides = class.sides();
        let (a, b) = (&sides[winner], &sides[1 - winner]);
        let counts = [a.end - a.start, b.end - b.start];
        Self {
            class,
            cells: T::new(counts[0].max(counts[1])),
            starts: [a.start, b.start],
            counts,
            undecided: T::NEVER - 1,
            deepest: 0,
            conversions: vec![Vec::new(); 129],
            depth: 0,
            parents: [Vec::new(), Vec::new()],
        }
    }

    /// Records when a move out of the class wins; returns false for an unused index.
    fn look_at_winner(&mut self, number: u32) -> bool {
        let survey = self.class.survey(self.starts[0] + number);
        if let Some(Survey::Open {
            outside: Some(value),
            ..
        }) = survey
            && value > TableValue::DRAW
        {
            self.conversions[usize::from(128 - value.amount())].push(number);
        }
        survey.is_some()
    }

    /// Saves the state between two depths: depth, label limits and cells. Exits can be computed again.
    fn save(&self) -> Vec<u8> {
        let limits = [self.depth, self.undecided, self.deepest];
        [limits.to_vec(), self.cells.save()].concat()
    }

    /// The inverse of `save`; `None` if `saved` does not fit the class.
    fn restore(class: &'a C, winner: usize, saved: &[u8]) -> Option<Self> {
        let (&[depth, undecided, deepest], cells) = saved.split_first_chunk()?;
        let mut run = Self::blank(class, winner);
        run.cells = T::restore(run.counts[0].max(run.counts[1]), cells)?;
        for number in 0..run.counts[0] {
            run.look_at_winner(number);
        }
        run.conversions
            .get_mut(..=usize::from(depth))?
            .fill(Vec::new());
        Some(Self {
            undecided,
            deepest,
            depth,
            ..run
        })
    }

    fn first_label(&mut self, number: u32) -> u8 {
        match self.class.survey(self.starts[1] + number) {
            Some(Survey::End(TableValue::MATED)) => 0,
            Some(Survey::Open { inside, outside })
                if outside.is_none_or(|value| value < TableValue::DRAW) =>
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

    /// Returns the label of a position without escapes: lost no earlier than by its longest exit.
    fn lost_label(&mut self, depth: u8, outside: Option<TableValue>) -> u8 {
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

    /// Processes one depth and returns whether another one follows.
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

    /// Marks a win one move above the current depth and removes one escape from its parents.
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

    /// Writes the loser's losses and the winner's wins; the distance of a win is that of its best move.
    fn write(&self, values: &mut [TableValue]) {
        let mut children = Vec::new();
        for number in 0..self.counts[1] {
            let label = self.cells.label(number);
            if label < self.undecided {
                values[(self.starts[1] + number) as usize] = TableValue::loss_in(label);
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
            let inside = nearest.map(|label| TableValue::win_in(label + 1));
            values[index as usize] = inside.max(outside).expect("a winning move");
        }
    }
}

/// The current run, with cells that hold its depths so far.
enum CurrentRun<'a, C> {
    Packed(WinnerRun<'a, C, Packed>),
    Wide(WinnerRun<'a, C, Wide>),
}

impl<'a, C: TwoSided> CurrentRun<'a, C> {
    fn new(class: &'a C, winner: usize) -> Self {
        WinnerRun::new(class, winner).map_or_else(|_| Self::wide(class, winner), Self::Packed)
    }

    fn wide(class: &'a C, winner: usize) -> Self {
        Self::Wide(WinnerRun::new(class, winner).expect(WIDE_ENOUGH))
    }

    /// The first byte is the kind of cells.
    fn save(&self) -> Vec<u8> {
        match self {
            Self::Packed(run) => [vec![0], run.save()].concat(),
            Self::Wide(run) => [vec![1], run.save()].concat(),
        }
    }

    fn restore(class: &'a C, winner: usize, saved: &[u8]) -> Option<Self> {
        match saved.split_first()? {
            (0, run) => WinnerRun::restore(class, winner, run).map(Self::Packed),
            (1, run) => WinnerRun::restore(class, winner, run).map(Self::Wide),
            _ => None,
        }
    }

    fn depth(&self) -> u8 {
        match self {
            Self::Packed(run) => run.depth,
            Self::Wide(run) => run.depth,
        }
    }
}

const WIDE_ENOUGH: &str = "the wide label holds every depth there is";

/// An analysis with one run per winner.
pub struct Muller<'a, C> {
    class: &'a C,
    /// The results of finished runs.
    values: Vec<TableValue>,
    /// The winner of the current or next run; 2 when both are done.
    winner: usize,
    stage: Option<CurrentRun<'a, C>>,
}

impl<'a, C: TwoSided> Muller<'a, C> {
    /// Starts an analysis; positions are surveyed in the first step.
    pub fn new(class: &'a C) -> Self {
        Self {
            class,
            values: vec![TableValue::DRAW; class.size() as usize],
            winner: 0,
            stage: None,
        }
    }

    /// Restores a saved analysis; `None` if `saved` does not fit the class.
    pub fn restore(class: &'a C, saved: &[u8]) -> Option<Self> {
        let (&winner, rest) = saved.split_first()?;
        let winner = usize::from(winner);
        let (values, stage) = rest.split_at_checked(class.size() as usize)?;
        if winner > 1 {
            return None;
        }
        let stage = match stage {
            [] => None,
            stage => Some(CurrentRun::restore(class, winner, stage)?),
        };
        let values = values.iter().map(|&byte| TableValue::points(byte as i8));
        Some(Self {
            class,
            values: values.collect(),
            winner,
            stage,
        })
    }

    /// Processes one depth of the run and returns whether another one follows.
    fn step_stage(&mut self, stage: &mut CurrentRun<'a, C>) -> bool {
        if let CurrentRun::Packed(run) = stage {
            match run.step() {
                Ok(true) => return true,
                Ok(false) => run.write(&mut self.values),
                Err(TooDeep) => {
                    *stage = CurrentRun::wide(self.class, self.winner);
                    return true;
                }
            }
        } else if let CurrentRun::Wide(run) = stage {
            if run.step().expect(WIDE_ENOUGH) {
                return true;
            }
            run.write(&mut self.values);
        }
        false
    }
}

impl<C: TwoSided> Solver for Muller<'_, C> {
    fn step(&mut self) -> bool {
        let stage = self.stage.take();
        let mut stage = stage.unwrap_or_else(|| CurrentRun::new(self.class, self.winner));
        if self.step_stage(&mut stage) {
            self.stage = Some(stage);
        } else {
            self.winner += 1;
        }
        self.winner < 2
    }

    fn save(&mut self) -> Vec<u8> {
        let values = self.values.iter().map(|value| value.raw() as u8);
        let stage = self.stage.as_ref().map_or(Vec::new(), CurrentRun::save);
        std::iter::once(self.winner as u8)
            .chain(values)
            .chain(stage)
            .collect()
    }

    fn bound(&self) -> u8 {
        let depth = self.stage.as_ref().map_or(0, CurrentRun::depth);
        128 - 64 * self.winner.min(1) as u8 - depth / 2
    }

    fn finish(self: Box<Self>) -> Vec<TableValue> {
        assert!(self.winner == 2);
        self.values
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Graph, assert_defined};
    use super::super::{Class, Metric, reference, solver};
    use super::*;

    #[test]
    fn random_graphs_agree_with_the_definition() {
        assert_defined(Metric::Distance, |graph| {
            solver::run(Box::new(Muller::new(graph)))
        });
    }

    #[test]
    fn both_cells_agree() {
        for seed in 0..1_000 {
            let graph = Graph::random(Metric::Distance, seed);
            let mut values = vec![TableValue::DRAW; graph.size() as usize];
            for winner in 0..2 {
                let mut wide = WinnerRun::<_, Wide>::new(&graph, winner).expect("shallow");
                while wide.step().expect("shallow") {}
                wide.write(&mut values);
            }
            assert_eq!(values, reference::solve(&graph), "seed {seed}");
        }
    }

    /// Saves and restores at every depth of both runs, with either kind of cells.
    #[test]
    fn a_saved_analysis_goes_on() {
        for seed in 0..1_000 {
            let graph = Graph::random(Metric::Distance, seed);
            let mut running = Muller::new(&graph);
            if seed % 2 == 1 {
                running.stage = Some(CurrentRun::wide(&graph, 0));
            }
            while running.step() {
                running = Muller::restore(&graph, &running.save()).expect("the same class");
            }
            assert_eq!(running.values, reference::solve(&graph), "seed {seed}");
        }
    }

    #[test]
    fn depths_that_meet_the_escapes_are_noticed() {
        // A loss in 126 by an exit leaves no room for the escapes in the narrow label.
        let graph = Graph::deep();
        assert!(WinnerRun::<_, Packed>::new(&graph, 0).is_err());
        assert_eq!(
            solver::run(Box::new(Muller::new(&graph))),
            reference::solve(&graph)
        );
    }
}
