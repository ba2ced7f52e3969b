//! Limits of a search and when to stop, without a clock: callers say how much time has passed.

mod limits;
mod progress;

pub use limits::Limits;
pub use progress::{Progress, Safety};
