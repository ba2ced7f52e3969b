//! What evaluators tell each other of what they have learned.

/// What was learned about one thing that evaluators know by heart: rewards and blame together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    /// The thing: all that learn from each other number them in the same way.
    pub entry: u32,
    /// Rewards less blame.
    pub sum: i64,
    /// Rewards and blame.
    pub weight: i64,
}

/// What an evaluator, or several, have learned since the last time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryDelta {
    /// In the order of the entries, each once.
    all: Vec<HistoryEntry>,
}

impl HistoryDelta {
    /// These; those about one entry are added up.
    pub fn new(all: Vec<HistoryEntry>) -> Self {
        let mut delta = Self { all };
        delta.sum_up();
        delta
    }

    /// One for each entry that something was learned about, in the order of the entries.
    pub fn all(&self) -> &[HistoryEntry] {
        &self.all
    }

    /// Adds what others have learned.
    pub fn add(&mut self, others: &Self) {
        self.all.extend_from_slice(&others.all);
        self.sum_up();
    }

    /// What they take in a message, in bytes.
    pub fn bytes(&self) -> u64 {
        ENTRY_BYTES * self.all.len() as u64
    }

    fn sum_up(&mut self) {
        // Two sorted runs, mostly.
        self.all.sort_by_key(|entry| entry.entry);
        self.all.dedup_by(|next, sum| {
            let is_same = next.entry == sum.entry;
            if is_same {
                sum.sum += next.sum;
                sum.weight += next.weight;
            }
            is_same
        });
    }
}

/// An entry, its sum and its weight in single precision.
const ENTRY_BYTES: u64 = 4 + 4 + 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deltas_about_one_entry_add_up() {
        let entry = |entry, sum: i64| HistoryEntry {
            entry,
            sum,
            weight: sum.abs(),
        };
        let mut delta = HistoryDelta::new(vec![entry(7, 3), entry(2, 5), entry(7, -1)]);
        assert_eq!(delta.bytes(), 24);
        delta.add(&HistoryDelta::new(vec![entry(3, 1), entry(2, -5)]));
        let expected = [(2, 0, 10), (3, 1, 1), (7, 2, 4)];
        let expected = expected.map(|(entry, sum, weight)| HistoryEntry { entry, sum, weight });
        assert_eq!(delta.all(), expected);
    }
}
