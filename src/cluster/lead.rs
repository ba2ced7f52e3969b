//! The first rank's side: gives the planner's jobs to the other ranks, and takes them back from those that are lost.

use super::link::{Link, Outbox};
use super::message::{Hint, Root, TablePaths, ToLead, ToRank};
use super::pace::Pace;
use super::post::Post;
use super::timeline::{Heard, Span, Timeline};
use crate::cc2s::{Ask, Job, Planner, Reply, Ticket};
use serde::Serialize;

/// What jobs are given to other ranks, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Giving {
    /// Jobs that look ahead less are done sooner than sent.
    pub depth_min: u16,
    /// Jobs that wait at a rank beside those it is at, so that it has something to do when it answers.
    pub waiting: usize,
}

impl Default for Giving {
    fn default() -> Self {
        Self {
            depth_min: 4,
            waiting: 1,
        }
    }
}

/// A job that a rank has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    id: u64,
    ticket: Ticket,
    is_cancelled: bool,
    since_us: u64,
}

/// What the lead knows of another rank.
#[derive(Clone, Debug, Default)]
struct Peer {
    /// How many jobs it does at the same time, as it has last said.
    threads: usize,
    /// How often it has yet to say that it is ready: until then it gets no jobs.
    owes: usize,
    held: Vec<Held>,
    /// When it was last heard, or given work after it had none.
    heard_us: u64,
    is_lost: bool,
    /// Nodes of the jobs under way, as last told.
    nodes: u64,
}

impl Peer {
    fn room(&self, giving: Giving) -> usize {
        let most = if self.threads == 0 || self.owes > 0 || self.is_lost {
            0
        } else {
            self.threads + giving.waiting
        };
        most.saturating_sub(self.held.len())
    }

    fn forget(&mut self) {
        self.held.clear();
        self.nodes = 0;
    }

    /// It has said how many jobs it does at the same time.
    fn confirm(&mut self, threads: usize) {
        self.threads = threads;
        self.owes = self.owes.saturating_sub(1);
    }
}

/// The first rank among ranks. Times are microseconds of any clock that does not go back.
#[derive(Debug)]
pub struct Lead<M> {
    /// By rank; the first is the lead itself and never used.
    peers: Vec<Peer>,
    giving: Giving,
    outbox: Outbox,
    options: Vec<i32>,
    /// How often all were asked for something that they confirm.
    asks: u64,
    tables: TablePaths,
    /// The question being worked on.
    question: Option<(Root<M>, bool)>,
    epoch: u32,
    ids: u64,
    now_us: u64,
    silence_max_us: u64,
    /// Nodes of all answers to this question.
    answered_nodes: u64,
    replies: Vec<(Ticket, Reply<M>)>,
    post: Post,
    /// What has arrived and nobody has taken note of yet.
    heard: Vec<Hint>,
    complaints: Vec<String>,
    /// What has been done for this question, where somebody wants to know.
    timeline: Option<Timeline>,
}

impl<M: Copy + Eq + Serialize> Lead<M> {
    /// The first of `ranks` ranks, which gives up another that has work and says nothing for so long.
    pub fn new(ranks: usize, silence_max_us: u64) -> Self {
        Self {
            peers: vec![Peer::default(); ranks],
            giving: Giving::default(),
            outbox: Outbox::new(ranks),
            options: Vec::new(),
            asks: 0,
            tables: TablePaths::default(),
            question: None,
            epoch: 0,
            ids: 0,
            now_us: 0,
            silence_max_us,
            answered_nodes: 0,
            replies: Vec::new(),
            post: Post::new(0, ranks),
            heard: Vec::new(),
            complaints: Vec::new(),
            timeline: None,
        }
    }

    /// Gives out jobs that way from now on.
    pub fn give_as(&mut self, giving: Giving) {
        self.giving = giving;
    }

    /// Sends mail that often from now on.
    pub fn keep_pace(&mut self, pace: Pace) {
        self.post.keep(pace);
    }

    /// Notes from now on what is done for each question.
    pub fn keep_timeline(&mut self) {
        self.timeline = Some(Timeline::default());
    }

    /// Notes what the first rank has done itself.
    pub fn note_own(&mut self, done: impl IntoIterator<Item = Span>) {
        if let Some(timeline) = &mut self.timeline {
            timeline.spans.extend(done);
        }
    }

    /// What has been done for the last question; empty where it is not noted.
    pub fn timeline(&self) -> Timeline {
        self.timeline.clone().unwrap_or_default()
    }

    /// How many ranks there are, this one included.
    pub fn ranks(&self) -> usize {
        self.peers.len()
    }

    /// Ranks that were given up, and have not been heard since.
    pub fn lost(&self) -> Vec<usize> {
        let ranks = self.peers.iter().enumerate();
        let lost = ranks.filter(|(_, peer)| peer.is_lost);
        lost.map(|(rank, _)| rank).collect()
    }

    /// Has all ranks follow these options; nothing happens if they do.
    pub fn configure(&mut self, options: &[i32]) {
        if self.options != options {
            self.options = options.to_vec();
            self.ask_all(&ToRank::Options(options.to_vec()));
        }
    }

    /// Has all ranks use these endgame tables; nothing happens if they do.
    pub fn use_tables(&mut self, tables: &TablePaths) {
        if self.tables != *tables {
            self.tables = tables.clone();
            self.tell_all(&ToRank::Tables(tables.clone()));
        }
    }

    /// Has all ranks forget the last game.
    pub fn new_game(&mut self) {
        self.ask_all(&ToRank::NewGame);
    }

    /// How often all other ranks were asked for something that takes them a while.
    pub const fn asks(&self) -> u64 {
        self.asks
    }

    /// Whether all other ranks that are not lost have done what was asked of them and can begin with jobs at once.
    pub fn are_ready(&self) -> bool {
        let others = self.peers.iter().skip(1);
        others
            .filter(|peer| !peer.is_lost)
            .all(|peer| peer.owes == 0)
    }

    /// Jobs from now on are about that position.
    pub fn begin(&mut self, root: Root<M>, with_tables: bool) {
        self.epoch += 1;
        self.answered_nodes = 0;
        self.replies.clear();
        self.peers.iter_mut().for_each(Peer::forget);
        self.post.clear();
        self.heard.clear();
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

    /// Ends all work; nothing that comes late is taken in.
    pub fn stop(&mut self) {
        self.question = None;
        self.replies.clear();
        self.note_ended();
        self.peers.iter_mut().for_each(Peer::forget);
        self.tell_all(&ToRank::Stop { epoch: self.epoch });
    }

    /// Notes the jobs that end with the question.
    fn note_ended(&mut self) {
        let Some(timeline) = &mut self.timeline else {
            return;
        };
        for (rank, peer) in self.peers.iter().enumerate() {
            timeline.spans.extend(peer.held.iter().map(|held| Span {
                rank,
                from_us: held.since_us,
                to_us: self.now_us,
                nodes: 0,
                is_broken_off: true,
            }));
        }
    }

    /// Ends the other ranks.
    pub fn quit(&mut self) {
        self.tell_all(&ToRank::Quit);
    }

    /// When mail is to be sent, if there is any: by then [`Lead::flush`] is to be called.
    pub fn due_us(&self) -> Option<u64> {
        self.post.due_us()
    }

    /// Takes what the first rank's own searchers tell; answers what others have told.
    pub fn exchange_mail(&mut self, hints: impl IntoIterator<Item = Hint>) -> Vec<Hint> {
        self.post.add(hints);
        let heard = std::mem::take(&mut self.heard);
        if let Some(timeline) = self.timeline.as_mut().filter(|_| !heard.is_empty()) {
            let (at_us, hints) = (self.now_us, heard.len());
            timeline.heard.push(Heard { at_us, hints });
        }
        heard
    }

    /// Tells all something that each confirms when it is done.
    fn ask_all(&mut self, message: &ToRank<M>) {
        self.asks += 1;
        self.peers.iter_mut().for_each(|peer| peer.owes += 1);
        self.tell_all(message);
    }

    fn tell_all(&mut self, message: &ToRank<M>) {
        for rank in 1..self.peers.len() {
            if !self.peers[rank].is_lost {
                self.outbox.push(rank, message);
            }
        }
    }

    /// Exchanges jobs and replies with the planner; whether anything came back.
    pub fn serve(&mut self, planner: &mut Planner<M>) -> bool {
        let has_replies = !self.replies.is_empty();
        for (ticket, reply) in self.replies.drain(..) {
            planner.note(ticket, reply);
        }
        has_replies
    }

    /// Gives out as much as there is room for, to ranks that know the position where that is possible, and breaks off what
    /// the planner no longer needs.
    pub fn give_out(&mut self, planner: &mut Planner<M>) {
        let depth_min = self.giving.depth_min;
        let is_fit = |job: &Job<M>| is_worth_sending(job, depth_min);
        for rank in self.by_room() {
            while self.peers[rank].room(self.giving) > 0 {
                let Some((ticket, job)) = planner.take_at_home(rank, is_fit) else {
                    break;
                };
                self.give(rank, ticket, job);
            }
        }
        while let Some(&rank) = self.by_room().first() {
            let Some((ticket, job)) = planner.take_anywhere(rank, is_fit) else {
                break;
            };
            self.give(rank, ticket, job);
        }
        while let Some(rank) = self.idle() {
            let Some((ticket, job)) = planner.join(is_fit) else {
                break;
            };
            self.give(rank, ticket, job);
        }
        for ticket in planner.superseded_by(is_fit) {
            self.cancel(ticket);
        }
    }

    /// The ranks that have room, those with the fewest jobs for their threads first.
    fn by_room(&self) -> Vec<usize> {
        let room = |&rank: &usize| self.peers[rank].room(self.giving);
        let mut ranks: Vec<usize> = (1..self.peers.len())
            .filter(|rank| room(rank) > 0)
            .collect();
        ranks.sort_by_key(|rank| std::cmp::Reverse(room(rank)));
        ranks
    }

    /// A rank with a thread that has nothing to do.
    fn idle(&self) -> Option<usize> {
        self.by_room().into_iter().find(|&rank| {
            let peer = &self.peers[rank];
            peer.held.len() < peer.threads
        })
    }

    fn give(&mut self, rank: usize, ticket: Ticket, job: Job<M>) {
        let id = self.ids;
        self.ids += 1;
        let peer = &mut self.peers[rank];
        if peer.held.is_empty() {
            peer.heard_us = self.now_us;
        }
        peer.held.push(Held {
            id,
            ticket,
            is_cancelled: false,
            since_us: self.now_us,
        });
        let epoch = self.epoch;
        self.outbox.push(rank, &ToRank::Job { epoch, id, job });
    }

    fn cancel(&mut self, ticket: Ticket) {
        for (rank, peer) in self.peers.iter_mut().enumerate() {
            let held = peer.held.iter_mut().find(|held| held.ticket == ticket);
            if let Some(held) = held.filter(|held| !held.is_cancelled) {
                held.is_cancelled = true;
                let id = held.id;
                self.outbox.push(rank, &ToRank::<M>::Cancel { id });
            }
        }
    }

    /// Takes in what another rank says.
    pub fn receive(&mut self, rank: usize, message: ToLead<M>) {
        let peer = &mut self.peers[rank];
        peer.heard_us = self.now_us;
        match message {
            ToLead::Ready { threads } => peer.confirm(threads.into()),
            ToLead::Refused(reason) => {
                peer.confirm(0);
                self.complaints.push(format!("rank {rank}: {reason}"));
            }
            ToLead::Answer { id, reply } => self.take_answer(rank, id, reply),
            ToLead::Alive { epoch, nodes } if epoch == self.epoch => peer.nodes = nodes,
            ToLead::Hello(_) | ToLead::Alive { .. } => {}
            ToLead::Mail(hints) => self.heard.extend(hints),
        }
        if self.peers[rank].is_lost {
            self.take_back(rank);
        }
    }

    fn take_answer(&mut self, rank: usize, id: u64, reply: Reply<M>) {
        let peer = &mut self.peers[rank];
        let Some(place) = peer.held.iter().position(|held| held.id == id) else {
            return;
        };
        let held = peer.held.remove(place);
        self.answered_nodes += reply.nodes();
        peer.nodes = peer.nodes.saturating_sub(reply.nodes());
        if let Some(timeline) = &mut self.timeline {
            timeline.spans.push(Span {
                rank,
                from_us: held.since_us,
                to_us: self.now_us,
                nodes: reply.nodes(),
                is_broken_off: matches!(reply, Reply::BrokenOff(_)),
            });
        }
        self.replies.push((held.ticket, reply));
    }

    /// One that was given up is here again: it hears everything anew.
    fn take_back(&mut self, rank: usize) {
        self.peers[rank] = Peer {
            heard_us: self.now_us,
            // For options and the new game.
            owes: 2,
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

    /// Tells the time.
    pub fn tick(&mut self, now_us: u64) {
        self.now_us = now_us;
    }

    /// Gives up who has work and has said nothing for too long; its jobs go back to the planner. To be called when all
    /// messages that have arrived are taken in.
    pub fn give_up(&mut self) {
        let now_us = self.now_us;
        for (rank, peer) in self.peers.iter_mut().enumerate() {
            let silence_us = now_us.saturating_sub(peer.heard_us);
            if peer.is_lost || peer.held.is_empty() || silence_us <= self.silence_max_us {
                continue;
            }
            peer.is_lost = true;
            let back = peer.held.drain(..);
            self.replies
                .extend(back.map(|held| (held.ticket, Reply::BrokenOff(0))));
            peer.nodes = 0;
            self.outbox.clear(rank);
            self.complaints.push(format!(
                "rank {rank} has not answered for {} ms and is left out",
                silence_us / 1_000
            ));
        }
    }

    /// Sends what the link takes; whether that was anything.
    pub fn flush(&mut self, link: &mut (impl Link + ?Sized)) -> bool {
        let has_sent = self.outbox.flush(link);
        let may_get = |rank: usize| !link.is_busy(rank) && !self.peers[rank].is_lost;
        self.post
            .send_due::<M>(self.now_us, &mut self.outbox, may_get);
        self.outbox.flush(link) || has_sent
    }

    /// Nodes that other ranks have searched for this question, as far as they have said.
    pub fn nodes(&self) -> u64 {
        let under_way: u64 = self.peers.iter().map(|peer| peer.nodes).sum();
        self.answered_nodes + under_way
    }

    /// What people should know.
    pub fn take_complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }

    /// Jobs that other ranks have.
    pub fn held(&self) -> usize {
        self.peers.iter().map(|peer| peer.held.len()).sum()
    }
}

fn is_worth_sending<M>(job: &Job<M>, depth_min: u16) -> bool {
    match job.ask {
        Ask::Value { depth, .. } | Ask::Strategy { depth, .. } => depth >= depth_min,
        Ask::Successors => false,
    }
}
