//! Hands far away in virtual time: one processor keeps the tree, all others are sent what is to be done.
//!
//! ```text
//!            Event::AtHand                          Event::AtHome
//!  home ------------------------> queue, hand ------------------------> home: one turn at a time, in this order
//! ```

use std::collections::VecDeque;

use super::events::Events;
use super::network::Network;
use super::{Conditions, Measures};
use crate::cc2s::{FarHand, Monitor, Parcel, Work, Worker};
use crate::game::{Evaluator, Game, SplitMix64};

/// Something that happens.
#[derive(Clone, Debug)]
enum Event<M> {
    /// A hand gets something to do.
    AtHand(usize, Parcel<M>),
    /// A hand has done it.
    Done(usize, Parcel<M>),
    /// It is back at home.
    AtHome(usize, Parcel<M>),
    /// Home looks for something to do for a hand without work.
    Spare,
}

/// A hand and what the machine room knows of it.
struct Bench<G: Game> {
    hand: FarHand<G>,
    queue: VecDeque<Parcel<G::Move>>,
    is_busy: bool,
    /// What was sent to it and is not back.
    pending: usize,
}

/// Home, its hands, their evaluators and the network between them.
struct Room<'a, G: Game, E> {
    worker: &'a mut Worker<G>,
    benches: Vec<Bench<G>>,
    /// That of home, then one for each hand; or a single one whose memory all share.
    evaluators: &'a mut [E],
    conditions: Conditions,
    /// What a hand may have before it.
    pending_max: usize,
    network: Network,
    rng: SplitMix64,
    events: Events<Event<G::Move>>,
    /// A look for something to do is planned.
    is_looking: bool,
    /// When home has done all that it has begun.
    free_ns: u64,
    measures: Measures,
}

/// Lets a worker at home, which leads an analysis, and so many hands far away work until the decision is taken, the memory of
/// home is full or the monitor says stop. All of home's work costs its time; a parcel costs both sides the overhead of a
/// message and is late by up to `jitter` times its passage, and work takes up to `jitter` times as long beside. `game`
/// stands at the root; `evaluators` holds one for home and each hand, or a single one whose memory they share. The monitor is
/// asked after every turn of home.
pub fn run_home<G: Game + Clone, E: Evaluator<G>>(
    worker: &mut Worker<G>,
    game: &G,
    evaluators: &mut [E],
    (hands, conditions): (usize, Conditions),
    monitor: &mut impl Monitor<G::Move>,
) -> Measures {
    assert!(hands > 0, "home itself has no hand");
    assert!(evaluators.len() == 1 || evaluators.len() == hands + 1);
    let bench = |_| Bench {
        hand: worker.new_far_hand(game.clone()),
        queue: VecDeque::new(),
        is_busy: false,
        pending: 0,
    };
    let benches = (0..hands).map(bench).collect();
    let Conditions {
        costs,
        jitter,
        seed,
    } = conditions;
    let mut room = Room {
        pending_max: worker.chores_ahead() + 1,
        worker,
        benches,
        evaluators,
        conditions,
        network: Network::new(costs, hands + 1, jitter, seed),
        rng: SplitMix64::new(seed),
        events: Events::new(),
        is_looking: false,
        free_ns: 0,
        measures: Measures::default(),
    };
    room.look_for_work();
    room.run(monitor);
    room.measures
}

impl<G: Game, E: Evaluator<G>> Room<'_, G, E> {
    fn run(&mut self, monitor: &mut impl Monitor<G::Move>) {
        while let Some((now_ns, event)) = self.events.next() {
            let is_at_home = self.happen(now_ns, event);
            if !is_at_home {
                continue;
            }
            self.measures.elapsed_ns = self.free_ns;
            for report in self.worker.take_reports() {
                monitor.report(&report);
            }
            let worker = &self.worker;
            if worker.is_done() || worker.halted().is_some() || !monitor.proceed(&worker.status()) {
                break;
            }
        }
        self.measures.nodes = self.worker.counters().nodes();
        self.measures.tree_nodes = self.worker.counters().tree_nodes;
    }

    /// Whether it happened at home.
    fn happen(&mut self, now_ns: u64, event: Event<G::Move>) -> bool {
        match event {
            Event::AtHand(place, parcel) => {
                self.measures.note(now_ns, 3 * place as u64);
                self.benches[place].queue.push_back(parcel);
                self.begin(now_ns, place);
                false
            }
            Event::Done(place, parcel) => {
                self.measures.note(now_ns, 3 * place as u64 + 1);
                let bytes = parcel.bytes_back();
                let arrival = self.network.arrival(now_ns, (place + 1, 0), bytes);
                self.count(bytes);
                self.events.plan(arrival, Event::AtHome(place, parcel));
                self.benches[place].is_busy = false;
                self.begin(now_ns, place);
                false
            }
            Event::AtHome(place, parcel) => {
                self.measures.note(now_ns, 3 * place as u64 + 2);
                self.benches[place].pending -= 1;
                self.turn(now_ns, Some((place, parcel)));
                true
            }
            Event::Spare => {
                self.is_looking = false;
                self.turn(now_ns, None);
                true
            }
        }
    }

    /// Lets a hand begin with what came first, unless it is at work.
    fn begin(&mut self, now_ns: u64, place: usize) {
        let bench = &mut self.benches[place];
        if bench.is_busy {
            return;
        }
        let Some(mut parcel) = bench.queue.pop_front() else {
            return;
        };
        bench.is_busy = true;
        let own = (place + 1).min(self.evaluators.len() - 1);
        let work = bench.hand.work(&mut parcel, &mut self.evaluators[own]);
        let Conditions { costs, jitter, .. } = self.conditions;
        let factor = 1 + self.rng.below(jitter + 1);
        let needed_ns = 2 * costs.overhead_ns + factor * costs.of_work(work);
        self.measures.busy_ns += needed_ns;
        self.events
            .plan(now_ns + needed_ns, Event::Done(place, parcel));
    }

    /// Home takes in what has come back and sends out what is to be done next.
    fn turn(&mut self, now_ns: u64, back: Option<(usize, Parcel<G::Move>)>) {
        let costs = self.conditions.costs;
        let begin_ns = now_ns.max(self.free_ns);
        self.free_ns = begin_ns;
        let from = back.as_ref().map(|&(place, _)| place);
        let to = self.next_hand(from);
        let Some(to) = to.or(from) else {
            return;
        };
        let done = back
            .as_ref()
            .map_or_else(Default::default, |(_, parcel)| parcel.work());
        let waiting = self.benches.iter().filter(|bench| bench.pending == 0);
        let waiting = waiting.count() - usize::from(self.benches[to].pending == 0);
        let (before, upkeep) = (self.worker.counters(), self.worker.upkeep());
        let evaluator = &mut self.evaluators[0];
        let parcel = back.map(|(_, parcel)| parcel);
        if parcel.is_some() {
            self.free_ns += costs.overhead_ns;
        }
        let parcel = self.worker.take_turn(parcel, waiting, evaluator);
        let after = self.worker.counters();
        let own = Work {
            tree_nodes: after.tree_nodes - before.tree_nodes - done.tree_nodes,
            leaf_nodes: after.leaf_nodes - before.leaf_nodes - done.leaf_nodes,
        };
        self.free_ns += costs.of_turn(own, self.worker.upkeep().since(upkeep));
        if let Some(parcel) = parcel {
            self.free_ns += costs.overhead_ns;
            let bytes = parcel.bytes_there();
            let arrival = self.network.arrival(self.free_ns, (0, to + 1), bytes);
            self.count(bytes);
            self.benches[to].pending += 1;
            self.events.plan(arrival, Event::AtHand(to, parcel));
        }
        self.measures.busy_ns += self.free_ns - begin_ns;
        if self.worker.has_spare_work() && self.next_hand(None).is_some() {
            self.look_for_work();
        }
    }

    /// The hand to be sent something next: the one that has sent something, if it has nothing before it, else one with the
    /// least before it.
    fn next_hand(&self, from: Option<usize>) -> Option<usize> {
        let pending = |place: usize| self.benches[place].pending;
        from.filter(|&place| pending(place) == 0).or_else(|| {
            let least = (0..self.benches.len()).min_by_key(|&place| pending(place));
            least.filter(|&place| pending(place) < self.pending_max)
        })
    }

    fn look_for_work(&mut self) {
        if !self.is_looking {
            self.is_looking = true;
            self.events.plan(self.free_ns, Event::Spare);
        }
    }

    fn count(&mut self, bytes: u64) {
        self.measures.messages += 1;
        self.measures.bytes += bytes;
    }
}
