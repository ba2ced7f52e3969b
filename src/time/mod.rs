//! Limits of a search and when to stop, without a clock: callers say how much time has passed.

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
