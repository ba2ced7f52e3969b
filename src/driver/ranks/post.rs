//! What ranks let each other know while they search. Every position has a rank that is its home: who has searched the position
//! tells its home, who begins to search it asks there, and goes on meanwhile. Some things all are told. Mail may be late or
//! lost; then work is done twice, and nothing else happens.
//!
//! The homes are a distributed transposition table (Feldmann 1993, Romein et al. 1999) whose answers nobody waits for.

use serde::Serialize;

use super::link::Outbox;
use super::message::{Asked, Entry, Hint, Mail, ToLead, ToRank};

/// Mail is collected so long for each rank there is, so that many ranks do not mean many small messages...
const EVERY_NS: u64 = 1_000;
/// ... and so long at least, in microseconds.
const EVERY_US_MIN: u64 = 20;

/// What a searcher lets others know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letter {
    /// For all.
    ToAll(Hint),
    /// The home of the position is to keep this.
    Keep(Entry),
    /// For the home of the position.
    Ask(Asked),
}

/// One rank's mail to the others.
#[derive(Clone, Debug)]
pub struct Post {
    rank: usize,
    /// By receiver. What concerns this rank itself, it has in its table.
    waiting: Vec<Mail>,
    every_us: u64,
    due_us: u64,
}

impl Post {
    /// The mail of one of so many ranks.
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
        key as u32 as usize % self.waiting.len()
    }

    /// Mail to the home of a position, unless that is this rank.
    fn mail_home(&mut self, key: u64) -> Option<&mut Mail> {
        let home = self.home(key);
        (home != self.rank).then(|| &mut self.waiting[home])
    }

    /// Takes letters of this rank's searchers.
    pub fn add(&mut self, letters: impl IntoIterator<Item = Letter>) {
        for letter in letters {
            match letter {
                Letter::ToAll(hint) => {
                    let others = self.waiting.iter_mut().enumerate();
                    let others = others.filter(|(rank, _)| *rank != self.rank);
                    others.for_each(|(_, mail)| mail.hints.push(hint));
                }
                Letter::Keep(entry) => {
                    if let Some(mail) = self.mail_home(entry.key) {
                        mail.hints.push(Hint::Found(entry));
                    }
                }
                Letter::Ask(asked) => {
                    if let Some(mail) = self.mail_home(asked.key) {
                        mail.asked.push(asked);
                    }
                }
            }
        }
    }

    /// Takes mail of another rank, whose questions `look_up` may know an answer to; tells what to take note of.
    pub fn open(
        &mut self,
        from: usize,
        mail: Mail,
        look_up: impl Fn(Asked) -> Option<Entry>,
    ) -> Vec<Hint> {
        let answers = mail.asked.into_iter().filter_map(look_up);
        self.waiting[from].hints.extend(answers.map(Hint::Found));
        mail.hints
    }

    /// Sends the mail that is due, except to those for whom something waits already: mail is the least urgent, and may be lost.
    /// Whether any was due.
    pub fn send_due<M: Serialize>(
        &mut self,
        now_us: u64,
        outbox: &mut Outbox,
        may_get: impl Fn(usize) -> bool,
    ) -> bool {
        let due = self.take_due(now_us);
        let is_due = !due.is_empty();
        for (rank, mail) in due {
            if outbox.waiting(rank) > 0 || !may_get(rank) {
                continue;
            }
            match rank {
                0 => outbox.push(0, &ToLead::<M>::Mail(mail)),
                _ => outbox.push(rank, &ToRank::<M>::Mail(mail)),
            }
        }
        is_due
    }

    /// The mail that is to be sent now, and to whom.
    fn take_due(&mut self, now_us: u64) -> Vec<(usize, Mail)> {
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
    fn at_first() -> (Post, u64, usize) {
        let post = Post::new(0, RANKS);
        let key = (0..9).find(|&key| post.home(key) != 0).unwrap();
        let home = post.home(key);
        (post, key, home)
    }

    #[test]
    fn what_one_rank_has_found_another_is_told_when_it_asks() {
        let (mut first, key, place) = at_first();
        let finder_place = RANKS - place;
        let mut finder = Post::new(finder_place, RANKS);
        let mut home = Post::new(place, RANKS);
        finder.add([Letter::Keep(entry(key))]);
        let mail = finder.take_due(0);
        assert_eq!((mail.len(), mail[0].0), (1, place));
        let kept = home.open(finder_place, mail[0].1.clone(), |_| None);
        assert_eq!(kept, [Hint::Found(entry(key))]);
        let asked = Asked { key, depth: 5 };
        first.add([Letter::Ask(asked)]);
        let mail = first.take_due(0);
        assert_eq!((mail.len(), mail[0].0), (1, place));
        let look_up = |question| (question == asked).then_some(entry(key));
        assert!(home.open(0, mail[0].1.clone(), look_up).is_empty());
        let answers = home.take_due(EVERY_US_MIN);
        assert_eq!((answers.len(), answers[0].0), (1, 0));
        let told = first.open(place, answers[0].1.clone(), |_| None);
        assert_eq!(told, [Hint::Found(entry(key))]);
        assert_eq!(home.due_us(), None, "all is said");
    }

    #[test]
    fn all_others_are_told_what_is_for_all() {
        let mut post = Post::new(1, RANKS);
        post.add([
            Letter::ToAll(Hint::Entered(9)),
            Letter::ToAll(Hint::Left(9)),
        ]);
        let told = Mail {
            hints: vec![Hint::Entered(9), Hint::Left(9)],
            asked: Vec::new(),
        };
        assert_eq!(post.take_due(0), [(0, told.clone()), (2, told)]);
    }

    #[test]
    fn nobody_writes_to_himself_and_mail_is_collected() {
        let (mut post, key, home) = at_first();
        let own = (0..9).find(|&key| post.home(key) == 0).unwrap();
        post.add([
            Letter::Keep(entry(own)),
            Letter::Ask(Asked { key: own, depth: 4 }),
        ]);
        assert_eq!(post.due_us(), None);
        post.add([Letter::Keep(entry(key))]);
        assert_eq!(post.take_due(100).len(), 1);
        post.add([Letter::Keep(entry(key)), Letter::Keep(entry(key))]);
        assert_eq!(post.due_us(), Some(100 + EVERY_US_MIN));
        assert!(post.take_due(100 + EVERY_US_MIN - 1).is_empty());
        let mail = post.take_due(100 + EVERY_US_MIN);
        assert_eq!((mail.len(), mail[0].0, mail[0].1.hints.len()), (1, home, 2));
        post.add([Letter::Keep(entry(key))]);
        post.clear();
        assert_eq!(post.due_us(), None);
    }

    #[test]
    fn homes_are_spread_evenly() {
        let post = Post::new(0, 39);
        let mut rng = crate::game::SplitMix64::new(3);
        let mut counts = vec![0; 39];
        for _ in 0..39_000 {
            counts[post.home(rng.next_u64())] += 1;
        }
        assert!(
            counts.iter().all(|count| (800..1_200).contains(count)),
            "{counts:?}"
        );
    }
}
