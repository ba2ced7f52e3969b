//! Updates exchanged during a search: each rank sends its table entries and busy moves to all others, which keeps
//! their tables similar. Late or lost updates cost duplicate work and nothing else.

use serde::Serialize;

use super::link::Outbox;
use super::message::{ToCoordinator, ToRank, encode};
use super::poll_policy::PollPolicy;
use super::update_buffer::UpdateBuffer;
use crate::game::HashUpdate;

/// The updates from one rank to all others.
#[derive(Clone, Debug)]
pub struct Broadcast {
    rank: usize,
    ranks: usize,
    waiting: UpdateBuffer,
    every_us: u64,
    due_us: u64,
}

impl Broadcast {
    /// Creates the broadcast of `rank` among `ranks` ranks.
    pub fn new(rank: usize, ranks: usize) -> Self {
        Self {
            rank,
            ranks,
            waiting: UpdateBuffer::default(),
            every_us: PollPolicy::default().updates_every_us(ranks),
            due_us: 0,
        }
    }

    /// Sets the poll policy, which determines the interval between updates.
    pub fn keep(&mut self, poll_policy: PollPolicy) {
        self.every_us = poll_policy.updates_every_us(self.ranks);
    }

    /// Adds updates from this rank's searchers.
    pub fn add(&mut self, updates: impl IntoIterator<Item = HashUpdate>) {
        for update in updates {
            self.waiting.add(update);
        }
    }

    /// Sends the updates that are due, except to ranks with messages waiting: updates are the least urgent and may
    /// be lost. Returns whether any were due.
    pub fn send_due<M: Serialize>(
        &mut self,
        now_us: u64,
        outbox: &mut Outbox,
        may_get: impl Fn(usize) -> bool,
    ) -> bool {
        let Some(updates) = self.take_due(now_us) else {
            return false;
        };
        let others = (0..self.ranks).filter(|&rank| rank != self.rank);
        let (first, others): (Vec<_>, Vec<_>) = others
            .filter(|&rank| outbox.waiting(rank) == 0 && may_get(rank))
            .partition(|&rank| rank == 0);
        if !first.is_empty() {
            outbox.push(0, &ToCoordinator::<M>::Updates(updates.clone()));
        }
        let bytes = encode(&ToRank::<M>::Updates(updates));
        for rank in others {
            outbox.push_bytes(rank, bytes.clone());
        }
        true
    }

    fn take_due(&mut self, now_us: u64) -> Option<Vec<HashUpdate>> {
        if now_us < self.due_us || self.waiting.is_empty() {
            return None;
        }
        self.due_us = now_us + self.every_us;
        Some(self.waiting.take()).filter(|updates| !updates.is_empty())
    }

    /// Returns the time at which updates are due, if there are any.
    pub fn due_us(&self) -> Option<u64> {
        (!self.waiting.is_empty()).then_some(self.due_us)
    }

    /// Drops all updates not sent yet.
    pub fn clear(&mut self) {
        self.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::{Link as _, decode, simulated};

    const RANKS: usize = 3;

    /// The updates of rank 1 that reach each rank.
    fn delivered(
        broadcast: &mut Broadcast,
        now_us: u64,
        may_get: impl Fn(usize) -> bool,
    ) -> Vec<Vec<HashUpdate>> {
        let mut network = simulated::SimulatedNetwork::new(simulated::Wire::ETHERNET, RANKS, 0);
        let mut outbox = Outbox::new(RANKS);
        broadcast.send_due::<u16>(now_us, &mut outbox, may_get);
        outbox.flush(&mut network.port(1));
        network.advance(1_000_000_000);
        let receive = |rank: usize| {
            let (from, bytes) = network.port(rank).receive()?;
            assert_eq!(from, 1);
            Some(match rank {
                0 => match decode::<ToCoordinator<u16>>(&bytes) {
                    Ok(ToCoordinator::Updates(updates)) => updates,
                    other => panic!("{other:?}"),
                },
                _ => match decode::<ToRank<u16>>(&bytes) {
                    Ok(ToRank::Updates(updates)) => updates,
                    other => panic!("{other:?}"),
                },
            })
        };
        (0..RANKS)
            .map(receive)
            .map(Option::unwrap_or_default)
            .collect()
    }

    #[test]
    fn all_others_get_updates() {
        let mut broadcast = Broadcast::new(1, RANKS);
        let told = vec![HashUpdate::Begun(9), HashUpdate::Ended(8)];
        broadcast.add(told.clone());
        let sent = delivered(&mut broadcast, 0, |_| true);
        assert_eq!(sent, [told.clone(), Vec::new(), told]);
    }

    #[test]
    fn a_rank_with_much_to_read_gets_no_updates() {
        let mut broadcast = Broadcast::new(1, RANKS);
        broadcast.add([HashUpdate::Begun(9)]);
        let sent = delivered(&mut broadcast, 0, |rank| rank == 2);
        assert_eq!(sent, [Vec::new(), Vec::new(), vec![HashUpdate::Begun(9)]]);
        assert_eq!(broadcast.due_us(), None, "the others never apply of it");
    }

    #[test]
    fn updates_are_collected() {
        let mut broadcast = Broadcast::new(1, RANKS);
        assert_eq!(broadcast.due_us(), None);
        broadcast.add([HashUpdate::Begun(9)]);
        assert_eq!(
            broadcast.take_due(100).map(|updates| updates.len()),
            Some(1)
        );
        broadcast.add([HashUpdate::Begun(8)]);
        broadcast.add([HashUpdate::Ended(9)]);
        let every_us = PollPolicy::Busy.updates_every_us(RANKS);
        assert_eq!(broadcast.due_us(), Some(100 + every_us));
        assert_eq!(broadcast.take_due(100 + every_us - 1), None);
        let sent = broadcast.take_due(100 + every_us);
        assert_eq!(sent, Some(vec![HashUpdate::Begun(8), HashUpdate::Ended(9)]));
        broadcast.add([HashUpdate::Begun(7)]);
        broadcast.clear();
        assert_eq!(broadcast.due_us(), None);
        broadcast.add([HashUpdate::Begun(7), HashUpdate::Ended(7)]);
        assert_eq!(broadcast.take_due(500), None, "all of it is outdated");
        broadcast.keep(PollPolicy::Sparse);
        broadcast.add([HashUpdate::Begun(7)]);
        assert!(broadcast.take_due(1_000).is_some());
        broadcast.add([HashUpdate::Begun(6)]);
        let sparse_us = PollPolicy::Sparse.updates_every_us(RANKS);
        assert_eq!(broadcast.due_us(), Some(1_000 + sparse_us));
    }
}
