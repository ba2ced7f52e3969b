//! What ranks let each other know while they search: each tells all others what it has found and at which moves it is, so that
//! their tables hold much the same. Mail may be late or lost; then work is done twice, and nothing else happens.

use serde::Serialize;

use super::batch::Batch;
use super::link::Outbox;
use super::message::{Hint, ToLead, ToRank, encode};
use super::pace::Pace;

/// One rank's mail to all others.
#[derive(Clone, Debug)]
pub struct Post {
    rank: usize,
    ranks: usize,
    waiting: Batch,
    every_us: u64,
    due_us: u64,
}

impl Post {
    /// The mail of one of so many ranks.
    pub fn new(rank: usize, ranks: usize) -> Self {
        Self {
            rank,
            ranks,
            waiting: Batch::default(),
            every_us: Pace::default().mail_every_us(ranks),
            due_us: 0,
        }
    }

    /// Sends mail that often from now on.
    pub fn keep(&mut self, pace: Pace) {
        self.every_us = pace.mail_every_us(self.ranks);
    }

    /// Takes what this rank's searchers tell.
    pub fn add(&mut self, hints: impl IntoIterator<Item = Hint>) {
        for hint in hints {
            self.waiting.add(hint);
        }
    }

    /// Sends the mail that is due, except to those for whom something waits already: mail is the least urgent, and may be lost.
    /// Whether any was due.
    pub fn send_due<M: Serialize>(
        &mut self,
        now_us: u64,
        outbox: &mut Outbox,
        may_get: impl Fn(usize) -> bool,
    ) -> bool {
        let Some(hints) = self.take_due(now_us) else {
            return false;
        };
        let others = (0..self.ranks).filter(|&rank| rank != self.rank);
        let (first, others): (Vec<_>, Vec<_>) = others
            .filter(|&rank| outbox.waiting(rank) == 0 && may_get(rank))
            .partition(|&rank| rank == 0);
        if !first.is_empty() {
            outbox.push(0, &ToLead::<M>::Mail(hints.clone()));
        }
        let bytes = encode(&ToRank::<M>::Mail(hints));
        for rank in others {
            outbox.push_bytes(rank, bytes.clone());
        }
        true
    }

    /// What is to be sent now.
    fn take_due(&mut self, now_us: u64) -> Option<Vec<Hint>> {
        if now_us < self.due_us || self.waiting.is_empty() {
            return None;
        }
        self.due_us = now_us + self.every_us;
        Some(self.waiting.take()).filter(|hints| !hints.is_empty())
    }

    /// When mail is to be sent, if there is any.
    pub fn due_us(&self) -> Option<u64> {
        (!self.waiting.is_empty()).then_some(self.due_us)
    }

    /// Forgets what is not sent yet.
    pub fn clear(&mut self) {
        self.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::{Link as _, decode, simulated};

    const RANKS: usize = 3;

    /// Whom the mail of rank 1 reaches, and what it says.
    fn delivered(post: &mut Post, now_us: u64, may_get: impl Fn(usize) -> bool) -> Vec<Vec<Hint>> {
        let mut network = simulated::Network::new(simulated::Wire::ETHERNET, RANKS, 0);
        let mut outbox = Outbox::new(RANKS);
        post.send_due::<u16>(now_us, &mut outbox, may_get);
        outbox.flush(&mut network.port(1));
        network.advance(1_000_000_000);
        let receive = |rank: usize| {
            let (from, bytes) = network.port(rank).receive()?;
            assert_eq!(from, 1);
            Some(match rank {
                0 => match decode::<ToLead<u16>>(&bytes) {
                    Ok(ToLead::Mail(hints)) => hints,
                    other => panic!("{other:?}"),
                },
                _ => match decode::<ToRank<u16>>(&bytes) {
                    Ok(ToRank::Mail(hints)) => hints,
                    other => panic!("{other:?}"),
                },
            })
        };
        (0..RANKS)
            .map(receive)
            .map(Option::unwrap_or_default)
            .collect()
    }

    #[test]
    fn all_others_are_told() {
        let mut post = Post::new(1, RANKS);
        let told = vec![Hint::Entered(9), Hint::Left(8)];
        post.add(told.clone());
        let mail = delivered(&mut post, 0, |_| true);
        assert_eq!(mail, [told.clone(), Vec::new(), told]);
    }

    #[test]
    fn who_has_much_to_read_gets_no_mail() {
        let mut post = Post::new(1, RANKS);
        post.add([Hint::Entered(9)]);
        let mail = delivered(&mut post, 0, |rank| rank == 2);
        assert_eq!(mail, [Vec::new(), Vec::new(), vec![Hint::Entered(9)]]);
        assert_eq!(post.due_us(), None, "the others never hear of it");
    }

    #[test]
    fn mail_is_collected() {
        let mut post = Post::new(1, RANKS);
        assert_eq!(post.due_us(), None);
        post.add([Hint::Entered(9)]);
        assert_eq!(post.take_due(100).map(|hints| hints.len()), Some(1));
        post.add([Hint::Entered(8)]);
        post.add([Hint::Left(9)]);
        let every_us = Pace::Eager.mail_every_us(RANKS);
        assert_eq!(post.due_us(), Some(100 + every_us));
        assert_eq!(post.take_due(100 + every_us - 1), None);
        let mail = post.take_due(100 + every_us);
        assert_eq!(mail, Some(vec![Hint::Entered(8), Hint::Left(9)]));
        post.add([Hint::Entered(7)]);
        post.clear();
        assert_eq!(post.due_us(), None);
        post.add([Hint::Entered(7), Hint::Left(7)]);
        assert_eq!(post.take_due(500), None, "all of it is outdated");
        post.keep(Pace::Sparing);
        post.add([Hint::Entered(7)]);
        assert!(post.take_due(1_000).is_some());
        post.add([Hint::Entered(6)]);
        let sparing_us = Pace::Sparing.mail_every_us(RANKS);
        assert_eq!(post.due_us(), Some(1_000 + sparing_us));
    }
}
