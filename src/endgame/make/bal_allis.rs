//! Bal and Allis's algorithm: a counter and a value per position; children notify their parents.
//!
//! The bound falls from the greatest amount to 1. After bound t every position of amount t or more is known. A
//! position becomes known when its last child has reported, or when no value above its best is possible.

use super::slice::{Deal, Slice};
use super::solver::{self, Solver};
use super::threads::{self, Traffic};
use super::{Class, TableValue};

/// An analysis with one slice per thread.
pub struct BalAllis<'a, C> {
    deal: Deal,
    slices: Vec<Slice<'a, C>>,
    /// The next bound; 0 when the analysis has ended.
    bound: u8,
    traffic: Traffic,
}

impl<'a, C: Class> BalAllis<'a, C> {
    /// Initialises every position, on `threads` threads.
    pub fn new(class: &'a C, threads: u32) -> Self {
        let deal = Deal::new(class.size(), threads);
        let slices = threads::for_each((0..threads).collect(), |owner| {
            Slice::new(class, deal, owner)
        });
        Self {
            deal,
            slices,
            bound: class.amount_max(),
            traffic: Traffic::default(),
        }
    }

    /// Restores a saved analysis on any number of threads; `None` if `saved` does not fit the class.
    pub fn restore(class: &'a C, threads: u32, saved: &[u8]) -> Option<Self> {
        let (&bound, states) = saved.split_first()?;
        if states.len() != 2 * class.size() as usize || !(1..=class.amount_max()).contains(&bound) {
            return None;
        }
        let deal = Deal::new(class.size(), threads);
        let restore = |owner| Slice::restore(class, deal, owner, bound, states);
        let slices = threads::for_each((0..threads).collect(), restore);
        Some(Self {
            deal,
            slices,
            bound,
            traffic: Traffic::default(),
        })
    }

    /// The traffic between slices so far.
    pub const fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// The number of updates so far, including those within a slice.
    pub fn updates(&self) -> u64 {
        self.slices.iter().map(Slice::updates).sum()
    }
}

impl<C: Class> Solver for BalAllis<'_, C> {
    fn step(&mut self) -> bool {
        if let [alone] = self.slices.as_mut_slice() {
            alone.start_bound(self.bound);
            alone.work(usize::MAX);
        } else {
            self.traffic += threads::exchange(&mut self.slices, self.bound);
        }
        self.bound -= 1;
        self.bound > 0
    }

    fn save(&mut self) -> Vec<u8> {
        let mut saved = vec![0; 1 + 2 * self.deal.size() as usize];
        saved[0] = self.bound;
        for slice in &self.slices {
            slice.save(&mut saved[1..]);
        }
        saved
    }

    fn bound(&self) -> u8 {
        self.bound + 1
    }

    fn finish(self: Box<Self>) -> Vec<TableValue> {
        assert!(self.bound == 0);
        let mut values = vec![TableValue::DRAW; self.deal.size() as usize];
        for slice in &self.slices {
            slice.finish(&mut values);
        }
        values
    }
}

/// Solves any class on one thread.
pub fn solve<C: Class>(class: &C) -> Vec<TableValue> {
    solver::run(Box::new(BalAllis::new(class, 1)))
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Graph, assert_defined};
    use super::super::slice::Update;
    use super::super::{Metric, reference};
    use super::*;
    use crate::game::SplitMix64;

    #[test]
    fn random_graphs_agree_with_the_definition() {
        for metric in [Metric::Distance, Metric::Points] {
            assert_defined(metric, solve);
        }
    }

    /// Uses buffers of single updates, delivered by a seeded scheduler with delays and in any order.
    fn solve_shuffled(graph: &Graph, slices: u32, rng: &mut SplitMix64) -> Vec<TableValue> {
        let deal = Deal::new(graph.size(), slices);
        let mut slices: Vec<_> = (0..slices)
            .map(|owner| Slice::new(graph, deal, owner))
            .collect();
        let mut under_way: Vec<(usize, Vec<Update>)> = Vec::new();
        for bound in (1..=graph.amount_max()).rev() {
            for slice in &mut slices {
                slice.start_bound(bound);
            }
            while !under_way.is_empty() || slices.iter().any(Slice::has_work) {
                let chosen = rng.below(slices.len() as u64) as usize;
                slices[chosen].work(1);
                for (to, buffer) in slices[chosen].outbox().iter_mut().enumerate() {
                    under_way.extend(buffer.drain(..).map(|update| (to, vec![update])));
                }
                if rng.below(2) == 0 && !under_way.is_empty() {
                    let (to, updates) =
                        under_way.swap_remove(rng.below(under_way.len() as u64) as usize);
                    slices[to].receive(&updates);
                }
            }
        }
        let mut values = vec![TableValue::DRAW; graph.size() as usize];
        for slice in &slices {
            slice.finish(&mut values);
        }
        values
    }

    #[test]
    fn the_order_of_delivery_does_not_matter() {
        for seed in 0..3_000 {
            let mut rng = SplitMix64::new(seed);
            for metric in [Metric::Distance, Metric::Points] {
                let graph = Graph::random(metric, seed);
                let slices = 2 + rng.below(3) as u32;
                assert_eq!(
                    solve_shuffled(&graph, slices, &mut rng),
                    solve(&graph),
                    "{metric:?} seed {seed}"
                );
            }
        }
    }

    #[test]
    fn a_saved_analysis_goes_on_with_any_number_of_threads() {
        for seed in 0..300 {
            let graph = Graph::random(Metric::Points, seed);
            let mut first = BalAllis::new(&graph, 1);
            for _ in 0..seed % u64::from(graph.amount_max()) {
                first.step();
            }
            let threads = 1 + (seed % 3) as u32;
            let resumed =
                BalAllis::restore(&graph, threads, &first.save()).expect("the same class");
            assert_eq!(
                solver::run(Box::new(resumed)),
                reference::solve(&graph),
                "seed {seed}"
            );
        }
    }
}
