//! The threads of one rank in virtual time. They share a table and a set of busy moves, and each has one job at a
//! time.

use std::sync::Arc;

use super::diver::Diver;
use super::simulation::Setup;
use crate::chess::Move;
use crate::cluster::world::{line_of, thresholds};
use crate::cluster::{Executor, Root, TablePaths};
use crate::game::{HashUpdate, Job, Response};
use crate::large_pages::MemoryError;
use crate::search::{LeafSearcher, LeafTable, SharedSearch};

pub(super) struct RankThreads {
    divers: Vec<Diver>,
    table: Arc<LeafTable>,
    shared: Arc<SharedSearch>,
}

impl RankThreads {
    /// Creates the threads of one of `ranks` ranks.
    pub(super) fn new(ranks: usize, setup: &Setup) -> Result<Self, MemoryError> {
        let table = Arc::new(LeafTable::new(setup.mebibytes)?);
        let thresholds = (ranks > 1).then(|| {
            let usual = thresholds(ranks * setup.threads, setup.wire.poll_policy);
            setup.thresholds.unwrap_or(usual)
        });
        let mut shared = SharedSearch::new(setup.together_from, thresholds);
        let mut node_ns = setup.node_ns;
        if ranks * setup.threads > 1 {
            shared = shared.stepwise();
            node_ns = setup.together_ns;
        }
        let shared = Arc::new(shared);
        let searchers = LeafSearcher::on_threads(&setup.leaf, &table, setup.threads);
        let searchers = searchers.into_iter();
        let diver = |searcher| Diver::new(searcher, &shared, node_ns);
        Ok(Self {
            divers: searchers.map(diver).collect(),
            table,
            shared,
        })
    }

    /// Advances the clock: paused jobs that are due continue or are cancelled.
    pub(super) fn advance(&mut self, now_ns: u64) {
        self.divers
            .iter_mut()
            .for_each(|diver| diver.advance(now_ns));
    }

    /// The time of the next event.
    pub(super) fn due_ns(&self) -> Option<u64> {
        self.divers.iter().filter_map(Diver::due_ns).min()
    }

    /// A thread without a job.
    pub(super) fn idle(&self) -> Option<usize> {
        self.divers.iter().position(|diver| !diver.is_busy())
    }

    pub(super) fn busy_ns(&self) -> u64 {
        self.divers.iter().map(|diver| diver.busy_ns).sum()
    }

    pub(super) fn searched(&self) -> u64 {
        self.divers.iter().map(|diver| diver.searched).sum()
    }

    pub(super) fn table(&self) -> &Arc<LeafTable> {
        &self.table
    }
}

impl Executor<Move> for RankThreads {
    fn configure(&mut self, _: &[i32]) -> Result<usize, String> {
        Ok(self.divers.len())
    }

    fn use_tables(&mut self, _: &TablePaths) {}

    fn new_game(&mut self) {
        self.table.clear();
        self.divers.iter_mut().for_each(Diver::forget);
    }

    fn begin(&mut self, root: &Root<Move>, _: bool) -> Result<(), String> {
        let line = line_of(root)?;
        for diver in &mut self.divers {
            diver.begin(line.clone());
        }
        self.table.age();
        Ok(())
    }

    fn start(&mut self, thread: usize, job: Job<Move>) {
        self.divers[thread].start(job);
    }

    fn cancel(&mut self, thread: usize) {
        self.divers[thread].cancel();
    }

    fn finished(&mut self) -> Option<(usize, Response<Move>)> {
        let mut threads = self.divers.iter_mut().enumerate();
        threads.find_map(|(thread, diver)| Some((thread, diver.finished()?)))
    }

    fn nodes(&self) -> u64 {
        self.divers.iter().map(Diver::nodes).sum()
    }

    fn apply_updates(&mut self, updates: &[HashUpdate]) {
        self.shared.apply(updates, &self.table);
    }

    fn take_updates(&mut self) -> Vec<HashUpdate> {
        self.divers
            .iter_mut()
            .flat_map(Diver::take_updates)
            .collect()
    }
}
