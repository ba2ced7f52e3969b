//! A search for a report, with all stages of its best move.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::chess::{Line, Move};
use crate::engine::search::{Question, RootUpdate, Search, SearchListener, decide};
use crate::game::{Bound, Progress, Requirement, Score};

/// The limits of a search; the first one reached ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Allowed {
    /// Time limit in milliseconds.
    pub move_time_ms: Option<u64>,
    /// Node limit.
    pub nodes: Option<u64>,
}

impl Allowed {
    /// Returns a share of the limits, in percent.
    #[must_use]
    pub fn percent(self, percent: u64) -> Self {
        let part = |whole: u64| (whole * percent / 100).max(1);
        Self {
            move_time_ms: self.move_time_ms.map(part),
            nodes: self.nodes.map(part),
        }
    }
}

/// A report of the search about its best move.
#[derive(Clone, Debug)]
pub struct BestMoveReport {
    /// Time since the start of the search.
    pub elapsed: Duration,
    /// Nodes so far.
    pub nodes: u64,
    /// Depth of the current requirement, in plies.
    pub depth: u16,
    /// The principal variation.
    pub line: Vec<Move>,
    /// From the side to move's view.
    pub score: Score,
    /// Bound type of the score.
    pub bound: Bound,
    /// The requirement met by the decision, if any.
    pub safety: Option<Requirement>,
    /// The margin within which two strategies showed the decision, in centipawns; `None` if they did not.
    pub margin_cp: Option<u16>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Look {
    /// The best move.
    pub best: Move,
    /// The score of the best move, from the side to move's view.
    pub score: Score,
    /// The principal variation.
    pub line: Vec<Move>,
    /// The margin within which two strategies show the decision, in centipawns; `None` if they do not.
    pub margin_cp: Option<u16>,
    /// Nodes searched.
    pub nodes: u64,
    /// All reports, in order.
    pub stages: Vec<BestMoveReport>,
}

/// Searches for the best of `moves` at the end of `line`. Setting `stop` ends the search early.
pub(super) fn look(
    search: &mut dyn Search,
    line: &Line,
    moves: Vec<Move>,
    allowed: Allowed,
    stop: &AtomicBool,
) -> Look {
    let question = Question {
        moves,
        is_analysis: true,
        ..Question::about(line.clone())
    };
    let mut witness = Witness {
        allowed,
        stop,
        start: Instant::now(),
        nodes: 0,
        stages: Vec::new(),
    };
    let answer = decide(search, &question, &mut witness);
    witness.result(answer.best)
}

struct Witness<'a> {
    allowed: Allowed,
    stop: &'a AtomicBool,
    start: Instant,
    nodes: u64,
    stages: Vec<BestMoveReport>,
}

impl Witness<'_> {
    /// An upper bound only casts doubt on the move, so the score before it is used.
    fn result(self, best: Move) -> Look {
        let is_about_best = |stage: &&BestMoveReport| stage.line.first() == Some(&best);
        let about_best = || self.stages.iter().rev().filter(is_about_best);
        let firm = about_best().find(|stage| stage.bound != Bound::Upper);
        let last = firm.or(about_best().next());
        Look {
            best,
            score: last.map_or(Score::DRAW, |stage| stage.score),
            line: last.map_or(vec![best], |stage| stage.line.clone()),
            margin_cp: about_best().next().and_then(|stage| stage.margin_cp),
            nodes: self.nodes,
            stages: self.stages,
        }
    }
}

impl SearchListener<Move> for Witness<'_> {
    fn proceed(&mut self, progress: &Progress) -> bool {
        self.nodes = self.nodes.max(progress.nodes);
        let limit = self.allowed.move_time_ms.map(Duration::from_millis);
        let has_time = limit.is_none_or(|limit| self.start.elapsed() < limit);
        let has_nodes = self.allowed.nodes.is_none_or(|limit| self.nodes < limit);
        let goes_on = !progress.exhausted && !self.stop.load(Ordering::Relaxed);
        has_time && has_nodes && goes_on || self.stages.is_empty()
    }

    fn report(&mut self, report: &RootUpdate) {
        self.nodes = self.nodes.max(report.nodes);
        if report.multi_pv != 1 || report.pv.is_empty() {
            return;
        }
        self.stages.push(BestMoveReport {
            elapsed: self.start.elapsed(),
            nodes: report.nodes,
            depth: report.depth,
            line: report.pv.clone(),
            score: report.score,
            bound: report.bound,
            safety: report.safety,
            margin_cp: report.claim.map(|claim| claim.margin_cp),
        });
    }
}
