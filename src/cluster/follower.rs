//! The other ranks' side: jobs in, answers out.

use std::collections::VecDeque;

use serde::Serialize;

use super::link::{Link, Outbox};
use super::message::{Hint, Root, TablePaths, ToLead, ToRank};
use super::pace::Pace;
use super::post::Post;
use crate::cc2s::{Job, Reply};

/// How often a rank that has work gives a sign of life, in microseconds.
const ALIVE_EVERY_US: u64 = 20_000;

/// What does the jobs of a rank: threads with a hash table, one for each slot, numbered from 0.
pub trait Executor<M> {
    /// Follows all parameters, in the order of their declaration; what was under way is broken off and not answered.
    /// Tells how many threads there are.
    ///
    /// # Errors
    /// They cannot be followed, as the text says.
    fn configure(&mut self, options: &[i32]) -> Result<usize, String>;
    /// Uses these endgame tables.
    fn use_tables(&mut self, tables: &TablePaths);
    /// Forgets the last game.
    fn new_game(&mut self);
    /// Jobs from now on are about that position.
    ///
    /// # Errors
    /// It is no position, as the text says.
    fn begin(&mut self, root: &Root<M>, with_tables: bool) -> Result<(), String>;
    /// Has a slot that does nothing do a job.
    fn start(&mut self, slot: usize, job: Job<M>);
    /// Has a slot break off its job; it answers all the same.
    fn cancel(&mut self, slot: usize);
    /// A slot that is ready with its job, and its answer.
    fn finished(&mut self) -> Option<(usize, Reply<M>)>;
    /// Nodes of the jobs under way.
    fn nodes(&self) -> u64;
    /// Takes note of what others have found, and where they are.
    fn add_hints(&mut self, hints: &[Hint]);
    /// What others are to know since this was last called.
    fn take_hints(&mut self) -> Vec<Hint>;
}

/// A rank other than the first. Times are microseconds of any clock that does not go back.
#[derive(Clone, Debug)]
pub struct Follower<M> {
    epoch: u32,
    /// The job each slot is at; a slot may still be at one that nobody waits for.
    at: Vec<Place>,
    queue: VecDeque<(u64, Job<M>)>,
    outbox: Outbox,
    post: Post,
    alive_us: u64,
    is_over: bool,
}

/// What a slot is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Free,
    Job(u64),
    /// A job of another question, which will not be answered.
    Left,
}

impl<M: Copy + Eq + Serialize> Follower<M> {
    /// That rank of so many: the more there are, the more it tells in one message.
    pub fn new(rank: usize, ranks: usize) -> Self {
        Self {
            epoch: 0,
            at: Vec::new(),
            queue: VecDeque::new(),
            outbox: Outbox::new(ranks),
            post: Post::new(rank, ranks),
            alive_us: 0,
            is_over: false,
        }
    }

    /// Sends mail that often from now on.
    pub fn keep_pace(&mut self, pace: Pace) {
        self.post.keep(pace);
    }

    fn tell(&mut self, message: &ToLead<M>) {
        self.outbox.push(0, message);
    }

    /// Takes in what another rank says; all but mail comes from the first.
    pub fn receive(&mut self, message: ToRank<M>, executor: &mut (impl Executor<M> + ?Sized)) {
        match message {
            ToRank::Options(options) => self.configure(&options, executor),
            ToRank::Tables(tables) => executor.use_tables(&tables),
            ToRank::NewGame => {
                self.leave(executor);
                executor.new_game();
                self.confirm();
            }
            ToRank::Begin {
                epoch,
                root,
                with_tables,
            } => {
                self.leave(executor);
                // They are about another position.
                self.post.clear();
                self.epoch = epoch;
                if let Err(reason) = executor.begin(&root, with_tables) {
                    self.refuse(reason);
                }
            }
            ToRank::Job { epoch, id, job } if epoch == self.epoch => {
                self.queue.push_back((id, job));
            }
            ToRank::Cancel { id } => self.cancel(id, executor),
            ToRank::Stop { epoch } if epoch == self.epoch => self.leave(executor),
            // Of a question that is no longer asked.
            ToRank::Job { .. } | ToRank::Stop { .. } => {}
            ToRank::Mail(hints) => executor.add_hints(&hints),
            ToRank::Quit => {
                self.leave(executor);
                self.is_over = true;
            }
        }
    }

    fn configure(&mut self, options: &[i32], executor: &mut (impl Executor<M> + ?Sized)) {
        self.queue.clear();
        match executor.configure(options) {
            Ok(threads) => {
                self.at = vec![Place::Free; threads];
                self.confirm();
            }
            Err(reason) => self.refuse(reason),
        }
    }

    fn confirm(&mut self) {
        let threads = self.at.len() as u16;
        self.tell(&ToLead::Ready { threads });
    }

    fn refuse(&mut self, reason: String) {
        self.at.clear();
        self.tell(&ToLead::Refused(reason));
    }

    /// Nobody waits for what is under way.
    fn leave(&mut self, executor: &mut (impl Executor<M> + ?Sized)) {
        self.queue.clear();
        for (slot, at) in self.at.iter_mut().enumerate() {
            if *at != Place::Free {
                *at = Place::Left;
                executor.cancel(slot);
            }
        }
    }

    fn cancel(&mut self, id: u64, executor: &mut (impl Executor<M> + ?Sized)) {
        if let Some(slot) = self.at.iter().position(|&at| at == Place::Job(id)) {
            executor.cancel(slot);
        } else if let Some(place) = self.queue.iter().position(|&(queued, _)| queued == id) {
            self.queue.remove(place);
            let reply = Reply::BrokenOff(0);
            self.tell(&ToLead::Answer { id, reply });
        }
    }

    /// Answers what is done and begins what waits; whether there was anything to do.
    pub fn step(&mut self, now_us: u64, executor: &mut (impl Executor<M> + ?Sized)) -> bool {
        let mut has_worked = self.send_mail(now_us, executor);
        while let Some((slot, reply)) = executor.finished() {
            has_worked = true;
            if let Place::Job(id) = std::mem::replace(&mut self.at[slot], Place::Free) {
                self.tell(&ToLead::Answer { id, reply });
            }
        }
        for (slot, at) in self.at.iter_mut().enumerate() {
            if *at == Place::Free {
                let Some((id, job)) = self.queue.pop_front() else {
                    break;
                };
                *at = Place::Job(id);
                executor.start(slot, job);
                has_worked = true;
            }
        }
        self.give_sign_of_life(now_us, executor);
        has_worked
    }

    fn send_mail(&mut self, now_us: u64, executor: &mut (impl Executor<M> + ?Sized)) -> bool {
        self.post.add(executor.take_hints());
        self.post.send_due::<M>(now_us, &mut self.outbox, |_| true)
    }

    fn give_sign_of_life(&mut self, now_us: u64, executor: &(impl Executor<M> + ?Sized)) {
        if self.is_at_work() && now_us >= self.alive_us + ALIVE_EVERY_US {
            self.alive_us = now_us;
            self.tell(&ToLead::Alive {
                epoch: self.epoch,
                nodes: executor.nodes(),
            });
        }
    }

    /// Whether a job is under way whose answer is wanted.
    pub fn is_at_work(&self) -> bool {
        self.at.iter().any(|at| matches!(at, Place::Job(_)))
    }

    /// When mail is to be sent, if there is any: by then [`Follower::step`] is to be called.
    pub fn due_us(&self) -> Option<u64> {
        self.post.due_us()
    }

    /// Sends what the link takes; whether that was anything.
    pub fn flush(&mut self, link: &mut (impl Link + ?Sized)) -> bool {
        self.outbox.flush(link)
    }

    /// Whether the first rank has said that this is the end.
    pub const fn is_over(&self) -> bool {
        self.is_over
    }
}
