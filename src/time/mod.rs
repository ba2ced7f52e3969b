//! Limits of a search and the decision to stop. There is no clock here: callers pass the elapsed time.

mod lag;
mod limits;
mod manager;
mod params;
mod stop;

pub use lag::{Lag, TimedMove};
pub use limits::Limits;
pub use manager::{Budget, TimeManager};
pub use params::TimeParams;
pub use stop::{StopReason, reason_to_stop};
