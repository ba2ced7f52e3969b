//! State shared by threads. Words are behind a trait, so that a model checker can substitute its own and check the
//! code that runs.

mod atomic_word;
mod busy_moves;
mod event;
mod prefetch;
mod search_control;
mod tt_slot;

pub use atomic_word::AtomicWord;
pub use busy_moves::BusyMoves;
pub use event::Event;
pub use prefetch::prefetch;
pub use search_control::{SearchControl, StopOnDrop};
pub use tt_slot::TtSlot;
