//! A rank other than the first: jobs in, answers out.

use std::collections::VecDeque;

use serde::Serialize;

use super::broadcast::Broadcast;
use super::link::{Link, Outbox};
use super::message::{Root, TablePaths, ToCoordinator, ToRank};
use super::poll_policy::PollPolicy;
use crate::game::{HashUpdate, Job, Response};

/// The interval of heartbeats of a rank that has work, in microseconds.
const HEARTBEAT_EVERY_US: u64 = 20_000;

/// The threads of a rank with their hash table; one slot per thread, numbered from 0.
pub trait Executor<M> {
    /// Applies all parameters, in the order of their declaration; jobs in progress are aborted and not answered.
    /// Returns the number of threads.
    ///
    /// # Errors
    /// The parameters cannot be applied; the text is the reason.
    fn configure(&mut self, options: &[i32]) -> Result<usize, String>;
    /// Uses these endgame tables.
    fn use_tables(&mut self, tables: &TablePaths);
    /// Forgets the last game.
    fn new_game(&mut self);
    /// Sets the root of the following jobs.
    ///
    /// # Errors
    /// The position is invalid; the text is the reason.
    fn begin(&mut self, root: &Root<M>, with_tables: bool) -> Result<(), String>;
    /// Starts a job in a free slot.
    fn start(&mut self, slot: usize, job: Job<M>);
    /// Aborts the job of a slot, which is still answered.
    fn cancel(&mut self, slot: usize);
    /// Returns a slot whose job is done, and the answer.
    fn finished(&mut self) -> Option<(usize, Response<M>)>;
    /// Returns the nodes of the jobs in progress.
    fn nodes(&self) -> u64;
    /// Applies the updates of other ranks.
    fn apply_updates(&mut self, updates: &[HashUpdate]);
    /// Takes the updates for other ranks since the last call.
    fn take_updates(&mut self) -> Vec<HashUpdate>;
}

/// A rank other than the first. Times are in microseconds of any monotonic clock.
#[derive(Clone, Debug)]
pub struct RankWorker<M> {
    epoch: u32,
    /// The job of each slot, which may be abandoned.
    slots: Vec<Slot>,
    queue: VecDeque<(u64, Job<M>)>,
    outbox: Outbox,
    broadcast: Broadcast,
    heartbeat_us: u64,
    is_over: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Free,
    Job(u64),
    /// A job of another search, which will not be answered.
    Abandoned,
}

impl<M: Copy + Eq + Serialize> RankWorker<M> {
    /// Creates the worker of `rank`; the more ranks there are, the more updates go into one message.
    pub fn new(rank: usize, ranks: usize) -> Self {
        Self {
            epoch: 0,
            slots: Vec::new(),
            queue: VecDeque::new(),
            outbox: Outbox::new(ranks),
            broadcast: Broadcast::new(rank, ranks),
            heartbeat_us: 0,
            is_over: false,
        }
    }

    /// Sets the poll policy, which determines the interval between updates.
    pub fn set_poll_policy(&mut self, poll_policy: PollPolicy) {
        self.broadcast.keep(poll_policy);
    }

    fn send(&mut self, message: &ToCoordinator<M>) {
        self.outbox.push(0, message);
    }

    /// Handles a message from another rank; all but updates come from the first.
    pub fn receive(&mut self, message: ToRank<M>, executor: &mut (impl Executor<M> + ?Sized)) {
        match message {
            ToRank::Options(options) => self.configure(&options, executor),
            ToRank::Tables(tables) => executor.use_tables(&tables),
            ToRank::NewGame => {
                self.abandon(executor);
                executor.new_game();
                self.confirm();
            }
            ToRank::Begin {
                epoch,
                root,
                with_tables,
            } => {
                self.abandon(executor);
                // They are for another position.
                self.broadcast.clear();
                self.epoch = epoch;
                if let Err(reason) = executor.begin(&root, with_tables) {
                    self.refuse(reason);
                }
            }
            ToRank::Job { epoch, id, job } if epoch == self.epoch => {
                self.queue.push_back((id, job));
            }
            ToRank::Cancel { id } => self.cancel(id, executor),
            ToRank::Stop { epoch } if epoch == self.epoch => self.abandon(executor),
            // Of a search that has ended.
            ToRank::Job { .. } | ToRank::Stop { .. } => {}
            ToRank::Updates(updates) => executor.apply_updates(&updates),
            ToRank::Quit => {
                self.abandon(executor);
                self.is_over = true;
            }
        }
    }

    fn configure(&mut self, options: &[i32], executor: &mut (impl Executor<M> + ?Sized)) {
        self.queue.clear();
        match executor.configure(options) {
            Ok(threads) => {
                self.slots = vec![Slot::Free; threads];
                self.confirm();
            }
            Err(reason) => self.refuse(reason),
        }
    }

    fn confirm(&mut self) {
        let threads = self.slots.len() as u16;
        self.send(&ToCoordinator::Ready { threads });
    }

    fn refuse(&mut self, reason: String) {
        self.slots.clear();
        self.send(&ToCoordinator::Refused(reason));
    }

    fn abandon(&mut self, executor: &mut (impl Executor<M> + ?Sized)) {
        self.queue.clear();
        for (slot, at) in self.slots.iter_mut().enumerate() {
            if *at != Slot::Free {
                *at = Slot::Abandoned;
                executor.cancel(slot);
            }
        }
    }

    fn cancel(&mut self, id: u64, executor: &mut (impl Executor<M> + ?Sized)) {
        if let Some(slot) = self.slots.iter().position(|&at| at == Slot::Job(id)) {
            executor.cancel(slot);
        } else if let Some(place) = self.queue.iter().position(|&(queued, _)| queued == id) {
            self.queue.remove(place);
            let response = Response::Aborted(0);
            self.send(&ToCoordinator::Answer { id, response });
        }
    }

    /// Answers finished jobs and starts queued ones; returns whether anything was done.
    pub fn step(&mut self, now_us: u64, executor: &mut (impl Executor<M> + ?Sized)) -> bool {
        let mut has_worked = self.send_updates(now_us, executor);
        while let Some((slot, response)) = executor.finished() {
            has_worked = true;
            if let Slot::Job(id) = std::mem::replace(&mut self.slots[slot], Slot::Free) {
                self.send(&ToCoordinator::Answer { id, response });
            }
        }
        for (slot, at) in self.slots.iter_mut().enumerate() {
            if *at == Slot::Free {
                let Some((id, job)) = self.queue.pop_front() else {
                    break;
                };
                *at = Slot::Job(id);
                executor.start(slot, job);
                has_worked = true;
            }
        }
        self.send_heartbeat(now_us, executor);
        has_worked
    }

    fn send_updates(&mut self, now_us: u64, executor: &mut (impl Executor<M> + ?Sized)) -> bool {
        self.broadcast.add(executor.take_updates());
        self.broadcast
            .send_due::<M>(now_us, &mut self.outbox, |_| true)
    }

    fn send_heartbeat(&mut self, now_us: u64, executor: &(impl Executor<M> + ?Sized)) {
        if self.is_at_work() && now_us >= self.heartbeat_us + HEARTBEAT_EVERY_US {
            self.heartbeat_us = now_us;
            self.send(&ToCoordinator::Heartbeat {
                epoch: self.epoch,
                nodes: executor.nodes(),
            });
        }
    }

    /// Whether a job is in progress whose answer is needed.
    pub fn is_at_work(&self) -> bool {
        self.slots.iter().any(|at| matches!(at, Slot::Job(_)))
    }

    /// Returns the time at which updates are due, if there are any; [`RankWorker::step`] must be called by then.
    pub fn due_us(&self) -> Option<u64> {
        self.broadcast.due_us()
    }

    /// Sends what the link accepts; returns whether anything was sent.
    pub fn flush(&mut self, link: &mut (impl Link + ?Sized)) -> bool {
        self.outbox.flush(link)
    }

    /// Whether the first rank has sent [`ToRank::Quit`].
    pub const fn is_over(&self) -> bool {
        self.is_over
    }
}
