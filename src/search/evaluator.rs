//! The evaluator of leaves.

use std::sync::Arc;

use super::LeafParams;
use super::searcher::LeafSearcher;
use super::table::LeafTable;
use crate::chess::{Line, Move, Position};
use crate::eval;
use crate::game::{Evaluator, Score, Tablebase, Valuation, Window};
use crate::large_pages::MemoryError;

/// Evaluates chess positions by alpha-beta of [`LeafParams::eval_depth`] plies and quiescence.
///
/// Keeps a transposition table and move-ordering statistics between evaluations, so an answer depends on earlier
/// questions. Equal sequences of questions since [`LeafEvaluator::new`] or [`LeafEvaluator::clear`] give equal answers.
pub struct LeafEvaluator {
    searcher: LeafSearcher,
}

impl LeafEvaluator {
    /// An evaluator with a table of `mebibytes` MiB.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn new(params: LeafParams, mebibytes: usize) -> Result<Self, MemoryError> {
        Ok(Self {
            searcher: LeafSearcher::new(params, mebibytes)?,
        })
    }

    /// An evaluator that shares a table with others; its answers then depend on their questions too.
    pub fn with_table(params: LeafParams, table: Arc<LeafTable>) -> Self {
        Self {
            searcher: LeafSearcher::with_table(params, table),
        }
    }

    /// Forgets everything learned.
    pub fn clear(&mut self) {
        self.searcher.clear();
    }

    /// Forgets everything learned except the table, which others may share.
    pub fn forget(&mut self) {
        self.searcher.forget();
    }

    /// Changes the parameters and forgets everything learned with the old ones.
    pub fn set_params(&mut self, params: LeafParams) {
        self.searcher.set_params(params);
        self.clear();
    }

    /// Sets or removes the endgame tables that give exact scores.
    pub fn set_tablebase(&mut self, tablebase: Option<Arc<dyn Tablebase<Position>>>) {
        self.searcher.set_tablebase(tablebase);
    }

    /// The parameters in use.
    pub fn params(&self) -> &LeafParams {
        self.searcher.params()
    }
}

impl Evaluator<Line> for LeafEvaluator {
    fn evaluate(&mut self, line: &mut Line, window: Window) -> Valuation {
        let (alpha, beta) = (
            i32::from(window.alpha().raw()),
            i32::from(window.beta().raw()),
        );
        let depth = self.searcher.params.eval_depth;
        let (score, nodes) = self.searcher.value(line, depth, alpha, beta);
        Valuation {
            score: Score::from_raw(score),
            nodes,
        }
    }

    fn order(&mut self, line: &mut Line, moves: &mut [Move]) -> u64 {
        let position = line.position();
        let hash = self
            .searcher
            .probe(position.key())
            .and_then(|entry| entry.best);
        moves.sort_by_cached_key(|&mv| {
            std::cmp::Reverse(self.searcher.move_score(position, mv, hash))
        });
        1
    }

    fn is_quiet(&mut self, line: &mut Line, mv: Move) -> bool {
        let position = line.position();
        !position.is_noisy(mv) && !position.is_check() && !position.gives_check(mv)
    }

    /// Exact at any depth: a node of the stored tree costs far more than a table probe.
    fn tb_score(&mut self, line: &mut Line) -> Option<Score> {
        let tablebase = self.searcher.tablebase.as_ref()?;
        tablebase.score(line.position(), u16::MAX)
    }

    fn threat(&mut self, line: &mut Line) -> Score {
        if line.position().is_check() {
            return Score::MAX;
        }
        Score::centipawns(eval::threat(line.position()))
    }
}
