//! A searcher that can be paused within a job, so that virtual time determines the order of searching.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

use crate::chess::{Line, Move};
use crate::game::{HashUpdate, Job, Response};
use crate::search::{LeafSearcher, POLL_NODES, SharedSearch};

/// The search is recursive.
const STACK_BYTES: usize = 8 << 20;

/// A running job, resumed with whether its answer is still wanted.
type Dive = Coroutine<bool, Pause, JobResult>;

/// A pause after a number of nodes of a job.
struct Pause {
    nodes: u64,
    /// Table updates for other ranks.
    updates: Vec<HashUpdate>,
}

struct JobResult {
    response: Response<Move>,
    updates: Vec<HashUpdate>,
}

/// The state of a job after it was resumed.
enum Sign {
    Paused(Dive, Pause),
    Done(JobResult),
}

struct Busy {
    /// The virtual time at which the state is reached.
    due_ns: u64,
    /// Nodes of the job up to that time.
    nodes: u64,
    sign: Sign,
    is_cancelled: bool,
    /// Nodes counted in `nodes` that the cancelled job does not search in virtual time.
    unsearched: u64,
}

struct Hand {
    searcher: LeafSearcher,
    shared: Arc<SharedSearch>,
    line: Option<Line>,
}

/// One thread of one rank.
pub(super) struct Diver {
    hand: Rc<RefCell<Hand>>,
    node_ns: u64,
    now_ns: u64,
    busy: Option<Busy>,
    updates: Vec<HashUpdate>,
    pub(super) busy_ns: u64,
    pub(super) searched: u64,
}

impl Diver {
    /// Creates a thread that shares its table and needs `node_ns` for a node.
    pub(super) fn new(
        mut searcher: LeafSearcher,
        shared: &Arc<SharedSearch>,
        node_ns: u64,
    ) -> Self {
        searcher.set_shared(Some(Arc::clone(shared)));
        let hand = Hand {
            searcher,
            shared: Arc::clone(shared),
            line: None,
        };
        Self {
            hand: Rc::new(RefCell::new(hand)),
            node_ns,
            now_ns: 0,
            busy: None,
            updates: Vec::new(),
            busy_ns: 0,
            searched: 0,
        }
    }

    /// Resumes the job until its next pause or its end.
    fn go_on(&mut self, mut dive: Dive, before: Option<&Busy>) {
        let is_wanted = before.is_none_or(|busy| !busy.is_cancelled);
        let nodes_before = before.map_or(0, |busy| busy.nodes);
        let (nodes, sign) = match dive.resume(is_wanted) {
            CoroutineResult::Yield(pause) => (pause.nodes, Sign::Paused(dive, pause)),
            CoroutineResult::Return(done) => {
                (done.response.nodes().max(nodes_before), Sign::Done(done))
            }
        };
        let took_ns = (nodes - nodes_before) * self.node_ns;
        self.busy_ns += took_ns;
        self.searched += nodes - nodes_before;
        self.busy = Some(Busy {
            due_ns: self.now_ns + took_ns,
            nodes,
            sign,
            is_cancelled: before.is_some_and(|busy| busy.is_cancelled),
            unsearched: before.map_or(0, |busy| busy.unsearched),
        });
    }

    /// The time of the next event.
    pub(super) fn due_ns(&self) -> Option<u64> {
        self.busy.as_ref().map(|busy| busy.due_ns)
    }

    /// Advances the clock: a paused job that is due continues or is cancelled.
    pub(super) fn advance(&mut self, now_ns: u64) {
        self.now_ns = now_ns;
        let is_over = |busy: &mut Busy| busy.due_ns <= now_ns;
        while let Some(mut busy) = self.busy.take_if(is_over) {
            match std::mem::replace(&mut busy.sign, Sign::NONE) {
                Sign::Paused(dive, pause) => {
                    self.updates.extend(pause.updates);
                    self.go_on(dive, Some(&busy));
                }
                done @ Sign::Done(_) => {
                    busy.sign = done;
                    self.busy = Some(busy);
                    return;
                }
            }
        }
    }
}

impl Sign {
    /// A placeholder for a state that is being processed.
    const NONE: Self = Self::Done(JobResult {
        response: Response::Aborted(0),
        updates: Vec::new(),
    });
}

impl Diver {
    /// Resets the state of the searcher for a new game, except the table.
    pub(super) fn forget(&mut self) {
        self.hand.borrow_mut().searcher.forget();
    }

    /// Sets the position of the following jobs.
    pub(super) fn begin(&mut self, line: Line) {
        let mut hand = self.hand.borrow_mut();
        hand.line = Some(line);
        hand.searcher.turn_to_new_position();
    }

    pub(super) fn is_busy(&self) -> bool {
        self.busy.is_some()
    }

    /// Starts a job; no other may be running.
    pub(super) fn start(&mut self, job: Job<Move>) {
        assert!(self.busy.is_none(), "one job at a time");
        let hand = Rc::clone(&self.hand);
        let stack = DefaultStack::new(STACK_BYTES).expect("there is room for a stack");
        let dive = Dive::with_stack(stack, move |yielder, _| {
            hand.borrow_mut().dive(yielder, &job)
        });
        self.go_on(dive, None);
    }

    /// Cancels the job, which is answered nonetheless.
    pub(super) fn cancel(&mut self) {
        let Some(busy) = self.busy.as_mut().filter(|busy| !busy.is_cancelled) else {
            return;
        };
        busy.is_cancelled = true;
        let until_ns = self.now_ns + POLL_NODES * self.node_ns;
        let early_ns = busy.due_ns.saturating_sub(until_ns);
        // Counted in advance, but not searched.
        let unsearched = early_ns / self.node_ns;
        busy.due_ns -= early_ns;
        busy.unsearched = unsearched;
        self.busy_ns -= early_ns;
        self.searched -= unsearched;
    }

    /// Takes the answer to the job, if it is due.
    pub(super) fn finished(&mut self) -> Option<Response<Move>> {
        let busy = self
            .busy
            .take_if(|busy| busy.due_ns <= self.now_ns && matches!(busy.sign, Sign::Done(_)))?;
        let Sign::Done(done) = busy.sign else {
            return None;
        };
        self.updates.extend(done.updates);
        if busy.is_cancelled {
            let nodes = busy.nodes - busy.unsearched;
            return Some(Response::Aborted(nodes));
        }
        Some(done.response)
    }

    pub(super) fn nodes(&self) -> u64 {
        self.busy
            .as_ref()
            .map_or(0, |busy| busy.nodes - busy.unsearched)
    }

    pub(super) fn take_updates(&mut self) -> Vec<HashUpdate> {
        std::mem::take(&mut self.updates)
    }
}

impl Hand {
    /// Performs a job and pauses at each poll for cancellation.
    fn dive(&mut self, yielder: &Yielder<bool, Pause>, job: &Job<Move>) -> JobResult {
        let line = self.line.as_mut().expect("a position comes before jobs");
        let shared = &self.shared;
        let response = self.searcher.perform(line, job, &mut |nodes| {
            let updates = shared.take_updates();
            yielder.suspend(Pause { nodes, updates })
        });
        let updates = shared.take_updates();
        JobResult { response, updates }
    }
}
