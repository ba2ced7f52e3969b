//! One running search: its thread and its setup.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam::channel::{self, Receiver, Sender};

use super::channels::{Control, JobChannels, Timestamp};
use super::count::count;
use super::event::SearchEvent;
use super::monitor::SearchMonitor;
use super::pv_repair::PvRepair;
use super::table_probe::TableProbe;
use crate::chess::Position;
use crate::endgame::probe::Tables;
use crate::engine::mate::go_mate;
use crate::engine::search::{Question, Search};
use crate::eval::EvaluationKind;
use crate::search::STACK_BYTES;
use crate::time::{Lag, Limits, TimeManager, TimeParams, TimedMove};

/// Everything that a search needs beside its question.
pub struct SearchSetup {
    /// Its limits.
    pub limits: Limits,
    /// Parameters of the time manager.
    pub time: TimeParams,
    /// Delays of moves.
    pub lag: Lag,
    /// Endgame tables.
    pub tables: Option<Arc<Tables>>,
    /// The evaluation for moves that were not searched.
    pub evaluation: EvaluationKind,
}

/// A handle on one running job. Dropping it stops the job.
pub struct ActiveSearch {
    controls: Sender<Control>,
    thread: JoinHandle<Option<Finished>>,
}

/// The end of a search.
pub struct Finished {
    /// The search itself.
    pub search: Box<dyn Search>,
    /// Its move; `None` if the clock did not decide its time.
    pub made: Option<TimedMove>,
}

impl ActiveSearch {
    /// Starts a search whose clock has been running since `start`.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn think(
        mut search: Box<dyn Search>,
        mut question: Question,
        setup: SearchSetup,
        start: Timestamp,
        events: Sender<SearchEvent>,
    ) -> io::Result<Self> {
        Self::spawn(move |controls| {
            let manager = TimeManager::new(setup.limits, setup.time, &setup.lag);
            let tables = TableProbe::new(&mut question, setup.tables, &events);
            let (is_doubtful, solution) = (tables.is_doubtful(), tables.solution(&question));
            let repair = PvRepair::new(&question, tables, setup.evaluation);
            let channels = JobChannels {
                start,
                controls,
                events,
            };
            let mut monitor = SearchMonitor::new(&question, manager, repair, channels);
            if is_doubtful {
                search.new_game();
            }
            match solution {
                Some(reports) => monitor.conclude(&reports),
                None => go_mate::think(search.as_mut(), &question, &mut monitor),
            }
            let made = monitor.made();
            Some(Finished { search, made })
        })
    }

    /// Starts counting the move sequences of `depth` plies.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn count(
        position: Position,
        depth: u32,
        start: Timestamp,
        events: Sender<SearchEvent>,
    ) -> io::Result<Self> {
        Self::spawn(move |controls| {
            count(
                &position,
                depth,
                &JobChannels {
                    start,
                    controls,
                    events,
                },
            );
            None
        })
    }

    fn spawn(
        job: impl FnOnce(Receiver<Control>) -> Option<Finished> + Send + 'static,
    ) -> io::Result<Self> {
        let (controls, inbox) = channel::unbounded();
        let builder = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES);
        let thread = builder.spawn(move || job(inbox))?;
        Ok(Self { controls, thread })
    }

    /// Stops the job. Its last event follows at once.
    pub fn stop(&self) {
        // A job that has ended hears nothing, which is right.
        let _ = self.controls.send(Control::Stop);
    }

    /// Tells a pondering search that its clock has been running since `at`.
    pub fn ponder_hit(&self, at: Timestamp) {
        let _ = self.controls.send(Control::PonderHit(at));
    }

    /// Waits for the end and gives the search back; `None` after a count or a failure.
    pub fn join(self) -> Option<Finished> {
        self.thread.join().ok().flatten()
    }
}
