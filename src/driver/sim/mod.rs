//! A machine room that exists only as virtual time: N workers on one core, the same run every time from the same seed.
//!
//! A worker's turn takes in what has arrived, does one step and sends what it has to say, at once or together with what it
//! will have to say to the same worker; the costs of that pass on its own clock. A message arrives some time after it was
//! sent. Speedups measured here depend on the costs assumed and on nothing else, neither on the machine nor on its load.

mod batching;
mod cost;
mod events;
mod history_sync;
mod network;
mod shared_tree;

use std::collections::VecDeque;
use std::sync::Arc;

pub use cost::Costs;
pub use shared_tree::run_threads;

use crate::cc2s::{Monitor, Status, WorkerId};
use crate::game::{Evaluator, Game, HistoryDelta};
use crate::parallel::{Envelope, Preempted, PreemptionState, Progress, Worker};
use batching::Batching;
use events::Events;
use history_sync::{HistorySync, Note};
use network::Network;

/// What a simulation depends on beside the search itself.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// The machine.
    pub costs: Costs,
    /// Each message is late by up to this many times the time it should take, drawn evenly; 0 on an ideal network.
    pub jitter: u64,
    /// Decides the delays.
    pub seed: u64,
}

/// What came of a simulation.
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
enum Event<M> {
    /// Messages to one worker arrive.
    Arrival(Vec<Envelope<M>>),
    /// What evaluators have learned arrives.
    Told(usize, Note),
    /// A worker may go on.
    Turn(WorkerId),
}

/// A worker and what the machine room knows of it.
struct Host<G: Game> {
    worker: Worker<G>,
    inbox: VecDeque<Vec<Envelope<G::Move>>>,
    unsent: Batching<G::Move>,
    notes: VecDeque<Note>,
    /// Valuations under way, each put aside for the next one, with the time that they will still take.
    valuations: Vec<(Preempted, u64)>,
    /// A turn is planned.
    is_busy: bool,
}

/// N workers, their evaluators and the network between them.
pub struct Simulation<'e, G: Game, E> {
    hosts: Vec<Host<G>>,
    /// One for each worker, or one for all of them.
    evaluators: &'e mut [E],
    history_sync: HistorySync,
    costs: Costs,
    network: Network,
    events: Events<Event<G::Move>>,
    measures: Measures,
    /// The memory of a worker is full.
    is_halted: bool,
}

impl<'e, G: Game, E: Evaluator<G>> Simulation<'e, G, E> {
    /// A simulation of these workers, the first of which leads an analysis. `evaluators` holds one for each worker, or a
    /// single one whose memory they share.
    pub fn new(workers: Vec<Worker<G>>, evaluators: &'e mut [E], conditions: Conditions) -> Self {
        assert!(evaluators.len() == 1 || evaluators.len() == workers.len());
        let count = workers.len();
        let host = |worker| Host {
            worker,
            inbox: VecDeque::new(),
            unsent: Batching::new(),
            notes: VecDeque::new(),
            valuations: Vec::new(),
            is_busy: false,
        };
        let Conditions {
            costs,
            jitter,
            seed,
        } = conditions;
        let team = workers[0].team();
        let (first, growth) = (
            team.history_sync_after as u64,
            team.history_sync_growth as u64,
        );
        let mut simulation = Self {
            history_sync: HistorySync::new(first, growth, evaluators.len()),
            hosts: workers.into_iter().map(host).collect(),
            evaluators,
            costs,
            network: Network::new(costs, count, jitter, seed),
            events: Events::new(),
            measures: Measures::default(),
            is_halted: false,
        };
        simulation.wake(WorkerId(0), 0);
        simulation
    }

    /// Lets time pass until the decision is taken, a worker's memory is full or the monitor says stop. The monitor is asked
    /// after each turn.
    pub fn run(&mut self, monitor: &mut impl Monitor<G::Move>) -> Measures {
        while let Some((now_ns, event)) = self.events.next() {
            self.happen(now_ns, event);
            self.measures.elapsed_ns = now_ns;
            let leader = &mut self.hosts[0].worker;
            for report in leader.take_reports() {
                monitor.report(&report);
            }
            let status = Status {
                nodes: self.measures.nodes,
                tree_nodes: self.measures.tree_nodes,
                ..leader.status()
            };
            if leader.is_done() || self.is_halted || !monitor.proceed(&status) {
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

    fn happen(&mut self, now_ns: u64, event: Event<G::Move>) {
        match event {
            Event::Arrival(messages) => {
                let to = messages[0].to;
                self.measures.note(now_ns, 2 * u64::from(to.0));
                self.hosts[usize::from(to.0)].inbox.push_back(messages);
                self.wake(to, now_ns);
            }
            Event::Told(place, note) => {
                self.measures.note(now_ns, 2 * place as u64);
                self.hosts[place].notes.push_back(note);
                self.wake(WorkerId(place as u16), now_ns);
            }
            Event::Turn(id) => {
                self.measures.note(now_ns, 2 * u64::from(id.0) + 1);
                self.turn(now_ns, id);
            }
        }
    }

    fn wake(&mut self, id: WorkerId, now_ns: u64) {
        let host = &mut self.hosts[usize::from(id.0)];
        if !host.is_busy {
            host.is_busy = true;
            self.events.plan(now_ns, Event::Turn(id));
        }
    }

    /// One worker takes in what has arrived, does one step or goes on with a long one, and sends what it has to say.
    fn turn(&mut self, start_ns: u64, id: WorkerId) {
        let place = usize::from(id.0);
        let mut now_ns = self.read_notes(start_ns, place);
        let host = &mut self.hosts[place];
        host.is_busy = false;
        for messages in host.inbox.drain(..) {
            now_ns += self.costs.of_handling(messages.len());
            for envelope in messages {
                host.worker.receive(envelope);
            }
        }
        let (is_idle, after_ns) = match host.value_on(self.costs.poll_ns) {
            Some(part_ns) => (false, now_ns + part_ns),
            None => self.step(now_ns, place),
        };
        now_ns = self.post(after_ns, place, is_idle);
        self.measures.busy_ns += now_ns - start_ns;
        if now_ns > start_ns || !is_idle {
            self.wake(id, now_ns);
        }
    }

    /// One worker does one step, or begins it. Whether there was nothing to do, and when that is done.
    fn step(&mut self, start_ns: u64, place: usize) -> (bool, u64) {
        let host = &mut self.hosts[place];
        let evaluator = match &mut *self.evaluators {
            [shared] => shared,
            own => &mut own[place],
        };
        let progress = host.worker.step(evaluator);
        let mut now_ns = start_ns;
        if let Progress::Worked(work) = progress {
            now_ns += host.begin(self.costs.of_work(work), self.costs.poll_ns);
            self.measures.nodes += work.tree_nodes + work.leaf_nodes;
            self.measures.tree_nodes += work.tree_nodes;
            if let Some(nodes) = self.history_sync.worked(place, work.leaf_nodes) {
                let delta = evaluator.take_history_delta();
                now_ns = self.report(now_ns, place, nodes, delta);
            }
        }
        self.is_halted |= self.hosts[place].worker.halted().is_some();
        (progress == Progress::Idle, now_ns)
    }

    /// One sends what it has to say; who has something else to do lets messages wait for others. When that is done.
    fn post(&mut self, start_ns: u64, place: usize, is_idle: bool) -> u64 {
        let mut now_ns = start_ns;
        let host = &mut self.hosts[place];
        for envelope in host.worker.take_outbox() {
            host.unsent.put(now_ns, envelope);
        }
        let waits_ns = if is_idle { 0 } else { self.costs.patience_ns };
        if let Some(moment_ns) = now_ns.checked_sub(waits_ns) {
            while let Some(messages) = self.hosts[place].unsent.take_opened_by(moment_ns) {
                now_ns += self.costs.of_handling(messages.len());
                self.send(now_ns, messages);
            }
        }
        now_ns
    }
}

impl<G: Game> Host<G> {
    /// Begins with something that takes so long, at most until it is time to look for messages if it can be put aside then. How
    /// long that was.
    fn begin(&mut self, cost_ns: u64, poll_ns: u64) -> u64 {
        if cost_ns > poll_ns
            && let Some(valuation) = self.worker.preempt()
        {
            self.valuations.push((valuation, cost_ns - poll_ns));
            return poll_ns;
        }
        cost_ns
    }

    /// Goes on, until it is time to look for messages, with the valuation that was put aside last. How long that was; `None` if
    /// something else is to be done first.
    fn value_on(&mut self, poll_ns: u64) -> Option<u64> {
        while let Some((valuation, left_ns)) = self.valuations.last_mut() {
            match self.worker.preemption_state(valuation) {
                PreemptionState::Later => return None,
                PreemptionState::Dropped => {}
                PreemptionState::Next => {
                    let part_ns = poll_ns.min(*left_ns);
                    *left_ns -= part_ns;
                    if *left_ns == 0 {
                        self.worker.finish(valuation);
                        self.valuations.pop();
                    }
                    return Some(part_ns);
                }
            }
            self.valuations.pop();
        }
        None
    }
}

/// What workers and evaluators tell each other.
impl<G: Game, E: Evaluator<G>> Simulation<'_, G, E> {
    /// Sends messages of one worker to another.
    fn send(&mut self, now_ns: u64, messages: Vec<Envelope<G::Move>>) {
        let bytes = messages
            .iter()
            .map(|envelope| envelope.message.bytes())
            .sum();
        let link = (
            usize::from(messages[0].from.0),
            usize::from(messages[0].to.0),
        );
        let arrival = self.passage(now_ns, link, bytes);
        self.events.plan(arrival, Event::Arrival(messages));
    }

    /// When a message arrives that leaves now.
    fn passage(&mut self, now_ns: u64, link: (usize, usize), bytes: u64) -> u64 {
        self.measures.messages += 1;
        self.measures.bytes += bytes;
        self.network.arrival(now_ns, link, bytes)
    }

    /// One takes in what others have learned. When that is done.
    fn read_notes(&mut self, start_ns: u64, place: usize) -> u64 {
        let mut now_ns = start_ns;
        while let Some(note) = self.hosts[place].notes.pop_front() {
            now_ns += self.costs.overhead_ns + note.entries() * self.costs.item_ns;
            let delta = match note {
                Note::Report(nodes, delta) => self.history_sync.gather(nodes, &delta),
                Note::Delta(delta) => Some(delta),
            };
            if let Some(delta) = delta {
                now_ns = self.teach(now_ns, place, &delta);
            }
        }
        now_ns
    }

    /// One tells the first what it has learned. When that is done.
    fn report(&mut self, start_ns: u64, place: usize, nodes: u64, delta: HistoryDelta) -> u64 {
        let note = Note::Report(nodes, delta);
        let now_ns = start_ns + note.entries() * self.costs.item_ns;
        if place > 0 {
            return self.tell(now_ns, (place, 0), note);
        }
        self.hosts[0].notes.push_back(note);
        self.read_notes(now_ns, 0)
    }

    /// One learns what all are to know, and tells others. When that is done.
    fn teach(&mut self, start_ns: u64, place: usize, delta: &Arc<HistoryDelta>) -> u64 {
        self.evaluators[place].learn(delta);
        (self.history_sync.next_places(place)).fold(start_ns, |now_ns, next| {
            self.tell(now_ns, (place, next), Note::Delta(Arc::clone(delta)))
        })
    }

    fn tell(&mut self, start_ns: u64, link: (usize, usize), note: Note) -> u64 {
        let now_ns = start_ns + self.costs.overhead_ns;
        let arrival = self.passage(now_ns, link, note.bytes());
        self.events.plan(arrival, Event::Told(link.1, note));
        now_ns
    }
}

impl Measures {
    /// Lets the trace depend on something that happens.
    fn note(&mut self, now_ns: u64, what: u64) {
        let trace = self.trace ^ now_ns.rotate_left(20) ^ what;
        self.trace = trace.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}
