//! Hints collected for the next mail, without those that are outdated before it leaves. Most nodes are left sooner than mail is
//! sent: of what searchers tell, three of four hints or more need not be sent at all.

use super::message::Hint;

/// Places to remember: more than there are nodes that all threads of a rank are at.
const PLACES: usize = 1 << 12;

/// Hints in the order in which they were told.
#[derive(Clone, Debug)]
pub struct Batch {
    /// `None` is outdated.
    hints: Vec<Option<Hint>>,
    /// Where in `hints` the last one about a mark or key is, by its low bits. May be wrong, so what lies there is compared.
    places: Vec<usize>,
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            hints: Vec::new(),
            places: vec![0; PLACES],
        }
    }
}

impl Batch {
    /// Adds a hint, and takes out the one that it outdates.
    pub fn add(&mut self, hint: Hint) {
        let word = match hint {
            Hint::Found(entry) => entry.key,
            Hint::Entered(mark) | Hint::Left(mark) => mark,
        };
        let place = &mut self.places[word as usize % PLACES];
        let before = self.hints.get_mut(*place);
        match (before, hint) {
            (Some(before), Hint::Left(_)) if *before == Some(Hint::Entered(word)) => {
                *before = None;
                return;
            }
            (Some(Some(Hint::Found(before))), Hint::Found(entry)) if before.key == word => {
                *before = entry;
                return;
            }
            _ => {}
        }
        *place = self.hints.len();
        self.hints.push(Some(hint));
    }

    /// What is left to send, which is then gone.
    pub fn take(&mut self) -> Vec<Hint> {
        self.hints.drain(..).flatten().collect()
    }

    /// Whether nothing was added since the last time.
    pub const fn is_empty(&self) -> bool {
        self.hints.is_empty()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.hints.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::Entry;

    fn found(key: u64, content: u64) -> Hint {
        Hint::Found(Entry { key, content })
    }

    fn sent(hints: &[Hint]) -> Vec<Hint> {
        let mut batch = Batch::default();
        for &hint in hints {
            batch.add(hint);
        }
        batch.take()
    }

    #[test]
    fn who_has_left_again_is_not_told_of() {
        use Hint::{Entered, Left};
        assert_eq!(sent(&[Entered(7), Entered(8), Left(7)]), [Entered(8)]);
        let others_leave = [Left(7), Entered(7), Left(8)];
        assert_eq!(sent(&others_leave), others_leave);
        let mut batch = Batch::default();
        batch.add(Entered(7));
        assert_eq!(batch.take(), [Entered(7)]);
        batch.add(Left(7));
        assert_eq!(batch.take(), [Left(7)], "the others know of it");
    }

    #[test]
    fn only_the_last_of_a_position_is_told() {
        let other = found(6, 1);
        let hints = [found(5, 1), other, found(5, 2), found(5, 3)];
        assert_eq!(sent(&hints), [found(5, 3), other]);
        // A mark is no key.
        let mixed = [Hint::Entered(5), found(5, 1), Hint::Left(5)];
        assert_eq!(sent(&mixed), mixed);
    }

    #[test]
    fn what_shares_a_place_keeps_its_own() {
        let other = 7 + PLACES as u64;
        let hints = [Hint::Entered(7), Hint::Entered(other), Hint::Left(7)];
        assert_eq!(sent(&hints), hints);
        assert_eq!(sent(&[found(7, 1), found(other, 2)]).len(), 2);
    }

    /// Whoever takes in all that is sent knows the same as who heard all that was told.
    #[test]
    fn nothing_is_lost_that_counts() {
        use std::collections::BTreeMap;
        let mut rng = crate::game::SplitMix64::new(3);
        let told: Vec<Hint> = (0..20_000)
            .map(|time| {
                let word = rng.below(3) * PLACES as u64 + rng.below(40);
                match rng.below(3) {
                    0 => Hint::Entered(word),
                    1 => Hint::Left(word),
                    _ => found(word, time),
                }
            })
            .collect();
        let knows = |hints: &[Hint]| {
            // How many are at a move, and what was found.
            let (mut marks, mut entries) = (BTreeMap::<u64, u32>::new(), BTreeMap::new());
            for &hint in hints {
                match hint {
                    Hint::Entered(mark) => *marks.entry(mark).or_default() += 1,
                    Hint::Left(mark) => {
                        let at_it = marks.entry(mark).or_default();
                        *at_it = at_it.saturating_sub(1);
                    }
                    Hint::Found(entry) => drop(entries.insert(entry.key, entry.content)),
                }
            }
            marks.retain(|_, at_it| *at_it > 0);
            (marks, entries)
        };
        for told in told.chunks(500) {
            let sent = sent(told);
            assert!(sent.len() < told.len());
            assert_eq!(knows(&sent), knows(told));
        }
    }
}
