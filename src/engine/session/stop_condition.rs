//! When a search ends: by a stop command, the clock, or its limits.

use std::time::Duration;

use crossbeam::channel::{self, Receiver};

use super::channels::{Control, Timestamp};
use crate::game::Progress;
use crate::time::{StopReason, TimeManager, TimedMove};

/// No search is stopped before it has reported the best moves once or worked on so many nodes, some ten milliseconds:
/// the answer should rest on something.
const FIRST_NODES_MAX: u64 = 20_000;

/// The controls, the clock and the limits of one search.
pub(super) struct StopCondition {
    controls: Receiver<Control>,
    start: Timestamp,
    manager: TimeManager,
    /// With a single legal move there is nothing to decide.
    is_forced: bool,
    reason: Option<StopReason>,
    /// The user has asked to stop, perhaps after the search had another reason.
    is_stopped: bool,
}

impl StopCondition {
    pub(super) fn new(
        controls: Receiver<Control>,
        start: Timestamp,
        manager: TimeManager,
        is_forced: bool,
    ) -> Self {
        Self {
            controls,
            start,
            manager,
            is_forced,
            reason: None,
            is_stopped: false,
        }
    }

    /// Time since the search was asked for.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Why the search was stopped; `None` if it ended by itself.
    pub(super) const fn reason(&self) -> Option<StopReason> {
        self.reason
    }

    /// The move made at that time; `None` if the clock does not decide.
    pub(super) fn made(&self, elapsed: Duration) -> Option<TimedMove> {
        self.manager.made(elapsed)
    }

    fn obey(&mut self, control: Control) {
        match control {
            Control::Stop => {
                self.is_stopped = true;
                self.reason = self.reason.or(Some(StopReason::User));
            }
            Control::PonderHit(at) => self.manager.ponder_hit(at.since(self.start)),
        }
    }

    fn obey_all(&mut self) {
        loop {
            match self.controls.try_recv() {
                Ok(control) => self.obey(control),
                Err(channel::TryRecvError::Empty) => return,
                Err(channel::TryRecvError::Disconnected) => return self.obey(Control::Stop),
            }
        }
    }

    /// Takes in controls and the progress of the search; the time since it was asked for.
    pub(super) fn update(&mut self, progress: &Progress) -> Duration {
        self.obey_all();
        let elapsed = self.elapsed();
        if self.reason.is_none() {
            let is_decided = self.is_forced && progress.met.depth > 0;
            let progress = Progress {
                exhausted: progress.exhausted || is_decided,
                ..*progress
            };
            self.reason = self.manager.reason_to_stop(elapsed, &progress);
        }
        elapsed
    }

    /// Whether the search must end after this number of nodes; `has_reported`: the best moves were reported once.
    pub(super) fn is_met(&self, has_reported: bool, nodes: u64) -> bool {
        self.reason.is_some() && (has_reported || nodes >= FIRST_NODES_MAX)
    }

    /// Waits until the answer may be given: not while pondering or in infinite analysis. Calls back periodically.
    pub(super) fn hold_answer(&mut self, every: Duration, mut tick: impl FnMut(Duration)) {
        while self.manager.holds_answer() && !self.is_stopped {
            match self.controls.recv_timeout(every) {
                Ok(Control::Stop) | Err(channel::RecvTimeoutError::Disconnected) => return,
                Ok(control) => self.obey(control),
                Err(channel::RecvTimeoutError::Timeout) => tick(self.start.elapsed()),
            }
        }
    }
}
