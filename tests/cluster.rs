//! Ranks that exchange messages in virtual time. The search ends with any delays, and with slow, overloaded or
//! lost ranks. Its decision is that of minimax at one of the requested depths.

use std::collections::VecDeque;
use std::thread;

use cc2s::cc2s::{DelegationParams, Planner, Reach, Scope, WorkerInfo};
use cc2s::cluster::simulated::{SimulatedNetwork, Wire};
use cc2s::cluster::{
    Coordinator, Executor, Full, Link, RankWorker, Root, TablePaths, channel_link, decode_all, pump,
};
use cc2s::game::synthetic::{GrownGame, Shape};
use cc2s::game::{Bound, Game, HashUpdate, Job, Response, RootUpdate, Score, SplitMix64};

#[path = "support/answers.rs"]
mod answers;
use answers::{Move, answer, minimax, root_moves};

/// A millisecond of virtual time, in nanoseconds.
const MS: u64 = 1_000_000;
/// Silence after which the coordinator gives up a rank.
const SILENCE_MAX_MS: u64 = 100;
/// Maximum duration of a run before it counts as stuck.
const END_MS: u64 = 60_000;
const DEPTH: u16 = 7;

struct Busy {
    response: Response<Move>,
    ready_ms: u64,
}

/// Threads that need a random time for each job.
struct SlowExecutor {
    game: Option<GrownGame>,
    threads: usize,
    busy: Vec<Option<Busy>>,
    /// Maximum time for a job, in milliseconds.
    job_ms: u64,
    now_ms: u64,
    rng: SplitMix64,
    /// Whether jobs are rejected for lack of memory.
    is_poor: bool,
}

impl SlowExecutor {
    fn new(rng: &mut SplitMix64) -> Self {
        let slowest_ms = if rng.below(4) == 0 { 200 } else { 10 };
        Self {
            game: None,
            threads: 1 + rng.below(3) as usize,
            busy: Vec::new(),
            job_ms: 1 + rng.below(slowest_ms),
            now_ms: 0,
            is_poor: rng.below(16) == 0,
            rng: SplitMix64::new(rng.next_u64()),
        }
    }
}

impl Executor<Move> for SlowExecutor {
    fn configure(&mut self, options: &[i32]) -> Result<usize, String> {
        assert_eq!(options, [4, 7], "options arrive as they were sent");
        self.busy = (0..self.threads).map(|_| None).collect();
        if self.is_poor {
            return Err("no memory".to_owned());
        }
        Ok(self.threads)
    }

    fn use_tables(&mut self, _: &TablePaths) {}

    fn new_game(&mut self) {}

    fn begin(&mut self, root: &Root<Move>, _: bool) -> Result<(), String> {
        let seed = root.start.parse().map_err(|_| "no seed".to_owned())?;
        let mut game = GrownGame::new(shape(seed));
        for mv in root.moves.iter().flatten() {
            game.play(*mv);
        }
        self.game = Some(game);
        Ok(())
    }

    fn start(&mut self, thread: usize, job: Job<Move>) {
        assert!(self.busy[thread].is_none(), "one job at a time");
        let game = self.game.as_mut().expect("a position comes before jobs");
        let ready_ms = self.now_ms + self.rng.below(self.job_ms + 1);
        let response = answer(game, &job);
        self.busy[thread] = Some(Busy { response, ready_ms });
    }

    fn cancel(&mut self, thread: usize) {
        if let Some(busy) = &mut self.busy[thread] {
            *busy = Busy {
                response: Response::Aborted(3),
                ready_ms: busy.ready_ms.min(self.now_ms + 1),
            };
        }
    }

    fn finished(&mut self) -> Option<(usize, Response<Move>)> {
        let is_ready = |busy: &Option<Busy>| {
            busy.as_ref()
                .is_some_and(|busy| busy.ready_ms <= self.now_ms)
        };
        let thread = self.busy.iter().position(is_ready)?;
        Some((thread, self.busy[thread].take()?.response))
    }

    fn nodes(&self) -> u64 {
        7
    }

    fn apply_updates(&mut self, updates: &[HashUpdate]) {
        assert!(updates.iter().all(may_come), "{updates:?}");
    }

    fn take_updates(&mut self) -> Vec<HashUpdate> {
        let key = self.rng.below(20);
        match self.rng.below(6) {
            0 | 1 => vec![found(key)],
            2 => vec![HashUpdate::Begun(1)],
            _ => Vec::new(),
        }
    }
}

/// The table entry of a position.
fn found(key: u64) -> HashUpdate {
    let content = key ^ 5;
    HashUpdate::Found { key, content }
}

/// Whether a rank may have sent the update.
fn may_come(update: &HashUpdate) -> bool {
    match *update {
        HashUpdate::Begun(busy_key) => busy_key == 1,
        HashUpdate::Found { key, .. } => *update == found(key),
        HashUpdate::Ended(_) => false,
    }
}

fn shape(seed: u64) -> Shape {
    Shape {
        branching_min: 2,
        branching_max: 4,
        order: 0.6,
        noise_cp: 60,
        spread_cp: 80,
        ..Shape::uniform(seed, 3, 14)
    }
}

/// The failure of a rank, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Lives,
    /// Dies at this time, in milliseconds.
    Dies(u64),
    /// Is inactive between these times, in milliseconds.
    Sleeps(u64, u64),
}

impl Fate {
    fn draw(rng: &mut SplitMix64) -> Self {
        let from = rng.below(400);
        match rng.below(6) {
            0 => Self::Dies(from),
            1 => Self::Sleeps(from, from + rng.below(1_000)),
            _ => Self::Lives,
        }
    }

    fn is_asleep(self, now_ms: u64) -> bool {
        matches!(self, Self::Sleeps(from, to) if (from..to).contains(&now_ms))
    }
}

struct Rank {
    worker: RankWorker<Move>,
    executor: SlowExecutor,
    fate: Fate,
}

/// All ranks, the network, and the complaints so far.
struct World {
    network: SimulatedNetwork,
    ranks: Vec<Rank>,
    coordinator: Coordinator<Move>,
    now_ms: u64,
    rng: SplitMix64,
    complaints: Vec<String>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut rng = SplitMix64::new(seed);
        let count = 2 + rng.below(6) as usize;
        let wire = Wire {
            latency_ns: rng.below(3 * MS),
            jitter: rng.below(4),
            capacity: 1 + rng.below(12) as usize,
            ..Wire::ETHERNET
        };
        let rank = |number: usize, rng: &mut SplitMix64| Rank {
            worker: RankWorker::new(number, count),
            executor: SlowExecutor::new(rng),
            fate: Fate::draw(rng),
        };
        Self {
            network: SimulatedNetwork::new(wire, count, rng.next_u64()),
            ranks: (1..count).map(|number| rank(number, &mut rng)).collect(),
            coordinator: Coordinator::new(count, SILENCE_MAX_MS * 1_000),
            now_ms: 0,
            rng,
            complaints: Vec::new(),
        }
    }

    fn begin(&mut self, seed: u64) {
        self.coordinator.configure(&[4, 7]);
        let root = Root {
            start: seed.to_string(),
            moves: Vec::new(),
        };
        self.coordinator.begin(root, false);
    }

    /// A millisecond passes for all ranks but the first.
    fn pass_time(&mut self) {
        self.now_ms += 1;
        self.network.advance(self.now_ms * MS);
        for (rank, number) in self.ranks.iter_mut().zip(1..) {
            if rank.fate == Fate::Dies(self.now_ms) {
                self.network.kill(number);
            }
            let is_dead = matches!(rank.fate, Fate::Dies(at) if at <= self.now_ms);
            if is_dead || rank.fate.is_asleep(self.now_ms) {
                continue;
            }
            let mut port = self.network.port(number);
            rank.executor.now_ms = self.now_ms;
            while let Some((_, bytes)) = port.receive() {
                for message in decode_all(&bytes) {
                    rank.worker.receive(message.unwrap(), &mut rank.executor);
                }
            }
            rank.worker.step(self.now_ms * 1_000, &mut rank.executor);
            rank.worker.flush(&mut port);
        }
    }

    fn lead_takes_in(&mut self) {
        self.coordinator.tick(self.now_ms * 1_000);
        let mut port = self.network.port(0);
        while let Some((rank, bytes)) = port.receive() {
            for message in decode_all(&bytes) {
                self.coordinator.receive(rank, message.unwrap());
            }
        }
        let key = self.rng.below(20);
        let received = self.coordinator.exchange_updates([found(key)]);
        assert!(received.iter().all(may_come));
        self.coordinator.give_up();
        self.complaints.extend(self.coordinator.take_complaints());
    }

    /// Searches with all ranks, the first one included, and returns the requirements met.
    fn search(
        &mut self,
        planner: &mut Planner<Move>,
        game: &mut GrownGame,
    ) -> Vec<RootUpdate<Move>> {
        let mut met = Vec::new();
        let mut own = VecDeque::new();
        while !planner.is_finished() {
            self.lead_takes_in();
            self.coordinator.serve(planner);
            while let Some(update) = planner.conclude() {
                if update.bound == Bound::Exact {
                    met.push(update);
                }
            }
            self.coordinator.give_out(planner);
            if own.is_empty() && self.rng.below(3) == 0 {
                own.extend(planner.next_job(WorkerInfo::LOCAL, Reach::Help));
            } else if let Some((job_id, job)) = own.pop_front() {
                planner.note(job_id, answer(game, &job));
            }
            self.coordinator.flush(&mut self.network.port(0));
            self.pass_time();
            assert!(self.now_ms < END_MS, "the search comes to no end");
        }
        met
    }

    /// Stops all work; returns the time until every active rank is idle, in milliseconds.
    fn stop(&mut self) -> u64 {
        self.coordinator.stop();
        let start_ms = self.now_ms;
        while self.ranks.iter().any(Self::is_busy) {
            self.lead_takes_in();
            self.coordinator.flush(&mut self.network.port(0));
            self.pass_time();
            assert!(self.now_ms < END_MS, "work goes on after the end");
        }
        self.now_ms - start_ms
    }

    fn is_busy(rank: &Rank) -> bool {
        rank.fate == Fate::Lives && rank.worker.is_at_work()
    }
}

/// Whether minimax at the requested depth or a greater one can give the best move this value. Answers to earlier
/// jobs may have another depth.
fn is_possible(game: &mut GrownGame, update: &RootUpdate<Move>) -> bool {
    game.play(update.pv[0]);
    let values: Vec<Score> = (update.depth - 1..DEPTH)
        .map(|depth| minimax(game, depth).to_parent())
        .collect();
    game.undo();
    let (least, greatest) = (values.iter().min(), values.iter().max());
    (least..=greatest).contains(&Some(&update.score))
}

/// Two searches in a row, with all conditions drawn from the seed.
fn run(seed: u64) {
    let mut world = World::new(seed);
    for question in 0..2 {
        let tree = seed.wrapping_mul(2) + question;
        let mut game = GrownGame::new(shape(tree));
        let params = DelegationParams {
            secure_lag: 0,
            ..DelegationParams::default()
        };
        let mut planner = Planner::new(params);
        let successors = root_moves(&game);
        let moves: Vec<Move> = successors.iter().map(|&(mv, _)| mv).collect();
        let scope = Scope {
            depth_max: DEPTH,
            multi_pv: 1,
            is_analysis: false,
        };
        planner.begin(&successors, &moves, scope);
        world.begin(tree);
        let met = world.search(&mut planner, &mut game);
        let depths: Vec<u16> = met.iter().map(|update| update.depth).collect();
        assert_eq!(depths, (1..=DEPTH).collect::<Vec<_>>(), "seed {seed}");
        for update in &met {
            assert!(is_possible(&mut game, update), "seed {seed}: {update:?}");
        }
        world.stop();
    }
}

#[test]
fn whatever_happens_the_search_decides() {
    for seed in 0..1_000 {
        run(seed);
    }
}

#[test]
#[ignore = "takes minutes: a hundred times as many schedules"]
fn whatever_happens_the_search_decides_many_times() {
    for seed in 1_000..101_000 {
        run(seed);
    }
}

/// Ranks that do not fail, on a fast network.
fn healthy(seed: u64) -> World {
    let mut world = World::new(seed);
    let wire = Wire {
        jitter: 1,
        ..Wire::ETHERNET
    };
    world.network = SimulatedNetwork::new(wire, world.ranks.len() + 1, seed);
    for rank in &mut world.ranks {
        (rank.fate, rank.executor.is_poor, rank.executor.job_ms) = (Fate::Lives, false, 500);
    }
    world
}

fn planner_of(game: &GrownGame) -> Planner<Move> {
    let mut planner = Planner::new(DelegationParams::default());
    let successors = root_moves(game);
    let moves: Vec<Move> = successors.iter().map(|&(mv, _)| mv).collect();
    let scope = Scope {
        depth_max: 100,
        multi_pv: 1,
        is_analysis: false,
    };
    planner.begin(&successors, &moves, scope);
    planner
}

/// Lets the ranks work for `for_ms` milliseconds.
fn at_work(world: &mut World, seed: u64, for_ms: u64) -> Planner<Move> {
    let mut game = GrownGame::new(shape(seed));
    let mut planner = planner_of(&game);
    world.begin(seed);
    for _ in 0..for_ms {
        world.lead_takes_in();
        world.coordinator.serve(&mut planner);
        while planner.conclude().is_some() {}
        world.coordinator.give_out(&mut planner);
        if let Some((job_id, job)) = planner.next_job(WorkerInfo::LOCAL, Reach::AnyTable) {
            planner.note(job_id, answer(&mut game, &job));
        }
        world.coordinator.flush(&mut world.network.port(0));
        world.pass_time();
    }
    planner
}

#[test]
fn all_work_ends_within_twenty_milliseconds() {
    let mut had_work = 0;
    for seed in 0..50 {
        let mut world = healthy(seed);
        at_work(&mut world, seed, 60);
        had_work += usize::from(world.ranks.iter().any(World::is_busy));
        let took_ms = world.stop();
        assert!(took_ms <= 20, "seed {seed}: {took_ms} ms");
    }
    assert!(had_work > 40, "{had_work} of 50 worlds had work to end");
}

#[test]
fn a_lost_rank_is_named_and_taken_back_when_it_is_heard() {
    let mut world = healthy(3);
    for rank in &mut world.ranks {
        rank.fate = Fate::Sleeps(60, 400);
    }
    let count = world.ranks.len();
    let mut planner = at_work(&mut world, 3, 60);
    let holders = world.coordinator.in_flight();
    assert!(holders > 0, "ranks have jobs when they fall asleep");
    for _ in 0..200 {
        world.lead_takes_in();
        world.pass_time();
    }
    assert!(!world.coordinator.lost().is_empty() && world.coordinator.lost().len() <= count);
    assert!(
        world
            .complaints
            .iter()
            .all(|text| text.contains("is left out"))
    );
    assert!(
        world.coordinator.serve(&mut planner),
        "its jobs go back to the planner"
    );
    assert_eq!(world.coordinator.in_flight(), 0);
    for _ in 0..400 {
        world.lead_takes_in();
        world.coordinator.flush(&mut world.network.port(0));
        world.pass_time();
    }
    assert!(
        world.coordinator.lost().is_empty(),
        "who is awake takes part again"
    );
    world.lead_takes_in();
    while planner.conclude().is_some() {}
    world.coordinator.give_out(&mut planner);
    assert!(world.coordinator.in_flight() > 0);
}

#[test]
fn ranks_get_no_jobs_before_they_are_ready() {
    let mut world = healthy(3);
    at_work(&mut world, 3, 60);
    assert!(world.coordinator.are_ready() && world.coordinator.in_flight() > 0);
    world.stop();
    let asks = world.coordinator.asks();
    world.coordinator.new_game();
    assert_eq!(world.coordinator.asks(), asks + 1);
    world.begin(3);
    assert_eq!(
        world.coordinator.asks(),
        asks + 1,
        "the options are the same"
    );
    let mut planner = planner_of(&GrownGame::new(shape(3)));
    while planner.conclude().is_some() {}
    world.coordinator.give_out(&mut planner);
    assert!(!world.coordinator.are_ready());
    assert_eq!(
        world.coordinator.in_flight(),
        0,
        "nobody has confirmed the new game"
    );
    for _ in 0..20 {
        world.coordinator.flush(&mut world.network.port(0));
        world.pass_time();
        world.lead_takes_in();
    }
    assert!(world.coordinator.are_ready());
    at_work(&mut world, 3, 60);
    assert!(world.coordinator.in_flight() > 0);
}

#[test]
fn who_cannot_follow_the_options_gets_no_jobs() {
    let mut world = healthy(5);
    for rank in &mut world.ranks {
        rank.executor.is_poor = true;
    }
    at_work(&mut world, 5, 60);
    assert_eq!(world.coordinator.in_flight(), 0);
    assert_eq!(world.complaints.len(), world.ranks.len());
    assert!(world.complaints[0].contains("no memory"));
}

/// Accepts `room` messages for each rank and records them.
#[derive(Default)]
struct Narrow {
    room: usize,
    sent: Vec<(usize, Vec<u8>)>,
    arriving: Vec<(usize, Vec<u8>)>,
}

impl Link for Narrow {
    fn send(&mut self, rank: usize, bytes: &[u8]) -> Result<(), Full> {
        let taken = self.sent.iter().filter(|(to, _)| *to == rank).count();
        if taken >= self.room {
            return Err(Full);
        }
        self.sent.push((rank, bytes.to_vec()));
        Ok(())
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        self.arriving.pop()
    }
}

#[test]
fn all_is_carried_in_order_before_the_end() {
    let (mut channels, ends) = channel_link(3);
    for byte in 0..100 {
        channels.send(1 + usize::from(byte % 2), &[byte]).unwrap();
    }
    assert!(channels.is_busy(1), "so much waits for the pump");
    let mut link = Narrow {
        room: 50,
        arriving: vec![(2, vec![7])],
        ..Narrow::default()
    };
    let end = thread::spawn(move || {
        let received = channels.incoming().recv();
        drop(channels);
        received
    });
    assert!(pump(&mut link, &ends));
    assert_eq!(end.join().unwrap(), Ok((2, vec![7])));
    for rank in [1, 2] {
        let sent = link.sent.iter().filter(|(to, _)| *to == rank);
        let bytes: Vec<u8> = sent.flat_map(|(_, bytes)| bytes).copied().collect();
        assert!(bytes.is_sorted() && bytes.len() == 50, "{rank}: {bytes:?}");
    }
}

#[test]
fn one_that_takes_nothing_holds_nobody_else_up() {
    let (mut channels, ends) = channel_link(3);
    let mut link = Narrow {
        room: 1,
        ..Narrow::default()
    };
    // Too long to be combined in one message.
    let letter = vec![9; 1_000];
    for rank in [1, 1, 1, 2] {
        channels.send(rank, &letter).unwrap();
    }
    let end = thread::spawn(move || {
        while !channels.is_busy(1) {
            thread::yield_now();
        }
        channels.is_busy(2)
    });
    assert!(!pump(&mut link, &ends), "two letters cannot leave");
    assert!(!end.join().unwrap(), "who takes is not busy");
    assert_eq!(link.sent, [(1, letter.clone()), (2, letter)]);
}
