//! The search of one position of a suite.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::score::is_right;
use crate::chess::epd::Record;
use crate::chess::{Line, Move};
use crate::engine::search::{Claim, Question, RootUpdate, Search, SearchListener, decide};
use crate::game::{Bound, Progress, Requirement, Score, Work};

/// Limits of the search of a position; the first one reached ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SearchBudget {
    /// Time limit in milliseconds.
    pub move_time_ms: Option<u64>,
    /// Node limit, tree and leaf.
    pub nodes: Option<u64>,
    /// Depth of the requirement to meet, in plies.
    pub depth: Option<u16>,
    /// Whether the search may spend as much on safety as in analysis mode.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_analysis: bool,
}

/// A point in a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Time since the start of the search.
    pub elapsed: Duration,
    /// Nodes so far, tree and leaf.
    pub nodes: u64,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The chosen move.
    pub best: Move,
    /// The last reported score, from the side to move's view.
    pub score: Option<Score>,
    /// The last reported safety.
    pub safety: Option<Requirement>,
    /// The last reported claim and its move; `None` if the search reported none.
    pub claim: Option<(Move, Claim)>,
    /// The last change to a correct move that was kept; `None` if the chosen move is wrong.
    pub solved: Option<Moment>,
    /// The depths completed with all strategies required, in rising order.
    pub depths: Vec<(u16, Moment)>,
    /// The end of the search.
    pub end: Moment,
    /// The nodes by purpose, as last reported.
    pub work: Work,
}

impl Trial {
    /// Returns the last reported margin of two strategies, in centipawns; `None` without two.
    pub fn margin_cp(&self) -> Option<u16> {
        let (_, claim) = self.claim?;
        let is_shown = self.safety.is_some_and(|safety| safety.conspiracy > 1);
        is_shown.then_some(claim.margin_cp)
    }

    /// Returns the greatest depth completed with all strategies required; 0 if none was.
    pub fn depth(&self) -> u16 {
        self.depths.last().map_or(0, |(depth, _)| *depth)
    }

    /// Returns the nodes until `depth` was completed; `None` if it was not, or if `depth` is 0.
    pub fn nodes_to(&self, depth: u16) -> Option<u64> {
        let found = self.depths.iter().find(|(met, _)| *met >= depth);
        found.filter(|_| depth > 0).map(|(_, moment)| moment.nodes)
    }
}

/// Searches a position after a reset for a new game.
pub fn attempt(search: &mut dyn Search, record: &Record, budget: SearchBudget) -> Trial {
    attempt_until(search, record, budget, &AtomicBool::new(false))
}

/// As [`attempt`]; setting `stop` ends the search early.
pub fn attempt_until(
    search: &mut dyn Search,
    record: &Record,
    budget: SearchBudget,
    stop: &AtomicBool,
) -> Trial {
    let question = Question {
        depth: budget.depth,
        is_analysis: budget.is_analysis,
        ..Question::about(Line::new(record.position.clone()))
    };
    search.new_game();
    search.prepare();
    let mut listener = TrialListener::new(record, budget, stop);
    let answer = decide(search, &question, &mut listener);
    listener.finish(answer.best)
}

/// Records when the search finds and loses the solution.
struct TrialListener<'a> {
    record: &'a Record,
    budget: SearchBudget,
    stop: &'a AtomicBool,
    start: Instant,
    nodes: u64,
    score: Option<Score>,
    safety: Option<Requirement>,
    claim: Option<(Move, Claim)>,
    /// The time since which the best move is correct.
    right_since: Option<Moment>,
    depths: Vec<(u16, Moment)>,
    is_stopped: bool,
    work: Work,
}

impl<'a> TrialListener<'a> {
    fn new(record: &'a Record, budget: SearchBudget, stop: &'a AtomicBool) -> Self {
        Self {
            record,
            budget,
            stop,
            start: Instant::now(),
            nodes: 0,
            score: None,
            safety: None,
            claim: None,
            right_since: None,
            depths: Vec::new(),
            is_stopped: false,
            work: Work::default(),
        }
    }

    fn now(&self) -> Moment {
        Moment {
            elapsed: self.start.elapsed(),
            nodes: self.nodes,
        }
    }

    fn best_move_is(&mut self, best: Move) {
        if !is_right(self.record, best, self.score) {
            self.right_since = None;
        } else if self.right_since.is_none() {
            self.right_since = Some(self.now());
        }
    }

    /// Records a depth completed since the last report or at it.
    fn depth_is_met(&mut self, depth: u16) {
        if self.depths.last().map_or(0, |(last, _)| *last) < depth {
            let now = self.now();
            self.depths.push((depth, now));
        }
    }

    fn finish(mut self, best: Move) -> Trial {
        self.best_move_is(best);
        if !self.is_stopped {
            self.depth_is_met(self.safety.map_or(0, |safety| safety.depth));
        }
        Trial {
            best,
            score: self.score,
            safety: self.safety,
            claim: self.claim,
            solved: self.right_since,
            end: self.now(),
            depths: self.depths,
            work: self.work,
        }
    }
}

impl SearchListener<Move> for TrialListener<'_> {
    fn proceed(&mut self, progress: &Progress) -> bool {
        if progress.demanded.depth > progress.met.depth {
            self.depth_is_met(progress.met.depth);
        }
        self.nodes = self.nodes.max(progress.nodes);
        self.work = progress.work;
        let limit = self.budget.move_time_ms.map(Duration::from_millis);
        let has_time = limit.is_none_or(|limit| self.start.elapsed() < limit);
        let has_nodes = self.budget.nodes.is_none_or(|limit| self.nodes < limit);
        let goes_on = !progress.exhausted && !self.stop.load(Ordering::Relaxed);
        self.is_stopped = !(has_time && has_nodes && goes_on);
        !self.is_stopped
    }

    fn report(&mut self, report: &RootUpdate) {
        self.nodes = self.nodes.max(report.nodes);
        let Some(&best) = report.pv.first().filter(|_| report.multi_pv == 1) else {
            return;
        };
        // After an upper bound the move may change soon, but it is the best one known until another is reported.
        if report.bound != Bound::Upper || self.score.is_none() {
            self.score = Some(report.score);
        }
        self.safety = report.safety.or(self.safety);
        self.claim = report.claim.map(|claim| (best, claim));
        self.best_move_is(best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::epd::parse_line;
    use crate::engine::search::BestMove;

    /// Reports the given moves at intervals of 100 nodes until it is stopped, and then returns the last one.
    struct Script(Vec<&'static str>);

    fn move_of(question: &Question, uci: &str) -> Move {
        let found = question.moves.iter().find(|mv| format!("{mv:?}") == uci);
        *found.unwrap()
    }

    impl Search for Script {
        fn think(&mut self, question: &Question, listener: &mut dyn SearchListener<Move>) {
            let mut best = question.moves[0];
            for (step, uci) in self.0.iter().enumerate() {
                let nodes = 100 * (step as u64 + 1);
                let progress = Progress {
                    nodes,
                    ..Progress::default()
                };
                if !listener.proceed(&progress) {
                    break;
                }
                best = move_of(question, uci);
                listener.report(&RootUpdate {
                    depth: 1,
                    selective_depth: 1,
                    multi_pv: 1,
                    score: Score::centipawns(10),
                    bound: Bound::Exact,
                    nodes,
                    tablebase_hits: 0,
                    memory_permille: 0,
                    pv: vec![best],
                    safety: None,
                    claim: None,
                });
            }
            listener.answer(&BestMove { best, ponder: None });
        }

        fn new_game(&mut self) {}
    }

    fn solved_at(operations: &str, script: &[&'static str], nodes: Option<u64>) -> Option<u64> {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let record = parse_line(&format!("{fen} {operations}")).unwrap();
        let budget = SearchBudget {
            nodes,
            ..SearchBudget::default()
        };
        let trial = attempt(&mut Script(script.to_vec()), &record, budget);
        trial.solved.map(|moment| moment.nodes)
    }

    #[test]
    fn the_last_change_to_a_right_move_counts() {
        let script = ["e2e4", "d2d4", "e2e4", "e2e4", "g1f3"];
        assert_eq!(solved_at("bm e4;", &script, None), None);
        assert_eq!(solved_at("bm e4;", &script[..4], None), Some(300));
        assert_eq!(solved_at("bm e4 d4;", &script[..4], None), Some(100));
        assert_eq!(solved_at("am e4;", &script, None), Some(500));
        assert_eq!(solved_at("c0 \"e4=3, Nf3=10\";", &script, None), Some(500));
    }

    #[test]
    fn the_budget_ends_the_search() {
        let script = ["d2d4", "e2e4", "d2d4"];
        assert_eq!(solved_at("bm e4;", &script, Some(300)), Some(200));
        assert_eq!(solved_at("bm e4;", &script, Some(301)), None);
    }
}
