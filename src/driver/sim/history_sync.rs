//! Evaluators that share no memory learn from each other: what each has learned goes to the first, and from there to all.
//!
//! ```text
//!  every evaluator -- Report, as it works --> 0 -- Delta, now and then -----------> 1, 2
//!                                                      1 -- Delta --> 3, 4    2 -- Delta --> 5, 6    ...
//! ```

use std::sync::Arc;

use crate::game::HistoryDelta;

/// What goes from evaluator to evaluator.
#[derive(Clone, Debug)]
pub(super) enum Note {
    /// What one has learned in so many nodes.
    Report(u64, HistoryDelta),
    /// What all are to know from now on.
    Delta(Arc<HistoryDelta>),
}

impl Note {
    fn delta(&self) -> &HistoryDelta {
        match self {
            Self::Report(_, delta) => delta,
            Self::Delta(delta) => delta,
        }
    }

    /// The entries it tells of.
    pub(super) fn entries(&self) -> u64 {
        self.delta().all().len() as u64
    }

    /// What it takes in a message, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        NOTE_BYTES + self.delta().bytes()
    }
}

/// Kind, sender, receiver, number of nodes.
const NOTE_BYTES: u64 = 16;
/// So often everybody reports between two deltas, if all work alike.
const REPORTS: u64 = 2;

/// What the first knows of all, and each of itself.
#[derive(Clone, Debug)]
pub(super) struct HistorySync {
    /// Nodes of all from one delta to the next; 0: there are none.
    interval: u64,
    /// In percent: what is learned counts the less the more is known, so deltas become rarer as nodes do more.
    growth: u64,
    /// Nodes of all after which there is a delta.
    next: u64,
    /// Nodes reported.
    nodes: u64,
    gathered: HistoryDelta,
    /// Nodes of each since its last report.
    unreported: Vec<u64>,
}

impl HistorySync {
    /// The first delta comes after `first_nodes` of all, never if that is 0, the next one whenever the nodes have grown by
    /// `growth` percent.
    pub(super) fn new(first_nodes: u64, growth: u64, evaluators: usize) -> Self {
        let interval = if evaluators > 1 { first_nodes } else { 0 };
        Self {
            interval,
            growth,
            next: interval,
            nodes: 0,
            gathered: HistoryDelta::default(),
            unreported: vec![0; evaluators],
        }
    }

    /// Notes the nodes of a step. How many there are to report, if it is time to.
    pub(super) fn worked(&mut self, place: usize, nodes: u64) -> Option<u64> {
        if self.interval == 0 {
            return None;
        }
        let share = self.interval / (REPORTS * self.unreported.len() as u64);
        let own = &mut self.unreported[place];
        *own += nodes;
        (*own > share).then(|| std::mem::take(own))
    }

    /// Takes note of a report. What all are to learn, if it is time for that.
    pub(super) fn gather(&mut self, nodes: u64, delta: &HistoryDelta) -> Option<Arc<HistoryDelta>> {
        self.nodes += nodes;
        self.gathered.add(delta);
        if self.nodes < self.next {
            return None;
        }
        self.interval = self.interval.max(self.nodes * self.growth / 100);
        self.next = self.nodes + self.interval;
        Some(Arc::new(std::mem::take(&mut self.gathered)))
    }

    /// Whom the one at this place tells what it was told.
    pub(super) fn next_places(&self, place: usize) -> impl Iterator<Item = usize> + use<> {
        let count = self.unreported.len();
        (2 * place + 1..=2 * place + 2).filter(move |&next| next < count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::HistoryEntry;

    #[test]
    fn deltas_come_when_the_nodes_have_grown() {
        let mut history_sync = HistorySync::new(100, 100, 5);
        let mut learned = Vec::new();
        let mut nodes = 0;
        for step in 0..400 {
            let place = step % 5;
            nodes += 3;
            if let Some(reported) = history_sync.worked(place, 3) {
                let delta = HistoryDelta::new(vec![HistoryEntry {
                    entry: place as u32,
                    sum: 1,
                    weight: 1,
                }]);
                if let Some(delta) = history_sync.gather(reported, &delta) {
                    learned.push((nodes, delta.all().len()));
                }
            }
        }
        let due = learned.iter().map(|&(nodes, _)| nodes);
        let intervals: Vec<_> = due.zip([100, 200, 400, 800]).collect();
        assert_eq!(intervals.len(), learned.len());
        for (nodes, least) in intervals {
            assert!((least..least * 3 / 2).contains(&nodes), "{learned:?}");
        }
        assert!(learned.iter().all(|&(_, entries)| entries == 5));
    }

    #[test]
    fn everybody_is_told_once() {
        let history_sync = HistorySync::new(100, 20, 12);
        let mut told: Vec<_> = (0..12)
            .flat_map(|place| history_sync.next_places(place))
            .collect();
        told.sort_unstable();
        assert_eq!(told, (1..12).collect::<Vec<_>>());
    }

    #[test]
    fn who_is_alone_has_no_deltas() {
        assert_eq!(HistorySync::new(1, 20, 1).worked(0, 1_000), None);
        assert_eq!(HistorySync::new(0, 20, 3).worked(0, 1_000), None);
    }
}
