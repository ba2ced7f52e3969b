//! One running search: its thread, clock, lines and events.

pub(super) mod active;
mod announcer;
mod answer_once;
pub(super) mod channels;
mod count;
pub(super) mod event;
mod monitor;
mod multi_pv_lines;
mod pv_repair;
mod rate_limiter;
mod static_guess;
mod stop_condition;
mod table_probe;
mod variation;
