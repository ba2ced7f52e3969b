//! The engine's listener of one search: it ends the search, repairs and forwards its reports, and gives the answer.

use super::announcer::Announcer;
use super::answer_once::AnswerOnce;
use super::channels::JobChannels;
use super::event::{SearchEvent, SearchOutcome};
use super::pv_repair::PvRepair;
use super::rate_limiter::REPORT_INTERVAL;
use super::stop_condition::StopCondition;
use crate::chess::Move;
use crate::engine::search::{BestMove, Question, RootUpdate, SearchListener};
use crate::game::Progress;
use crate::time::{TimeManager, TimedMove};

/// Monitors one search.
pub(super) struct SearchMonitor {
    stop: StopCondition,
    repair: PvRepair,
    announcer: Announcer,
    answer: AnswerOnce,
    made: Option<TimedMove>,
}

impl SearchMonitor {
    pub(super) fn new(
        question: &Question,
        manager: TimeManager,
        repair: PvRepair,
        channels: JobChannels,
    ) -> Self {
        let JobChannels {
            start,
            controls,
            events,
        } = channels;
        let mut moves = Vec::new();
        question.line.position().legal_moves(&mut moves);
        let is_forced = question.moves.len() == 1;
        Self {
            stop: StopCondition::new(controls, start, manager, is_forced),
            repair,
            announcer: Announcer::new(question, events.clone()),
            answer: AnswerOnce::new(events, moves.first().copied()),
            made: None,
        }
    }

    /// Forwards reports that need no search, and answers; the first report is of the move to play.
    pub(super) fn conclude(&mut self, reports: &[RootUpdate]) {
        for report in reports {
            self.report(report);
        }
        self.answer(&BestMove {
            best: reports[0].pv[0],
            ponder: None,
        });
    }

    /// The move made; `None` if the clock did not decide its time.
    pub(super) const fn made(&self) -> Option<TimedMove> {
        self.made
    }
}

impl SearchListener<Move> for SearchMonitor {
    fn proceed(&mut self, progress: &Progress) -> bool {
        self.announcer.note_nodes(progress.nodes);
        let elapsed = self.stop.update(progress);
        self.announcer.tick(elapsed);
        let has_reported = self.announcer.depth() > 0;
        !self.stop.is_met(has_reported, self.announcer.nodes())
    }

    fn complain(&mut self, text: String) {
        self.announcer.send(SearchEvent::RankTrouble(text));
    }

    fn report(&mut self, report: &RootUpdate) {
        self.announcer.note_nodes(report.nodes);
        let nodes = self.announcer.nodes();
        if let Some(report) = self.repair.repaired(report, nodes) {
            self.announcer.add(report, || self.stop.elapsed());
            self.answer.note_best(self.announcer.best());
        }
    }

    /// Gives the answer after the last reports on it.
    fn answer(&mut self, answer: &BestMove) {
        assert!(!self.answer.is_given(), "one answer");
        let announcer = &mut self.announcer;
        self.stop
            .hold_answer(REPORT_INTERVAL, |elapsed| announcer.tick(elapsed));
        let list = announcer.last_list(answer.best, |mv| self.repair.guess(mv));
        let elapsed = self.stop.elapsed();
        let answer = self.repair.completed(answer, &list[0].pv);
        self.answer.give(SearchOutcome {
            answer,
            lines: announcer.still_to_show(list, elapsed),
            reason: self.stop.reason(),
        });
        self.made = self.stop.made(elapsed);
    }
}
