//! A machine room that exists only as virtual time: N workers on one core, the same run every time from the same seed.
//!
//! A worker's turn takes in what has arrived, does one step and sends what it has to say; the costs of that pass on
//! its own clock. A message arrives some time after it was sent. Speedups measured here depend on the costs assumed
//! and on nothing else, neither on the machine nor on its load.

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
    /// Each message is late by up to this many times the time it should take, drawn evenly; 0 on an ideal network.
    pub jitter: u64,
    /// Decides the delays.
    pub seed: u64,
}

/// The result of a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// Until the decision, in nanoseconds of virtual time.
    pub elapsed_ns: u64,
    /// Time that workers have worked, all of them together; waiting does not count.
    pub busy_ns: u64,
    /// Nodes of trees and evaluators, all workers together.
    pub nodes: u64,
    /// Nodes stored.
    pub tree_nodes: u64,
    /// Messages sent.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Depends on everything that happened, and when.
    pub trace: u64,
}

/// Something that happens.
#[derive(Clone, Debug)]
enum SimulationEvent<M> {
    /// A message arrives.
    Arrival(Envelope<M>),
    /// A worker may go on.
    Turn(WorkerId),
}

/// A worker and what the machine room knows of it.
struct SimulatedWorker<G: Game> {
    worker: Worker<G>,
    inbox: VecDeque<Envelope<G::Move>>,
    /// A turn is planned.
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
    /// The memory of a worker is full.
    is_halted: bool,
}

impl<'e, G: Game, E: Evaluator<G>> Simulation<'e, G, E> {
    /// A simulation of these workers, the first of which leads an analysis. `evaluators` holds one for each worker, or
    /// a single one whose memory they share.
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

    /// Lets time pass until the decision is taken, a worker's memory is full or the listener says stop. The listener is
    /// asked after each turn.
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

    /// Lets the messages that are still under way arrive and everybody come to rest.
    pub fn settle(&mut self) {
        while let Some((now_ns, event)) = self.events.next() {
            self.happen(now_ns, event);
        }
    }

    /// The workers as they are now.
    pub fn workers(&self) -> impl Iterator<Item = &Worker<G>> {
        self.hosts.iter().map(|host| &host.worker)
    }

    /// The workers, given back.
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

    /// One worker takes in what has arrived, does one step, and sends what it has to say.
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

    /// Lets a message leave now.
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
    /// Lets the trace depend on something that happens.
    fn note(&mut self, now_ns: u64, what: u64) {
        let trace = self.trace ^ now_ns.rotate_left(20) ^ what;
        self.trace = trace.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}
