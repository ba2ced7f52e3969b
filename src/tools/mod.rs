//! Tools beside the engine: matches, suites of positions, the benchmark.

pub mod bench;
mod difference;
pub mod epd;
mod error;
pub mod files;
pub mod journal;
pub mod matches;
pub mod source;
pub mod stats;

pub use error::ToolError;
