//! Reports to the front end: complete lists of the best moves at a limited rate, and periodic node counts.

use std::time::Duration;

use crossbeam::channel::Sender;

use super::event::{SearchEvent, TimedReport, send};
use super::multi_pv_lines::{MultiPvLines, extended};
use super::rate_limiter::RateLimiter;
use crate::chess::Move;
use crate::engine::search::{Question, RootUpdate};

/// Without a report for so long, a sign of life is given.
const PULSE_INTERVAL: Duration = Duration::from_secs(1);

/// The reports of one search.
pub(super) struct Announcer {
    events: Sender<SearchEvent>,
    /// Moves that may be played.
    moves: Vec<Move>,
    /// The search ends after this depth; its report is the last one and appears once.
    depth_max: Option<u16>,
    lines: MultiPvLines,
    nodes: u64,
    /// The list last shown.
    shown: Vec<RootUpdate>,
    /// The last whole list was held back.
    is_pending: bool,
    rate: RateLimiter,
    last_sent: Duration,
}

impl Announcer {
    pub(super) fn new(question: &Question, events: Sender<SearchEvent>) -> Self {
        Self {
            events,
            moves: question.moves.clone(),
            depth_max: question.depth,
            lines: MultiPvLines::new(question.multi_pv.clamp(1, question.moves.len())),
            nodes: 0,
            shown: Vec::new(),
            is_pending: false,
            rate: RateLimiter::default(),
            last_sent: Duration::ZERO,
        }
    }

    pub(super) fn send(&self, event: SearchEvent) {
        send(&self.events, event);
    }

    /// Maximum node count so far.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn note_nodes(&mut self, nodes: u64) {
        self.nodes = self.nodes.max(nodes);
    }

    /// The move known to be best.
    pub(super) fn best(&self) -> Option<Move> {
        self.lines.best()
    }

    /// The depth of the last whole list; 0 before the first.
    pub(super) fn depth(&self) -> u16 {
        self.lines.whole().first().map_or(0, |report| report.depth)
    }

    /// Whether the next report may be the last one, which says more.
    fn is_last_depth(&self) -> bool {
        self.depth_max.is_some_and(|max| self.depth() >= max)
    }

    /// Adds a report, and shows the list once it is complete, or holds it back.
    pub(super) fn add(&mut self, report: RootUpdate, elapsed: impl FnOnce() -> Duration) {
        if !self.lines.add(report) {
            return;
        }
        let elapsed = elapsed();
        if !self.is_last_depth() && self.rate.take(elapsed) {
            self.show_lines(elapsed);
        } else {
            self.is_pending = true;
        }
    }

    /// Shows the last whole list, as far as it says anything new.
    fn show_lines(&mut self, elapsed: Duration) {
        self.is_pending = false;
        let list = self.lines.whole().to_vec();
        if says_the_same(&list, &self.shown) {
            // The line stands already; perhaps it is safer now.
            self.send(SearchEvent::Secured(list[0].clone()));
            return;
        }
        self.last_sent = elapsed;
        for report in list.iter().cloned() {
            self.send(SearchEvent::Report(TimedReport { report, elapsed }));
        }
        self.shown = list;
    }

    /// Shows the held-back list, or a node count.
    pub(super) fn tick(&mut self, elapsed: Duration) {
        let is_silent = elapsed.saturating_sub(self.last_sent) >= PULSE_INTERVAL;
        let may_show = is_silent || !self.is_last_depth();
        if self.is_pending && may_show && self.rate.take(elapsed) {
            self.show_lines(elapsed);
        } else if is_silent {
            self.last_sent = elapsed;
            self.send(SearchEvent::Pulse {
                nodes: self.nodes,
                elapsed,
            });
        }
    }

    /// The last list, with at least the move to play. If the search stopped before it reported all wanted moves,
    /// guesses fill the list.
    pub(super) fn last_list(
        &mut self,
        best: Move,
        guess: impl Fn(Move) -> RootUpdate,
    ) -> Vec<RootUpdate> {
        let lines = std::mem::replace(&mut self.lines, MultiPvLines::new(1));
        let wanted = lines.wanted();
        let list = lines.last_words(best);
        let candidates = if wanted == 1 {
            &[best][..]
        } else {
            &self.moves
        };
        let unknown = |mv: &&Move| list.iter().all(|report| report.pv[0] != **mv);
        let guesses = candidates.iter().filter(unknown).map(|&mv| guess(mv));
        let guesses = guesses.collect();
        let mut list = extended(list, guesses, wanted);
        for report in &mut list {
            report.nodes = report.nodes.max(self.nodes);
        }
        list
    }

    /// The part of the last list not yet shown. Match programs use the nodes of the last line, so it is shown again if
    /// the node count has grown.
    pub(super) fn still_to_show(
        &self,
        list: Vec<RootUpdate>,
        elapsed: Duration,
    ) -> Vec<TimedReport> {
        let safety = |report: &RootUpdate| (report.safety, report.claim);
        let is_shown = says_the_same(&list, &self.shown)
            && list[0].nodes <= self.shown[0].nodes
            && safety(&list[0]) == safety(&self.shown[0]);
        if is_shown {
            return Vec::new();
        }
        let timed = |report| TimedReport { report, elapsed };
        list.into_iter().map(timed).collect()
    }
}

/// Whether the lists say the same of the same moves; nodes, memory and safety do not count.
fn says_the_same(list: &[RootUpdate], other: &[RootUpdate]) -> bool {
    let content = |report: &RootUpdate| {
        let RootUpdate {
            depth,
            score,
            bound,
            ..
        } = *report;
        (depth, score, bound)
    };
    let is_same = |(a, b): (&RootUpdate, &RootUpdate)| content(a) == content(b) && a.pv == b.pv;
    list.len() == other.len() && list.iter().zip(other).all(is_same)
}
