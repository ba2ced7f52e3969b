//! Cc2s on several threads as a search of the engine.

use std::sync::Arc;

use super::cc2s_search::{WatchMonitor, leaf_mebibytes, moves_between, schedule, tree_and_tables};
use super::search::{BestMove, MemoryError, Question, Search, Watch};
use crate::cc2s::{Cc2sParams, WorkerId};
use crate::chess::{Line, Position};
use crate::driver::threads;
use crate::game::Truth;
use crate::leaf::{LeafEvaluator, LeafParams, LeafTable};
use crate::parallel::Worker;

/// A stored tree with a context in it for each thread, and a leaf table they share. Both are kept from move to move.
pub struct ParallelCc2s {
    params: Cc2sParams,
    leaf: LeafParams,
    memory: Memory,
    /// The game whose current position is the root of the tree.
    rooted: Option<Line>,
    mebibytes: usize,
    /// Whether the tree was grown with endgame tables at hand.
    has_tables: bool,
}

struct Memory {
    worker: Worker<Line>,
    /// One for each thread.
    evaluators: Vec<LeafEvaluator>,
    table: Arc<LeafTable>,
}

impl Memory {
    fn new(
        params: &Cc2sParams,
        leaf: &LeafParams,
        threads: usize,
        mebibytes: usize,
    ) -> Option<Self> {
        let table = Arc::new(LeafTable::new(leaf_mebibytes(mebibytes)).ok()?);
        let (tree, tables) = tree_and_tables(mebibytes)?;
        let game = Line::new(Position::initial());
        let worker = Worker::new(WorkerId(0), 1, params.clone(), game, tree, tables);
        let evaluator = |_| LeafEvaluator::with_table(leaf.clone(), Arc::clone(&table));
        Some(Self {
            worker,
            evaluators: (0..threads).map(evaluator).collect(),
            table,
        })
    }
}

impl ParallelCc2s {
    /// A search with these parameters by `threads` threads within `mebibytes` of memory.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub fn new(
        params: Cc2sParams,
        leaf: &LeafParams,
        threads: usize,
        mebibytes: usize,
    ) -> Result<Self, MemoryError> {
        let memory = Memory::new(&params, leaf, threads, mebibytes).ok_or(MemoryError {
            mebibytes,
            kept_mebibytes: 0,
        })?;
        Ok(Self {
            params,
            leaf: leaf.clone(),
            memory,
            rooted: None,
            mebibytes,
            has_tables: false,
        })
    }

    /// Takes true scores from tables from now on, or no longer; what the tree knows rests on what was said before.
    fn believe(&mut self, tables: Option<&Arc<dyn Truth<Position>>>) {
        if tables.is_some() != self.has_tables {
            self.has_tables = tables.is_some();
            self.forget_tree();
        }
        for evaluator in &mut self.memory.evaluators {
            evaluator.set_truth(tables.cloned());
        }
    }

    fn forget_tree(&mut self) {
        self.rooted = None;
        self.memory.worker.forget_targets();
    }

    /// Moves the root of the tree to the question's position if the tree holds it; else a new tree is needed.
    fn root_at(&mut self, line: &Line) -> bool {
        let rooted = self.rooted.replace(line.clone());
        let ahead = rooted.and_then(|old| moves_between(&old, line));
        let worker = &mut self.memory.worker;
        ahead.is_some_and(|moves| moves.into_iter().all(|mv| worker.advance_root(mv)))
    }
}

impl Search for ParallelCc2s {
    fn think(&mut self, question: &Question, watch: &mut dyn Watch) -> BestMove {
        self.believe(question.tables.as_ref());
        let line = &question.line;
        let keeps_tree = self.root_at(line);
        let Memory {
            worker, evaluators, ..
        } = &mut self.memory;
        worker.prepare(line.clone(), keeps_tree);
        worker.lead(
            &question.moves,
            schedule(&self.params, line),
            question.depth.unwrap_or(u16::MAX),
            question.multi_pv,
        );
        let mut monitor = WatchMonitor::new(question, watch);
        threads::run(worker, line, evaluators, &mut monitor);
        let decision = worker.decision().expect("the worker leads");
        BestMove::of(line, &decision.pv)
    }

    fn new_game(&mut self) {
        self.forget_tree();
        for evaluator in &mut self.memory.evaluators {
            evaluator.forget();
        }
        self.memory.table.clear();
    }

    fn set_memory(&mut self, mebibytes: usize) -> Result<(), MemoryError> {
        let threads = self.memory.evaluators.len();
        let memory = Memory::new(&self.params, &self.leaf, threads, mebibytes);
        self.memory = memory.ok_or(MemoryError {
            mebibytes,
            kept_mebibytes: self.mebibytes,
        })?;
        (self.rooted, self.mebibytes) = (None, mebibytes);
        Ok(())
    }
}
