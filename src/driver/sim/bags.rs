//! Letters that wait for others to the same worker, because a network takes as long over one message as over a longer one.

use std::collections::{BTreeMap, VecDeque};

use crate::cc2s::WorkerId;
use crate::parallel::Envelope;

/// What one worker has written and not yet sent.
#[derive(Clone, Debug)]
pub(super) struct Bags<M> {
    /// For each worker the letters to it, in their order.
    bags: BTreeMap<WorkerId, Vec<Envelope<M>>>,
    /// When the first letter was put into each of them, the oldest first.
    opened: VecDeque<(u64, WorkerId)>,
}

impl<M> Bags<M> {
    pub(super) fn new() -> Self {
        Self {
            bags: BTreeMap::new(),
            opened: VecDeque::new(),
        }
    }

    pub(super) fn put(&mut self, now_ns: u64, envelope: Envelope<M>) {
        let to = envelope.to;
        let bag = self.bags.entry(to).or_default();
        if bag.is_empty() {
            self.opened.push_back((now_ns, to));
        }
        bag.push(envelope);
    }

    /// A bag that was opened at that moment or before, if there is one; it is not kept.
    pub(super) fn take_opened_by(&mut self, moment_ns: u64) -> Option<Vec<Envelope<M>>> {
        let &(_, to) = self
            .opened
            .front()
            .filter(|&&(opened_ns, _)| opened_ns <= moment_ns)?;
        self.opened.pop_front();
        self.bags.remove(&to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::Message;

    fn seek(from: u16, to: u16) -> Envelope<u16> {
        Envelope {
            from: WorkerId(from),
            to: WorkerId(to),
            message: Message::Seek,
        }
    }

    #[test]
    fn letters_to_one_worker_go_together_when_the_first_has_waited() {
        let mut bags = Bags::new();
        bags.put(10, seek(0, 2));
        bags.put(20, seek(0, 1));
        bags.put(30, seek(0, 2));
        assert_eq!(bags.take_opened_by(9), None);
        assert_eq!(bags.take_opened_by(10), Some(vec![seek(0, 2), seek(0, 2)]));
        assert_eq!(bags.take_opened_by(10), None);
        bags.put(40, seek(0, 2));
        assert_eq!(bags.take_opened_by(40), Some(vec![seek(0, 1)]));
        assert_eq!(bags.take_opened_by(40), Some(vec![seek(0, 2)]));
        assert_eq!(bags.take_opened_by(u64::MAX), None);
    }
}
