//! One running search: its thread, clock, lines and events.

pub(super) mod active;
mod allowance;
mod best_lines;
mod clock_watch;
mod count;
pub(super) mod event;
mod first_look;
mod table_probe;
mod variation;
