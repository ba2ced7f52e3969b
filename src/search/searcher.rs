//! The state of a search between its nodes and between its questions.

use std::sync::Arc;

use super::LeafParams;
use super::correction::CorrectionHistory;
use super::exchange::{man_value, wins_at_least};
use super::history::{CONTINUED, Context, History, PieceTo, QuietEntries};
use super::mobility::NoPass;
use super::ordering::ScoredMove;
use super::scores::{DECISIVE, from_table, is_decisive};
use super::shared_search::{Asked, POLL_NODES, SharedSearch};
use super::table::LeafTable;
use crate::chess::{Line, Move, Position};
use crate::eval::{Evaluation, under_count};
use crate::game::{Game, Tablebase};
use crate::large_pages::MemoryError;

/// Deepest ply of a search, quiescence included.
pub(super) const PLY_MAX: usize = 120;

/// The state of one ply of the current path.
#[derive(Clone, Debug, Default)]
pub(super) struct PlyState {
    /// Quiet moves that cut off at this ply, the last one first.
    pub(super) killers: [Option<Move>; 2],
    /// Static evaluation of the node here; `None` in check.
    pub(super) evaluation: Option<i32>,
    /// The move being searched here.
    pub(super) played: Option<PieceTo>,
    /// Its history entries, if it is quiet.
    pub(super) played_quiet: Option<QuietEntries>,
    /// Plies by which it is reduced.
    pub(super) reduction: i32,
    /// The principal variation from here.
    pub(super) pv: Vec<Move>,
    /// Second plies granted on the path to here because a move stood alone.
    pub(super) extensions: i32,
    /// Nodes at this ply that were cut off, since the grandparent was entered.
    pub(super) cutoffs: i32,
    /// The question of the node here, if others may search it too.
    pub(super) asked: Option<Asked>,
}

/// The current path of a search, and the callback that may stop it.
pub(super) struct Walk<'a> {
    pub(super) line: &'a mut Line,
    /// Asked every few thousand nodes with the nodes so far; false ends the search.
    pub(super) proceed: &'a mut dyn FnMut(u64) -> bool,
}

/// Why a search unwinds without an answer of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unwind {
    /// It does not.
    No,
    /// It was stopped.
    Stop,
    /// Another searcher has answered the node at this ply, with this score.
    To { ply: usize, score: i32 },
}

/// Alpha-beta with all its memory. One thread uses a searcher; several searchers may share a table and a history.
pub struct LeafSearcher {
    pub(super) params: LeafParams,
    pub(super) table: Arc<LeafTable>,
    pub(super) evaluation: Evaluation,
    pub(super) history: History,
    pub(super) correction: CorrectionHistory,
    pub(super) frames: Vec<PlyState>,
    /// Moves of all nodes on the path.
    pub(super) list: Vec<ScoredMove>,
    /// Nodes of the current question.
    pub(super) nodes: u64,
    /// Nodes from which on alpha-beta turns into quiescence.
    pub(super) node_cap: u64,
    /// A full search, not an evaluation of a leaf: techniques for deep searches are on.
    pub(super) is_deep: bool,
    /// Deepest ply reached.
    pub(super) selective_depth: usize,
    /// From this ply on, single moves are not extended.
    pub(super) ply_extended_max: usize,
    /// The side that may not pass while a null move is verified.
    pub(super) no_pass: Option<NoPass>,
    /// The node to unwind to; scores before it are invalid.
    pub(super) unwind: Unwind,
    /// Endgame tables, where there are any.
    pub(super) tablebase: Option<Arc<dyn Tablebase<Position>>>,
    /// State shared with searchers of the same questions.
    pub(super) shared: Option<Arc<SharedSearch>>,
    /// Number of nodes between checks for a stop.
    poll_nodes: u64,
}

/// The evaluation that the parameters ask for.
fn evaluation(params: &LeafParams) -> Evaluation {
    Evaluation::new(&params.evaluation).misjudging(params.evaluation_error_cp)
}

impl LeafSearcher {
    /// A searcher with a table of its own of `mebibytes` MiB.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn new(params: LeafParams, mebibytes: usize) -> Result<Self, MemoryError> {
        Ok(Self::with_table(
            params,
            Arc::new(LeafTable::new(mebibytes)?),
        ))
    }

    /// A searcher on a table shared with others.
    pub fn with_table(params: LeafParams, table: Arc<LeafTable>) -> Self {
        Self::with_memory(params, table, History::new(), CorrectionHistory::new())
    }

    /// Searchers for that number of threads on the same questions. They share the table and the histories.
    pub fn on_threads(params: &LeafParams, table: &Arc<LeafTable>, threads: usize) -> Vec<Self> {
        let (history, correction) = (History::new(), CorrectionHistory::new());
        let searcher = |_| {
            let (history, correction) = (history.shared(), correction.shared());
            Self::with_memory(params.clone(), Arc::clone(table), history, correction)
        };
        (0..threads).map(searcher).collect()
    }

    fn with_memory(
        params: LeafParams,
        table: Arc<LeafTable>,
        history: History,
        correction: CorrectionHistory,
    ) -> Self {
        Self {
            evaluation: evaluation(&params),
            params,
            table,
            history,
            correction,
            frames: vec![PlyState::default(); PLY_MAX + 4],
            list: Vec::with_capacity(4_096),
            nodes: 0,
            node_cap: u64::MAX,
            is_deep: false,
            selective_depth: 0,
            ply_extended_max: 0,
            no_pass: None,
            unwind: Unwind::No,
            tablebase: None,
            shared: None,
            poll_nodes: POLL_NODES,
        }
    }

    /// Searches together with others on the same table, or alone.
    pub fn set_shared(&mut self, shared: Option<Arc<SharedSearch>>) {
        let poll_nodes = shared.as_ref().map(|shared| shared.poll_nodes());
        self.poll_nodes = poll_nodes.unwrap_or(POLL_NODES);
        self.shared = shared;
    }

    /// Sets or removes the endgame tables that give exact scores.
    pub fn set_tablebase(&mut self, tablebase: Option<Arc<dyn Tablebase<Position>>>) {
        self.tablebase = tablebase;
    }

    /// The exact score of the node at `ply`, if the tables have it.
    pub(super) fn tb_score(&self, position: &Position, depth: i32, ply: usize) -> Option<i32> {
        let score = self
            .tablebase
            .as_ref()?
            .score(position, depth.max(0) as u16)?;
        Some(from_table(score.raw(), ply))
    }

    /// Forgets everything learned, the table's content included.
    pub fn clear(&mut self) {
        self.table.clear();
        self.forget();
    }

    /// Forgets everything learned except the table, which others may share.
    pub fn forget(&mut self) {
        self.history.clear();
        self.correction.clear();
        self.forget_path();
    }

    /// Changes the parameters and keeps everything learned.
    pub fn set_params(&mut self, params: LeafParams) {
        let basis = |params: &LeafParams| (params.evaluation.clone(), params.evaluation_error_cp);
        if basis(&params) != basis(&self.params) {
            self.evaluation = evaluation(&params);
        }
        self.params = params;
    }

    /// The parameters in use.
    pub fn params(&self) -> &LeafParams {
        &self.params
    }

    /// The table, to be shared.
    pub fn table(&self) -> &Arc<LeafTable> {
        &self.table
    }

    pub(super) fn forget_path(&mut self) {
        self.frames.fill(PlyState::default());
    }

    /// Order of a move: hash move, winning captures, quiet moves by history, losing captures.
    pub(super) fn move_score(&self, position: &Position, mv: Move, hash: Option<Move>) -> i32 {
        if Some(mv) == hash {
            return i32::MAX;
        }
        if !position.is_noisy(mv) {
            return self.history.move_score(position, mv, &Context::default());
        }
        let worth = position.captured(mv).map_or(0, man_value);
        if wins_at_least(position, mv, 0) {
            1_000_000 + worth
        } else {
            worth - 1_000_000
        }
    }

    pub(super) fn begin(&mut self, node_cap: u64) {
        (self.nodes, self.node_cap) = (0, node_cap);
        (self.is_deep, self.selective_depth, self.unwind) = (false, 0, Unwind::No);
    }

    /// Whether the search is unwinding; its results are then invalid.
    pub(super) fn is_unwinding(&self) -> bool {
        !matches!(self.unwind, Unwind::No)
    }

    /// Counts a node and regularly checks for a stop.
    pub(super) fn count(&mut self, walk: &mut Walk<'_>, ply: usize) {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(self.poll_nodes) {
            if !(walk.proceed)(self.nodes) {
                self.unwind = Unwind::Stop;
            } else if !self.is_unwinding() && self.nodes.is_multiple_of(POLL_NODES) {
                self.unwind_to_answered(ply);
            }
        }
    }

    /// Plays a move and notes it for the history of its answers.
    pub(super) fn play(&mut self, walk: &mut Walk<'_>, mv: Move, ply: usize) {
        self.table
            .prefetch(walk.line.position().likely_key_after(mv));
        self.frames[ply].played = Some(PieceTo::of(walk.line.position(), mv));
        self.frames[ply].played_quiet = None;
        walk.line.play(mv);
    }

    /// The context of quiet moves at `ply`; null moves and unknown moves are left out.
    pub(super) fn context(&self, ply: usize) -> Context {
        let follows_up = self.params.follow_up_history && self.is_deep;
        Context::new(CONTINUED.map(|back| {
            let ply = ply.checked_sub(back).filter(|_| back == 1 || follows_up)?;
            self.frames[ply].played
        }))
    }

    /// Whether static evaluations are corrected by what searches have found.
    pub(super) fn corrects(&self) -> bool {
        self.params.correction_history && self.is_deep
    }

    /// The raw static evaluation `raw` of the current position with the correction history.
    pub(super) fn corrected(&self, line: &Line, raw: i32) -> i32 {
        let value = under_count(raw, line.position());
        if !self.corrects() || is_decisive(raw) {
            return value;
        }
        (value + self.correction.correction(line)).clamp(-DECISIVE, DECISIVE)
    }
}

/// Draws by rule on the path: repetition, 50 moves (unless that is mate), too little material.
pub(super) fn is_draw(line: &Line) -> bool {
    let position = line.position();
    if line.is_repeated() || position.is_insufficient_material() {
        return true;
    }
    position.is_claimable() && (!position.is_check() || position.has_legal_move())
}
