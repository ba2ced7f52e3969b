//! A machine room that exists only as virtual time: N workers on one core, the same run every time from the same seed.
//!
//! A worker's turn takes in what has arrived, does one step and sends what it has to say, at once or together with what it
//! will have to say to the same worker; the costs of that pass on its own clock. A message arrives some time after it was
//! sent. Speedups measured here depend on the costs assumed and on nothing else, neither on the machine nor on its load.

mod bags;
mod cost;
mod events;
mod hands;
mod network;
mod school;

use std::collections::VecDeque;
use std::sync::Arc;

pub use cost::Costs;
pub use hands::run_hands;

use crate::cc2s::{Monitor, Status, WorkerId};
use crate::game::{Evaluator, Game, Lessons};
use crate::parallel::{Envelope, Interrupted, Progress, Standing, Worker};
use bags::Bags;
use events::Events;
use network::Network;
use school::{Note, School};

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
    /// Letters to one worker arrive.
    Arrival(Vec<Envelope<M>>),
    /// What evaluators have learned arrives.
    Told(usize, Note),
    /// A worker may go on.
    Turn(WorkerId),
}

/// A worker and what the machine room knows of it.
struct Desk<G: Game> {
    worker: Worker<G>,
    inbox: VecDeque<Vec<Envelope<G::Move>>>,
    unsent: Bags<G::Move>,
    notes: VecDeque<Note>,
    /// Valuations under way, each put aside for the next one, with the time that they will still take.
    valuations: Vec<(Interrupted, u64)>,
    /// A turn is planned.
    is_busy: bool,
}

/// N workers, their evaluators and the network between them.
pub struct Simulation<'e, G: Game, E> {
    desks: Vec<Desk<G>>,
    /// One for each worker, or one for all of them.
    evaluators: &'e mut [E],
    school: School,
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
        let desk = |worker| Desk {
            worker,
            inbox: VecDeque::new(),
            unsent: Bags::new(),
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
        let (first, growth) = (team.lessons_after as u64, team.lessons_growth as u64);
        let mut simulation = Self {
            school: School::new(first, growth, evaluators.len()),
            desks: workers.into_iter().map(desk).collect(),
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
            let home = &mut self.desks[0].worker;
            for report in home.take_reports() {
                monitor.report(&report);
            }
            let status = Status {
                nodes: self.measures.nodes,
                tree_nodes: self.measures.tree_nodes,
                ..home.status()
            };
            if home.is_done() || self.is_halted || !monitor.proceed(&status) {
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
        self.desks.iter().map(|desk| &desk.worker)
    }

    /// The workers, given back.
    pub fn into_workers(self) -> Vec<Worker<G>> {
        self.desks.into_iter().map(|desk| desk.worker).collect()
    }

    fn happen(&mut self, now_ns: u64, event: Event<G::Move>) {
        match event {
            Event::Arrival(letters) => {
                let to = letters[0].to;
                self.measures.note(now_ns, 2 * u64::from(to.0));
                self.desks[usize::from(to.0)].inbox.push_back(letters);
                self.wake(to, now_ns);
            }
            Event::Told(place, note) => {
                self.measures.note(now_ns, 2 * place as u64);
                self.desks[place].notes.push_back(note);
                self.wake(WorkerId(place as u16), now_ns);
            }
            Event::Turn(id) => {
                self.measures.note(now_ns, 2 * u64::from(id.0) + 1);
                self.turn(now_ns, id);
            }
        }
    }

    fn wake(&mut self, id: WorkerId, now_ns: u64) {
        let desk = &mut self.desks[usize::from(id.0)];
        if !desk.is_busy {
            desk.is_busy = true;
            self.events.plan(now_ns, Event::Turn(id));
        }
    }

    /// One worker takes in what has arrived, does one step or goes on with a long one, and sends what it has to say.
    fn turn(&mut self, start_ns: u64, id: WorkerId) {
        let place = usize::from(id.0);
        let mut now_ns = self.read_notes(start_ns, place);
        let desk = &mut self.desks[place];
        desk.is_busy = false;
        for letters in desk.inbox.drain(..) {
            now_ns += self.costs.of_handling(letters.len());
            for envelope in letters {
                desk.worker.receive(envelope);
            }
        }
        let (is_idle, after_ns) = match desk.value_on(self.costs.poll_ns) {
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
        let desk = &mut self.desks[place];
        let evaluator = match &mut *self.evaluators {
            [shared] => shared,
            own => &mut own[place],
        };
        let progress = desk.worker.step(evaluator);
        let mut now_ns = start_ns;
        if let Progress::Worked(work) = progress {
            now_ns += desk.begin(self.costs.of_work(work), self.costs.poll_ns);
            self.measures.nodes += work.tree_nodes + work.leaf_nodes;
            self.measures.tree_nodes += work.tree_nodes;
            if let Some(nodes) = self.school.worked(place, work.leaf_nodes) {
                let lessons = evaluator.take_lessons();
                now_ns = self.report(now_ns, place, nodes, lessons);
            }
        }
        self.is_halted |= self.desks[place].worker.halted().is_some();
        (progress == Progress::Idle, now_ns)
    }

    /// One sends what it has to say; who has something else to do lets letters wait for others. When that is done.
    fn post(&mut self, start_ns: u64, place: usize, is_idle: bool) -> u64 {
        let mut now_ns = start_ns;
        let desk = &mut self.desks[place];
        for envelope in desk.worker.take_outbox() {
            desk.unsent.put(now_ns, envelope);
        }
        let waits_ns = if is_idle { 0 } else { self.costs.patience_ns };
        if let Some(moment_ns) = now_ns.checked_sub(waits_ns) {
            while let Some(letters) = self.desks[place].unsent.take_opened_by(moment_ns) {
                now_ns += self.costs.of_handling(letters.len());
                self.send(now_ns, letters);
            }
        }
        now_ns
    }
}

impl<G: Game> Desk<G> {
    /// Begins with something that takes so long, at most until it is time to look for letters if it can be put aside then. How
    /// long that was.
    fn begin(&mut self, cost_ns: u64, poll_ns: u64) -> u64 {
        if cost_ns > poll_ns
            && let Some(valuation) = self.worker.interrupt()
        {
            self.valuations.push((valuation, cost_ns - poll_ns));
            return poll_ns;
        }
        cost_ns
    }

    /// Goes on, until it is time to look for letters, with the valuation that was put aside last. How long that was; `None` if
    /// something else is to be done first.
    fn value_on(&mut self, poll_ns: u64) -> Option<u64> {
        while let Some((valuation, left_ns)) = self.valuations.last_mut() {
            match self.worker.standing(valuation) {
                Standing::Later => return None,
                Standing::Dropped => {}
                Standing::Next => {
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
    /// Sends letters of one worker to another.
    fn send(&mut self, now_ns: u64, letters: Vec<Envelope<G::Move>>) {
        let bytes = letters.iter().map(|letter| letter.message.bytes()).sum();
        let link = (usize::from(letters[0].from.0), usize::from(letters[0].to.0));
        let arrival = self.passage(now_ns, link, bytes);
        self.events.plan(arrival, Event::Arrival(letters));
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
        while let Some(note) = self.desks[place].notes.pop_front() {
            now_ns += self.costs.overhead_ns + note.entries() * self.costs.item_ns;
            let lessons = match note {
                Note::Report(nodes, lessons) => self.school.gather(nodes, &lessons),
                Note::Lessons(lessons) => Some(lessons),
            };
            if let Some(lessons) = lessons {
                now_ns = self.teach(now_ns, place, &lessons);
            }
        }
        now_ns
    }

    /// One tells the first what it has learned. When that is done.
    fn report(&mut self, start_ns: u64, place: usize, nodes: u64, lessons: Lessons) -> u64 {
        let note = Note::Report(nodes, lessons);
        let now_ns = start_ns + note.entries() * self.costs.item_ns;
        if place > 0 {
            return self.tell(now_ns, (place, 0), note);
        }
        self.desks[0].notes.push_back(note);
        self.read_notes(now_ns, 0)
    }

    /// One learns what all are to know, and tells others. When that is done.
    fn teach(&mut self, start_ns: u64, place: usize, lessons: &Arc<Lessons>) -> u64 {
        self.evaluators[place].learn(lessons);
        (self.school.next_places(place)).fold(start_ns, |now_ns, next| {
            self.tell(now_ns, (place, next), Note::Lessons(Arc::clone(lessons)))
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
