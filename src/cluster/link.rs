//! Links, which carry bytes between ranks. A link delivers the messages from one rank to another completely and in
//! order, unless one of the two dies.

use std::collections::VecDeque;

use serde::Serialize;

use super::message::encode;

/// The link accepts no more messages to this rank at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// A rank's connection to the others.
pub trait Link {
    /// Sends bytes to a rank without blocking.
    ///
    /// # Errors
    /// There is no room: try again later.
    fn send(&mut self, rank: usize, bytes: &[u8]) -> Result<(), Full>;

    /// Whether so much is queued for this rank that only urgent messages should be added.
    fn is_busy(&self, _rank: usize) -> bool {
        false
    }

    /// Whether all messages have left, so that this rank may end.
    fn has_left(&mut self) -> bool {
        true
    }

    /// Receives the next message that has arrived and its sender, without blocking.
    fn receive(&mut self) -> Option<(usize, Vec<u8>)>;
}

/// The maximum size of a bundle of messages, in bytes: each bundle costs sender and receiver microseconds, however
/// small it is.
const TOGETHER_MAX: usize = 1_400;

/// Messages queued until a link accepts them, by receiver: one that accepts nothing does not delay the others.
/// Short messages to the same rank are bundled.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    queues: Vec<VecDeque<Vec<u8>>>,
}

impl Outbox {
    /// Creates an outbox for messages to ranks below `ranks`.
    pub fn new(ranks: usize) -> Self {
        Self {
            queues: vec![VecDeque::new(); ranks],
        }
    }

    /// Appends a message to the queue.
    pub fn push(&mut self, rank: usize, message: &impl Serialize) {
        self.push_bytes(rank, encode(message));
    }

    /// Appends a message that is encoded already.
    pub fn push_bytes(&mut self, rank: usize, bytes: Vec<u8>) {
        let queue = &mut self.queues[rank];
        match queue.back_mut() {
            Some(last) if last.len() + bytes.len() <= TOGETHER_MAX => last.extend(bytes),
            _ => queue.push_back(bytes),
        }
    }

    /// Drops the messages queued for a rank.
    pub fn clear(&mut self, rank: usize) {
        self.queues[rank].clear();
    }

    /// Returns the number of bundles queued for a rank.
    pub fn waiting(&self, rank: usize) -> usize {
        self.queues[rank].len()
    }

    /// Whether nothing is queued.
    pub fn is_empty(&self) -> bool {
        self.queues.iter().all(VecDeque::is_empty)
    }

    /// Sends what the link accepts; returns whether anything was sent.
    pub fn flush(&mut self, link: &mut (impl Link + ?Sized)) -> bool {
        let mut has_sent = false;
        for (rank, queue) in self.queues.iter_mut().enumerate() {
            while let Some(bytes) = queue.front() {
                if link.send(rank, bytes).is_err() {
                    break;
                }
                queue.pop_front();
                has_sent = true;
            }
        }
        has_sent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Kept(Vec<(usize, usize)>);

    impl Link for Kept {
        fn send(&mut self, rank: usize, bytes: &[u8]) -> Result<(), Full> {
            self.0.push((rank, bytes.len()));
            Ok(())
        }

        fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
            None
        }
    }

    #[test]
    fn what_is_short_travels_together() {
        let mut outbox = Outbox::new(3);
        for (rank, length) in [
            (1, 40),
            (2, 40),
            (1, 1_300),
            (1, 100),
            (1, 2_000),
            (1, 9),
            (1, 9),
        ] {
            outbox.push_bytes(rank, vec![0; length]);
        }
        assert_eq!(outbox.waiting(1), 4);
        let mut link = Kept::default();
        assert!(outbox.flush(&mut link));
        assert_eq!(link.0, [(1, 1_340), (1, 100), (1, 2_000), (1, 18), (2, 40)]);
        assert!(outbox.is_empty() && !outbox.flush(&mut link));
    }
}
