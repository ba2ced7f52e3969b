//! Bytes between a link that one thread alone may touch and threads that use it.

use std::time::Duration;

use crossbeam::channel::{self, Receiver, RecvTimeoutError, Sender};

use super::link::{Full, Link};

/// The shortest rest between two looks at a link.
const REST_MIN: Duration = Duration::from_micros(20);
/// The longest one, after long silence.
const REST_MAX: Duration = Duration::from_millis(2);

/// Messages that may have yet to leave a link that is not busy.
const UNSENT_MAX: usize = 64;

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
}

/// The other ends of a [`ChannelLink`].
#[derive(Debug)]
pub struct PumpEnds {
    outgoing: Receiver<(usize, Vec<u8>)>,
    incoming: Sender<(usize, Vec<u8>)>,
}

/// A link through channels, and its other ends.
pub fn channel_link() -> (ChannelLink, PumpEnds) {
    let (to_pump, outgoing) = channel::unbounded();
    let (incoming, from_pump) = channel::unbounded();
    let link = ChannelLink {
        outgoing: to_pump,
        incoming: from_pump,
    };
    (link, PumpEnds { outgoing, incoming })
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

    fn is_busy(&self) -> bool {
        self.outgoing.len() > UNSENT_MAX
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        self.incoming.try_recv().ok()
    }
}

/// Carries bytes between the link and the channels until the channel link is gone and all it sent has left.
pub fn pump(link: &mut impl Link, ends: &PumpEnds) {
    let mut rest = Rest::default();
    let mut unsent: Option<(usize, Vec<u8>)> = None;
    loop {
        while let Some(letter) = link.receive() {
            rest.interrupt();
            let _ = ends.incoming.send(letter);
        }
        let next = match unsent.take() {
            Some(letter) => Ok(letter),
            None => ends.outgoing.recv_timeout(rest.take()),
        };
        match next {
            Ok((rank, bytes)) => {
                rest.interrupt();
                if link.send(rank, &bytes).is_err() {
                    unsent = Some((rank, bytes));
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}
