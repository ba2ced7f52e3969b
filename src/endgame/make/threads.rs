//! Work on threads. Slices: combined messages through channels, a barrier at the end of each bound.

use super::Class;
use super::slice::{Slice, Update};
use crossbeam::channel::{Receiver, Sender, unbounded};
use std::ops::AddAssign;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Updates that are collected before they are handed over together.
const BUFFER: usize = 2048;

/// The traffic between slices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Updates for another slice than the one they come from.
    pub updates: u64,
    /// Buffers they travelled in.
    pub buffers: u64,
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Self) {
        self.updates += other.updates;
        self.buffers += other.buffers;
    }
}

/// Deals items to so many hands, in turns, which smooths out where they mean more work.
pub fn deal<T>(items: impl Iterator<Item = T>, hands: u32) -> Vec<Vec<T>> {
    let mut dealt: Vec<Vec<T>> = (0..hands).map(|_| Vec::new()).collect();
    for (number, item) in items.enumerate() {
        dealt[number % hands as usize].push(item);
    }
    dealt
}

/// Applies `work` to each item, on one thread each; results in the order of the items.
pub fn for_each<I: Send, R: Send>(items: Vec<I>, work: impl Fn(I) -> R + Sync) -> Vec<R> {
    if items.len() == 1 {
        return items.into_iter().map(work).collect();
    }
    std::thread::scope(|scope| {
        let workers: Vec<_> = items
            .into_iter()
            .map(|item| scope.spawn(|| work(item)))
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a worker panicked"))
            .collect()
    })
}

/// Works through one bound: every slice on its own thread until none has anything left to tell.
pub fn exchange<C: Class>(slices: &mut [Slice<'_, C>], bound: u8) -> Traffic {
    let (senders, receivers): (Vec<_>, Vec<_>) = slices.iter().map(|_| unbounded()).unzip();
    let barrier = Barrier::new(slices.len());
    let busy = AtomicUsize::new(0);
    let posts = slices.iter_mut().zip(receivers).map(|(slice, inbox)| Post {
        slice,
        inbox,
        senders: &senders,
        traffic: Traffic::default(),
    });
    let mut total = Traffic::default();
    for traffic in for_each(posts.collect(), |post| post.run(bound, &barrier, &busy)) {
        total += traffic;
    }
    total
}

/// One slice on its thread.
struct Post<'s, 'a, C> {
    slice: &'s mut Slice<'a, C>,
    inbox: Receiver<Vec<Update>>,
    senders: &'s [Sender<Vec<Update>>],
    traffic: Traffic,
}

impl<C: Class> Post<'_, '_, C> {
    fn run(mut self, bound: u8, barrier: &Barrier, busy: &AtomicUsize) -> Traffic {
        self.slice.start_bound(bound);
        loop {
            while self.slice.work(BUFFER) {
                self.send(BUFFER);
                self.receive();
            }
            self.send(1);
            // Behind this barrier everything sent has arrived: nobody sends before the next one.
            barrier.wait();
            self.receive();
            busy.fetch_add(usize::from(self.slice.has_work()), Ordering::Relaxed);
            barrier.wait();
            let done = busy.load(Ordering::Relaxed) == 0;
            barrier.wait();
            if done {
                return self.traffic;
            }
            busy.store(0, Ordering::Relaxed);
            // Nobody may count itself busy before every store above has happened.
            barrier.wait();
        }
    }

    /// Hands over the buffers with at least `least` updates.
    fn send(&mut self, least: usize) {
        for (buffer, sender) in self.slice.outbox().iter_mut().zip(self.senders) {
            if buffer.len() >= least {
                self.traffic += Traffic {
                    updates: buffer.len() as u64,
                    buffers: 1,
                };
                let full = std::mem::replace(buffer, Vec::with_capacity(BUFFER));
                sender
                    .send(full)
                    .expect("all inboxes live as long as the bound");
            }
        }
    }

    fn receive(&mut self) {
        while let Ok(updates) = self.inbox.try_recv() {
            self.slice.receive(&updates);
        }
    }
}
