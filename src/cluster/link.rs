//! Links, which carry bytes between ranks. A link delivers the messages from one rank to another completely and in
//! order, unless one of them dies.

use std::collections::VecDeque;

use serde::Serialize;

use super::message::encode;

/// A link takes no more for that rank at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// One rank's way to the others.
pub trait Link {
    /// Sends bytes to a rank; never waits.
    ///
    /// # Errors
    /// There is no room: try again later.
    fn send(&mut self, rank: usize, bytes: &[u8]) -> Result<(), Full>;

    /// Whether so much has yet to leave for that rank that only what is urgent should be added.
    fn is_busy(&self, _rank: usize) -> bool {
        false
    }

    /// Whether all that was sent has left, so that this rank may end.
    fn has_left(&mut self) -> bool {
        true
    }

    /// The next message that has arrived, and its sender; never waits.
    fn receive(&mut self) -> Option<(usize, Vec<u8>)>;
}

/// So many bytes of messages travel together: each journey costs sender and receiver microseconds, however little it
/// carries.
const TOGETHER_MAX: usize = 1_400;

/// Messages that wait for a link to take them, by receiver: one that takes nothing holds nobody else up. What is short
/// travels together with what goes the same way.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    queues: Vec<VecDeque<Vec<u8>>>,
}

impl Outbox {
    /// An outbox for messages to ranks below `ranks`.
    pub fn new(ranks: usize) -> Self {
        Self {
            queues: vec![VecDeque::new(); ranks],
        }
    }

    /// Puts a message behind those that wait.
    pub fn push(&mut self, rank: usize, message: &impl Serialize) {
        self.push_bytes(rank, encode(message));
    }

    /// The same with messages that are bytes already.
    pub fn push_bytes(&mut self, rank: usize, bytes: Vec<u8>) {
        let queue = &mut self.queues[rank];
        match queue.back_mut() {
            Some(last) if last.len() + bytes.len() <= TOGETHER_MAX => last.extend(bytes),
            _ => queue.push_back(bytes),
        }
    }

    /// Forgets what waits for a rank.
    pub fn clear(&mut self, rank: usize) {
        self.queues[rank].clear();
    }

    /// Bundles of messages that wait for a rank.
    pub fn waiting(&self, rank: usize) -> usize {
        self.queues[rank].len()
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.queues.iter().all(VecDeque::is_empty)
    }

    /// Sends what the link takes; whether that was anything.
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

    /// Keeps what is sent.
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
