//! The hash table that all ranks have together. Every position has a rank that is its home: who has searched the position
//! tells its home, who begins to search it asks there, and goes on meanwhile. Mail may be late or lost; then work is done
//! twice, and nothing else happens.
//!
//! That is a distributed transposition table (Feldmann 1993, Romein et al. 1999) whose answers nobody waits for.

use super::message::{Asked, Entry, Mail};

/// Mail is collected so long for each rank there is, so that many ranks do not mean many small messages...
const EVERY_NS: u64 = 1_000;
/// ... and so long at least, in microseconds.
const EVERY_US_MIN: u64 = 20;

/// What a searcher has to say to the home of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letter {
    /// It has found this.
    Keep(Entry),
    /// It needs to know this.
    Ask(Asked),
}

/// One rank's part in it.
#[derive(Clone, Debug)]
pub struct Homes {
    rank: usize,
    /// By receiver; what is for this rank itself it has in its table.
    waiting: Vec<Mail>,
    every_us: u64,
    due_us: u64,
}

impl Homes {
    /// The part of one of so many ranks.
    pub fn new(rank: usize, ranks: usize) -> Self {
        Self {
            rank,
            waiting: vec![Mail::default(); ranks],
            every_us: (EVERY_NS * ranks as u64 / 1_000).max(EVERY_US_MIN),
            due_us: 0,
        }
    }

    /// The rank that is home to the position of that key.
    fn home(&self, key: u64) -> usize {
        // Tables place entries by the high bits, which would leave each home's table mostly empty.
        (key as u32 as usize) % self.waiting.len()
    }

    /// Takes letters of this rank's searchers.
    pub fn post(&mut self, letters: impl IntoIterator<Item = Letter>) {
        for letter in letters {
            let (Letter::Keep(Entry { key, .. }) | Letter::Ask(Asked { key, .. })) = letter;
            let home = self.home(key);
            if home == self.rank {
                continue;
            }
            let mail = &mut self.waiting[home];
            match letter {
                Letter::Keep(entry) => mail.kept.push(entry),
                Letter::Ask(asked) => mail.asked.push(asked),
            }
        }
    }

    /// Takes mail of another rank, whose questions `look_up` may know an answer to; tells what to remember.
    pub fn receive(
        &mut self,
        from: usize,
        mail: Mail,
        look_up: impl Fn(Asked) -> Option<Entry>,
    ) -> Vec<Entry> {
        let answers = mail.asked.into_iter().filter_map(look_up);
        self.waiting[from].found.extend(answers);
        let mut entries = mail.kept;
        entries.extend(mail.found);
        entries
    }

    /// The mail that is to be sent now, and to whom.
    pub fn take_due(&mut self, now_us: u64) -> Vec<(usize, Mail)> {
        if now_us < self.due_us || !self.is_waiting() {
            return Vec::new();
        }
        self.due_us = now_us + self.every_us;
        let mail = self.waiting.iter_mut().enumerate();
        let mail = mail.filter(|(_, mail)| !mail.is_empty());
        mail.map(|(rank, mail)| (rank, std::mem::take(mail)))
            .collect()
    }

    fn is_waiting(&self) -> bool {
        self.waiting.iter().any(|mail| !mail.is_empty())
    }

    /// When mail is to be sent, if there is any.
    pub fn due_us(&self) -> Option<u64> {
        self.is_waiting().then_some(self.due_us)
    }

    /// Forgets what is not sent yet.
    pub fn clear(&mut self) {
        self.waiting.fill(Mail::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANKS: usize = 3;

    fn entry(key: u64) -> Entry {
        Entry { key, content: 7 }
    }

    /// Rank 0, with a key whose home it is not, and that home.
    fn at_first() -> (Homes, u64, usize) {
        let homes = Homes::new(0, RANKS);
        let key = (0..).find(|&key| homes.home(key) != 0).unwrap();
        let home = homes.home(key);
        (homes, key, home)
    }

    #[test]
    fn what_one_rank_has_found_another_is_told_when_it_asks() {
        let (mut asker, key, place) = at_first();
        let finder_place = RANKS - place;
        let (mut finder, mut home) = (Homes::new(finder_place, RANKS), Homes::new(place, RANKS));
        finder.post([Letter::Keep(entry(key))]);
        let mut kept = Vec::new();
        for (to, mail) in finder.take_due(0) {
            assert_eq!(to, place);
            kept = home.receive(finder_place, mail, |_| None);
        }
        assert_eq!(kept, [entry(key)]);
        let asked = Asked { key, depth: 5 };
        asker.post([Letter::Ask(asked)]);
        for (to, mail) in asker.take_due(0) {
            assert_eq!(to, place);
            let kept = home.receive(0, mail, |question| (question == asked).then_some(kept[0]));
            assert!(kept.is_empty());
        }
        let answers = home.take_due(EVERY_US_MIN);
        let [(0, answer)] = &answers[..] else {
            panic!("{answers:?}")
        };
        let remembered = asker.receive(place, answer.clone(), |_| None);
        assert_eq!(remembered, [entry(key)]);
        assert_eq!(home.due_us(), None, "all is said");
    }

    #[test]
    fn nobody_writes_to_himself_and_mail_is_collected() {
        let (mut homes, key, home) = at_first();
        let own = (0..).find(|&key| homes.home(key) == 0).unwrap();
        homes.post([
            Letter::Keep(entry(own)),
            Letter::Ask(Asked { key: own, depth: 4 }),
        ]);
        assert_eq!(homes.due_us(), None);
        homes.post([Letter::Keep(entry(key))]);
        assert_eq!(homes.take_due(100).len(), 1);
        homes.post([Letter::Keep(entry(key)), Letter::Keep(entry(key))]);
        assert_eq!(homes.due_us(), Some(100 + EVERY_US_MIN));
        assert!(homes.take_due(100 + EVERY_US_MIN - 1).is_empty());
        let mail = homes.take_due(100 + EVERY_US_MIN);
        assert_eq!((mail.len(), mail[0].0, mail[0].1.kept.len()), (1, home, 2));
        homes.post([Letter::Keep(entry(key))]);
        homes.clear();
        assert_eq!(homes.due_us(), None);
    }

    #[test]
    fn homes_are_spread_evenly() {
        let homes = Homes::new(0, 39);
        let mut rng = crate::game::SplitMix64::new(3);
        let mut counts = vec![0; 39];
        for _ in 0..39_000 {
            counts[homes.home(rng.next_u64())] += 1;
        }
        assert!(
            counts.iter().all(|count| (800..1_200).contains(count)),
            "{counts:?}"
        );
    }
}
