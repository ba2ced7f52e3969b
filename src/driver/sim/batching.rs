//! Messages that wait for others to the same worker, because a network takes as long over one message as over a longer one.

use std::collections::{BTreeMap, VecDeque};

use crate::cc2s::WorkerId;
use crate::parallel::Envelope;

/// What one worker has written and not yet sent.
#[derive(Clone, Debug)]
pub(super) struct Batching<M> {
    /// For each worker the messages to it, in their order.
    batches: BTreeMap<WorkerId, Vec<Envelope<M>>>,
    /// When the first message was put into each of them, the oldest first.
    opened: VecDeque<(u64, WorkerId)>,
}

impl<M> Batching<M> {
    pub(super) fn new() -> Self {
        Self {
            batches: BTreeMap::new(),
            opened: VecDeque::new(),
        }
    }

    pub(super) fn put(&mut self, now_ns: u64, envelope: Envelope<M>) {
        let to = envelope.to;
        let batch = self.batches.entry(to).or_default();
        if batch.is_empty() {
            self.opened.push_back((now_ns, to));
        }
        batch.push(envelope);
    }

    /// A batch that was opened at that moment or before, if there is one; it is not kept.
    pub(super) fn take_opened_by(&mut self, moment_ns: u64) -> Option<Vec<Envelope<M>>> {
        let &(_, to) = self
            .opened
            .front()
            .filter(|&&(opened_ns, _)| opened_ns <= moment_ns)?;
        self.opened.pop_front();
        self.batches.remove(&to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::Message;

    fn steal(from: u16, to: u16) -> Envelope<u16> {
        Envelope {
            from: WorkerId(from),
            to: WorkerId(to),
            message: Message::Steal,
        }
    }

    #[test]
    fn messages_to_one_worker_go_together_when_the_first_has_waited() {
        let mut batches = Batching::new();
        batches.put(10, steal(0, 2));
        batches.put(20, steal(0, 1));
        batches.put(30, steal(0, 2));
        assert_eq!(batches.take_opened_by(9), None);
        assert_eq!(
            batches.take_opened_by(10),
            Some(vec![steal(0, 2), steal(0, 2)])
        );
        assert_eq!(batches.take_opened_by(10), None);
        batches.put(40, steal(0, 2));
        assert_eq!(batches.take_opened_by(40), Some(vec![steal(0, 1)]));
        assert_eq!(batches.take_opened_by(40), Some(vec![steal(0, 2)]));
        assert_eq!(batches.take_opened_by(u64::MAX), None);
    }
}
