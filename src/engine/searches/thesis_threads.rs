//! Cc2s on several threads as a search of the engine.

use std::sync::Arc;

use super::kept_root::KeptRoot;
use super::thesis::schedule;
use super::thesis_memory::{Cc2sMemory, leaf_mebibytes};
use crate::chess::{Line, Move, Position};
use crate::engine::search::{BestMove, MemoryError, Question, Search, SearchListener};
use crate::game::Tablebase;
use crate::search::{LeafEvaluator, LeafParams, LeafTable};
use crate::thesis::{Cc2sParams, TeamParams, Worker, WorkerId, threads};

/// A stored tree with a context in it for each thread, and a leaf table they share. Both are kept from move to move.
pub struct ParallelCc2s {
    params: Cc2sParams,
    worker: Worker<Line>,
    /// One for each thread.
    evaluators: Vec<LeafEvaluator>,
    table: Arc<LeafTable>,
    rooted: KeptRoot,
}

impl ParallelCc2s {
    /// A search with these parameters by `threads` threads within `mebibytes` of memory.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn new(
        params: Cc2sParams,
        team: TeamParams,
        leaf: &LeafParams,
        threads: usize,
        mebibytes: usize,
    ) -> Result<Self, MemoryError> {
        let error = MemoryError::of(mebibytes);
        let table = LeafTable::new(leaf_mebibytes(mebibytes)).map_err(|_| error)?;
        let table = Arc::new(table);
        let memory = Cc2sMemory::beside_leaf_table(mebibytes);
        let Cc2sMemory { tree, tables, .. } = memory.ok_or(error)?;
        let game = Line::new(Position::initial());
        let worker = Worker::new(WorkerId(0), 1, params.clone(), game, tree, tables);
        let evaluator = |_| LeafEvaluator::with_table(leaf.clone(), Arc::clone(&table));
        Ok(Self {
            params,
            worker: worker.sharing(team),
            evaluators: (0..threads).map(evaluator).collect(),
            table,
            rooted: KeptRoot::default(),
        })
    }

    /// Takes true scores from tables from now on, or no longer; what the tree knows rests on what was said before.
    fn set_tablebase(&mut self, tables: Option<&Arc<dyn Tablebase<Position>>>) {
        if self.rooted.changes_tables(tables.is_some()) {
            self.worker.forget_targets();
        }
        for evaluator in &mut self.evaluators {
            evaluator.set_tablebase(tables.cloned());
        }
    }

    /// Moves the root of the tree to the question's position if the tree holds it; else a new tree is needed.
    fn root_at(&mut self, line: &Line) -> bool {
        let ahead = self.rooted.advance(line);
        let worker = &mut self.worker;
        ahead.is_some_and(|moves| moves.into_iter().all(|mv| worker.advance_root(mv)))
    }
}

impl Search for ParallelCc2s {
    fn think(&mut self, question: &Question, listener: &mut dyn SearchListener<Move>) {
        self.set_tablebase(question.tables.as_ref());
        let line = &question.line;
        let keeps_tree = self.root_at(line);
        let Self {
            worker, evaluators, ..
        } = self;
        worker.prepare(line.clone(), keeps_tree);
        worker.lead(
            &question.moves,
            schedule(&self.params, line),
            question.depth.unwrap_or(u16::MAX),
            question.multi_pv,
        );
        threads::run(worker, line, evaluators, listener);
        let decision = worker.decision().expect("the worker leads");
        listener.answer(&BestMove::of(line, &decision.pv));
    }

    fn new_game(&mut self) {
        self.rooted.forget();
        self.worker.forget_targets();
        for evaluator in &mut self.evaluators {
            evaluator.forget();
        }
        self.table.clear();
    }
}
