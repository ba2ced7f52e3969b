//! One running search: its thread, its clock, its budget. The only reader of the clock.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam::channel::{self, Receiver, Sender};

use super::event::{Outcome, SearchEvent, TimedReport};
use super::search::{Answer, Bound, Question, Report, Search, Watch};
use super::table_desk::TableDesk;
use super::{mate, mate_line};
use crate::chess::perft::perft;
use crate::chess::{Line, Move, Position};
use crate::eval::Evaluation;
use crate::game::{Game, Score};
use crate::tablebase::Tables;
use crate::time::{Limits, Progress, StopReason, TimeManager, TimeParams};

/// Searches recurse; this is enough for the deepest of them.
pub(super) const STACK_BYTES: usize = 32 << 20;
/// So many reports may come at once; after that one more per [`REPORT_INTERVAL`].
const REPORT_BURST: u32 = 10;
const REPORT_INTERVAL: Duration = Duration::from_millis(100);
/// Without a report for so long, a sign of life is given.
const PULSE_INTERVAL: Duration = Duration::from_secs(1);
/// Move sequences of this depth are counted without looking up: that takes about a millisecond.
const COUNT_UNWATCHED: u32 = 3;

/// A point in time, taken when a line of input was read.
#[derive(Clone, Copy, Debug)]
pub struct Moment(Instant);

impl Moment {
    /// This moment.
    pub fn now() -> Self {
        Self(Instant::now())
    }

    /// The time that has passed since.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// What a running search can be told.
#[derive(Clone, Copy)]
enum Order {
    Stop,
    PonderHit(Moment),
}

/// What a search may use.
pub struct Terms {
    /// Its limits, and how to share out the time.
    pub budget: (Limits, TimeParams),
    /// Endgame tables.
    pub tables: Option<Arc<Tables>>,
}

/// A handle on one running job. Dropping it stops the job.
pub struct ActiveSearch {
    orders: Sender<Order>,
    thread: JoinHandle<Option<Box<dyn Search>>>,
}

impl ActiveSearch {
    /// Starts a search whose clock has been running since `start`.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn think(
        mut search: Box<dyn Search>,
        mut question: Question,
        terms: Terms,
        start: Moment,
        events: Sender<SearchEvent>,
    ) -> io::Result<Self> {
        Self::spawn(move |orders| {
            let (limits, params) = terms.budget;
            let manager = TimeManager::new(limits, params);
            let post = Post {
                start,
                orders,
                events,
            };
            let tables = TableDesk::new(&mut question, terms.tables, &post.events);
            let mut watch = ClockWatch::new(&question, manager, tables, post);
            if watch.tables.is_doubtful() {
                search.new_game();
            }
            let answer = match watch.tables.solution(&question) {
                Some(reports) => watch.tell(&reports),
                None => mate::think(search.as_mut(), &question, &mut watch),
            };
            watch.hold_answer();
            watch.finish(answer);
            Some(search)
        })
    }

    /// Starts counting the move sequences of `depth` plies.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn count(
        position: Position,
        depth: u32,
        start: Moment,
        events: Sender<SearchEvent>,
    ) -> io::Result<Self> {
        Self::spawn(move |orders| {
            count(
                &position,
                depth,
                &Post {
                    start,
                    orders,
                    events,
                },
            );
            None
        })
    }

    fn spawn(
        job: impl FnOnce(Receiver<Order>) -> Option<Box<dyn Search>> + Send + 'static,
    ) -> io::Result<Self> {
        let (orders, inbox) = channel::unbounded();
        let builder = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES);
        let thread = builder.spawn(move || job(inbox))?;
        Ok(Self { orders, thread })
    }

    /// Tells the job to end. Its last event follows at once.
    pub fn stop(&self) {
        // A job that has ended hears nothing, which is right.
        let _ = self.orders.send(Order::Stop);
    }

    /// Tells a pondering search that its clock has been running since `moment`.
    pub fn ponder_hit(&self, moment: Moment) {
        let _ = self.orders.send(Order::PonderHit(moment));
    }

    /// Waits for the end and gives the search back; `None` after a count or a failure.
    pub fn join(self) -> Option<Box<dyn Search>> {
        self.thread.join().ok().flatten()
    }
}

/// Where a job gets its orders and leaves its news.
struct Post {
    start: Moment,
    orders: Receiver<Order>,
    events: Sender<SearchEvent>,
}

impl Post {
    /// Nobody listening is no reason to fail: the engine is being shut down, and orders will say so.
    fn send(&self, event: SearchEvent) {
        let _ = self.events.send(event);
    }

    /// Whether the only order a count understands has arrived, or its engine is gone.
    fn is_stopped(&self) -> bool {
        match self.orders.try_recv() {
            Ok(Order::Stop) | Err(channel::TryRecvError::Disconnected) => true,
            Ok(Order::PonderHit(_)) | Err(channel::TryRecvError::Empty) => false,
        }
    }
}

/// Watches a search for the engine: orders, limits, and how often to report.
struct ClockWatch {
    post: Post,
    manager: TimeManager,
    tables: TableDesk,
    line: Line,
    /// With a single legal move there is nothing to decide.
    is_forced: bool,
    reason: Option<StopReason>,
    /// The last report on each move that was ever best, the latest last.
    reports: Vec<Report>,
    nodes: u64,
    /// Reports held back because too many came at once: on the best move and those ranked after it.
    pending: Vec<Report>,
    /// Whether what comes after the last report on a best move is shown, as that was.
    shows_ranks: bool,
    allowance: Allowance,
    last_sent: Duration,
    is_finished: bool,
}

impl ClockWatch {
    fn new(question: &Question, manager: TimeManager, tables: TableDesk, post: Post) -> Self {
        Self {
            allowance: Allowance::default(),
            post,
            manager,
            line: question.line.clone(),
            is_forced: question.moves.len() == 1,
            tables,
            reason: None,
            reports: Vec::new(),
            nodes: 0,
            pending: Vec::new(),
            shows_ranks: false,
            last_sent: Duration::ZERO,
            is_finished: false,
        }
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Stop => self.reason = self.reason.or(Some(StopReason::User)),
            Order::PonderHit(moment) => {
                let since_start = moment.0.saturating_duration_since(self.post.start.0);
                self.manager.ponder_hit(since_start);
            }
        }
    }

    fn obey_all(&mut self) {
        loop {
            match self.post.orders.try_recv() {
                Ok(order) => self.obey(order),
                Err(channel::TryRecvError::Empty) => return,
                Err(channel::TryRecvError::Disconnected) => return self.obey(Order::Stop),
            }
        }
    }

    /// Waits until the answer may be given: never while pondering or in infinite analysis, whatever the search found.
    fn hold_answer(&mut self) {
        while self.manager.holds_answer() && self.reason != Some(StopReason::User) {
            match self.post.orders.recv_timeout(REPORT_INTERVAL) {
                Ok(Order::Stop) | Err(channel::RecvTimeoutError::Disconnected) => return,
                Ok(order) => self.obey(order),
                Err(channel::RecvTimeoutError::Timeout) => self.tick(self.post.start.elapsed()),
            }
        }
    }

    /// Passes on reports that need no search; the first is on the move to play.
    fn tell(&mut self, reports: &[Report]) -> Answer {
        for report in reports {
            self.report(report);
        }
        Answer {
            best: reports[0].pv[0],
            ponder: None,
        }
    }

    fn show(&mut self, report: Report, elapsed: Duration) {
        self.last_sent = elapsed;
        self.post
            .send(SearchEvent::Report(TimedReport { report, elapsed }));
    }

    fn show_pending(&mut self, elapsed: Duration) {
        self.shows_ranks = true;
        for report in std::mem::take(&mut self.pending) {
            self.show(report, elapsed);
        }
    }

    /// Shows what was held back, or gives a sign of life.
    fn tick(&mut self, elapsed: Duration) {
        if !self.pending.is_empty() && self.allowance.take(elapsed) {
            self.show_pending(elapsed);
        } else if elapsed.saturating_sub(self.last_sent) >= PULSE_INTERVAL {
            self.last_sent = elapsed;
            self.post.send(SearchEvent::Pulse {
                nodes: self.nodes,
                elapsed,
            });
        }
    }

    fn finish(&mut self, mut answer: Answer) {
        let report = self.last_word(answer.best);
        let after_best = report.pv.get(1).copied();
        answer.ponder = answer
            .ponder
            .filter(|&reply| legal_part(&self.line, &[answer.best, reply]).len() == 2)
            .or(after_best)
            .filter(|&reply| !ends_game(&self.line, &[answer.best, reply]));
        let elapsed = self.post.start.elapsed();
        // The best move gets its last word anyway; the moves after it would have none.
        if self.pending.len() > 1 {
            self.show_pending(elapsed);
        }
        let last = TimedReport { report, elapsed };
        self.is_finished = true;
        self.post.send(SearchEvent::Decided(Box::new(Outcome {
            answer,
            last,
            reason: self.reason,
        })));
    }

    /// The last report on that move. Where none was made, the static evaluation must do.
    fn last_word(&self, best: Move) -> Report {
        let known = self
            .reports
            .iter()
            .rev()
            .find(|report| report.pv.first() == Some(&best));
        let mut report = known.cloned().unwrap_or_else(|| Report {
            depth: 0,
            selective_depth: 0,
            rank: 1,
            score: Score::centipawns(Evaluation::default().evaluate(self.line.position())),
            bound: Bound::Exact,
            nodes: 0,
            tablebase_hits: 0,
            memory_permille: self
                .reports
                .last()
                .map_or(0, |report| report.memory_permille),
            pv: vec![best],
            safety: None,
            hypothesis: None,
        });
        self.tables.correct(&mut report);
        report.nodes = report.nodes.max(self.nodes);
        report
    }
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
        self.reason.is_none()
    }

    fn report(&mut self, report: &Report) {
        let mut report = report.clone();
        report.pv = legal_part(&self.line, &report.pv);
        self.tables.correct(&mut report);
        self.tables.complete(&self.line, &mut report);
        report.pv = mate_line::completed(&self.line, report.pv, report.score);
        self.nodes = self.nodes.max(report.nodes);
        if report.rank == 1 && !report.pv.is_empty() {
            self.reports
                .retain(|known| known.pv.first() != report.pv.first());
            self.reports.push(report.clone());
        }
        let elapsed = self.post.start.elapsed();
        if report.rank == 1 {
            self.pending.clear();
            self.shows_ranks = self.allowance.take(elapsed);
        }
        if self.shows_ranks {
            self.show(report, elapsed);
        } else {
            self.pending.push(report);
        }
    }
}

/// A search that fell over still gives its best move: the game goes on.
impl Drop for ClockWatch {
    fn drop(&mut self) {
        if !self.is_finished {
            let known = self
                .reports
                .last()
                .and_then(|report| report.pv.first().copied());
            let mut moves = Vec::new();
            self.line.position().legal_moves(&mut moves);
            let best = known.or(moves.first().copied());
            self.post.send(SearchEvent::Failed { best });
        }
    }
}

/// How many reports may still be shown: some at once, then a few every second.
struct Allowance {
    left: u32,
    renewed: Duration,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            left: REPORT_BURST,
            renewed: Duration::ZERO,
        }
    }
}

impl Allowance {
    fn take(&mut self, elapsed: Duration) -> bool {
        while self.left < REPORT_BURST && elapsed.saturating_sub(self.renewed) >= REPORT_INTERVAL {
            self.left += 1;
            self.renewed += REPORT_INTERVAL;
        }
        if self.left == REPORT_BURST {
            self.renewed = elapsed;
        }
        let is_allowed = self.left > 0;
        self.left = self.left.saturating_sub(1);
        is_allowed
    }
}

/// The moves up to the first illegal one, or up to the end of the game by mate, stalemate, third repetition or 50 moves.
fn legal_part(line: &Line, moves: &[Move]) -> Vec<Move> {
    let mut line = line.clone();
    let mut kept = Vec::new();
    let mut legal = Vec::new();
    for &mv in moves {
        legal.clear();
        line.legal_moves(&mut legal);
        if !legal.contains(&mv) {
            break;
        }
        kept.push(mv);
        line.play(mv);
        if line.position().end_score().is_some() || line.repetitions() > 1 {
            break;
        }
    }
    kept
}

/// Whether the game is over after these legal moves.
fn ends_game(line: &Line, moves: &[Move]) -> bool {
    let mut line = line.clone();
    for &mv in moves {
        line.play(mv);
    }
    line.position().end_score().is_some() || line.repetitions() > 1
}

/// Counts move by move, so that it can be shown and stopped.
fn count(position: &Position, depth: u32, post: &Post) {
    let mut moves = Vec::new();
    if depth > 0 {
        position.legal_moves(&mut moves);
    }
    let mut total = u64::from(depth == 0);
    for mv in moves {
        let Some(nodes) = count_watched(&position.after(mv), depth - 1, post) else {
            let elapsed = post.start.elapsed();
            return post.send(SearchEvent::Counted {
                nodes: total,
                elapsed,
                is_stopped: true,
            });
        };
        total += nodes;
        post.send(SearchEvent::Part { mv, nodes });
    }
    let elapsed = post.start.elapsed();
    post.send(SearchEvent::Counted {
        nodes: total,
        elapsed,
        is_stopped: false,
    });
}

/// Like [`perft`], but `None` when told to stop.
fn count_watched(position: &Position, depth: u32, post: &Post) -> Option<u64> {
    if depth <= COUNT_UNWATCHED {
        return (!post.is_stopped()).then(|| perft(position, depth));
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
        .into_iter()
        .map(|mv| count_watched(&position.after(mv), depth - 1, post))
        .sum()
}
