//! A simulation of N workers in virtual time on one core, reproducible for a given seed.
//!
//! In its turn a worker receives what has arrived, does one step and sends its messages; the costs advance its own
//! clock. A message arrives some time after it was sent. Measured speedups depend only on the costs assumed, not
//! on the machine or its load.

mod cost;
mod events;
mod network;

use std::collections::VecDeque;

pub use cost::Costs;

use crate::game::{Evaluator, Game, Progress, SearchListener};
use crate::thesis::{Activity, Envelope, Worker, WorkerId};
use events::Events;
use network::WorkerNetwork;

/// The conditions of a simulation, beside the search itself.
#[derive(Clone, Copy, Debug)]
pub struct SimulationConditions {
    /// The machine.
    pub costs: Costs,
    /// The maximum delay of a message as a multiple of its passage time, uniformly distributed; 0 on an ideal
    /// network.
    pub jitter: u64,
    /// The seed of the delays.
    pub seed: u64,
}

/// The result of a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// The virtual time until the decision, in nanoseconds.
    pub elapsed_ns: u64,
    /// The working time of all workers together, without waiting, in nanoseconds.
    pub busy_ns: u64,
    /// Nodes of trees and evaluators, all workers together.
    pub nodes: u64,
    /// Nodes stored.
    pub tree_nodes: u64,
    /// Messages sent.
    pub messages: u64,
    /// The bytes of the messages.
    pub bytes: u64,
    /// A hash of all events and their times.
    pub trace: u64,
}

#[derive(Clone, Debug)]
enum SimulationEvent<M> {
    Arrival(Envelope<M>),
    Turn(WorkerId),
}

struct SimulatedWorker<G: Game> {
    worker: Worker<G>,
    inbox: VecDeque<Envelope<G::Move>>,
    /// Whether a turn is planned.
    is_busy: bool,
}

/// N workers, their evaluators and the network between them.
pub struct Simulation<'e, G: Game, E> {
    hosts: Vec<SimulatedWorker<G>>,
    /// One for each worker, or one for all of them.
    evaluators: &'e mut [E],
    costs: Costs,
    network: WorkerNetwork,
    events: Events<SimulationEvent<G::Move>>,
    measures: Measures,
    /// Whether a worker's memory is full.
    is_halted: bool,
}

impl<'e, G: Game, E: Evaluator<G>> Simulation<'e, G, E> {
    /// Creates a simulation of these workers, the first of which leads an analysis. `evaluators` has one for each
    /// worker, or a single one whose memory they share.
    pub fn new(
        workers: Vec<Worker<G>>,
        evaluators: &'e mut [E],
        conditions: SimulationConditions,
    ) -> Self {
        assert!(evaluators.len() == 1 || evaluators.len() == workers.len());
        let count = workers.len();
        let host = |worker| SimulatedWorker {
            worker,
            inbox: VecDeque::new(),
            is_busy: false,
        };
        let SimulationConditions {
            costs,
            jitter,
            seed,
        } = conditions;
        let mut simulation = Self {
            hosts: workers.into_iter().map(host).collect(),
            evaluators,
            costs,
            network: WorkerNetwork::new(costs, count, jitter, seed),
            events: Events::new(),
            measures: Measures::default(),
            is_halted: false,
        };
        simulation.wake(WorkerId(0), 0);
        simulation
    }

    /// Runs until the decision is made, a worker's memory is full or the listener stops the search. The listener
    /// is called after each turn.
    pub fn run(&mut self, listener: &mut dyn SearchListener<G::Move>) -> Measures {
        while let Some((now_ns, event)) = self.events.next() {
            self.happen(now_ns, event);
            self.measures.elapsed_ns = now_ns;
            let leader = &mut self.hosts[0].worker;
            for report in leader.take_reports() {
                listener.report(&report);
            }
            let status = Progress {
                nodes: self.measures.nodes,
                tree_nodes: self.measures.tree_nodes,
                ..leader.status()
            };
            if leader.is_done() || self.is_halted || !listener.proceed(&status) {
                break;
            }
        }
        self.measures
    }

    /// Runs until all messages in transit have arrived and all workers are at rest.
    pub fn settle(&mut self) {
        while let Some((now_ns, event)) = self.events.next() {
            self.happen(now_ns, event);
        }
    }

    /// Returns the workers in their current state.
    pub fn workers(&self) -> impl Iterator<Item = &Worker<G>> {
        self.hosts.iter().map(|host| &host.worker)
    }

    /// Returns the workers.
    pub fn into_workers(self) -> Vec<Worker<G>> {
        self.hosts.into_iter().map(|host| host.worker).collect()
    }

    fn happen(&mut self, now_ns: u64, event: SimulationEvent<G::Move>) {
        match event {
            SimulationEvent::Arrival(envelope) => {
                let to = envelope.to;
                self.measures.note(now_ns, 2 * u64::from(to.0));
                self.hosts[usize::from(to.0)].inbox.push_back(envelope);
                self.wake(to, now_ns);
            }
            SimulationEvent::Turn(id) => {
                self.measures.note(now_ns, 2 * u64::from(id.0) + 1);
                self.turn(now_ns, id);
            }
        }
    }

    fn wake(&mut self, id: WorkerId, now_ns: u64) {
        let host = &mut self.hosts[usize::from(id.0)];
        if !host.is_busy {
            host.is_busy = true;
            self.events.plan(now_ns, SimulationEvent::Turn(id));
        }
    }

    /// Makes one worker receive what has arrived, do one step, and send its messages.
    fn turn(&mut self, start_ns: u64, id: WorkerId) {
        let place = usize::from(id.0);
        let host = &mut self.hosts[place];
        host.is_busy = false;
        let mut now_ns = start_ns;
        for envelope in host.inbox.drain(..) {
            now_ns += self.costs.overhead_ns;
            host.worker.receive(envelope);
        }
        let evaluator = match &mut *self.evaluators {
            [shared] => shared,
            own => &mut own[place],
        };
        let progress = host.worker.step(evaluator);
        if let Activity::Worked(work) = progress {
            now_ns += self.costs.of_work(work);
            self.measures.nodes += work.tree_nodes + work.leaf_nodes;
            self.measures.tree_nodes += work.tree_nodes;
        }
        self.is_halted |= host.worker.halted().is_some();
        for envelope in host.worker.take_outbox() {
            now_ns += self.costs.overhead_ns;
            self.send(now_ns, envelope);
        }
        self.measures.busy_ns += now_ns - start_ns;
        if now_ns > start_ns || progress != Activity::Idle {
            self.wake(id, now_ns);
        }
    }

    fn send(&mut self, now_ns: u64, envelope: Envelope<G::Move>) {
        let bytes = envelope.message.bytes();
        let [from, to] = [envelope.from, envelope.to].map(|worker| usize::from(worker.0));
        self.measures.messages += 1;
        self.measures.bytes += bytes;
        let arrival = self.network.arrival(now_ns, from, to, bytes);
        self.events
            .plan(arrival, SimulationEvent::Arrival(envelope));
    }
}

impl Measures {
    /// Adds an event to the trace.
    fn note(&mut self, now_ns: u64, what: u64) {
        let trace = self.trace ^ now_ns.rotate_left(20) ^ what;
        self.trace = trace.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}
