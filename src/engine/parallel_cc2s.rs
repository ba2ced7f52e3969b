//! Cc2s on several threads as a search of the engine.

use std::sync::Arc;

use super::cc2s_search::{WatchMonitor, leaf_mebibytes, schedule, tree_and_tables};
use super::search::{Answer, MemoryError, Question, Search, Watch};
use crate::cc2s::{Cc2sParams, TeamParams, Worker, WorkerId};
use crate::chess::{Line, Move, Position};
use crate::driver::threads;
use crate::game::Truth;
use crate::leaf::{LeafEvaluator, LeafParams, LeafTable};

/// Workers, each with a part of the tree and of the target tables, and a leaf table they share. The tree is kept while
/// the question stays the same; from move to move only what the tables know is, because nodes grow where their positions
/// belong and never move.
pub struct ParallelCc2s {
    params: Cc2sParams,
    leaf: LeafParams,
    crew: Crew,
    /// What the stored tree is about: the game and the moves allowed.
    rooted: Option<(Line, Vec<Move>)>,
    mebibytes: usize,
    /// Whether the tree was grown with endgame tables at hand.
    has_tables: bool,
}

struct Crew {
    workers: Vec<Worker<Line>>,
    evaluators: Vec<LeafEvaluator>,
    table: Arc<LeafTable>,
}

impl Crew {
    fn new(
        params: &Cc2sParams,
        leaf: &LeafParams,
        threads: usize,
        mebibytes: usize,
    ) -> Option<Self> {
        let table = Arc::new(LeafTable::new(leaf_mebibytes(mebibytes)).ok()?);
        let worker = |id| {
            let (tree, tables) = tree_and_tables(mebibytes, threads)?;
            let game = Line::new(Position::initial());
            let count = threads as u16;
            let id = WorkerId(id);
            let worker = Worker::new(id, count, params.clone(), game, tree, tables);
            Some(worker.sharing(TeamParams::for_threads()))
        };
        let evaluator = |_| LeafEvaluator::with_table(leaf.clone(), Arc::clone(&table));
        Some(Self {
            workers: (0..threads as u16).map(worker).collect::<Option<_>>()?,
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
        let crew = Crew::new(&params, leaf, threads, mebibytes).ok_or(MemoryError {
            mebibytes,
            kept_mebibytes: 0,
        })?;
        Ok(Self {
            params,
            leaf: leaf.clone(),
            crew,
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
        for evaluator in &mut self.crew.evaluators {
            evaluator.set_truth(tables.cloned());
        }
    }

    fn forget_tree(&mut self) {
        self.rooted = None;
        for worker in &mut self.crew.workers {
            worker.forget_targets();
        }
    }

    /// Whether the tree is about this question; from now on it is.
    fn root_at(&mut self, question: &Question) -> bool {
        let is_same = |(line, moves): &(Line, Vec<Move>)| {
            let is_same_game = line.first().key() == question.line.first().key();
            is_same_game && line.moves() == question.line.moves() && *moves == question.moves
        };
        let keeps_tree = self.rooted.as_ref().is_some_and(is_same);
        self.rooted = Some((question.line.clone(), question.moves.clone()));
        keeps_tree
    }
}

impl Search for ParallelCc2s {
    fn think(&mut self, question: &Question, watch: &mut dyn Watch) -> Answer {
        self.believe(question.tables.as_ref());
        let keeps_tree = self.root_at(question);
        let line = &question.line;
        let Crew {
            workers,
            evaluators,
            ..
        } = &mut self.crew;
        for worker in &mut *workers {
            worker.prepare(line.clone(), keeps_tree);
        }
        workers[0].lead(
            &question.moves,
            schedule(&self.params, line),
            question.depth.unwrap_or(u16::MAX),
            question.multi_pv,
        );
        threads::run(workers, evaluators, &mut WatchMonitor::new(question, watch));
        let decision = workers[0].decision().expect("home leads");
        Answer::of(line, &decision.pv)
    }

    fn new_game(&mut self) {
        self.forget_tree();
        for evaluator in &mut self.crew.evaluators {
            evaluator.forget();
        }
        self.crew.table.clear();
    }

    fn set_memory(&mut self, mebibytes: usize) -> Result<(), MemoryError> {
        let threads = self.crew.workers.len();
        let crew = Crew::new(&self.params, &self.leaf, threads, mebibytes);
        self.crew = crew.ok_or(MemoryError {
            mebibytes,
            kept_mebibytes: self.mebibytes,
        })?;
        (self.rooted, self.mebibytes) = (None, mebibytes);
        Ok(())
    }
}
