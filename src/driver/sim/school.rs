//! Evaluators that share no memory learn from each other: what each has learned goes to the first, and from there to all.
//!
//! ```text
//!  every evaluator -- Report, as it works --> 0 -- Lessons, now and then ----------> 1, 2
//!                                                      1 -- Lessons --> 3, 4    2 -- Lessons --> 5, 6    ...
//! ```

use std::sync::Arc;

use crate::game::Lessons;

/// What goes from evaluator to evaluator.
#[derive(Clone, Debug)]
pub(super) enum Note {
    /// What one has learned in so many nodes.
    Report(u64, Lessons),
    /// What all are to know from now on.
    Lessons(Arc<Lessons>),
}

impl Note {
    fn lessons(&self) -> &Lessons {
        match self {
            Self::Report(_, lessons) => lessons,
            Self::Lessons(lessons) => lessons,
        }
    }

    /// The entries it tells of.
    pub(super) fn entries(&self) -> u64 {
        self.lessons().all().len() as u64
    }

    /// What it takes in a message, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        NOTE_BYTES + self.lessons().bytes()
    }
}

/// Kind, sender, receiver, number of nodes.
const NOTE_BYTES: u64 = 16;
/// So often everybody reports between two lessons, if all work alike.
const REPORTS: u64 = 2;

/// What the first knows of all, and each of itself.
#[derive(Clone, Debug)]
pub(super) struct School {
    /// Nodes of all from one lesson to the next; 0: there are none.
    interval: u64,
    /// In percent: what is learned counts the less the more is known, so lessons become rarer as nodes do more.
    growth: u64,
    /// Nodes of all after which there are lessons.
    next: u64,
    /// Nodes reported.
    nodes: u64,
    gathered: Lessons,
    /// Nodes of each since its last report.
    unreported: Vec<u64>,
}

impl School {
    /// The first lessons come after `first_nodes` of all, never if that is 0, the next ones whenever the nodes have grown by
    /// `growth` percent.
    pub(super) fn new(first_nodes: u64, growth: u64, pupils: usize) -> Self {
        let interval = if pupils > 1 { first_nodes } else { 0 };
        Self {
            interval,
            growth,
            next: interval,
            nodes: 0,
            gathered: Lessons::default(),
            unreported: vec![0; pupils],
        }
    }

    /// Notes the nodes of a step. How many there are to report, if it is time to.
    pub(super) fn worked(&mut self, pupil: usize, nodes: u64) -> Option<u64> {
        if self.interval == 0 {
            return None;
        }
        let share = self.interval / (REPORTS * self.unreported.len() as u64);
        let own = &mut self.unreported[pupil];
        *own += nodes;
        (*own > share).then(|| std::mem::take(own))
    }

    /// Takes note of a report. What all are to learn, if it is time for that.
    pub(super) fn gather(&mut self, nodes: u64, lessons: &Lessons) -> Option<Arc<Lessons>> {
        self.nodes += nodes;
        self.gathered.add(lessons);
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
    use crate::game::Lesson;

    #[test]
    fn lessons_come_when_the_nodes_have_grown() {
        let mut school = School::new(100, 100, 5);
        let mut learned = Vec::new();
        let mut nodes = 0;
        for step in 0..400 {
            let pupil = step % 5;
            nodes += 3;
            if let Some(reported) = school.worked(pupil, 3) {
                let lessons = Lessons::new(vec![Lesson {
                    entry: pupil as u32,
                    sum: 1,
                    weight: 1,
                }]);
                if let Some(lessons) = school.gather(reported, &lessons) {
                    learned.push((nodes, lessons.all().len()));
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
        let school = School::new(100, 20, 12);
        let mut told: Vec<_> = (0..12)
            .flat_map(|place| school.next_places(place))
            .collect();
        told.sort_unstable();
        assert_eq!(told, (1..12).collect::<Vec<_>>());
    }

    #[test]
    fn who_is_alone_has_no_lessons() {
        assert_eq!(School::new(1, 20, 1).worked(0, 1_000), None);
        assert_eq!(School::new(0, 20, 3).worked(0, 1_000), None);
    }
}
