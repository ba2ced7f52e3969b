//! Multi-threading. Slices send batches of messages through channels and meet at a barrier after each bound.

use super::Class;
use super::slice::{Slice, Update};
use crossbeam::channel::{Receiver, Sender, unbounded};
use std::ops::AddAssign;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Updates per batch.
const BUFFER: usize = 2048;

/// The traffic between slices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The number of updates sent to another slice.
    pub updates: u64,
    /// The number of batches.
    pub buffers: u64,
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Self) {
        self.updates += other.updates;
        self.buffers += other.buffers;
    }
}

/// Distributes items in turn to `hands` lists, which evens out their work.
pub fn deal<T>(items: impl Iterator<Item = T>, hands: u32) -> Vec<Vec<T>> {
    let mut dealt: Vec<Vec<T>> = (0..hands).map(|_| Vec::new()).collect();
    for (number, item) in items.enumerate() {
        dealt[number % hands as usize].push(item);
    }
    dealt
}

/// Applies `work` to each item on its own thread; returns results in the order of the items.
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

/// Processes one bound, each slice on its own thread, until no updates are left.
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

/// A slice on its thread.
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
            // After this barrier everything sent has arrived; no thread sends before the next one.
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
            // No thread may report itself busy before every store above has happened.
            barrier.wait();
        }
    }

    /// Sends the buffers with at least `least` updates.
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
