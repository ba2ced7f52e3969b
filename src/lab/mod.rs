//! The laboratory: suites of positions, matches, and what they tell.

mod adam;
pub mod bench;
pub mod book;
pub mod calibration;
pub mod cluster;
pub mod contest;
pub mod course;
mod difference;
mod error;
pub mod fit;
pub mod granularity;
pub mod journal;
pub mod levels;
mod node_limit;
pub mod outcome;
pub mod plot;
pub mod quality;
pub mod rating;
pub mod reality;
pub mod run;
pub mod safety;
pub mod score;
pub mod selfplay;
pub mod source;
pub mod speedup;
pub mod stats;
pub mod store;
pub mod suite;
pub mod summary;
pub mod targets;
pub mod train;
pub mod trial;
pub mod variants;
pub mod wdl;

pub use error::LabError;
