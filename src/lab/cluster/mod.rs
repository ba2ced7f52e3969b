//! Simulation of a cluster in virtual time. The search and its messages are those of real machines; only the time
//! of nodes and messages is simulated.

mod diver;
mod rank_threads;
mod simulation;
mod timeline;

pub use simulation::{Setup, SimulatedRun, depth_within, simulate};
pub use timeline::draw;
