//! Ranks in virtual time: the messages and the work of a search by several machines are real, only the clock is not.
//! Nodes take the time they are said to take, and messages that of a network.

mod diver;
mod rank_threads;
mod simulation;
mod timeline;

pub use simulation::{Setup, SimulatedRun, depth_within, simulate};
pub use timeline::draw;
