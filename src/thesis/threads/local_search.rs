//! The search of small problems by one thread, in a tree of its own.

use std::sync::Arc;

use crate::game::{Evaluator, Game, Progress, RootUpdate, SearchListener};
use crate::thesis::messages::subtree_job::{SubtreeJob, SubtreeResult};
use crate::thesis::params::Cc2sParams;
use crate::thesis::search::counters::Counters;
use crate::thesis::search::searcher::{SearchState, Searcher};
use crate::thesis::team_params::TeamParams;
use crate::thesis::tree::search_tree::{NodeId, Tree};
use crate::thesis::tree::table::TargetTables;
use crate::thesis::tree::target::Verdict;

/// Slots per node in the tree of a thread, since the sizes of sibling blocks are powers of two.
const SLOTS_PER_NODE: usize = 12;

#[derive(Clone, Debug)]
pub(crate) struct LocalSearch<M> {
    tree: Tree<M>,
    state: SearchState,
    tables: Arc<TargetTables>,
    pub params: Cc2sParams,
    /// The maximum number of nodes stored for one problem.
    nodes_max: u64,
    /// The number of evaluator nodes after which no further problem of a job is begun.
    work_max: u64,
}

/// Stops the work on a problem once this many nodes were stored, since it is not small.
struct StoredNodeLimit(u64);

impl<M> SearchListener<M> for StoredNodeLimit {
    fn proceed(&mut self, status: &Progress) -> bool {
        status.tree_nodes < self.0
    }

    fn report(&mut self, _: &RootUpdate<M>) {}
}

impl<M: Copy + Eq> LocalSearch<M> {
    pub(crate) fn new(tables: Arc<TargetTables>, params: Cc2sParams, team: &TeamParams) -> Self {
        let nodes_max = team.job_nodes_max as usize;
        // For sibling blocks of any size.
        let capacity = SLOTS_PER_NODE * (nodes_max + team.job_known_max as usize);
        Self {
            tree: Tree::with_capacity(capacity).expect("memory for a small tree"),
            state: SearchState::default(),
            tables,
            params,
            nodes_max: nodes_max as u64,
            work_max: team.job_work_max as u64,
        }
    }

    /// Works on a job; the game is at the parent.
    pub(crate) fn solve<G, E>(&mut self, job: &mut SubtreeJob<M>, game: &mut G, evaluator: &mut E)
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        self.state.path.clear();
        self.state.path.resize(job.level, NodeId::ROOT);
        self.state.level_limit = job.level_limit;
        let mut listener = StoredNodeLimit(self.nodes_max);
        let mut searcher = Searcher::new(
            game,
            evaluator,
            &mut listener,
            &mut self.tree,
            &self.tables,
            &self.params,
            &mut self.state,
        );
        searcher.targets = searcher.targets.logging(job.known.len());
        job.grown.reserve(2 * job.known.len());
        for subtree in &mut job.subtrees {
            let known = &job.known[subtree.known.clone()];
            searcher.tree.reset(known[0]);
            searcher.tree.graft(NodeId::ROOT, known);
            searcher.state.counters = Counters::default();
            let (grown, logged) = (job.grown.len(), searcher.targets.logged());
            searcher.game.play(subtree.mv);
            let verdict = searcher.search(NodeId::ROOT, subtree.target).ok();
            searcher.game.undo();
            job.counters.add(&searcher.state.counters);
            searcher.tree.copy_all_onto(&mut job.grown);
            subtree.result = Some(SubtreeResult {
                verdict,
                nodes: grown..job.grown.len(),
                log: logged..searcher.targets.logged(),
                cost: searcher.state.counters.nodes(),
            });
            if verdict != Some(Verdict::Met) || job.counters.leaf_nodes >= self.work_max {
                break;
            }
        }
        job.log = searcher.targets.into_log();
    }
}
