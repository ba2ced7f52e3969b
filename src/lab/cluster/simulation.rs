//! One question, answered by ranks in virtual time.

use std::collections::BTreeSet;

use super::rank_threads::RankThreads;
use crate::cc2s::{DelegationParams, JobId, Planner, Reach, Scope, WorkerInfo};
use crate::chess::{Line, Move};
use crate::cluster::simulated::{SimulatedNetwork, Wire};
use crate::cluster::world::root_of;
use crate::cluster::{
    Coordinator, DispatchPolicy, Executor as _, Link as _, RankWorker, Span, Timeline, decode_all,
};
use crate::game::Game as _;
use crate::search::{LeafParams, LeafSearcher, ShareThresholds};
use crate::tools::ToolError;

/// Everything that a measurement depends on beside position, depth and number of ranks.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Parameters of the delegation.
    pub delegation: DelegationParams,
    /// The search of the workers.
    pub leaf: LeafParams,
    /// Threads of each rank, which share its table.
    pub threads: usize,
    /// Memory of each rank's own table, in MiB.
    pub mebibytes: usize,
    /// How long a thread needs for a node if no other searches, in nanoseconds.
    pub node_ns: u64,
    /// How long it needs if others do, with whom it shares caches, memory, and perhaps its processor.
    pub together_ns: u64,
    /// The network between them.
    pub wire: Wire,
    /// Decides the delays.
    pub seed: u64,
    /// Which jobs are dispatched to other ranks.
    pub dispatch: DispatchPolicy,
    /// Plies from which on threads and ranks at one job divide its nodes.
    pub together_from: i32,
    /// Thresholds for updates between ranks; `None`: those of so many ranks.
    pub thresholds: Option<ShareThresholds>,
}

/// The reply.
#[derive(Clone, Debug, Default)]
pub struct SimulatedRun {
    /// Until nothing was left to ask, in nanoseconds.
    pub elapsed_ns: u64,
    /// Time that all threads of all ranks together have searched.
    pub busy_ns: u64,
    /// Nodes of all jobs, also of those broken off.
    pub nodes: u64,
    /// Messages sent.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The jobs with their times, the first rank's own included.
    pub timeline: Timeline,
    /// Depth met last, in plies.
    pub depth: u16,
}

/// The ranks, the first of which holds the planner and does jobs as well.
struct ClusterSimulation {
    planner: Planner<Move>,
    coordinator: Coordinator<Move>,
    own: RankThreads,
    /// The jobs of the first rank's threads, since when, and whether they are broken off.
    own_jobs: Vec<Option<(JobId, u64, bool)>>,
    ranks: Vec<(RankWorker<Move>, RankThreads)>,
    network: SimulatedNetwork,
    /// When something happens at which rank.
    due: BTreeSet<(u64, usize)>,
    now_ns: u64,
    nodes_max: u64,
}

/// Answers which move is best to that depth with so many ranks.
///
/// # Errors
/// There is no memory for their tables.
pub fn simulate(
    line: &Line,
    depth: u16,
    ranks: usize,
    setup: &Setup,
) -> Result<SimulatedRun, ToolError> {
    let mut simulation = ClusterSimulation::new(line, depth, ranks, setup)?;
    simulation.run();
    Ok(simulation.result())
}

/// The depth that one rank meets within so many nodes.
///
/// # Errors
/// There is no memory for its table.
pub fn depth_within(line: &Line, nodes: u64, setup: &Setup) -> Result<u16, ToolError> {
    let mut simulation = ClusterSimulation::new(line, u16::from(u8::MAX), 1, setup)?;
    simulation.nodes_max = nodes;
    simulation.run();
    Ok(simulation.result().depth)
}

impl ClusterSimulation {
    fn new(line: &Line, depth: u16, ranks: usize, setup: &Setup) -> Result<Self, ToolError> {
        let rank_threads = || RankThreads::new(ranks, setup).map_err(ToolError::refused);
        let mut own = rank_threads()?;
        let root = root_of(line);
        own.begin(&root, false).map_err(ToolError::Settings)?;
        let mut planner = Planner::new(setup.delegation.clone());
        let mut searcher = LeafSearcher::with_table(setup.leaf.clone(), own.table().clone());
        let successors = searcher.successors(&mut line.clone(), &[]);
        let mut moves = Vec::new();
        line.legal_moves(&mut moves);
        let scope = Scope {
            depth_max: depth,
            multi_pv: 1,
            is_analysis: false,
        };
        planner.begin(&successors, &moves, scope);
        let mut coordinator = Coordinator::new(ranks, u64::MAX);
        coordinator.keep_timeline();
        coordinator.set_dispatch(setup.dispatch);
        coordinator.set_poll_policy(setup.wire.poll_policy);
        coordinator.configure(&[0]);
        coordinator.begin(root, false);
        let worker = |rank| {
            let mut worker = RankWorker::new(rank, ranks);
            worker.set_poll_policy(setup.wire.poll_policy);
            worker
        };
        let others = (1..ranks).map(|rank| Ok((worker(rank), rank_threads()?)));
        Ok(Self {
            planner,
            coordinator,
            own,
            own_jobs: vec![None; setup.threads],
            ranks: others.collect::<Result<_, ToolError>>()?,
            network: SimulatedNetwork::new(setup.wire, ranks, setup.seed),
            due: BTreeSet::new(),
            now_ns: 0,
            nodes_max: u64::MAX,
        })
    }

    fn run(&mut self) {
        self.step_first();
        while !self.planner.is_finished() && self.own.searched() < self.nodes_max {
            let next = [
                self.network.next_arrival(),
                self.due.first().map(|&(due_ns, _)| due_ns),
            ];
            let next = next.into_iter().flatten().min();
            self.now_ns = next.expect("somebody is at work until the search is finished");
            let mut ranks = self.network.advance(self.now_ns);
            while let Some(&(due_ns, rank)) = self.due.first()
                && due_ns <= self.now_ns
            {
                self.due.pop_first();
                ranks.insert(rank);
            }
            for rank in ranks {
                match rank {
                    0 => self.step_first(),
                    _ => self.step(rank),
                }
            }
        }
    }

    /// One of the other ranks does what there is to do.
    fn step(&mut self, rank: usize) {
        let (worker, rank_threads) = &mut self.ranks[rank - 1];
        rank_threads.advance(self.now_ns);
        let mut port = self.network.port(rank);
        while let Some((_, bytes)) = port.receive() {
            for message in decode_all(&bytes) {
                worker.receive(message.expect("written by another rank"), rank_threads);
            }
        }
        worker.step(self.now_ns / 1_000, rank_threads);
        worker.flush(&mut port);
        let due_ns = worker.due_us().map(|us| us * 1_000);
        let due_ns = due_ns.map(|due_ns| due_ns.max(self.now_ns + 1_000));
        self.due.extend(due_ns.map(|due_ns| (due_ns, rank)));
        self.due
            .extend(rank_threads.due_ns().map(|due_ns| (due_ns, rank)));
    }

    /// The first rank takes in what is new, gives out what is open, and works.
    fn step_first(&mut self) {
        self.own.advance(self.now_ns);
        self.coordinator.tick(self.now_ns / 1_000);
        while let Some((rank, bytes)) = self.network.port(0).receive() {
            for message in decode_all(&bytes) {
                let message = message.expect("written by a worker");
                self.coordinator.receive(rank, message);
            }
        }
        self.coordinator.serve(&mut self.planner);
        let updates = self.own.take_updates();
        let received = self.coordinator.exchange_updates(updates);
        self.own.apply_updates(&received);
        self.finish_own();
        self.begin_own(Reach::OwnTable);
        self.coordinator.give_out(&mut self.planner);
        self.begin_own(Reach::AnyTable);
        self.begin_own(Reach::Help);
        self.coordinator.flush(&mut self.network.port(0));
        let due_us = self.coordinator.due_us();
        let later_ns = |us: u64| (us * 1_000).max(self.now_ns + 1_000);
        self.due.extend(due_us.map(|us| (later_ns(us), 0)));
        self.due.extend(self.own.due_ns().map(|due_ns| (due_ns, 0)));
    }

    /// Gives the first rank's threads jobs as far as they have none, and breaks off those that nobody needs.
    fn begin_own(&mut self, reach: Reach) {
        loop {
            while self.planner.conclude().is_some() {}
            let Some(thread) = self.own.idle() else {
                break;
            };
            let next = self.planner.next_job(WorkerInfo::LOCAL, reach);
            let Some((job_id, job)) = next else {
                break;
            };
            self.own_jobs[thread] = Some((job_id, self.now_ns, false));
            self.own.start(thread, job);
            // What is done at once may leave something else to be done.
            self.finish_own();
        }
        let superseded = self.planner.superseded(WorkerInfo::LOCAL);
        for (thread, job) in self.own_jobs.iter_mut().enumerate() {
            if let Some((job_id, _, is_cancelled)) = job
                && superseded.contains(job_id)
                && !*is_cancelled
            {
                *is_cancelled = true;
                self.own.cancel(thread);
            }
        }
    }

    /// Takes in the answers to jobs of the first rank's threads.
    fn finish_own(&mut self) {
        while let Some((thread, response)) = self.own.finished() {
            let job = self.own_jobs[thread].take();
            let (job_id, since_ns, is_broken_off) = job.expect("it had a job");
            self.coordinator.note_own([Span {
                rank: 0,
                from_us: since_ns / 1_000,
                to_us: self.now_ns / 1_000,
                nodes: response.nodes(),
                is_broken_off,
            }]);
            self.planner.note(job_id, response);
        }
    }

    fn result(self) -> SimulatedRun {
        let others = self.ranks.iter().map(|(_, rank_threads)| rank_threads);
        let crews = || others.clone().chain([&self.own]);
        let (messages, bytes) = self.network.traffic();
        let busy_ns = crews().map(RankThreads::busy_ns).sum();
        let nodes = crews().map(RankThreads::searched).sum();
        SimulatedRun {
            elapsed_ns: self.now_ns,
            busy_ns,
            nodes,
            messages,
            bytes,
            timeline: self.coordinator.timeline(),
            depth: self.planner.progress().met.depth,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;
    use crate::search::SHARED_DEPTH_MIN;

    fn run(ranks: usize, threads: usize) -> SimulatedRun {
        let setup = Setup {
            delegation: DelegationParams::default(),
            leaf: LeafParams::default(),
            threads,
            mebibytes: 1,
            node_ns: 900,
            together_ns: 1_000,
            wire: Wire::ETHERNET,
            seed: 0,
            dispatch: DispatchPolicy::default(),
            together_from: SHARED_DEPTH_MIN,
            thresholds: None,
        };
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1";
        simulate(&Line::new(parse_fen(fen).unwrap()), 6, ranks, &setup).unwrap()
    }

    #[test]
    fn threads_and_ranks_meet_the_demand_in_their_own_time() {
        let alone = run(1, 1);
        assert_eq!(alone.busy_ns, alone.nodes * 900);
        for (ranks, threads) in [(1, 3), (2, 2), (3, 1)] {
            let together = run(ranks, threads);
            assert_eq!(together.depth, 6);
            // Each thread may be at a node when the search ends, which counts as a whole one.
            let most_ns = (together.elapsed_ns + 1_000) * (ranks * threads) as u64;
            assert!(together.busy_ns <= most_ns, "{together:?}");
            // Each node takes longer than alone; of jobs that are broken off only whole nodes are counted.
            let node_ns = together.busy_ns / together.nodes;
            assert!((995..=1_000).contains(&node_ns), "{node_ns}");
            assert_eq!(together.messages > 0, ranks > 1, "threads send nothing");
            // Somebody has helped: that many could not have searched so long one after another.
            assert!(together.busy_ns > together.elapsed_ns);
        }
    }

    #[test]
    fn virtual_time_depends_on_nothing_else() {
        let (one, other) = (run(2, 2), run(2, 2));
        assert_eq!(one.elapsed_ns, other.elapsed_ns);
        assert_eq!((one.nodes, one.bytes), (other.nodes, other.bytes));
    }
}
