//! Watches a search for the engine: orders, limits, what it says of the best moves, and how often that is passed on.

use std::time::Duration;

use crossbeam::channel;

use super::active::{Control, JobChannels};
use super::event::{Outcome, SearchEvent, TimedReport};
use super::multi_pv::{MultiPvList, extended};
use super::rate_limiter::{REPORT_INTERVAL, RateLimiter};
use super::static_guess::static_guess;
use super::table_probe::TableProbe;
use super::variation::{ends_game, legal_part};
use crate::chess::{Line, Move};
use crate::engine::mate::pv::{MateLines, as_far_as_shown};
use crate::engine::search::{BestMove, Question, Report, ScoreBound, Watch};
use crate::eval::EvaluationKind;
use crate::time::{Progress, Safety, StopReason, TimeManager, TimedMove};

/// Without a report for so long, a sign of life is given.
const PULSE_INTERVAL: Duration = Duration::from_secs(1);
/// No search is stopped before it has told of the best moves once or worked on so many nodes, some ten milliseconds:
/// the answer should rest on something.
const FIRST_NODES_MAX: u64 = 20_000;

/// The watch of one search.
pub(super) struct ClockWatch {
    post: JobChannels,
    manager: TimeManager,
    tables: TableProbe,
    evaluation: EvaluationKind,
    line: Line,
    /// Those that may be played.
    moves: Vec<Move>,
    /// With a single legal move there is nothing to decide.
    is_forced: bool,
    /// After this depth the search ends: what is said of it is the last word, and said once.
    depth_max: Option<u16>,
    /// A mate in so many moves is asked for: one found is announced even where its moves are not all known.
    mate: Option<u16>,
    reason: Option<StopReason>,
    lines: MultiPvList,
    mates: MateLines,
    nodes: u64,
    /// The list last shown.
    shown: Vec<Report>,
    /// The last whole list was held back.
    is_pending: bool,
    rate_limiter: RateLimiter,
    last_sent: Duration,
    is_finished: bool,
    made: Option<TimedMove>,
}

impl ClockWatch {
    pub(super) fn new(
        question: &Question,
        manager: TimeManager,
        (tables, evaluation): (TableProbe, EvaluationKind),
        post: JobChannels,
    ) -> Self {
        Self {
            post,
            manager,
            tables,
            evaluation,
            line: question.line.clone(),
            moves: question.moves.clone(),
            is_forced: question.moves.len() == 1,
            depth_max: question.depth,
            mate: question.mate,
            reason: None,
            lines: MultiPvList::new(question.multi_pv.clamp(1, question.moves.len())),
            mates: MateLines::default(),
            nodes: 0,
            shown: Vec::new(),
            is_pending: false,
            rate_limiter: RateLimiter::default(),
            last_sent: Duration::ZERO,
            is_finished: false,
            made: None,
        }
    }

    /// What endgame tables have to do with the search.
    pub(super) fn tables(&self) -> &TableProbe {
        &self.tables
    }

    fn obey(&mut self, control: Control) {
        match control {
            Control::Stop => self.reason = self.reason.or(Some(StopReason::User)),
            Control::PonderHit(moment) => self.manager.ponder_hit(moment.since(self.post.start)),
        }
    }

    fn obey_all(&mut self) {
        loop {
            match self.post.controls.try_recv() {
                Ok(control) => self.obey(control),
                Err(channel::TryRecvError::Empty) => return,
                Err(channel::TryRecvError::Disconnected) => return self.obey(Control::Stop),
            }
        }
    }

    /// Waits until the answer may be given: never while pondering or in infinite analysis, whatever the search found.
    fn hold_answer(&mut self) {
        while self.manager.holds_answer() && self.reason != Some(StopReason::User) {
            match self.post.controls.recv_timeout(REPORT_INTERVAL) {
                Ok(Control::Stop) | Err(channel::RecvTimeoutError::Disconnected) => return,
                Ok(control) => self.obey(control),
                Err(channel::RecvTimeoutError::Timeout) => self.tick(self.post.start.elapsed()),
            }
        }
    }

    /// Passes on reports that need no search; the first is on the move to play.
    pub(super) fn tell(&mut self, reports: &[Report]) -> BestMove {
        for report in reports {
            self.report(report);
        }
        BestMove {
            best: reports[0].pv[0],
            ponder: None,
        }
    }

    /// Passes on the last whole list, as far as it says anything new.
    fn show_lines(&mut self, elapsed: Duration) {
        self.is_pending = false;
        let list = self.lines.whole().to_vec();
        if same_words(&list, &self.shown) {
            // The line stands already; perhaps it is safer now.
            self.post.send(SearchEvent::Secured(list[0].clone()));
            return;
        }
        self.last_sent = elapsed;
        for report in list.iter().cloned() {
            self.post
                .send(SearchEvent::Report(TimedReport { report, elapsed }));
        }
        self.shown = list;
    }

    /// Whether the next words may be the last ones, which say more.
    fn is_last_depth(&self) -> bool {
        self.depth_max.is_some_and(|max| self.depth() >= max)
    }

    /// The depth of the last whole list; 0 before the first.
    fn depth(&self) -> u16 {
        self.lines.whole().first().map_or(0, |report| report.depth)
    }

    /// Shows what was held back, or gives a sign of life.
    fn tick(&mut self, elapsed: Duration) {
        let is_silent = elapsed.saturating_sub(self.last_sent) >= PULSE_INTERVAL;
        let may_show = is_silent || !self.is_last_depth();
        if self.is_pending && may_show && self.rate_limiter.take(elapsed) {
            self.show_lines(elapsed);
        } else if is_silent {
            self.last_sent = elapsed;
            self.post.send(SearchEvent::Pulse {
                nodes: self.nodes,
                elapsed,
            });
        }
    }

    /// The move that was made; `None` where it was not the clock that decided when.
    pub(super) fn made(&self) -> Option<TimedMove> {
        self.made
    }

    /// Gives the answer after the last words on it.
    fn finish(&mut self, answer: &BestMove) {
        let mut list = self.last_list(answer.best);
        for report in &mut list {
            report.nodes = report.nodes.max(self.nodes);
        }
        let elapsed = self.post.start.elapsed();
        let answer = self.completed(answer, &list[0].pv);
        // Runners count the nodes of the last line, so it is said again where more have been searched since.
        let says = |report: &Report| (report.safety, report.claim);
        let has_news = !same_words(&list, &self.shown)
            || list[0].nodes > self.shown[0].nodes
            || says(&list[0]) != says(&self.shown[0]);
        let timed = |report| TimedReport { report, elapsed };
        self.is_finished = true;
        self.post.send(SearchEvent::Decided(Box::new(Outcome {
            answer,
            lines: if has_news {
                list.into_iter().map(timed).collect()
            } else {
                Vec::new()
            },
            reason: self.reason,
        })));
        self.made = self.manager.made(elapsed);
    }

    /// The last words, at least on the move to play; a search stopped before it told of all moves wanted is helped out.
    fn last_list(&mut self, best: Move) -> Vec<Report> {
        let lines = std::mem::replace(&mut self.lines, MultiPvList::new(1));
        let wanted = lines.wanted();
        let list = lines.final_reports(best);
        let candidates = if wanted == 1 {
            &[best][..]
        } else {
            &self.moves
        };
        let unknown = |mv: &&Move| list.iter().all(|report| report.pv[0] != **mv);
        let looks = candidates.iter().filter(unknown).map(|&mv| {
            let mut report = static_guess(&self.line, mv, &self.evaluation);
            self.tables.correct(&mut report);
            report.safety = Some(Safety {
                depth: report.depth,
                conspiracy: 1,
            });
            report
        });
        let looks = looks.collect();
        extended(list, looks, wanted)
    }

    /// The answer that this variation stands for, with a reply to ponder on where one is known.
    fn completed(&self, answer: &BestMove, pv: &[Move]) -> BestMove {
        let best = pv[0];
        let expected = answer.ponder.filter(|_| best == answer.best);
        let is_legal = |&reply: &Move| legal_part(&self.line, &[best, reply]).len() == 2;
        // What was said last goes before what the search knows beside it.
        let ponder = (pv.get(1).copied())
            .or_else(|| expected.filter(is_legal))
            .filter(|&reply| !ends_game(&self.line, &[best, reply]));
        BestMove { best, ponder }
    }
}

/// Whether the lists say the same of the same moves; nodes, memory and safety do not count.
fn same_words(list: &[Report], other: &[Report]) -> bool {
    let words = |report: &Report| {
        let Report {
            depth,
            score,
            bound,
            ..
        } = *report;
        (depth, score, bound)
    };
    let is_same = |(a, b): (&Report, &Report)| words(a) == words(b) && a.pv == b.pv;
    list.len() == other.len() && list.iter().zip(other).all(is_same)
}

impl Watch for ClockWatch {
    fn proceed(&mut self, progress: &Progress) -> bool {
        self.nodes = self.nodes.max(progress.nodes);
        self.obey_all();
        let elapsed = self.post.start.elapsed();
        if self.reason.is_none() {
            let is_decided = self.is_forced && progress.met.depth > 0;
            let progress = Progress {
                exhausted: progress.exhausted || is_decided,
                ..*progress
            };
            self.reason = self.manager.reason_to_stop(elapsed, &progress);
        }
        self.tick(elapsed);
        let has_begun = self.depth() > 0 || self.nodes >= FIRST_NODES_MAX;
        self.reason.is_none() || !has_begun
    }

    fn complain(&mut self, text: String) {
        self.post.send(SearchEvent::RankTrouble(text));
    }

    fn answer(&mut self, answer: &BestMove) {
        if !self.is_finished {
            self.hold_answer();
            self.finish(answer);
        }
    }

    fn report(&mut self, report: &Report) {
        let (mut report, found) = (report.clone(), report.score);
        report.pv = legal_part(&self.line, &report.pv);
        self.tables.correct(&mut report);
        self.nodes = self.nodes.max(report.nodes);
        if report.pv.is_empty() {
            return;
        }
        let said = (report.pv, report.score);
        let tables = self.tables.tablebase();
        (report.pv, report.score) = self.mates.complete(&self.line, said, tables, self.nodes);
        if report.bound == ScoreBound::Exact && self.mate.is_none() {
            report.score = as_far_as_shown(self.line.position(), report.score, &report.pv);
        }
        if report.score != found {
            report.withdraw_safety();
        }
        if !self.lines.add(report) {
            return;
        }
        let elapsed = self.post.start.elapsed();
        if !self.is_last_depth() && self.rate_limiter.take(elapsed) {
            self.show_lines(elapsed);
        } else {
            self.is_pending = true;
        }
    }
}

/// A search that fell over still gives its best move: the game goes on.
impl Drop for ClockWatch {
    fn drop(&mut self) {
        if !self.is_finished {
            let mut moves = Vec::new();
            self.line.position().legal_moves(&mut moves);
            let best = self.lines.best().or(moves.first().copied());
            self.post.send(SearchEvent::Failed { best });
        }
    }
}
