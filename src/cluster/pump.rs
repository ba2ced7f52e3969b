//! Bytes between a link that one thread alone may touch and threads that use it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam::channel::{self, Receiver, Sender, TryRecvError};

use super::link::{Full, Link, Outbox};
use super::pace::Pace;
use crate::sync::Event;

/// About how long a look at a link takes.
const LOOK: Duration = Duration::from_micros(1);
/// The shortest rest between two looks, where there is one: each takes the processor from somebody.
const REST_MIN: Duration = Duration::from_micros(500);
/// The longest one, after long silence.
const REST_MAX: Duration = Duration::from_millis(2);

/// Messages that may have yet to reach the pump before the link is busy.
const UNSENT_MAX: usize = 64;

/// What waits for so long after the end does not leave any more: its receiver has stopped.
const LEAVE_WITHIN: Duration = Duration::from_secs(1);

/// How long to rest between two looks, by how long nothing has happened: nobody looks all the time at a link that is silent for
/// long.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rest {
    silence: Duration,
}

impl Rest {
    /// Something has happened.
    pub fn interrupt(&mut self) {
        self.silence = Duration::ZERO;
    }

    /// How long to rest now.
    pub fn take(&mut self, pace: Pace) -> Duration {
        if self.silence < pace.awake() {
            self.silence += LOOK;
            return Duration::ZERO;
        }
        let rest = (self.silence / 8).clamp(REST_MIN, REST_MAX);
        self.silence += rest;
        rest
    }
}

/// A link through channels; the other ends are with [`pump`].
#[derive(Debug)]
pub struct ChannelLink {
    outgoing: Sender<(usize, Vec<u8>)>,
    incoming: Receiver<(usize, Vec<u8>)>,
    /// By rank: whether the real link takes no more at the moment.
    is_full: Arc<[AtomicBool]>,
    /// Whether the pump is sparing.
    is_sparing: Arc<AtomicBool>,
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
    is_sparing: Arc<AtomicBool>,
    pump: Arc<Event>,
    arrival: Arc<Event>,
}

/// A link to `ranks` ranks through channels, and its other ends.
pub fn channel_link(ranks: usize) -> (ChannelLink, PumpEnds) {
    let (to_pump, outgoing) = channel::unbounded();
    let (incoming, from_pump) = channel::unbounded();
    let is_full: Arc<[AtomicBool]> = (0..ranks).map(|_| AtomicBool::new(false)).collect();
    let is_sparing = Arc::<AtomicBool>::default();
    let (pump, arrival) = (Arc::<Event>::default(), Arc::<Event>::default());
    let link = ChannelLink {
        outgoing: to_pump,
        incoming: from_pump,
        is_full: Arc::clone(&is_full),
        is_sparing: Arc::clone(&is_sparing),
        pump: Arc::clone(&pump),
        arrival: Arc::clone(&arrival),
    };
    let ends = PumpEnds {
        outgoing,
        incoming,
        is_full,
        is_sparing,
        pump,
        arrival,
    };
    (link, ends)
}

impl ChannelLink {
    /// Rung when messages have arrived, and by whoever wants the owner of this link to look around.
    pub fn event(&self) -> &Arc<Event> {
        &self.arrival
    }

    /// The pump looks for messages that often from now on.
    pub fn keep_pace(&self, pace: Pace) {
        let is_sparing = pace == Pace::Sparing;
        self.is_sparing.store(is_sparing, Ordering::Relaxed);
    }

    /// Where messages arrive.
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

/// Carries bytes between the link and the channels until the channel link is gone. Tells whether all it sent has left: if not,
/// a rank has stopped, and who waits for it waits for ever.
pub fn pump(link: &mut impl Link, ends: &PumpEnds) -> bool {
    let mut rest = Rest::default();
    let mut outbox = Outbox::new(ends.is_full.len());
    loop {
        let pace = if ends.is_sparing.load(Ordering::Relaxed) {
            Pace::Sparing
        } else {
            Pace::Eager
        };
        let mut has_arrived = false;
        while let Some(letter) = link.receive() {
            has_arrived = true;
            let _ = ends.incoming.send(letter);
        }
        if has_arrived {
            rest.interrupt();
            ends.arrival.set();
        }
        if outbox.flush(link) {
            rest.interrupt();
        }
        for (rank, is_full) in ends.is_full.iter().enumerate() {
            is_full.store(outbox.waiting(rank) > 0, Ordering::Relaxed);
        }
        match ends.outgoing.try_recv() {
            Ok((rank, bytes)) => {
                rest.interrupt();
                outbox.push_bytes(rank, bytes);
                let more = ends.outgoing.try_iter();
                more.for_each(|(rank, bytes)| outbox.push_bytes(rank, bytes));
            }
            Err(TryRecvError::Disconnected) if outbox.is_empty() && link.has_left() => return true,
            Err(TryRecvError::Disconnected) if rest.silence > LEAVE_WITHIN => return false,
            Err(_) => ends.pump.wait(rest.take(pace)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_grow_with_the_silence_and_begin_at_once_where_processors_are_few() {
        let mut rest = Rest::default();
        assert_eq!(rest.take(Pace::Sparing), REST_MIN);
        let mut rest = Rest::default();
        let mut looks = 0;
        while rest.take(Pace::Eager).is_zero() {
            looks += 1;
        }
        assert_eq!(looks, 1_000);
        let later: Vec<_> = (0..100).map(|_| rest.take(Pace::Eager)).collect();
        assert!(later.is_sorted() && later[0] == REST_MIN && later[99] == REST_MAX);
        rest.interrupt();
        assert!(rest.take(Pace::Eager).is_zero());
    }
}
