//! Bytes between a link that one thread alone may touch and threads that use it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam::channel::{self, Receiver, RecvTimeoutError, Sender};

use super::link::{Full, Link, Outbox};

/// The shortest rest between two looks at a link.
const REST_MIN: Duration = Duration::from_micros(20);
/// The longest one, after long silence.
const REST_MAX: Duration = Duration::from_millis(2);

/// Messages that may have yet to reach the pump before the link is busy.
const UNSENT_MAX: usize = 64;

/// What waits for so long after the end does not leave any more: its receiver has stopped.
const LEAVE_WITHIN: Duration = Duration::from_secs(1);

/// How long to rest between two looks, by how long nothing has happened: an eighth of the silence is added to it at most,
/// and nobody looks all the time at a link that is silent for long.
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
    pub fn take(&mut self) -> Duration {
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
}

/// The other ends of a [`ChannelLink`].
#[derive(Debug)]
pub struct PumpEnds {
    outgoing: Receiver<(usize, Vec<u8>)>,
    incoming: Sender<(usize, Vec<u8>)>,
    is_full: Arc<[AtomicBool]>,
}

/// A link to `ranks` ranks through channels, and its other ends.
pub fn channel_link(ranks: usize) -> (ChannelLink, PumpEnds) {
    let (to_pump, outgoing) = channel::unbounded();
    let (incoming, from_pump) = channel::unbounded();
    let is_full: Arc<[AtomicBool]> = (0..ranks).map(|_| AtomicBool::new(false)).collect();
    let link = ChannelLink {
        outgoing: to_pump,
        incoming: from_pump,
        is_full: Arc::clone(&is_full),
    };
    let ends = PumpEnds {
        outgoing,
        incoming,
        is_full,
    };
    (link, ends)
}

impl ChannelLink {
    /// Where messages arrive, for those who wait for several things at once.
    pub fn incoming(&self) -> &Receiver<(usize, Vec<u8>)> {
        &self.incoming
    }
}

impl Link for ChannelLink {
    fn send(&mut self, rank: usize, bytes: &[u8]) -> Result<(), Full> {
        // Without a pump the program is about to end.
        let _ = self.outgoing.send((rank, bytes.to_vec()));
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
        while let Some(letter) = link.receive() {
            rest.interrupt();
            let _ = ends.incoming.send(letter);
        }
        if outbox.flush(link) {
            rest.interrupt();
        }
        for (rank, is_full) in ends.is_full.iter().enumerate() {
            is_full.store(outbox.waiting(rank) > 0, Ordering::Relaxed);
        }
        match ends.outgoing.recv_timeout(rest.take()) {
            Ok((rank, bytes)) => {
                rest.interrupt();
                outbox.push_bytes(rank, bytes);
                let more = ends.outgoing.try_iter();
                more.for_each(|(rank, bytes)| outbox.push_bytes(rank, bytes));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) if outbox.is_empty() && link.has_left() => {
                return true;
            }
            Err(RecvTimeoutError::Disconnected) if rest.silence > LEAVE_WITHIN => return false,
            Err(RecvTimeoutError::Disconnected) => {
                let _ = channel::never::<()>().recv_timeout(rest.take());
            }
        }
    }
}
