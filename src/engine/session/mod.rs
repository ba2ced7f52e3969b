//! One running search: its thread, clock, lines and events.

pub(super) mod active;
mod clock_watch;
mod count;
pub(super) mod event;
mod multi_pv;
mod rate_limiter;
mod static_guess;
mod table_probe;
mod variation;
