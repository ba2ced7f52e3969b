//! Updates collected until they are sent, without outdated ones. Most nodes are left before updates are sent, so
//! at least three of four need not be sent at all.

use crate::game::HashUpdate;

/// The number of slots: more than the nodes in progress on all threads of a rank.
const PLACES: usize = 1 << 12;

/// Updates in the order in which they were added.
#[derive(Clone, Debug)]
pub struct UpdateBuffer {
    /// `None` is outdated.
    updates: Vec<Option<HashUpdate>>,
    /// The index in `updates` of the last update of a move or key, by its low bits. It may be wrong, so the update
    /// there is compared.
    places: Vec<usize>,
}

impl Default for UpdateBuffer {
    fn default() -> Self {
        Self {
            updates: Vec::new(),
            places: vec![0; PLACES],
        }
    }
}

impl UpdateBuffer {
    /// Adds an update and removes the one that it outdates.
    pub fn add(&mut self, update: HashUpdate) {
        let word = update.subject();
        let place = &mut self.places[word as usize % PLACES];
        let before = self.updates.get_mut(*place);
        match (before, update) {
            (Some(before), HashUpdate::Ended(_)) if *before == Some(HashUpdate::Begun(word)) => {
                *before = None;
                return;
            }
            (Some(Some(before @ HashUpdate::Found { .. })), HashUpdate::Found { .. })
                if before.subject() == word =>
            {
                *before = update;
                return;
            }
            _ => {}
        }
        *place = self.updates.len();
        self.updates.push(Some(update));
    }

    /// Takes all updates to be sent.
    pub fn take(&mut self) -> Vec<HashUpdate> {
        self.updates.drain(..).flatten().collect()
    }

    /// Whether nothing was added since the last [`UpdateBuffer::take`].
    pub const fn is_empty(&self) -> bool {
        self.updates.is_empty()
    }

    /// Drops all updates.
    pub fn clear(&mut self) {
        self.updates.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(key: u64, content: u64) -> HashUpdate {
        HashUpdate::Found { key, content }
    }

    fn sent(updates: &[HashUpdate]) -> Vec<HashUpdate> {
        let mut update_buffer = UpdateBuffer::default();
        for &update in updates {
            update_buffer.add(update);
        }
        update_buffer.take()
    }

    #[test]
    fn a_move_begun_and_ended_is_not_sent() {
        use HashUpdate::{Begun, Ended};
        assert_eq!(sent(&[Begun(7), Begun(8), Ended(7)]), [Begun(8)]);
        let others_end = [Ended(7), Begun(7), Ended(8)];
        assert_eq!(sent(&others_end), others_end);
        let mut update_buffer = UpdateBuffer::default();
        update_buffer.add(Begun(7));
        assert_eq!(update_buffer.take(), [Begun(7)]);
        update_buffer.add(Ended(7));
        assert_eq!(update_buffer.take(), [Ended(7)], "the others know of it");
    }

    #[test]
    fn only_the_last_entry_of_a_position_is_sent() {
        let other = found(6, 1);
        let updates = [found(5, 1), other, found(5, 2), found(5, 3)];
        assert_eq!(sent(&updates), [found(5, 3), other]);
        // A busy move is not a position.
        let mixed = [HashUpdate::Begun(5), found(5, 1), HashUpdate::Ended(5)];
        assert_eq!(sent(&mixed), mixed);
    }

    #[test]
    fn what_shares_a_place_keeps_its_own() {
        let other = 7 + PLACES as u64;
        let updates = [
            HashUpdate::Begun(7),
            HashUpdate::Begun(other),
            HashUpdate::Ended(7),
        ];
        assert_eq!(sent(&updates), updates);
        assert_eq!(sent(&[found(7, 1), found(other, 2)]).len(), 2);
    }

    /// Applying what is sent has the same effect as applying what was added.
    #[test]
    fn nothing_is_lost_that_counts() {
        use std::collections::BTreeMap;
        let mut rng = crate::game::SplitMix64::new(3);
        let told: Vec<HashUpdate> = (0..20_000)
            .map(|time| {
                let word = rng.below(3) * PLACES as u64 + rng.below(40);
                match rng.below(3) {
                    0 => HashUpdate::Begun(word),
                    1 => HashUpdate::Ended(word),
                    _ => found(word, time),
                }
            })
            .collect();
        let knows = |updates: &[HashUpdate]| {
            // The number of searchers of each move, and the entries found.
            let (mut busy, mut entries) = (BTreeMap::<u64, u32>::new(), BTreeMap::new());
            for &update in updates {
                match update {
                    HashUpdate::Begun(busy_key) => *busy.entry(busy_key).or_default() += 1,
                    HashUpdate::Ended(busy_key) => {
                        let at_it = busy.entry(busy_key).or_default();
                        *at_it = at_it.saturating_sub(1);
                    }
                    HashUpdate::Found { key, content } => drop(entries.insert(key, content)),
                }
            }
            busy.retain(|_, at_it| *at_it > 0);
            (busy, entries)
        };
        for told in told.chunks(500) {
            let sent = sent(told);
            assert!(sent.len() < told.len());
            assert_eq!(knows(&sent), knows(told));
        }
    }
}
