//! What evaluators tell each other of what they have learned.

/// What was learned about one thing that evaluators know by heart: rewards and blame together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The thing: all that learn from each other number them in the same way.
    pub entry: u32,
    /// Rewards less blame.
    pub sum: i64,
    /// Rewards and blame.
    pub weight: i64,
}

/// What an evaluator, or several, have learned since the last time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lessons {
    /// In the order of the entries, each once.
    all: Vec<Lesson>,
}

impl Lessons {
    /// These; those about one entry are added up.
    pub fn new(all: Vec<Lesson>) -> Self {
        let mut lessons = Self { all };
        lessons.sum_up();
        lessons
    }

    /// One for each entry that something was learned about, in the order of the entries.
    pub fn all(&self) -> &[Lesson] {
        &self.all
    }

    /// Adds what others have learned.
    pub fn add(&mut self, others: &Self) {
        self.all.extend_from_slice(&others.all);
        self.sum_up();
    }

    /// What they take in a message, in bytes.
    pub fn bytes(&self) -> u64 {
        LESSON_BYTES * self.all.len() as u64
    }

    fn sum_up(&mut self) {
        // Two sorted runs, mostly.
        self.all.sort_by_key(|lesson| lesson.entry);
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
const LESSON_BYTES: u64 = 4 + 4 + 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_about_one_entry_add_up() {
        let lesson = |entry, sum: i64| Lesson {
            entry,
            sum,
            weight: sum.abs(),
        };
        let mut lessons = Lessons::new(vec![lesson(7, 3), lesson(2, 5), lesson(7, -1)]);
        assert_eq!(lessons.bytes(), 24);
        lessons.add(&Lessons::new(vec![lesson(3, 1), lesson(2, -5)]));
        let expected = [(2, 0, 10), (3, 1, 1), (7, 2, 4)];
        let expected = expected.map(|(entry, sum, weight)| Lesson { entry, sum, weight });
        assert_eq!(lessons.all(), expected);
    }
}
