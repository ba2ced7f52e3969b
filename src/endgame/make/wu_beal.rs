//! Wu and Beal's algorithm: the only random access is to one bit per position of one side.
//!
//! The depths of both sides are accessed sequentially, so they can be files. Losses at a depth are found in two
//! steps: the predecessors of new wins *may* be lost, and those whose moves all lead to wins *are*.

use super::bitmap::Bitmap;
use super::class::TwoSided;
use super::solver::{InFiles, Solver};
use super::strip::Strip;
use super::{Survey, TableValue};
use std::io::{self, BufReader, Read, Write};
use std::ops::Range;
use std::path::Path;
use zstd::stream::{read::Decoder, write::Encoder};

/// Depth codes: the state of a position. Wins in n moves are 2n + 2, losses 2n + 3.
const UNKNOWN: u8 = 0;
/// An unused index.
const NOTHING: u8 = 1;
/// Unknown, but not lost: stalemate, or a move out of the class that does not lose.
const SAFE: u8 = 2;

/// The greatest depth with a code, in moves.
const MOVES_MAX: u8 = 126;

const fn win(moves: u8) -> u8 {
    2 * moves + 2
}

const fn loss(moves: u8) -> u8 {
    2 * moves + 3
}

fn value_of(code: u8) -> TableValue {
    match code {
        UNKNOWN | NOTHING | SAFE => TableValue::DRAW,
        code if code.is_multiple_of(2) => TableValue::win_in((code - 2) / 2),
        code => TableValue::loss_in((code - 3) / 2),
    }
}

/// The file of one side to move. For each position it holds the depth code and the best exit as a raw
/// [`TableValue`], 0 for none or a draw.
struct SideCodes {
    indices: Range<u32>,
    strip: Strip,
    /// The greatest depth of the exits.
    deepest: u8,
}

impl SideCodes {
    fn look<C: TwoSided>(class: &C, indices: Range<u32>, path: Option<&Path>) -> Self {
        let mut deepest = 0;
        let records = indices.clone().map(|index| {
            let (code, outside) = match class.survey(index) {
                None => (NOTHING, TableValue::DRAW),
                Some(Survey::End(TableValue::MATED)) => (loss(0), TableValue::DRAW),
                Some(Survey::End(_)) => (SAFE, TableValue::DRAW),
                Some(Survey::Open { outside, .. }) => {
                    let safe = outside.is_some_and(|value| value >= TableValue::DRAW);
                    (
                        if safe { SAFE } else { UNKNOWN },
                        outside.unwrap_or(TableValue::DRAW),
                    )
                }
            };
            deepest = deepest.max(outside.moves().unwrap_or(0));
            [code, outside.raw() as u8]
        });
        let strip = Strip::new(path, indices.len() as u32, records);
        Self {
            indices,
            strip,
            deepest,
        }
    }

    /// Adds the parents of the positions with `code`, on the other side, to `parents`; returns whether any exist.
    fn predecessors<C: TwoSided>(
        &mut self,
        class: &C,
        code: u8,
        other: &Self,
        parents: &mut Bitmap,
    ) -> bool {
        let mut list = Vec::new();
        let mut any = false;
        let first = self.indices.start;
        self.strip.for_each(|number, [found, _]| {
            if found != code {
                return;
            }
            any = true;
            list.clear();
            class.parents(first + number, &mut list);
            for parent in &list {
                parents.insert(parent - other.indices.start);
            }
        });
        any
    }
}

/// A running analysis.
pub struct WuBeal<'a, C> {
    class: &'a C,
    sides: [SideCodes; 2],
    /// The next depth, in moves.
    depth: u8,
    done: bool,
}

impl<'a, C: TwoSided> WuBeal<'a, C> {
    /// Surveys every position. With `work` the sequential data is in files whose paths start with it, otherwise in
    /// memory.
    pub fn new(class: &'a C, work: Option<&Path>) -> Self {
        let path = |side: &str| work.map(|work| work.with_added_extension(side));
        let [first, second] = class.sides();
        Self {
            class,
            sides: [
                SideCodes::look(class, first, path("first").as_deref()),
                SideCodes::look(class, second, path("second").as_deref()),
            ],
            depth: 0,
            done: false,
        }
    }

    /// Restores a saved analysis; `None` if `saved` does not fit the class.
    pub fn restore(class: &'a C, work: Option<&Path>, saved: &[u8]) -> Option<Self> {
        let (&depth, packed) = saved.split_first()?;
        let mut codes = BufReader::new(Decoder::new(packed).ok()?).bytes();
        let mut solver = Self::new(class, work);
        let mut enough = true;
        for side in &mut solver.sides {
            side.strip.update(|_, [code, _]| {
                let saved = codes.next().and_then(Result::ok);
                enough &= saved.is_some();
                saved.unwrap_or(code)
            });
        }
        let fits = enough && codes.next().is_none() && depth < MOVES_MAX;
        fits.then_some(Self { depth, ..solver })
    }

    /// Adds the losses of side `b` at this depth; returns whether there are any.
    fn add_losses(&mut self, a: usize, b: usize) -> bool {
        let (depth, class) = (self.depth, self.class);
        let (winner, loser) = pair(&mut self.sides, a, b);
        let mut random = Bitmap::new(winner.strip.size().max(loser.strip.size()));
        let fresh = winner.predecessors(class, win(depth), loser, &mut random);
        if !fresh && loser.deepest < depth {
            return false;
        }
        // The exit that loses latest decides the depth of a loss: it becomes a candidate at its own depth. A later
        // loss has a smaller amount, hence a greater value.
        let late = TableValue::loss_in(depth).raw();
        let mut candidates = Bitmap::new(loser.strip.size());
        loser.strip.for_each(|number, [code, outside]| {
            let outside = outside as i8;
            let later = outside < 0 && outside > late;
            if code == UNKNOWN && !later && (random.contains(number) || outside == late) {
                candidates.insert(number);
            }
        });
        random.clear();
        winner.strip.for_each(|number, [code, _]| {
            if code > SAFE && code.is_multiple_of(2) {
                random.insert(number);
            }
        });
        let (mut list, mut any) = (Vec::new(), false);
        let (first, other) = (loser.indices.start, winner.indices.start);
        loser.strip.update(|number, [code, _]| {
            if !candidates.contains(number) {
                return code;
            }
            list.clear();
            class.children(first + number, &mut list);
            if !list.iter().all(|&child| random.contains(child - other)) {
                return code;
            }
            any = true;
            loss(depth)
        });
        any
    }

    /// Adds the wins of side `a` one move above side `b`'s losses at this depth; returns whether any exist.
    fn add_wins(&mut self, a: usize, b: usize) -> bool {
        let depth = self.depth;
        let (winner, loser) = pair(&mut self.sides, a, b);
        let mut random = Bitmap::new(winner.strip.size());
        let fresh = loser.predecessors(self.class, loss(depth), winner, &mut random);
        if !fresh && winner.deepest <= depth {
            return false;
        }
        let now = TableValue::win_in(depth + 1).raw() as u8;
        let mut any = false;
        winner.strip.update(|number, [code, outside]| {
            let open = code == UNKNOWN || code == SAFE;
            if open && (random.contains(number) || outside == now) {
                any = true;
                return win(depth + 1);
            }
            code
        });
        any
    }
}

fn pair(sides: &mut [SideCodes; 2], a: usize, b: usize) -> (&mut SideCodes, &mut SideCodes) {
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
        // An empty depth is not the last while a deeper exit waits.
        let waiting = self.sides.iter().any(|side| side.deepest > self.depth);
        self.depth += 1;
        self.done = !added && !waiting;
        assert!(
            self.done || self.depth < MOVES_MAX,
            "a depth without a code"
        );
        !self.done
    }

    /// Compresses the codes on the way, since they may not all fit into memory.
    fn save(&mut self) -> Vec<u8> {
        let mut packer = Encoder::new(vec![self.depth], 1).expect("a level there is");
        for side in &mut self.sides {
            side.strip.for_each(|_, [code, _]| {
                packer.write_all(&[code]).expect("compression into memory");
            });
        }
        packer.finish().expect("compression into memory")
    }

    fn bound(&self) -> u8 {
        128 - self.depth
    }

    fn finish(self: Box<Self>) -> Vec<TableValue> {
        assert!(self.done);
        let mut values = Vec::new();
        let [mut first, mut second] = self.sides;
        for side in [&mut first, &mut second] {
            side.strip
                .for_each(|_, [code, _]| values.push(value_of(code)));
        }
        values
    }

    fn in_files(&mut self) -> Option<&mut dyn InFiles> {
        let in_files = self.sides.iter().any(|side| side.strip.is_file());
        if in_files { Some(self) } else { None }
    }
}

impl<C: TwoSided> InFiles for WuBeal<'_, C> {
    fn trouble(&mut self) -> Option<io::Error> {
        let mut sides = self.sides.iter_mut();
        sides.find_map(|side| side.strip.take_trouble())
    }

    fn show(&mut self, side: usize, each: &mut dyn FnMut(Option<TableValue>)) -> io::Result<()> {
        assert!(self.done);
        let strip = &mut self.sides[side].strip;
        strip.for_each(|_, [code, _]| each((code != NOTHING).then(|| value_of(code))));
        strip.take_trouble().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Graph, assert_defined};
    use super::super::{Metric, reference, solver};
    use super::*;

    #[test]
    fn random_graphs_agree_with_the_definition() {
        assert_defined(Metric::Distance, |graph| {
            solver::run(Box::new(WuBeal::new(graph, None)))
        });
    }

    #[test]
    fn a_saved_analysis_goes_on() {
        for seed in 0..1_000 {
            let graph = Graph::random(Metric::Distance, seed);
            let path = std::env::temp_dir().join(format!("cc2s-wu-beal-{}", std::process::id()));
            let work = (seed % 2 == 1).then_some(path.as_path());
            let mut first = WuBeal::new(&graph, work);
            let mut steps = 0;
            while steps < seed % 5 && first.step() {
                steps += 1;
            }
            let resumed = WuBeal::restore(&graph, work, &first.save()).expect("the same class");
            assert_eq!(
                solver::run(Box::new(resumed)),
                reference::solve(&graph),
                "seed {seed}"
            );
        }
    }
}
