//! Cc2s with delegation as a search of the engine: one planner, as many workers as threads, one hash table.

use std::sync::Arc;

use super::delegates::delegate;
use super::kept_root::KeptRoot;
use super::reporter::Reporter;
use crate::cc2s::{DelegationParams, Planner, Scope};
use crate::chess::{Line, Move, Position};
use crate::cluster::world;
use crate::engine::mate::scout::MateScout;
use crate::engine::search::{MemoryError, Question, Search, SearchListener};
use crate::game::Tablebase;
use crate::search::{LeafParams, LeafSearcher, LeafTable};
use crate::settings::EngineParams;

/// Said where ranks cannot help.
const STRANGE: &str = "the other ranks have only the built-in evaluation; this rank searches alone";
/// Deepest requirement made, in plies.
const DEPTH_MAX: u16 = 100;

/// The thin tree and its workers, kept between the moves of a game.
pub struct DelegatedCc2s {
    params: DelegationParams,
    planner: Planner<Move>,
    workers: Vec<LeafSearcher>,
    mate_scout: MateScout,
    root: KeptRoot,
    /// Parameters for other ranks; `None`: they take no part.
    for_ranks: Option<EngineParams>,
    /// Whether the other ranks lack the evaluation and this has not been reported yet.
    is_strange: bool,
    /// Whether other ranks remember another game.
    is_new_game: bool,
}

impl DelegatedCc2s {
    /// A search by `threads` threads within `mebibytes` of memory.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn new(
        params: DelegationParams,
        leaf: &LeafParams,
        threads: usize,
        mebibytes: usize,
    ) -> Result<Self, MemoryError> {
        let table = Arc::new(LeafTable::new(mebibytes)?);
        Ok(Self {
            planner: Planner::new(params.clone()),
            params,
            workers: LeafSearcher::on_threads(leaf, &table, threads),
            mate_scout: MateScout::new(),
            root: KeptRoot::default(),
            for_ranks: None,
            is_strange: false,
            is_new_game: true,
        })
    }

    /// The same search, together with the other ranks, if any. They use these parameters. They have only the default
    /// evaluation, so with another one this search runs without them.
    #[must_use]
    pub fn with_ranks(mut self, params: &EngineParams) -> Self {
        let is_default = params.leaf.evaluation == LeafParams::default().evaluation;
        self.for_ranks = is_default.then(|| params.clone());
        self.is_strange = !is_default;
        self
    }

    /// The other ranks, which know whether this is the last game, and what they are to go by; `None` where there are
    /// none, or where another search has them.
    fn ranks(&mut self) -> Option<(world::RanksGuard, &EngineParams)> {
        let params = self.for_ranks.as_ref()?;
        let mut turn = world::turn()?;
        if std::mem::take(&mut self.is_new_game) {
            turn.new_game();
        }
        Some((turn, params))
    }

    /// The other ranks, told what is to come.
    fn ranks_for(&mut self, question: &Question) -> Option<world::RanksGuard> {
        let (mut turn, params) = self.ranks()?;
        turn.begin(params, &question.line, question.tables.is_some());
        Some(turn)
    }

    /// The tree of the last question and what is known of it.
    pub fn planner(&self) -> &Planner<Move> {
        &self.planner
    }

    /// Takes true scores from tables from now on, or no longer; what the tree knows rests on what was said before.
    fn set_tablebase(&mut self, tables: Option<&Arc<dyn Tablebase<Position>>>) {
        self.root.changes_tables(tables.is_some());
        for worker in &mut self.workers {
            worker.set_tablebase(tables.cloned());
            worker.turn_to_new_position();
        }
    }

    /// Moves the root of the tree to the question's position.
    fn root_at(&mut self, line: &Line) {
        match self.root.advance(line) {
            Some(moves) => self.planner.advance_root(&moves),
            None => self.planner.forget(),
        }
    }

    fn begin(&mut self, question: &Question, line: &mut Line) {
        let successors = self.workers[0].successors(line, &[]);
        let depth_max = question.depth.unwrap_or(DEPTH_MAX).min(DEPTH_MAX);
        self.planner.begin(
            &successors,
            &question.moves,
            Scope {
                depth_max,
                multi_pv: question.multi_pv,
                is_analysis: question.is_analysis,
            },
        );
    }
}

impl Search for DelegatedCc2s {
    fn think(&mut self, question: &Question, listener: &mut dyn SearchListener<Move>) {
        self.set_tablebase(question.tables.as_ref());
        self.root_at(&question.line);
        self.workers[0].table().age();
        let mut turn = self.ranks_for(question);
        self.begin(question, &mut question.line.clone());
        if std::mem::take(&mut self.is_strange) && world::count() > 1 {
            listener.complain(STRANGE.to_owned());
        }
        self.mate_scout.turn_to_new_position();
        let ranks = turn.as_deref_mut();
        let mut reporter = Reporter::new(
            question,
            Arc::clone(self.workers[0].table()),
            &mut self.mate_scout,
            &self.params,
            listener,
        );
        let planner = std::mem::replace(&mut self.planner, Planner::new(self.params.clone()));
        self.planner = delegate(
            planner,
            &question.line,
            &mut self.workers,
            ranks,
            &mut reporter,
        );
    }

    fn new_game(&mut self) {
        self.root.forget();
        self.is_new_game = true;
        self.mate_scout.forget();
        self.workers[0].table().clear();
        for worker in &mut self.workers {
            worker.forget();
        }
    }

    fn prepare(&mut self) {
        if let Some((mut turn, params)) = self.ranks() {
            turn.prepare(params);
        }
    }
}
