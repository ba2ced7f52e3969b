//! Cc2s of the thesis as a search of the engine: it divides the memory and keeps the tree from move to move.

use std::sync::Arc;

use shakmaty::Position as _;

use super::kept_root::KeptRoot;
use super::thesis_memory::{Cc2sMemory, leaf_mebibytes};
use crate::chess::{Line, Move, Position};
use crate::engine::search::{BestMove, MemoryError, Question, Search, SearchListener};
use crate::game::Tablebase;
use crate::search::{LeafEvaluator, LeafParams};
use crate::thesis::{Cc2sParams, Schedule};

/// The stored tree, its tables and its evaluator, kept between the moves of a game.
pub struct Cc2sSearch {
    params: Cc2sParams,
    memory: Cc2sMemory,
    evaluator: LeafEvaluator,
    rooted: KeptRoot,
}

impl Cc2sSearch {
    /// A search with these parameters within `mebibytes` of memory.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn new(
        params: Cc2sParams,
        leaf: &LeafParams,
        mebibytes: usize,
    ) -> Result<Self, MemoryError> {
        let error = MemoryError::of(mebibytes);
        let memory = Cc2sMemory::beside_leaf_table(mebibytes).ok_or(error)?;
        let evaluator = LeafEvaluator::new(leaf.clone(), leaf_mebibytes(mebibytes));
        Ok(Self {
            params,
            memory,
            evaluator: evaluator.map_err(|_| error)?,
            rooted: KeptRoot::default(),
        })
    }

    /// Changes parameters; the tree grown under the old ones is dropped.
    pub fn set_params(&mut self, params: Cc2sParams, leaf: LeafParams) {
        self.params = params;
        self.evaluator.set_params(leaf);
        self.rooted.forget();
    }

    /// Takes true scores from tables from now on, or no longer; what the tree knows rests on what was said before.
    fn set_tablebase(&mut self, tables: Option<Arc<dyn Tablebase<Position>>>) {
        if self.rooted.changes_tables(tables.is_some()) {
            self.memory.tables.clear();
        }
        self.evaluator.set_tablebase(tables);
    }

    /// Moves the root of the tree to the question's position if the tree holds it, else starts a new tree.
    fn root_at(&mut self, line: &Line) {
        let ahead = self.rooted.advance(line);
        let tree = &mut self.memory.tree;
        let reached = ahead.is_some_and(|moves| moves.into_iter().all(|mv| tree.advance(mv)));
        if !reached {
            tree.empty();
        }
    }
}

impl Search for Cc2sSearch {
    fn think(&mut self, question: &Question, listener: &mut dyn SearchListener<Move>) {
        self.set_tablebase(question.tables.clone());
        self.root_at(&question.line);
        let mut line = question.line.clone();
        let schedule = schedule(&self.params, &line);
        let mut searcher = self
            .memory
            .searcher(&mut line, &mut self.evaluator, listener, &self.params)
            .separating(question.multi_pv);
        let decision = searcher.analyse(
            &question.moves,
            schedule,
            question.depth.unwrap_or(u16::MAX),
        );
        listener.answer(&BestMove::of(&line, &decision.pv));
    }

    fn new_game(&mut self) {
        self.rooted.forget();
        self.memory.tables.clear();
        self.evaluator.clear();
    }
}

/// The requirements these parameters make of a decision on this position, in order.
pub fn schedule(params: &Cc2sParams, line: &Line) -> Schedule {
    Schedule {
        elementary: params.elementary_schedule && is_elementary_ending(line),
        ..params.middle_game_schedule()
    }
}

/// Only pawns and at most one minor piece on each side: there the schedule demands more strategies (thesis 2.3).
fn is_elementary_ending(line: &Line) -> bool {
    let board = line.position().chess().board();
    let minors = board.knights() | board.bishops();
    (board.rooks() | board.queens()).is_empty()
        && (minors & board.white()).count() <= 1
        && (minors & board.black()).count() <= 1
}
