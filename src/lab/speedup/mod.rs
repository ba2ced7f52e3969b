//! Speed-up by several workers (thesis 3.5.3), measured on work that is given beforehand: to decide to a depth.
//!
//! Workers are threads by the clock, ranks of the default search, or the workers of the thesis on a simulated network.

mod gain;
mod machine;
mod ranks;
mod thesis;
mod threads;

pub use gain::Gain;
pub use machine::{Machine, Run};
pub use ranks::{RealRanks, SimulatedRanks};
pub use thesis::{REFERENCES, ThesisWorkers};
pub use threads::Threads;
