//! Tools: matches, test suites and the benchmark.

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
