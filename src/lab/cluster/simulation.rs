//! Simulation of one search by several ranks in virtual time.

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

/// Settings of a simulation, apart from the position, the depth and the number of ranks.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Parameters of the delegation.
    pub delegation: DelegationParams,
    /// Parameters of the workers' search.
    pub leaf: LeafParams,
    /// Threads of each rank, which share its hash table.
    pub threads: usize,
    /// Hash size of each rank, in MiB.
    pub mebibytes: usize,
    /// Time for a node while no other thread searches, in nanoseconds.
    pub node_ns: u64,
    /// Time for a node while other threads search and share caches, memory and possibly the processor, in
    /// nanoseconds.
    pub together_ns: u64,
    /// The network between the ranks.
    pub wire: Wire,
    /// Seed of the random message delays.
    pub seed: u64,
    /// Which jobs are dispatched to other ranks.
    pub dispatch: DispatchPolicy,
    /// Least depth in plies at which threads and ranks on the same job divide its nodes.
    pub together_from: i32,
    /// Thresholds for updates between ranks; `None` for the defaults of this number of ranks.
    pub thresholds: Option<ShareThresholds>,
}

/// The result of a simulation.
#[derive(Clone, Debug, Default)]
pub struct SimulatedRun {
    /// Time until the search finished, in nanoseconds.
    pub elapsed_ns: u64,
    /// Search time of all threads of all ranks together, in nanoseconds.
    pub busy_ns: u64,
    /// Nodes of all jobs, including those cancelled.
    pub nodes: u64,
    /// Messages sent.
    pub messages: u64,
    /// Bytes sent.
    pub bytes: u64,
    /// The jobs with their times, including those of the first rank.
    pub timeline: Timeline,
    /// Last completed depth, in plies.
    pub depth: u16,
}

/// All ranks; the first one holds the planner and performs jobs as well.
struct ClusterSimulation {
    planner: Planner<Move>,
    coordinator: Coordinator<Move>,
    own: RankThreads,
    /// The jobs of the first rank's threads, their start times, and whether they are cancelled.
    own_jobs: Vec<Option<(JobId, u64, bool)>>,
    ranks: Vec<(RankWorker<Move>, RankThreads)>,
    network: SimulatedNetwork,
    /// The times and ranks of the next events.
    due: BTreeSet<(u64, usize)>,
    now_ns: u64,
    nodes_max: u64,
}

/// Searches a position to `depth` plies with `ranks` ranks.
///
/// # Errors
/// The memory for the tables cannot be allocated.
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

/// Returns the depth that one rank completes within `nodes` nodes.
///
/// # Errors
/// The memory for the table cannot be allocated.
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

    /// Makes a step of another rank.
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

    /// Makes a step of the first rank: receives answers, dispatches jobs and performs its own.
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

    /// Gives jobs to the idle threads of the first rank, and cancels jobs that are no longer needed.
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
            // An answer that comes at once may lead to further jobs.
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

    /// Collects the answers to jobs of the first rank's threads.
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
            // Each thread may be within a node when the search ends, which counts as a whole one.
            let most_ns = (together.elapsed_ns + 1_000) * (ranks * threads) as u64;
            assert!(together.busy_ns <= most_ns, "{together:?}");
            // Nodes are slower than for a single thread; only whole nodes of cancelled jobs are counted.
            let node_ns = together.busy_ns / together.nodes;
            assert!((995..=1_000).contains(&node_ns), "{node_ns}");
            assert_eq!(together.messages > 0, ranks > 1, "threads send nothing");
            // Longer than one thread could have searched.
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
