//! Speedup by several workers (thesis 3.5.3), measured for searches to a fixed depth.
//!
//! The workers are threads in real time, ranks of the default search, or the workers of the thesis on a simulated
//! network.

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
