//! The first rank, which dispatches the planner's jobs to the other ranks and takes back the jobs of lost ranks.

use super::broadcast::Broadcast;
use super::link::{Link, Outbox};
use super::message::{Root, TablePaths, ToCoordinator, ToRank};
use super::poll_policy::PollPolicy;
use super::timeline::{Received, Span, Timeline};
use crate::cc2s::{JobId, Planner, Reach, WorkerInfo};
use crate::game::{HashUpdate, Job, Response};
use serde::Serialize;

/// The rules for dispatching jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DispatchPolicy {
    /// The minimum depth of a dispatched job: shallower jobs are faster to do than to send.
    pub depth_min: u16,
    /// The number of jobs queued at a rank beyond those in progress, so that it has work once it answers.
    pub waiting: usize,
}

impl Default for DispatchPolicy {
    fn default() -> Self {
        Self {
            depth_min: 4,
            waiting: 1,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InFlight {
    id: u64,
    job_id: JobId,
    is_cancelled: bool,
    since_us: u64,
}

#[derive(Clone, Debug, Default)]
struct Peer {
    /// Jobs done at the same time, as last reported.
    threads: usize,
    /// Acknowledgements still expected; the rank gets no jobs before they arrive.
    pending_acks: usize,
    in_flight: Vec<InFlight>,
    /// The time of its last message, or of the first job after it had none.
    last_seen_us: u64,
    is_lost: bool,
    /// Nodes of the jobs in progress, as last reported.
    nodes: u64,
}

impl Peer {
    fn room(&self, dispatch: DispatchPolicy) -> usize {
        let most = if self.threads == 0 || self.pending_acks > 0 || self.is_lost {
            0
        } else {
            self.threads + dispatch.waiting
        };
        most.saturating_sub(self.in_flight.len())
    }

    fn forget(&mut self) {
        self.in_flight.clear();
        self.nodes = 0;
    }

    fn confirm(&mut self, threads: usize) {
        self.threads = threads;
        self.pending_acks = self.pending_acks.saturating_sub(1);
    }
}

/// The coordinator on the first rank. Times are in microseconds of any monotonic clock.
#[derive(Debug)]
pub struct Coordinator<M> {
    /// Indexed by rank; entry 0 is the coordinator itself and unused.
    peers: Vec<Peer>,
    dispatch: DispatchPolicy,
    outbox: Outbox,
    options: Vec<i32>,
    /// The number of requests to all ranks that each acknowledges.
    asks: u64,
    tables: TablePaths,
    /// The root being searched, and whether endgame tables may be used.
    question: Option<(Root<M>, bool)>,
    epoch: u32,
    ids: u64,
    now_us: u64,
    timeout_us: u64,
    answered_nodes: u64,
    responses: Vec<(JobId, Response<M>)>,
    broadcast: Broadcast,
    received: Vec<HashUpdate>,
    complaints: Vec<String>,
    timeline: Option<Timeline>,
}

impl<M: Copy + Eq + Serialize> Coordinator<M> {
    /// Creates the coordinator of `ranks` ranks. It gives up a rank that has work and is silent for longer than
    /// the timeout.
    pub fn new(ranks: usize, timeout_us: u64) -> Self {
        Self {
            peers: vec![Peer::default(); ranks],
            dispatch: DispatchPolicy::default(),
            outbox: Outbox::new(ranks),
            options: Vec::new(),
            asks: 0,
            tables: TablePaths::default(),
            question: None,
            epoch: 0,
            ids: 0,
            now_us: 0,
            timeout_us,
            answered_nodes: 0,
            responses: Vec::new(),
            broadcast: Broadcast::new(0, ranks),
            received: Vec::new(),
            complaints: Vec::new(),
            timeline: None,
        }
    }

    /// Sets the dispatch policy.
    pub fn set_dispatch(&mut self, dispatch: DispatchPolicy) {
        self.dispatch = dispatch;
    }

    /// Sets the poll policy, which determines the interval between updates.
    pub fn set_poll_policy(&mut self, poll_policy: PollPolicy) {
        self.broadcast.keep(poll_policy);
    }

    /// Records jobs from now on.
    pub fn keep_timeline(&mut self) {
        self.timeline = Some(Timeline::default());
    }

    /// Records jobs of the first rank.
    pub fn note_own(&mut self, done: impl IntoIterator<Item = Span>) {
        if let Some(timeline) = &mut self.timeline {
            timeline.spans.extend(done);
        }
    }

    /// Returns the jobs of the last search; empty if they are not recorded.
    pub fn timeline(&self) -> Timeline {
        self.timeline.clone().unwrap_or_default()
    }

    /// Returns the number of ranks, including this one.
    pub fn ranks(&self) -> usize {
        self.peers.len()
    }

    /// Returns the ranks given up and not heard from since.
    pub fn lost(&self) -> Vec<usize> {
        let ranks = self.peers.iter().enumerate();
        let lost = ranks.filter(|(_, peer)| peer.is_lost);
        lost.map(|(rank, _)| rank).collect()
    }

    /// Sends these options to all ranks, unless they are in force already.
    pub fn configure(&mut self, options: &[i32]) {
        if self.options != options {
            self.options = options.to_vec();
            self.ask_all(&ToRank::Options(options.to_vec()));
        }
    }

    /// Sends these endgame tables to all ranks, unless they are in use already.
    pub fn use_tables(&mut self, tables: &TablePaths) {
        if self.tables != *tables {
            self.tables = tables.clone();
            self.tell_all(&ToRank::Tables(tables.clone()));
        }
    }

    /// Makes all ranks forget the last game.
    pub fn new_game(&mut self) {
        self.ask_all(&ToRank::NewGame);
    }

    /// Returns the number of requests so far that all other ranks acknowledge.
    pub const fn asks(&self) -> u64 {
        self.asks
    }

    /// Whether all ranks that are not lost have acknowledged all requests.
    pub fn are_ready(&self) -> bool {
        let others = self.peers.iter().skip(1);
        others
            .filter(|peer| !peer.is_lost)
            .all(|peer| peer.pending_acks == 0)
    }

    /// Starts a search: the following jobs belong to this root.
    pub fn begin(&mut self, root: Root<M>, with_tables: bool) {
        self.epoch += 1;
        self.answered_nodes = 0;
        self.responses.clear();
        self.peers.iter_mut().for_each(Peer::forget);
        self.broadcast.clear();
        self.received.clear();
        if let Some(timeline) = &mut self.timeline {
            *timeline = Timeline::default();
        }
        self.question = Some((root.clone(), with_tables));
        self.tell_all(&ToRank::Begin {
            epoch: self.epoch,
            root,
            with_tables,
        });
    }

    /// Ends the search; late answers are dropped.
    pub fn stop(&mut self) {
        self.question = None;
        self.responses.clear();
        self.note_ended();
        self.peers.iter_mut().for_each(Peer::forget);
        self.tell_all(&ToRank::Stop { epoch: self.epoch });
    }

    /// Records the unfinished jobs when a search ends.
    fn note_ended(&mut self) {
        let Some(timeline) = &mut self.timeline else {
            return;
        };
        for (rank, peer) in self.peers.iter().enumerate() {
            timeline
                .spans
                .extend(peer.in_flight.iter().map(|in_flight| Span {
                    rank,
                    from_us: in_flight.since_us,
                    to_us: self.now_us,
                    nodes: 0,
                    is_broken_off: true,
                }));
        }
    }

    /// Terminates the other ranks.
    pub fn quit(&mut self) {
        self.tell_all(&ToRank::Quit);
    }

    /// Returns the time at which updates are due, if there are any; [`Coordinator::flush`] must be called by then.
    pub fn due_us(&self) -> Option<u64> {
        self.broadcast.due_us()
    }

    /// Adds the updates of the first rank's own searchers; returns those of the other ranks.
    pub fn exchange_updates(
        &mut self,
        updates: impl IntoIterator<Item = HashUpdate>,
    ) -> Vec<HashUpdate> {
        self.broadcast.add(updates);
        let received = std::mem::take(&mut self.received);
        if let Some(timeline) = self.timeline.as_mut().filter(|_| !received.is_empty()) {
            let (at_us, updates) = (self.now_us, received.len());
            timeline.received.push(Received { at_us, updates });
        }
        received
    }

    /// Sends a request that each rank acknowledges.
    fn ask_all(&mut self, message: &ToRank<M>) {
        self.asks += 1;
        self.peers
            .iter_mut()
            .for_each(|peer| peer.pending_acks += 1);
        self.tell_all(message);
    }

    fn tell_all(&mut self, message: &ToRank<M>) {
        for rank in 1..self.peers.len() {
            if !self.peers[rank].is_lost {
                self.outbox.push(rank, message);
            }
        }
    }

    /// Passes responses to the planner; returns whether there were any.
    pub fn serve(&mut self, planner: &mut Planner<M>) -> bool {
        let has_responses = !self.responses.is_empty();
        for (job_id, response) in self.responses.drain(..) {
            planner.note(job_id, response);
        }
        has_responses
    }

    /// Dispatches as many jobs as there is room for, preferably to ranks that know the position, and cancels those
    /// that the planner no longer needs.
    pub fn give_out(&mut self, planner: &mut Planner<M>) {
        for rank in self.by_room() {
            while self.peers[rank].room(self.dispatch) > 0
                && self.give_next(planner, rank, Reach::OwnTable)
            {}
        }
        while let Some(&rank) = self.by_room().first()
            && self.give_next(planner, rank, Reach::AnyTable)
        {}
        while let Some(rank) = self.idle()
            && self.give_next(planner, rank, Reach::Help)
        {}
        for job_id in planner.superseded(self.worker(0)) {
            self.cancel(job_id);
        }
    }

    /// Gives a rank the planner's next job for it; returns `false` if there is none.
    fn give_next(&mut self, planner: &mut Planner<M>, rank: usize, reach: Reach) -> bool {
        let next = planner.next_job(self.worker(rank), reach);
        let is_given = next.is_some();
        if let Some((job_id, job)) = next {
            self.give(rank, job_id, job);
        }
        is_given
    }

    fn worker(&self, rank: usize) -> WorkerInfo {
        WorkerInfo {
            table: rank,
            depth_min: Some(self.dispatch.depth_min),
        }
    }

    /// Returns the ranks with room for jobs, those with the most room first.
    fn by_room(&self) -> Vec<usize> {
        let room = |&rank: &usize| self.peers[rank].room(self.dispatch);
        let mut ranks: Vec<usize> = (1..self.peers.len())
            .filter(|rank| room(rank) > 0)
            .collect();
        ranks.sort_by_key(|rank| std::cmp::Reverse(room(rank)));
        ranks
    }

    /// Returns a rank with an idle thread.
    fn idle(&self) -> Option<usize> {
        self.by_room().into_iter().find(|&rank| {
            let peer = &self.peers[rank];
            peer.in_flight.len() < peer.threads
        })
    }

    fn give(&mut self, rank: usize, job_id: JobId, job: Job<M>) {
        let id = self.ids;
        self.ids += 1;
        let peer = &mut self.peers[rank];
        if peer.in_flight.is_empty() {
            peer.last_seen_us = self.now_us;
        }
        peer.in_flight.push(InFlight {
            id,
            job_id,
            is_cancelled: false,
            since_us: self.now_us,
        });
        let epoch = self.epoch;
        self.outbox.push(rank, &ToRank::Job { epoch, id, job });
    }

    fn cancel(&mut self, job_id: JobId) {
        for (rank, peer) in self.peers.iter_mut().enumerate() {
            let in_flight = peer
                .in_flight
                .iter_mut()
                .find(|in_flight| in_flight.job_id == job_id);
            if let Some(in_flight) = in_flight.filter(|in_flight| !in_flight.is_cancelled) {
                in_flight.is_cancelled = true;
                let id = in_flight.id;
                self.outbox.push(rank, &ToRank::<M>::Cancel { id });
            }
        }
    }

    /// Handles a message from another rank.
    pub fn receive(&mut self, rank: usize, message: ToCoordinator<M>) {
        let peer = &mut self.peers[rank];
        peer.last_seen_us = self.now_us;
        match message {
            ToCoordinator::Ready { threads } => peer.confirm(threads.into()),
            ToCoordinator::Refused(reason) => {
                peer.confirm(0);
                self.complaints.push(format!("rank {rank}: {reason}"));
            }
            ToCoordinator::Answer { id, response } => self.take_answer(rank, id, response),
            ToCoordinator::Heartbeat { epoch, nodes } if epoch == self.epoch => peer.nodes = nodes,
            ToCoordinator::Hello(_) | ToCoordinator::Heartbeat { .. } => {}
            ToCoordinator::Updates(updates) => self.received.extend(updates),
        }
        if self.peers[rank].is_lost {
            self.take_back(rank);
        }
    }

    fn take_answer(&mut self, rank: usize, id: u64, response: Response<M>) {
        let peer = &mut self.peers[rank];
        let Some(place) = peer
            .in_flight
            .iter()
            .position(|in_flight| in_flight.id == id)
        else {
            return;
        };
        let in_flight = peer.in_flight.remove(place);
        self.answered_nodes += response.nodes();
        peer.nodes = peer.nodes.saturating_sub(response.nodes());
        if let Some(timeline) = &mut self.timeline {
            timeline.spans.push(Span {
                rank,
                from_us: in_flight.since_us,
                to_us: self.now_us,
                nodes: response.nodes(),
                is_broken_off: matches!(response, Response::Aborted(_)),
            });
        }
        self.responses.push((in_flight.job_id, response));
    }

    /// Readmits a rank that was given up and has sent a message.
    fn take_back(&mut self, rank: usize) {
        self.peers[rank] = Peer {
            last_seen_us: self.now_us,
            // For the options and the new game below.
            pending_acks: 2,
            ..Peer::default()
        };
        self.outbox.clear(rank);
        let options = self.options.clone();
        self.outbox.push(rank, &ToRank::<M>::Options(options));
        let tables = self.tables.clone();
        self.outbox.push(rank, &ToRank::<M>::Tables(tables));
        self.outbox.push(rank, &ToRank::<M>::NewGame);
        if let Some((root, with_tables)) = self.question.clone() {
            let epoch = self.epoch;
            let begin = ToRank::Begin {
                epoch,
                root,
                with_tables,
            };
            self.outbox.push(rank, &begin);
        }
    }

    /// Sets the time.
    pub fn tick(&mut self, now_us: u64) {
        self.now_us = now_us;
    }

    /// Gives up ranks that have work and have been silent for too long; their jobs go back to the planner. Must be
    /// called after all messages that have arrived are handled.
    pub fn give_up(&mut self) {
        let now_us = self.now_us;
        for (rank, peer) in self.peers.iter_mut().enumerate() {
            let silent_us = now_us.saturating_sub(peer.last_seen_us);
            if peer.is_lost || peer.in_flight.is_empty() || silent_us <= self.timeout_us {
                continue;
            }
            peer.is_lost = true;
            let back = peer.in_flight.drain(..);
            self.responses
                .extend(back.map(|in_flight| (in_flight.job_id, Response::Aborted(0))));
            peer.nodes = 0;
            self.outbox.clear(rank);
            self.complaints.push(format!(
                "rank {rank} has not answered for {} ms and is left out",
                silent_us / 1_000
            ));
        }
    }

    /// Sends what the link accepts; returns whether anything was sent.
    pub fn flush(&mut self, link: &mut (impl Link + ?Sized)) -> bool {
        let has_sent = self.outbox.flush(link);
        let may_get = |rank: usize| !link.is_busy(rank) && !self.peers[rank].is_lost;
        self.broadcast
            .send_due::<M>(self.now_us, &mut self.outbox, may_get);
        self.outbox.flush(link) || has_sent
    }

    /// Returns the nodes searched by other ranks in this search, as far as reported.
    pub fn nodes(&self) -> u64 {
        let under_way: u64 = self.peers.iter().map(|peer| peer.nodes).sum();
        self.answered_nodes + under_way
    }

    /// Takes the error messages for the user.
    pub fn take_complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }

    /// Returns the number of jobs given to other ranks.
    pub fn in_flight(&self) -> usize {
        self.peers.iter().map(|peer| peer.in_flight.len()).sum()
    }
}
