//! A network in virtual time, which depends only on its seed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::link::{Full, Link};
use super::poll_policy::PollPolicy;
use super::pump::Backoff;
use crate::game::SplitMix64;

/// A kind of network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Latency of the shortest message, in nanoseconds.
    pub latency_ns: u64,
    /// Time per byte, in picoseconds; a rank sends one byte after another, and receives one after another.
    pub byte_ps: u64,
    /// Work of sender and receiver for a message of any length, in nanoseconds.
    pub message_ns: u64,
    /// Additional work of the receiver per byte, in picoseconds: on any network, one thread of a rank reads and
    /// handles all messages.
    pub thread_byte_ps: u64,
    /// The poll interval of a receiver with a processor for polling, in nanoseconds.
    pub poll_ns: u64,
    /// Whether receivers have such a processor; if not, they pause between polls like the thread of a real rank.
    pub poll_policy: PollPolicy,
    /// The maximum delay of a message, as a multiple of its passage time.
    pub jitter: u64,
    /// The maximum number of messages from one rank to another that are in transit or unread.
    pub capacity: usize,
}

impl Wire {
    /// Ethernet as in data centres: 25 microseconds, 1 gigabyte a second. The thread's time per byte was measured
    /// by `benches/ranks.rs` with a processor of its own; its time per message is a guess.
    pub const ETHERNET: Self = Self {
        latency_ns: 25_000,
        byte_ps: 1_000,
        message_ns: 3_000,
        thread_byte_ps: 5_000,
        poll_ns: 5_000,
        poll_policy: PollPolicy::Busy,
        jitter: 0,
        capacity: 1 << 16,
    };

    /// `InfiniBand`: 2 microseconds, 10 gigabytes a second.
    pub const INFINIBAND: Self = Self {
        latency_ns: 2_000,
        byte_ps: 100,
        ..Self::ETHERNET
    };

    /// The memory of one machine, where messages have no processor of their own.
    pub const MEMORY: Self = Self {
        latency_ns: 1_000,
        byte_ps: 100,
        poll_policy: PollPolicy::Sparse,
        ..Self::ETHERNET
    };
}

/// The backlog of unsent messages above which a rank is busy.
const BACKLOG_NS: u64 = 100_000;

/// A message that its receiver has yet to see.
#[derive(Clone, Debug)]
struct Packet {
    from: usize,
    to: usize,
    arrives_ns: u64,
    bytes: Vec<u8>,
}

/// The polls of a rank that pauses between them.
#[derive(Clone, Copy, Debug, Default)]
struct PollTimes {
    backoff: Backoff,
    next_ns: u64,
}

impl PollTimes {
    /// Returns the time of the first poll at or after `ns`.
    fn first_from(&mut self, ns: u64) -> u64 {
        while self.next_ns < ns {
            self.next_ns += self.backoff.take(PollPolicy::Sparse).as_nanos() as u64;
        }
        self.next_ns
    }

    /// Polls now, after an event.
    fn reset(&mut self, now_ns: u64) {
        self.backoff.reset();
        self.next_ns = now_ns + self.backoff.take(PollPolicy::Sparse).as_nanos() as u64;
    }
}

/// All messages between simulated ranks.
#[derive(Clone, Debug)]
pub struct SimulatedNetwork {
    wire: Wire,
    now_ns: u64,
    /// By the time at which it is seen, then in the order of sending.
    under_way: BTreeMap<(u64, u64), Packet>,
    arrived: Vec<VecDeque<(usize, Vec<u8>)>>,
    /// The number of messages in transit and unread, by sender and receiver.
    pending: BTreeMap<(usize, usize), usize>,
    /// When the last message of a pair arrives: a later one does not overtake it.
    last_ns: BTreeMap<(usize, usize), u64>,
    /// When each rank will have sent all its messages.
    sends_until_ns: Vec<u64>,
    /// When each rank will have received all messages in transit to it.
    takes_until_ns: Vec<u64>,
    poll_times: Vec<PollTimes>,
    is_dead: Vec<bool>,
    sent: u64,
    bytes: u64,
    rng: SplitMix64,
}

impl SimulatedNetwork {
    /// Creates a network of this kind between `ranks` ranks.
    pub fn new(wire: Wire, ranks: usize, seed: u64) -> Self {
        Self {
            wire,
            now_ns: 0,
            under_way: BTreeMap::new(),
            arrived: vec![VecDeque::new(); ranks],
            pending: BTreeMap::new(),
            last_ns: BTreeMap::new(),
            sends_until_ns: vec![0; ranks],
            takes_until_ns: vec![0; ranks],
            poll_times: vec![PollTimes::default(); ranks],
            is_dead: vec![false; ranks],
            sent: 0,
            bytes: 0,
            rng: SplitMix64::new(seed),
        }
    }

    /// Returns a rank's connection to the others.
    pub fn port(&mut self, rank: usize) -> Port<'_> {
        Port {
            network: self,
            rank,
        }
    }

    /// Advances the time, which never decreases. Returns the ranks that messages have reached.
    pub fn advance(&mut self, now_ns: u64) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        self.now_ns = now_ns;
        while let Some(first) = self.under_way.first_entry() {
            if first.key().0 > now_ns {
                break;
            }
            let (due_ns, _) = *first.key();
            let Packet {
                from, to, bytes, ..
            } = first.remove();
            self.poll_times[to].reset(due_ns);
            self.arrived[to].push_back((from, bytes));
            reached.insert(to);
        }
        reached
    }

    /// Returns the time at which the next message arrives.
    pub fn next_arrival(&self) -> Option<u64> {
        let (&(due_ns, _), _) = self.under_way.first_key_value()?;
        Some(due_ns)
    }

    /// Kills a rank: messages in transit from it and to it are lost.
    pub fn kill(&mut self, rank: usize) {
        self.is_dead[rank] = true;
        self.arrived[rank].clear();
        let pending = &mut self.pending;
        self.under_way.retain(|_, packet| {
            let is_kept = packet.from != rank && packet.to != rank;
            if !is_kept {
                pending.remove(&(packet.from, packet.to));
            }
            is_kept
        });
    }

    /// Returns the number of messages sent so far, and their bytes.
    pub const fn traffic(&self) -> (u64, u64) {
        (self.sent, self.bytes)
    }

    fn send(&mut self, from: usize, to: usize, bytes: &[u8]) -> Result<(), Full> {
        if self.is_dead[to] || self.is_dead[from] {
            return Ok(());
        }
        let pending = self.pending.entry((from, to)).or_default();
        if *pending >= self.wire.capacity {
            return Err(Full);
        }
        *pending += 1;
        let leaves_ns = self.sends_until_ns[from].max(self.now_ns);
        let Wire {
            latency_ns,
            byte_ps,
            message_ns,
            jitter,
            thread_byte_ps,
            poll_ns,
            poll_policy,
            ..
        } = self.wire;
        if poll_policy == PollPolicy::Sparse {
            self.poll_now(from);
        }
        let length = bytes.len() as u64;
        let sent_ns = (length * byte_ps / 1_000).max(message_ns);
        let taken_ns = sent_ns + length * thread_byte_ps / 1_000;
        self.sends_until_ns[from] = leaves_ns + sent_ns;
        let late_ns = self.rng.below((latency_ns + sent_ns) * jitter + 1);
        let reaches_ns = (leaves_ns + latency_ns).max(self.takes_until_ns[to]) + taken_ns;
        self.takes_until_ns[to] = reaches_ns;
        let arrives_ns = reaches_ns + late_ns;
        let seen_ns = match poll_policy {
            PollPolicy::Busy => arrives_ns.next_multiple_of(poll_ns),
            PollPolicy::Sparse => self.poll_times[to].first_from(arrives_ns),
        };
        let packet = Packet {
            from,
            to,
            arrives_ns,
            bytes: bytes.to_vec(),
        };
        self.schedule(packet, seen_ns, self.sent);
        self.sent += 1;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Schedules a packet to be seen at `seen_ns`, but not before the previous one of the same pair.
    fn schedule(&mut self, packet: Packet, seen_ns: u64, number: u64) {
        let last_ns = self.last_ns.entry((packet.from, packet.to)).or_default();
        *last_ns = seen_ns.max(*last_ns);
        self.under_way.insert((*last_ns, number), packet);
    }

    /// Polls now, as a pausing rank does when it sends: it sees what has arrived, and the rest at its polls from
    /// now on.
    fn poll_now(&mut self, rank: usize) {
        let now_ns = self.now_ns;
        self.poll_times[rank].reset(now_ns);
        self.last_ns.retain(|&(_, to), _| to != rank);
        let unseen = self.under_way.iter();
        let unseen: Vec<_> = unseen
            .filter(|(_, packet)| packet.to == rank)
            .map(|(&key, _)| key)
            .collect();
        for key in unseen {
            let packet = self.under_way.remove(&key).expect("it was there just now");
            let seen_ns = if packet.arrives_ns <= now_ns {
                now_ns
            } else {
                self.poll_times[rank].first_from(packet.arrives_ns)
            };
            self.schedule(packet, seen_ns, key.1);
        }
    }
}

/// A rank's connection to the others through a [`SimulatedNetwork`].
#[derive(Debug)]
pub struct Port<'a> {
    network: &'a mut SimulatedNetwork,
    rank: usize,
}

impl Link for Port<'_> {
    fn send(&mut self, rank: usize, bytes: &[u8]) -> Result<(), Full> {
        self.network.send(self.rank, rank, bytes)
    }

    fn is_busy(&self, _rank: usize) -> bool {
        self.network.sends_until_ns[self.rank] > self.network.now_ns + BACKLOG_NS
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        let packet = self.network.arrived[self.rank].pop_front()?;
        if let Some(pending) = self.network.pending.get_mut(&(packet.0, self.rank)) {
            *pending -= 1;
        }
        Some(packet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(jitter: u64, capacity: usize) -> SimulatedNetwork {
        SimulatedNetwork::new(
            Wire {
                jitter,
                capacity,
                ..BARE
            },
            3,
            5,
        )
    }

    /// Only the network's own time.
    const BARE: Wire = Wire {
        message_ns: 500,
        thread_byte_ps: 0,
        poll_ns: 1,
        ..Wire::ETHERNET
    };

    #[test]
    fn reading_takes_time_and_polls_come_now_and_then() {
        let mut network = SimulatedNetwork::new(
            Wire {
                thread_byte_ps: 10_000,
                poll_ns: 1_000,
                ..BARE
            },
            2,
            5,
        );
        network.port(0).send(1, &[0; 1_000]).unwrap();
        network.port(0).send(1, &[0; 100]).unwrap();
        // 25 000 ns in transit, 1 000 to pass, 10 000 to be read.
        network.advance(35_999);
        assert!(network.port(1).receive().is_none());
        network.advance(36_000);
        assert!(network.port(1).receive().is_some());
        // 500 to pass, 1 000 to be read, and then until the next poll.
        network.advance(37_999);
        assert!(network.port(1).receive().is_none());
        network.advance(38_000);
        assert!(network.port(1).receive().is_some());
    }

    #[test]
    fn who_has_no_processor_for_messages_sees_them_later_the_longer_nothing_has_come() {
        let mut network = SimulatedNetwork::new(Wire::MEMORY, 2, 5);
        // Each message is sent `silent_us` after the one before was seen.
        let mut seen_after_us = |silent_us: u64| {
            network.advance(network.now_ns + silent_us * 1_000);
            let sent_ns = network.now_ns;
            network.port(0).send(1, &[1]).unwrap();
            let due_ns = network.next_arrival().unwrap();
            network.advance(due_ns - 1);
            assert!(network.port(1).receive().is_none());
            assert_eq!(network.advance(due_ns), BTreeSet::from([1]));
            assert!(network.port(1).receive().is_some());
            (due_ns - sent_ns) / 1_000
        };
        seen_after_us(1_000);
        let late_us: Vec<_> = (0..20).map(|wait| seen_after_us(100 * wait + 37)).collect();
        assert!(late_us.iter().all(|&us| us <= 500), "{late_us:?}");
        assert!(late_us.iter().any(|&us| us > 300), "{late_us:?}");
        let late_us: Vec<_> = (0..20)
            .map(|wait| seen_after_us(50_000 + 137 * wait))
            .collect();
        assert!(late_us.iter().all(|&us| us <= 2_000), "{late_us:?}");
        assert!(late_us.iter().any(|&us| us > 1_000), "{late_us:?}");
    }

    #[test]
    fn who_sends_sees_what_is_there() {
        let mut network = SimulatedNetwork::new(Wire::MEMORY, 3, 5);
        network.port(0).send(1, &[1]).unwrap();
        network.advance(100_000);
        network.port(2).send(1, &[2]).unwrap();
        assert!(network.port(1).receive().is_none());
        network.port(1).send(0, &[3]).unwrap();
        assert_eq!(network.advance(100_000), BTreeSet::from([1]));
        assert_eq!(network.port(1).receive(), Some((0, vec![1])));
        assert!(network.port(1).receive().is_none(), "it is not there yet");
        let due_ns = network.next_arrival().unwrap();
        assert!((100_001..=600_000).contains(&due_ns), "{due_ns}");
    }

    #[test]
    fn order_is_kept_whenever_ranks_poll() {
        let wire = Wire {
            jitter: 200,
            ..Wire::MEMORY
        };
        let mut network = SimulatedNetwork::new(wire, 3, 5);
        let mut rng = SplitMix64::new(9);
        let (mut sent, mut seen) = ([0_u32; 3], [0; 3]);
        for _ in 0..20_000 {
            network.advance(network.now_ns + rng.below(300_000));
            let from = rng.below(3) as usize;
            // Rank 1 polls whenever it sends something itself.
            let to = usize::from(from != 1);
            network
                .port(from)
                .send(to, &sent[from].to_le_bytes())
                .unwrap();
            sent[from] += 1;
            for rank in [0, 1] {
                while let Some((from, bytes)) = network.port(rank).receive() {
                    assert_eq!(bytes, u32::to_le_bytes(seen[from]));
                    seen[from] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen > 6_000), "{seen:?}");
    }

    #[test]
    fn messages_take_their_time_and_keep_their_order() {
        let mut network = network(20, 100);
        for byte in 0..50 {
            network.port(0).send(1, &[byte]).unwrap();
        }
        network.advance(25_499);
        assert!(
            network.port(1).receive().is_none(),
            "a byte takes 25 500 ns"
        );
        network.advance(25_000 + 50 * 500 + 25_500 * 20);
        for byte in 0..50 {
            assert_eq!(network.port(1).receive(), Some((0, vec![byte])));
        }
    }

    #[test]
    fn a_rank_sends_and_takes_in_one_message_after_another() {
        let mut network = network(0, 1_000);
        let whole = vec![0; 50_000];
        network.port(1).send(0, &whole).unwrap();
        network.port(2).send(0, &whole).unwrap();
        network.advance(124_999);
        assert!(network.port(0).receive().is_some());
        assert!(network.port(0).receive().is_none(), "two take 125 000 ns");
        network.advance(125_000);
        assert!(network.port(0).receive().is_some());
        let mut sent = 0;
        while !network.port(0).is_busy(1) {
            network.port(0).send(1, &whole).unwrap();
            sent += 1;
        }
        assert_eq!(sent, 3, "100 000 ns of messages may wait");
    }

    #[test]
    fn a_full_rank_takes_no_more_until_it_reads() {
        let mut network = network(0, 2);
        assert_eq!(network.port(0).send(1, &[1]), Ok(()));
        assert_eq!(network.port(0).send(1, &[2]), Ok(()));
        assert_eq!(network.port(0).send(1, &[3]), Err(Full));
        assert_eq!(network.port(0).send(2, &[3]), Ok(()));
        assert_eq!(network.port(2).send(1, &[3]), Ok(()), "others may");
        network.advance(1_000_000);
        assert!(network.port(1).receive().is_some());
        assert_eq!(network.port(0).send(1, &[3]), Ok(()));
    }

    #[test]
    fn the_dead_neither_hear_nor_speak() {
        let mut network = network(0, 2);
        network.port(1).send(0, &[1]).unwrap();
        network.port(0).send(1, &[1]).unwrap();
        network.kill(1);
        network.port(1).send(0, &[1]).unwrap();
        network.port(2).send(0, &[9]).unwrap();
        network.port(2).send(0, &[9]).unwrap();
        network.advance(1_000_000);
        assert_eq!(network.port(0).receive(), Some((2, vec![9])));
        assert_eq!(network.port(0).receive(), Some((2, vec![9])));
        assert!(network.port(0).receive().is_none() && network.port(1).receive().is_none());
    }
}
