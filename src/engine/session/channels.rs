//! The channels of a running job, and its start time.

use std::time::{Duration, Instant};

use crossbeam::channel::{self, Receiver, Sender};

use super::event::{SearchEvent, send};

/// A point in time, taken when a line of input was read.
#[derive(Clone, Copy, Debug)]
pub struct Timestamp(Instant);

impl Timestamp {
    /// This moment.
    pub fn now() -> Self {
        Self(Instant::now())
    }

    /// The time that has passed since.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }

    /// The time from `earlier` to this moment; none if that is later.
    pub fn since(self, earlier: Self) -> Duration {
        self.0.saturating_duration_since(earlier.0)
    }
}

/// Commands to a running search.
#[derive(Clone, Copy)]
pub(crate) enum Control {
    /// End at once.
    Stop,
    /// The clock has been running since then.
    PonderHit(Timestamp),
}

/// The channels of a job.
pub(crate) struct JobChannels {
    /// When the job was asked for.
    pub(crate) start: Timestamp,
    /// Commands to it.
    pub(crate) controls: Receiver<Control>,
    /// Its events.
    pub(crate) events: Sender<SearchEvent>,
}

impl JobChannels {
    /// Sends an event of the job.
    pub(crate) fn send(&self, event: SearchEvent) {
        send(&self.events, event);
    }

    /// Whether a count must stop: the stop command has arrived, or the engine is gone.
    pub(crate) fn is_stopped(&self) -> bool {
        match self.controls.try_recv() {
            Ok(Control::Stop) | Err(channel::TryRecvError::Disconnected) => true,
            Ok(Control::PonderHit(_)) | Err(channel::TryRecvError::Empty) => false,
        }
    }
}
