//! Small random graphs, on which the algorithms are compared with the definition.

use super::class::TwoSided;
use super::in_words::{InWords, Placed};
use super::{Class, Metric, Survey, TableValue};
use crate::game::SplitMix64;
use std::ops::Range;

/// A random two-sided graph with cycles, dead ends, illegal indices and exits.
pub struct Graph {
    metric: Metric,
    amount_max: u8,
    first: u32,
    surveys: Vec<Option<Survey>>,
    children: Vec<Vec<u32>>,
    parents: Vec<Vec<u32>>,
}

impl Graph {
    /// Generates a graph of 2 to 40 indices from `seed`.
    pub fn random(metric: Metric, seed: u64) -> Self {
        let mut rng = SplitMix64::new(seed);
        let first = 1 + rng.below(20) as u32;
        let size = first + 1 + rng.below(20) as u32;
        let amount_max = if metric == Metric::Distance {
            128
        } else {
            1 + rng.below(6) as u8
        };
        let mut graph = Self {
            metric,
            amount_max,
            first,
            surveys: vec![None; size as usize],
            children: vec![Vec::new(); size as usize],
            parents: vec![Vec::new(); size as usize],
        };
        let legal: Vec<bool> = (0..size).map(|_| rng.below(8) > 0).collect();
        for index in 0..size {
            graph.grow(index, &legal, &mut rng);
        }
        graph
    }

    /// Two positions of the second side with only exits: a loss in one move and a loss in 126 moves.
    pub fn deep() -> Self {
        let out = |moves| {
            Some(Survey::Open {
                inside: 0,
                outside: Some(TableValue::loss_in(moves)),
            })
        };
        Self {
            metric: Metric::Distance,
            amount_max: 128,
            first: 1,
            surveys: vec![None, out(1), out(126)],
            children: vec![Vec::new(); 3],
            parents: vec![Vec::new(); 3],
        }
    }

    fn grow(&mut self, index: u32, legal: &[bool], rng: &mut SplitMix64) {
        if !legal[index as usize] {
            return;
        }
        let targets = if index < self.first {
            self.first..legal.len() as u32
        } else {
            0..self.first
        };
        let density = 1 + rng.below(4);
        for child in targets {
            if legal[child as usize] && rng.below(12) < density {
                self.children[index as usize].push(child);
                self.parents[child as usize].push(index);
            }
        }
        let inside = self.children[index as usize].len() as u8;
        let outside = (rng.below(4) == 0).then(|| self.exit(rng));
        self.surveys[index as usize] = Some(if inside == 0 && outside.is_none() {
            Survey::End(self.end(rng))
        } else {
            Survey::Open { inside, outside }
        });
    }

    fn end(&self, rng: &mut SplitMix64) -> TableValue {
        match self.metric {
            Metric::Distance if rng.below(3) > 0 => TableValue::MATED,
            Metric::Distance => TableValue::DRAW,
            Metric::Points => self.points(rng),
        }
    }

    fn exit(&self, rng: &mut SplitMix64) -> TableValue {
        match (self.metric, rng.below(3)) {
            (Metric::Distance, 0) => TableValue::win_in(1 + rng.below(9) as u8),
            (Metric::Distance, 1) => TableValue::loss_in(1 + rng.below(9) as u8),
            (Metric::Distance, _) => TableValue::DRAW,
            (Metric::Points, _) => self.points(rng),
        }
    }

    fn points(&self, rng: &mut SplitMix64) -> TableValue {
        let max = i64::from(self.amount_max);
        TableValue::points((rng.below(2 * max as u64 + 1) as i64 - max) as i8)
    }
}

impl Class for Graph {
    fn metric(&self) -> Metric {
        self.metric
    }

    fn size(&self) -> u32 {
        self.surveys.len() as u32
    }

    fn amount_max(&self) -> u8 {
        self.amount_max
    }

    fn survey(&self, index: u32) -> Option<Survey> {
        self.surveys[index as usize]
    }

    fn children(&self, index: u32, children: &mut Vec<u32>) {
        children.extend(&self.children[index as usize]);
    }

    fn parents(&self, index: u32, parents: &mut Vec<u32>) {
        parents.extend(&self.parents[index as usize]);
    }
}

impl TwoSided for Graph {
    fn sides(&self) -> [Range<u32>; 2] {
        [0..self.first, self.first..self.size()]
    }

    fn in_words(&self, _: u32) -> Option<Box<dyn InWords + '_>> {
        Some(Box::new(self))
    }
}

/// Places are positions within the indices of a side.
impl InWords for &Graph {
    fn look(&self, way_out: &mut dyn FnMut(usize, u32, TableValue)) -> [Placed; 2] {
        let sides = self.sides();
        [0, 1].map(|side| {
            let words = sides[side].len().div_ceil(64);
            let [mut legal, mut mated, mut ended] = [(); 3].map(|()| vec![0; words]);
            for (place, index) in (0..).zip(sides[side].clone()) {
                let bit = |set: &mut Vec<u64>| set[place as usize / 64] |= 1 << (place % 64);
                match self.survey(index) {
                    None => continue,
                    Some(Survey::Open { outside, .. }) => {
                        if let Some(value) = outside {
                            way_out(side, place, value);
                        }
                    }
                    Some(Survey::End(value)) => {
                        bit(&mut ended);
                        if value == TableValue::MATED {
                            bit(&mut mated);
                        }
                    }
                }
                bit(&mut legal);
            }
            Placed {
                legal,
                mated,
                ended,
            }
        })
    }

    fn movers(&self, side: usize, targets: &[u64], _: &[u64], movers: &mut [u64]) {
        let there = self.sides()[1 - side].start;
        for (place, index) in self.sides()[side].clone().enumerate() {
            let hit = |child: &u32| {
                let target = (child - there) as usize;
                targets[target / 64] >> (target % 64) & 1 > 0
            };
            if self.children[index as usize].iter().any(hit) {
                movers[place / 64] |= 1 << (place % 64);
            }
        }
    }

    fn index(&self, side: usize, place: u32) -> u32 {
        self.sides()[side].start + place
    }
}

/// Asserts that an algorithm solves 10,000 random graphs as the definition does.
#[cfg(test)]
pub(super) fn assert_defined(metric: Metric, solve: impl Fn(&Graph) -> Vec<TableValue>) {
    for seed in 0..10_000 {
        let graph = Graph::random(metric, seed);
        let defined = super::reference::solve(&graph);
        assert_eq!(solve(&graph), defined, "{metric:?} seed {seed}");
    }
}
