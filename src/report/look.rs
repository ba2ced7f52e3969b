//! One question to a search, watched: what it said, and the stages on the way.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::chess::{Line, Move};
use crate::engine::search::{Question, RootUpdate, Search, SearchListener, decide};
use crate::game::{Bound, Progress, Requirement, Score};

/// The budget of a search; the first limit reached ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Allowed {
    /// Milliseconds.
    pub move_time_ms: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
}

impl Allowed {
    /// That share of it, in percent.
    #[must_use]
    pub fn percent(self, percent: u64) -> Self {
        let part = |whole: u64| (whole * percent / 100).max(1);
        Self {
            move_time_ms: self.move_time_ms.map(part),
            nodes: self.nodes.map(part),
        }
    }
}

/// Something a search reported on its best move.
#[derive(Clone, Debug)]
pub struct BestMoveReport {
    /// Since the question was asked.
    pub elapsed: Duration,
    /// Nodes up to then.
    pub nodes: u64,
    /// Depth of the requirement worked on.
    pub depth: u16,
    /// The best move and what is expected to follow.
    pub line: Vec<Move>,
    /// Side to move's view.
    pub score: Score,
    /// Bound type of the score.
    pub bound: Bound,
    /// How safe the decision was.
    pub safety: Option<Requirement>,
    /// Within which margin two strategies showed it, in centipawns; `None` where they did not.
    pub margin_cp: Option<u16>,
}

/// The reply.
#[derive(Clone, Debug)]
pub struct Look {
    /// The move chosen.
    pub best: Move,
    /// Its value, side to move's view.
    pub score: Score,
    /// The move chosen and what is expected to follow.
    pub line: Vec<Move>,
    /// Within which margin two strategies show the decision, in centipawns; `None` where they do not.
    pub margin_cp: Option<u16>,
    /// Nodes searched.
    pub nodes: u64,
    /// All reports, the oldest first.
    pub stages: Vec<BestMoveReport>,
}

/// Asks which of `moves` is best at the end of `line`. Ends early, with what is known, once `stop` is set.
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
    /// An upper bound says no more than that the move is in doubt; what it was worth before stands until more is known.
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
