//! Wu and Beal's algorithm: the only thing accessed at random is one bit per position of one side.
//!
//! The depths of both sides are read and written front to back only. Losses of a depth are found in two steps: the
//! predecessors of new wins *may* be lost, and those of which every move leads into a win *are*.

use super::bitmap::Bitmap;
use super::class::TwoSided;
use super::solver::Solver;
use super::{Survey, Value};
use std::ops::Range;

/// Depth codes: what is known of a position. Wins in n moves are 2n + 2, losses 2n + 3.
const UNKNOWN: u8 = 0;
/// The index stands for nothing.
const NOTHING: u8 = 1;
/// Unknown, but not lost: stalemate, or a move out of the class that does not lose.
const SAFE: u8 = 2;

/// The greatest depth there are codes for, in moves.
const MOVES_MAX: u8 = 126;

const fn win(moves: u8) -> u8 {
    2 * moves + 2
}

const fn loss(moves: u8) -> u8 {
    2 * moves + 3
}

fn value_of(code: u8) -> Value {
    match code {
        UNKNOWN | NOTHING | SAFE => Value::DRAW,
        code if code.is_multiple_of(2) => Value::win_in((code - 2) / 2),
        code => Value::loss_in((code - 3) / 2),
    }
}

/// What is written about one side to move: two sequential files.
struct Side {
    indices: Range<u32>,
    codes: Vec<u8>,
    /// The best move out of the class, as the raw [`Value`]; 0 if there is none or it draws.
    outside: Vec<i8>,
    /// The greatest depth in `outside`.
    deepest: u8,
}

impl Side {
    fn look<C: TwoSided>(class: &C, indices: Range<u32>) -> Self {
        let mut side = Self {
            indices: indices.clone(),
            codes: Vec::new(),
            outside: Vec::new(),
            deepest: 0,
        };
        for index in indices {
            let (code, outside) = match class.survey(index) {
                None => (NOTHING, Value::DRAW),
                Some(Survey::End(Value::MATED)) => (loss(0), Value::DRAW),
                Some(Survey::End(_)) => (SAFE, Value::DRAW),
                Some(Survey::Open { outside, .. }) => {
                    let safe = outside.is_some_and(|value| value >= Value::DRAW);
                    (
                        if safe { SAFE } else { UNKNOWN },
                        outside.unwrap_or(Value::DRAW),
                    )
                }
            };
            side.codes.push(code);
            side.outside.push(outside.raw());
            side.deepest = side.deepest.max(outside.moves().unwrap_or(0));
        }
        side
    }

    /// Adds the parents, on the other side, of every position with that code to `parents`; whether there are any.
    fn predecessors<C: TwoSided>(
        &self,
        class: &C,
        code: u8,
        other: &Self,
        parents: &mut Bitmap,
    ) -> bool {
        let mut list = Vec::new();
        let mut any = false;
        for number in positions(&self.codes, code) {
            any = true;
            list.clear();
            class.parents(self.indices.start + number, &mut list);
            for parent in &list {
                parents.insert(parent - other.indices.start);
            }
        }
        any
    }
}

/// The places where `code` stands.
fn positions(codes: &[u8], code: u8) -> impl Iterator<Item = u32> {
    codes
        .iter()
        .enumerate()
        .filter(move |&(_, &other)| other == code)
        .map(|(number, _)| number as u32)
}

/// An analysis under way.
pub struct WuBeal<'a, C> {
    class: &'a C,
    sides: [Side; 2],
    /// The depth that comes next, in moves.
    depth: u8,
    done: bool,
}

impl<'a, C: TwoSided> WuBeal<'a, C> {
    /// Looks at every position.
    pub fn new(class: &'a C) -> Self {
        Self {
            class,
            sides: class.sides().map(|indices| Side::look(class, indices)),
            depth: 0,
            done: false,
        }
    }

    /// The analysis as it was saved; `None` if `saved` does not fit the class.
    pub fn restore(class: &'a C, saved: &[u8]) -> Option<Self> {
        let (&depth, codes) = saved.split_first()?;
        if codes.len() != class.size() as usize {
            return None;
        }
        let mut solver = Self::new(class);
        for side in &mut solver.sides {
            let indices = side.indices.start as usize..side.indices.end as usize;
            side.codes.copy_from_slice(&codes[indices]);
        }
        solver.depth = depth;
        Some(solver)
    }

    /// New losses of side `b` at this depth; whether there are any.
    fn add_losses(&mut self, a: usize, b: usize) -> bool {
        let depth = self.depth;
        let (winner, loser) = pair(&mut self.sides, a, b);
        let mut random = Bitmap::new(winner.codes.len().max(loser.codes.len()) as u32);
        let fresh = winner.predecessors(self.class, win(depth), loser, &mut random);
        if !fresh && loser.deepest < depth {
            return false;
        }
        // An outside move that loses latest decides when a loss comes: it enters the candidates at its own depth.
        let late = Value::loss_in(depth).raw();
        let mut candidates = Bitmap::new(loser.codes.len() as u32);
        for number in positions(&loser.codes, UNKNOWN) {
            if random.contains(number) || loser.outside[number as usize] == late {
                candidates.insert(number);
            }
        }
        random.clear();
        let won = |code: u8| code > SAFE && code.is_multiple_of(2);
        for (number, _) in winner
            .codes
            .iter()
            .enumerate()
            .filter(|&(_, &code)| won(code))
        {
            random.insert(number as u32);
        }
        let mut list = Vec::new();
        let mut any = false;
        for (number, code) in loser.codes.iter_mut().enumerate() {
            // A loss outside that comes later than now is a smaller amount, hence a greater value.
            if !candidates.contains(number as u32)
                || (loser.outside[number] < 0 && loser.outside[number] > late)
            {
                continue;
            }
            list.clear();
            self.class
                .children(loser.indices.start + number as u32, &mut list);
            if list
                .iter()
                .all(|&child| random.contains(child - winner.indices.start))
            {
                *code = loss(depth);
                any = true;
            }
        }
        any
    }

    /// New wins of side `a` one move above the losses of side `b` at this depth; whether there are any.
    fn add_wins(&mut self, a: usize, b: usize) -> bool {
        let depth = self.depth;
        let (winner, loser) = pair(&mut self.sides, a, b);
        let mut random = Bitmap::new(winner.codes.len() as u32);
        let fresh = loser.predecessors(self.class, loss(depth), winner, &mut random);
        if !fresh && winner.deepest <= depth {
            return false;
        }
        let outside = Value::win_in(depth + 1).raw();
        let mut any = false;
        for (number, code) in winner.codes.iter_mut().enumerate() {
            let open = *code == UNKNOWN || *code == SAFE;
            if open && (random.contains(number as u32) || winner.outside[number] == outside) {
                *code = win(depth + 1);
                any = true;
            }
        }
        any
    }
}

/// Both elements of `sides`, one of them to be changed.
fn pair(sides: &mut [Side; 2], a: usize, b: usize) -> (&mut Side, &mut Side) {
    let [first, second] = sides;
    assert!(a + b == 1);
    if a == 0 {
        (first, second)
    } else {
        (second, first)
    }
}

impl<C: TwoSided> Solver for WuBeal<'_, C> {
    fn step(&mut self) -> bool {
        let mut added = false;
        for (a, b) in [(0, 1), (1, 0)] {
            if self.depth > 0 {
                added |= self.add_losses(a, b);
            }
            added |= self.add_wins(a, b);
        }
        // An empty depth is no end while a deeper move out of the class waits.
        let waiting = self.sides.iter().any(|side| side.deepest > self.depth);
        self.depth += 1;
        self.done = !added && !waiting;
        assert!(
            self.done || self.depth < MOVES_MAX,
            "a depth without a code"
        );
        !self.done
    }

    fn save(&self) -> Vec<u8> {
        let mut saved = vec![self.depth];
        self.sides.iter().for_each(|side| saved.extend(&side.codes));
        saved
    }

    fn bound(&self) -> u8 {
        128 - self.depth
    }

    fn finish(self: Box<Self>) -> Vec<Value> {
        assert!(self.done);
        self.sides
            .iter()
            .flat_map(|side| side.codes.iter().map(|&code| value_of(code)))
            .collect()
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
                solver::run(Box::new(WuBeal::new(&graph))),
                reference::solve(&graph),
                "seed {seed}"
            );
        }
    }

    #[test]
    fn a_saved_analysis_goes_on() {
        for seed in 0..1_000 {
            let graph = Graph::random(Metric::Distance, seed);
            let mut first = WuBeal::new(&graph);
            let mut steps = 0;
            while steps < seed % 5 && first.step() {
                steps += 1;
            }
            let resumed = WuBeal::restore(&graph, &first.save()).expect("the same class");
            assert_eq!(
                solver::run(Box::new(resumed)),
                reference::solve(&graph),
                "seed {seed}"
            );
        }
    }
}
