//! The connection between a link that only one thread may touch and the threads that use it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam::channel::{self, Receiver, Sender, TryRecvError};

use super::link::{Full, Link, Outbox};
use super::poll_policy::PollPolicy;
use crate::sync::Event;

/// The approximate time of one poll.
const POLL: Duration = Duration::from_micros(1);
/// The shortest pause between two polls, if any: each poll takes time from a searching thread.
const PAUSE_MIN: Duration = Duration::from_micros(500);
/// The longest pause, after a long silence.
const PAUSE_MAX: Duration = Duration::from_millis(2);

/// The number of messages queued for the pump above which the link is busy.
const UNSENT_MAX: usize = 64;

/// The silence after which unsent messages are given up at the end: their receiver has stopped.
const LEAVE_WITHIN: Duration = Duration::from_secs(1);

/// Pauses between polls, which grow with the time since the last event.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backoff {
    silence: Duration,
}

impl Backoff {
    /// Resets the pause after an event.
    pub fn reset(&mut self) {
        self.silence = Duration::ZERO;
    }

    /// Returns the next pause.
    pub fn take(&mut self, poll_policy: PollPolicy) -> Duration {
        if self.silence < poll_policy.awake() {
            self.silence += POLL;
            return Duration::ZERO;
        }
        let backoff = (self.silence / 8).clamp(PAUSE_MIN, PAUSE_MAX);
        self.silence += backoff;
        backoff
    }
}

/// A link through channels; [`pump`] serves the other ends.
#[derive(Debug)]
pub struct ChannelLink {
    outgoing: Sender<(usize, Vec<u8>)>,
    incoming: Receiver<(usize, Vec<u8>)>,
    /// By rank: whether the real link accepts no more at the moment.
    is_full: Arc<[AtomicBool]>,
    is_sparse: Arc<AtomicBool>,
    /// Wakes the pump.
    pump: Arc<Event>,
    arrival: Arc<Event>,
}

/// The other ends of a [`ChannelLink`].
#[derive(Debug)]
pub struct PumpEnds {
    outgoing: Receiver<(usize, Vec<u8>)>,
    incoming: Sender<(usize, Vec<u8>)>,
    is_full: Arc<[AtomicBool]>,
    is_sparse: Arc<AtomicBool>,
    pump: Arc<Event>,
    arrival: Arc<Event>,
}

/// Creates a channel link to `ranks` ranks, and its other ends.
pub fn channel_link(ranks: usize) -> (ChannelLink, PumpEnds) {
    let (to_pump, outgoing) = channel::unbounded();
    let (incoming, from_pump) = channel::unbounded();
    let is_full: Arc<[AtomicBool]> = (0..ranks).map(|_| AtomicBool::new(false)).collect();
    let is_sparse = Arc::<AtomicBool>::default();
    let (pump, arrival) = (Arc::<Event>::default(), Arc::<Event>::default());
    let link = ChannelLink {
        outgoing: to_pump,
        incoming: from_pump,
        is_full: Arc::clone(&is_full),
        is_sparse: Arc::clone(&is_sparse),
        pump: Arc::clone(&pump),
        arrival: Arc::clone(&arrival),
    };
    let ends = PumpEnds {
        outgoing,
        incoming,
        is_full,
        is_sparse,
        pump,
        arrival,
    };
    (link, ends)
}

impl ChannelLink {
    /// Returns the event that is set when messages have arrived, and that wakes the owner of this link.
    pub fn event(&self) -> &Arc<Event> {
        &self.arrival
    }

    /// Sets the poll policy of the pump.
    pub fn set_poll_policy(&self, poll_policy: PollPolicy) {
        let is_sparse = poll_policy == PollPolicy::Sparse;
        self.is_sparse.store(is_sparse, Ordering::Relaxed);
    }

    /// Returns the channel on which messages arrive.
    pub fn incoming(&self) -> &Receiver<(usize, Vec<u8>)> {
        &self.incoming
    }
}

impl Link for ChannelLink {
    fn send(&mut self, rank: usize, bytes: &[u8]) -> Result<(), Full> {
        // Without a pump the program is about to end.
        let _ = self.outgoing.send((rank, bytes.to_vec()));
        self.pump.set();
        Ok(())
    }

    fn is_busy(&self, rank: usize) -> bool {
        self.is_full[rank].load(Ordering::Relaxed) || self.outgoing.len() > UNSENT_MAX
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        self.incoming.try_recv().ok()
    }
}

/// Carries bytes between the link and the channels until the channel link is dropped. Returns whether all messages
/// have left. If not, a rank has stopped, and waiting for it would never end.
pub fn pump(link: &mut impl Link, ends: &PumpEnds) -> bool {
    let mut backoff = Backoff::default();
    let mut is_closed = false;
    let mut outbox = Outbox::new(ends.is_full.len());
    loop {
        let poll_policy = if ends.is_sparse.load(Ordering::Relaxed) {
            PollPolicy::Sparse
        } else {
            PollPolicy::Busy
        };
        let mut has_arrived = false;
        while let Some(message) = link.receive() {
            has_arrived = true;
            let _ = ends.incoming.send(message);
        }
        if has_arrived {
            backoff.reset();
            ends.arrival.set();
        }
        if outbox.flush(link) {
            backoff.reset();
        }
        for (rank, is_full) in ends.is_full.iter().enumerate() {
            is_full.store(outbox.waiting(rank) > 0, Ordering::Relaxed);
        }
        match ends.outgoing.try_recv() {
            Ok((rank, bytes)) => {
                backoff.reset();
                outbox.push_bytes(rank, bytes);
                let more = ends.outgoing.try_iter();
                more.for_each(|(rank, bytes)| outbox.push_bytes(rank, bytes));
            }
            Err(TryRecvError::Disconnected) if outbox.is_empty() && link.has_left() => return true,
            Err(TryRecvError::Disconnected) if !is_closed => {
                is_closed = true;
                // The silence before the end does not count.
                backoff.reset();
            }
            Err(TryRecvError::Disconnected) if backoff.silence > LEAVE_WITHIN => return false,
            Err(_) => ends.pump.wait(backoff.take(poll_policy)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_with_the_silence_and_begin_at_once_where_processors_are_few() {
        let mut backoff = Backoff::default();
        assert_eq!(backoff.take(PollPolicy::Sparse), PAUSE_MIN);
        let mut backoff = Backoff::default();
        let mut polls = 0;
        while backoff.take(PollPolicy::Busy).is_zero() {
            polls += 1;
        }
        assert_eq!(polls, 1_000);
        let later: Vec<_> = (0..100).map(|_| backoff.take(PollPolicy::Busy)).collect();
        assert!(later.is_sorted() && later[0] == PAUSE_MIN && later[99] == PAUSE_MAX);
        backoff.reset();
        assert!(backoff.take(PollPolicy::Busy).is_zero());
    }
}
