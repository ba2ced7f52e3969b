//! The search of a worker: everything that a [`Searcher`] needs except the evaluator.

use std::sync::Arc;

use crate::game::{Evaluator, Game, Progress, RootUpdate, SearchListener};
use crate::thesis::params::Cc2sParams;
use crate::thesis::search::searcher::{SearchState, Searcher};
use crate::thesis::tasks::cursor::Cursor;
use crate::thesis::tree::search_tree::Tree;
use crate::thesis::tree::table::TargetTables;

/// Collects the director's reports for the driver, which also decides when to stop.
#[derive(Clone, Debug)]
pub(crate) struct ReportLog<M>(pub Vec<RootUpdate<M>>);

impl<M: Copy> SearchListener<M> for ReportLog<M> {
    fn proceed(&mut self, _: &Progress) -> bool {
        true
    }

    fn report(&mut self, report: &RootUpdate<M>) {
        self.0.push(report.clone());
    }
}

#[derive(Clone, Debug)]
pub(crate) struct WorkerSearch<G: Game> {
    pub params: Cc2sParams,
    pub cursor: Box<Cursor<G>>,
    pub tree: Tree<G::Move>,
    pub tables: Arc<TargetTables>,
    pub report_log: ReportLog<G::Move>,
    pub state: SearchState,
}

impl<G: Game> WorkerSearch<G> {
    pub(crate) fn new(
        params: Cc2sParams,
        game: G,
        tree: Tree<G::Move>,
        tables: Arc<TargetTables>,
    ) -> Self {
        Self {
            params,
            cursor: Box::new(Cursor::new(game)),
            tree,
            tables,
            report_log: ReportLog(Vec::new()),
            state: SearchState::default(),
        }
    }

    /// Returns a searcher at the position of the cursor.
    pub(crate) fn searcher<'a, E: Evaluator<G>>(
        &'a mut self,
        evaluator: &'a mut E,
    ) -> Searcher<'a, G, E> {
        let mut searcher = Searcher::new(
            &mut self.cursor.game,
            evaluator,
            &mut self.report_log,
            &mut self.tree,
            &self.tables,
            &self.params,
            &mut self.state,
        );
        searcher.is_alone = false;
        searcher
    }
}
